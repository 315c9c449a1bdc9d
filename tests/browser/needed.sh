# SPDX-License-Identifier: GPL-3.0-or-later
# What tests of pages need; to be sourced. Skipped where there is no Chromium, no node or no
# Graphviz; CI has them. Sets `browser` and `directory`.
# shellcheck shell=bash disable=SC2034 # used by those who source it
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
