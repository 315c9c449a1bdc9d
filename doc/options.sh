#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# options.sh PROGRAM DIRECTORY: puts what PROGRAM prints about the options of a run in its place in
# the manual page, the schema and the pages of DIRECTORY, and the types of forces in the schema;
# likewise what the help of the program HALFARROW says of the formats of files.
set -euo pipefail

: "${HALFARROW:?names the program}"
program=$1 directory=$2
block=$(mktemp)
trap 'rm -f "$block"' EXIT

# put KIND FILE FIRST LAST: the lines after FIRST and before LAST; or FIRST to LAST with `whole`.
put() {
    "$program" "$1" >"$block"
    replace "$@"
}

replace() {
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
put forces "$directory/halfarrow.schema.json" '    "force": {' \
    '          "description": "what acts"' whole

# formats COMMAND: a line for each format of -o: the suffixes, a tab, what such a file is.
formats() {
    "$HALFARROW" "$1" --help | awk '
        /^The suffix of the file given with -o/ { inside = 1; next }
        NF == 0 { inside = 0 }
        inside && /^  \./ {
            if (line) { print line }
            match($0, /^  [^ ]+(, [^ ]+)*/)
            line = substr($0, 3, RLENGTH - 2)
            sub(/^  [^ ]+(, [^ ]+)* +/, "")
            line = line "\t" $0
            next
        }
        inside { sub(/^ +/, " "); line = line $0 }
        END { if (line) { print line } }'
}

for file in "$directory"/*.md; do
    for command in $(sed -n 's/^<!-- formats of \(.*\) -->$/\1/p' "$file"); do
        {
            printf '| suffix | what |\n|---|---|\n'
            formats "$command" |
                awk -F '\t' '{ gsub(", ", "`, `", $1); print "| `" $1 "` | " $2 " |" }'
        } >"$block"
        replace "" "$file" "<!-- formats of $command -->" '<!-- end of the formats -->'
    done
done
for command in $(sed -n 's/^\.\\" formats of //p' "$directory/halfarrow.1"); do
    {
        printf 'The suffix of the file given with\n.B \\-o\nchooses the format:\n'
        formats "$command" | sed 's/-/\\-/g; s/^/.TP\n.B /; s/\t/\n/; s/$/./'
    } >"$block"
    replace "" "$directory/halfarrow.1" ".\\\" formats of $command" '.\" end of the formats'
done
