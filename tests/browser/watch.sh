#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A page under `report --watch` in a headless browser (watch.js).
# shellcheck source=tests/browser/needed.sh
. "${top_srcdir:-.}/tests/browser/needed.sh" || exit
node "$top_srcdir/tests/browser/watch.js" "$browser" "$HALFARROW" "$top_srcdir/examples" \
    "$directory"
