#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The gallery: each picture is made by the command above it.
# shellcheck source=tests/util/pages.sh
. "${top_srcdir:-.}/tests/util/pages.sh" || exit

page=$top_srcdir/doc/learn/gallery.md
check_page "$page"
[ "$n_commands" -ge 30 ] || problem "only $n_commands pictures"
while read -r picture; do
    grep -q '^<svg\|^<?xml' "$directory/page/$picture" 2>/dev/null ||
        problem "$page: no picture $picture"
done < <(sed -n 's/^!\[.*\](\(.*\))$/\1/p' "$page")
[ $problems -eq 0 ]
