# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of the program share; to be sourced. HALFARROW names the program, top_srcdir the
# sources. Every check prints what is wrong; `finish` fails when one did.
# shellcheck shell=bash disable=SC2034 # used by those who source it
set -uo pipefail

: "${HALFARROW:?names the program}" "${top_srcdir:=.}"
examples=$top_srcdir/examples
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
unset NO_COLOR
problems=0

problem() {
    echo "$1"
    problems=$((problems + 1))
}

finish() {
    [ $problems -eq 0 ] || exit 1
}

# call STATUS ARGUMENT...: runs the program, keeps its output in $directory/out and err.
call() {
    local wanted=$1 found=0
    shift
    called="halfarrow $*"
    "$HALFARROW" "$@" >"$directory/out" 2>"$directory/err" </dev/null || found=$?
    if [ "$found" -ne "$wanted" ]; then
        problem "$called: exit status $found, not $wanted; $(head -n 3 "$directory/err")"
    fi
}

# interrupt PID SIGNAL SECONDS: sends a signal to a program that runs and keeps its exit status.
interrupt() {
    sleep "$3"
    kill "-$2" "$1"
    wait "$1"
    status=$?
}

# patiently COMMAND ARGUMENT: runs COMMAND ARGUMENT SECONDS with longer and longer times until it is
# satisfied: on a loaded machine nothing is known to have happened after a second.
patiently() {
    local seconds
    for seconds in 0.5 2 8 32 128; do
        "$1" "$2" $seconds && return
    done
}

# has out|err TEXT: the output has a line with this text.
has() {
    grep -qF -- "$2" "$directory/$1" ||
        problem "$called: no \`$2\` on $1: $(head -n 5 "$directory/$1")"
}

# empty out|err
empty() {
    [ ! -s "$directory/$1" ] || problem "$called: $1 is not empty: $(head -n 3 "$directory/$1")"
}

# keys KEY...: the JSON object on standard output has these keys at its top.
keys() {
    local key
    for key in "$@"; do
        grep -q "^  \"$key\": " "$directory/out" || problem "$called: no key \`$key\`"
    done
}

# near NAME VALUE TOLERANCE: a number of the JSON object, at any depth.
near() {
    awk -v name="\"$1\":" -v value="$2" -v tolerance="$3" '
        $1 == name && $2 != "{" {
            sub(/,$/, "", $2)
            found = 1
            d = $2 - value
            if (d < -tolerance || d > tolerance) { print name, $2, "is not", value; exit 1 }
        }
        END { if (!found) { print name, "is missing"; exit 1 } }' "$directory/out" ||
        problem "$called: wrong number"
}
