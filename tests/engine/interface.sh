#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Requests and replies of the engine (interface.js).
# shellcheck source=tests/engine/needed.sh
. "${top_srcdir:-.}/tests/engine/needed.sh" || exit
node "$top_srcdir/tests/engine/interface.js" "$engine" "$top_srcdir" "$HALFARROW" "$directory"
