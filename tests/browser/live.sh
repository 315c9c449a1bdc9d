#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The live page of `report` in a headless browser (live.js); skipped where the program has no
# engine.
# shellcheck source=tests/browser/needed.sh
. "${top_srcdir:-.}/tests/browser/needed.sh" || exit
model=$top_srcdir/examples/pendulum.yaml
said=$("$HALFARROW" report "$model" --live -o "$directory/page.html" 2>&1 || true)
if [[ $said == *"without the engine"* ]]; then
    echo "$said"
    exit 77
fi
node "$top_srcdir/tests/browser/live.js" "$browser" "$HALFARROW" "$top_srcdir/examples" \
    "$directory"
