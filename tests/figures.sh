#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every picture that the README and the pages in doc/ show is made by doc/figures.sh, and the tables
# of doc/speed.md are those of the results that are kept.
set -uo pipefail

: "${HALFARROW:?names the program}" "${top_srcdir:=.}" "${top_builddir:=.}"
command -v dot >/dev/null && command -v gnuplot >/dev/null || exit 77
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
problems=0

export JOINTS=$top_builddir/doc/joints
bash "$top_srcdir/doc/figures.sh" "$directory" || {
    echo "doc/figures.sh fails"
    exit 1
}
for page in "$top_srcdir/README.md" "$top_srcdir"/doc/*.md; do
    for picture in $(grep -oE '\]\((doc/)?[A-Za-z0-9_-]+\.svg\)' "$page" | tr -d '()]'); do
        if [ ! -s "$directory/$(basename "$picture")" ]; then
            echo "$page: no picture $picture is made"
            problems=$((problems + 1))
        fi
        if [ ! -s "$top_srcdir/doc/$(basename "$picture")" ]; then
            echo "$page: the picture $picture is not kept; run make doc-figures"
            problems=$((problems + 1))
        fi
    done
done
if ! cmp -s "$directory/speed.md" "$top_srcdir/doc/speed.md"; then
    echo "doc/speed.md is not what the results give; run make doc-figures"
    problems=$((problems + 1))
fi
# A picture names its model, not the machine on which it was made.
for picture in "$top_srcdir"/doc/*.svg; do
    if grep -nE '<title>[^<]*/' "$picture" /dev/null; then
        echo "$picture: a title with a path; run make doc-figures"
        problems=$((problems + 1))
    fi
done
[ $problems -eq 0 ]
