#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every example ends in the engine as in the program, with the same numbers (examples.js).
# shellcheck source=tests/engine/needed.sh
. "${top_srcdir:-.}/tests/engine/needed.sh" || exit
node "$top_srcdir/tests/engine/examples.js" "$engine" "$top_srcdir" "$HALFARROW" "$directory"
