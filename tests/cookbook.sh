#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The recipes: each command, and each number that they show.
# shellcheck source=tests/util/pages.sh
. "${top_srcdir:-.}/tests/util/pages.sh" || exit

needs_pictures
check_page "$top_srcdir/doc/learn/cookbook.md"
[ "$n_commands" -gt 20 ] || problem "only $n_commands commands were found"
[ $problems -eq 0 ]
