#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The commands of the README and the examples of the manual page do their work without a word on
# standard error, with the pendulum that the README shows.
set -uo pipefail

: "${HALFARROW:?names the program}" "${top_srcdir:=.}"
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
failed=0 n=0

# the first block of YAML is pendulum.yaml
awk '/^```yaml/ { on = 1; next } /^```/ { exit } on' "$top_srcdir/README.md" \
    >"$directory/pendulum.yaml"

# A command, and behind three blanks what it does.
readme() {
    sed -nE 's,^    (build/tools/)?(halfarrow .*)$,\2,p' "$top_srcdir/README.md" |
        sed -E 's/ {3,}.*//'
}

# Lines of examples, of which a backslash at the end continues one.
manual() {
    awk '/^\.SH/ { on = $2 == "EXAMPLES" } on' "$top_srcdir/doc/halfarrow.1" |
        sed -e 's/\\(aq/'"'"'/g' -e 's/\\-/-/g' -e 's/\\e$/\\/' |
        sed -e ':a' -e '/\\$/{N;s/\\\n *//;ba' -e '}' | grep '^halfarrow '
}

# try WHERE: runs each line of the input.
try() {
    local line status
    while IFS= read -r line; do
        n=$((n + 1))
        if [[ $line == *" draw "*".svg"* ]] && ! command -v dot >/dev/null; then
            line=${line//.svg/.dot}
        fi
        (cd "$directory" && eval "\"\$HALFARROW\" ${line#halfarrow }") >"$directory/out" \
            2>"$directory/err" </dev/null
        status=$?
        if [ $status -ne 0 ] || [ -s "$directory/err" ]; then
            echo "$1: $line: exit status $status: $(cat "$directory/err")"
            failed=$((failed + 1))
        fi
    done
}

HALFARROW=$(realpath "$HALFARROW")
ln -s "$(realpath "$top_srcdir")/examples" "$directory/examples"
try README.md < <(readme)
[ $n -ge 4 ] || { echo "README.md shows $n commands" && failed=1; }
n=0
try halfarrow.1 < <(manual)
[ $n -ge 5 ] || { echo "halfarrow.1 shows $n commands" && failed=1; }
[ $failed -eq 0 ]
