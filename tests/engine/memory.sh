#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Many runs take no more memory than some (memory.js).
# shellcheck source=tests/engine/needed.sh
. "${top_srcdir:-.}/tests/engine/needed.sh" || exit
node "$top_srcdir/tests/engine/memory.js" "$engine" "$top_srcdir" "$HALFARROW" "$directory"
