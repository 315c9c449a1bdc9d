#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Manual page, schema and pages list the options of a run, the types of forces and the formats of
# files as their tables have them.
set -euo pipefail

: "${top_srcdir:=.}" "${top_builddir:=.}"
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
files=(halfarrow.1 halfarrow.schema.json model-run.md analysis.md compare.md diagrams.md)
problems=0

refill() {
    for file in "${files[@]}"; do
        cat "$top_srcdir/doc/$file" >"$directory/$file"
    done
    if [ $# -gt 0 ]; then
        sed -i "$1" "$directory/$2"
        cp "$directory/$2" "$directory/changed"
    fi
    bash "$top_srcdir/doc/options.sh" "$top_builddir/doc/options" "$directory"
}

# does the check see a fault? Each is put alone into a copy.
for fault in 'halfarrow.1 s/^\.BI .*rtol=.*/.BI rtol/' 'halfarrow.1 s/^LaTeX/TeX/' \
    'diagrams.md /graphml.*|/d' 'model-run.md /^| `rtol`/d' \
    'halfarrow.schema.json s/relative tolerance/tolerance/' \
    'halfarrow.schema.json /^            "wrench",/d'; do
    refill "${fault#* }" "${fault%% *}"
    if cmp -s "$directory/changed" "$directory/${fault%% *}"; then
        echo "self-test: not seen: $fault"
        exit 1
    fi
done

refill
for file in "${files[@]}"; do
    if ! cmp "$top_srcdir/doc/$file" "$directory/$file"; then
        echo "doc/$file does not say what the options and formats are; run make doc-options"
        problems=$((problems + 1))
    fi
done
[ $problems -eq 0 ]
