#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The C examples run, check themselves where there is a closed form, and give what the program gives
# for the same model.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

for example in andrews differential motor quarter_car rlc track valve; do
    "$top_builddir/examples/$example" >"$directory/$example" 2>"$directory/err" ||
        problem "examples/$example fails: $(head -n 3 "$directory/err")"
done

# short enough to be read at once: lines that are neither blank nor comment
lines=$(grep -cvE '^ *(/?\*.*)?$' "$top_srcdir/examples/andrews.c")
[ "$lines" -lt 110 ] || problem "examples/andrews.c has $lines lines of code"

# 10 digits of the largest number of a kind: sums are in the order in which the parts were made, and
# round-off grows with the motion
call 0 run --json "$examples/andrews.yaml"
awk '
    function magnitude(x) { return x < 0 ? -x : x + 0 }
    function kind(name) { sub(/^energy.*/, "energy", name); sub(/.*\./, "", name); return name }
    NR == FNR {
        if ($2 == "=") {
            value[$1] = $3
            if (magnitude($3) > largest[kind($1)]) { largest[kind($1)] = magnitude($3) }
        }
        next
    }
    $1 ~ /^"[A-Za-z0-9_.]+":$/ && $2 != "{" { # not the peaks
        name = substr($1, 2, length($1) - 3)
        sub(/,$/, "", $2)
        if (name in value) {
            n++
            if (magnitude($2 - value[name]) > 1e-10 * largest[kind(name)]) {
                print name, $2, "from C", value[name]
                bad = 1
            }
        }
    }
    END { if (n < 200) { print n, "numbers compared"; bad = 1 } exit bad }' \
    "$directory/andrews" "$directory/out" || problem "examples/andrews and andrews.yaml differ"

finish
