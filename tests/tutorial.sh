#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The tutorial: each of its commands, and each number that it shows.
# shellcheck source=tests/util/pages.sh
. "${top_srcdir:-.}/tests/util/pages.sh" || exit

needs_pictures
check_page "$top_srcdir/doc/learn/tutorial.md"
[ "$n_commands" -gt 20 ] || problem "only $n_commands commands were found"
[ $problems -eq 0 ]
