#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The site in a headless browser (site.js), without the pictures that its commands make.
: "${MKDOCS:=}"
if [ -z "$MKDOCS" ]; then
    echo "skipped: no mkdocs"
    exit 77
fi
# shellcheck source=tests/browser/needed.sh
. "${top_srcdir:-.}/tests/browser/needed.sh" || exit
PICTURES=no bash "$top_srcdir/doc/site/build.sh" "$directory"
node "$top_srcdir/tests/browser/site.js" "$browser" "$HALFARROW" "$top_srcdir/examples" \
    "$directory/site"
