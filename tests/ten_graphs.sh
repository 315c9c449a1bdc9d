#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The ten graphs on causality: what the program says of each.
# shellcheck source=tests/util/pages.sh
. "${top_srcdir:-.}/tests/util/pages.sh" || exit

needs_pictures
check_page "$top_srcdir/doc/learn/causality.md"
[ "$n_files" -eq 11 ] || problem "$n_files graphs were found"
[ $problems -eq 0 ]
