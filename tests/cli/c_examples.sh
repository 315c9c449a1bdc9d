#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The C examples run, check themselves where there is a closed form, and give what the program gives
# for the same model.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh"

for example in andrews differential motor rlc track valve; do
    "$top_builddir/examples/$example" >"$directory/$example" 2>"$directory/err" ||
        problem "examples/$example fails: $(head -n 3 "$directory/err")"
done

lines=$(wc -l <"$top_srcdir/examples/andrews.c")
[ "$lines" -lt 120 ] || problem "examples/andrews.c has $lines lines"

# 13 digits of every number, or of the largest of its kind where it is next to nothing
call 0 run --json "$examples/andrews.yaml"
awk '
    NR == FNR { if ($2 == "=") { value[$1] = $3 } next }
    $1 ~ /^"[A-Za-z0-9_.]+":$/ {
        name = substr($1, 2, length($1) - 3)
        sub(/,$/, "", $2)
        if (name in value) {
            n++
            d = $2 - value[name]
            if (d < 0) { d = -d }
            size = $2 < 0 ? -$2 : $2 + 0
            if (d > 1e-13 * size + 1e-15) { print name, $2, "from C", value[name]; bad = 1 }
        }
    }
    END { if (n < 200) { print n, "numbers compared"; bad = 1 } exit bad }' \
    "$directory/andrews" "$directory/out" || problem "examples/andrews and andrews.yaml differ"

finish
