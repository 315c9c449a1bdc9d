#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `make site` works: all pages are in its list, every link and anchor leads somewhere, nothing is
# taken from elsewhere. The pictures are made by the commands of the pages, which have tests of
# their own.
set -euo pipefail

: "${HALFARROW:?names the program}" "${top_srcdir:=.}" "${MKDOCS:=}"
if [ -z "$MKDOCS" ]; then
    echo "skipped: no mkdocs"
    exit 77
fi
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
problems=0

for page in "$top_srcdir"/doc/*.md "$top_srcdir"/doc/learn/*.md; do
    grep -qF ": ${page#"$top_srcdir"/}" "$top_srcdir/doc/site/mkdocs.yml" || {
        echo "$page is not in the list of doc/site/mkdocs.yml"
        problems=1
    }
done
PICTURES=no bash "$top_srcdir/doc/site/build.sh" "$directory"
python=/usr/bin/python3 # whose mkdocs it is
"$python" "$top_srcdir/tests/util/links.py" "$directory/site"

# does the check see a fault?
site=$directory/site/doc/learn
for fault in 's,href="cookbook.html",href="nowhere.html",' \
    's,href="\.\./statics.html#[^"]*",href="../statics.html#nowhere",' \
    's,src="rod.svg",src="http://example.org/rod.svg",'; do
    n_tried=0
    for page in tutorial cookbook; do
        sed "$fault" "$site/$page.html" >"$directory/bad.html"
        cmp -s "$directory/bad.html" "$site/$page.html" && continue
        n_tried=$((n_tried + 1))
        cp "$site/$page.html" "$directory/good.html"
        cp "$directory/bad.html" "$site/$page.html"
        if "$python" "$top_srcdir/tests/util/links.py" "$directory/site" >"$directory/found" ||
            ! grep -qE 'nowhere|example\.org' "$directory/found"; then
            echo "self-test: not seen: $fault"
            problems=1
        fi
        cp "$directory/good.html" "$site/$page.html"
    done
    [ $n_tried -gt 0 ] || { echo "self-test: not tried: $fault" && problems=1; }
done
[ $problems -eq 0 ]
