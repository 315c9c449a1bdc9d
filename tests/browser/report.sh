#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The page of `report` in a headless browser (report.js). Skipped where there is no Chromium, no
# node or no Graphviz; CI has them.
set -euo pipefail

: "${HALFARROW:?names the program}" "${top_srcdir:=.}"
browser=${BROWSER_FOR_TESTS:-}
for candidate in chromium chromium-browser google-chrome; do
    [ -n "$browser" ] || browser=$(command -v $candidate || true)
done
for needed in "$browser" node dot; do
    if [ -z "$needed" ] || ! command -v "$needed" >/dev/null; then
        echo "chromium, node or dot is missing (Debian: chromium nodejs graphviz)"
        exit 77
    fi
done
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
node "$top_srcdir/tests/browser/report.js" "$browser" "$HALFARROW" "$top_srcdir/examples" \
    "$directory"
