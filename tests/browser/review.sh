#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The page of `report` in a headless browser (review.js).
# shellcheck source=tests/browser/needed.sh
. "${top_srcdir:-.}/tests/browser/needed.sh" || exit
node "$top_srcdir/tests/browser/review.js" "$browser" "$HALFARROW" "$top_srcdir/examples" \
    "$directory"
