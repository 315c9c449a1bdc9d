#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The page of the joints and its pictures are those that the table of the joints makes.
set -euo pipefail

: "${top_srcdir:=.}" "${top_builddir:=.}"
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
problems=0

"$top_builddir/doc/joints" "$directory"
for file in "$directory"/*; do
    if ! diff -u "$top_srcdir/doc/${file##*/}" "$file" | head -n 20; then
        echo "doc/${file##*/} is not what the joints give; run doc/joints on the directory doc"
        problems=$((problems + 1))
    fi
done
echo "$(find "$directory" -type f | wc -l) files"
[ $problems -eq 0 ]
