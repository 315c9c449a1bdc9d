#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# options.sh PROGRAM DIRECTORY: puts what PROGRAM prints about the options of a run in its place in
# the manual page, the schema and the pages of DIRECTORY.
set -euo pipefail

program=$1 directory=$2
block=$(mktemp)
trap 'rm -f "$block"' EXIT

# put KIND FILE FIRST LAST: the lines after FIRST and before LAST; or FIRST to LAST with `whole`.
put() {
    "$program" "$1" >"$block"
    first=$3 last=$4 awk -v block="$block" -v whole="${5:-}" '
        BEGIN {
            first = ENVIRON["first"]
            last = ENVIRON["last"]
        }
        function insert(line) { while ((getline line <block) > 0) { print line } }
        !inside && index($0, first) == 1 {
            inside = 1
            if (!whole) { print }
            insert()
            next
        }
        inside && index($0, last) == 1 {
            inside = 0
            n++
            if (whole) { next }
        }
        !inside { print }
        END { if (n != 1) { exit 1 } }' "$2" >"$block.new"
    cat "$block.new" >"$2"
    rm -f "$block.new"
}

put page "$directory/model-run.md" '<!-- options of a run -->' '<!-- end of the options -->'
put manual "$directory/halfarrow.1" '.\" options of a run' '.\" end of the options'
put schema "$directory/halfarrow.schema.json" '    "simulate": {' '    },' whole
