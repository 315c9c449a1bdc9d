#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Pictures of the graphs in tests/golden, as texts: DOT and GraphML byte for byte, TikZ but for its
# places, which are Graphviz's. After a change that is meant, `make update-golden` writes them anew;
# look at the pictures before you commit them.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

golden=$top_srcdir/tests/golden

# Leaves of a TikZ picture what does not depend on places.
structure() {
    sed -E -e 's/\(-?[0-9]+\.[0-9]+,-?[0-9]+\.[0-9]+\)/(P)/g' \
        -e 's/( \.\. controls \(P\) and \(P\) \.\. \(P\))+/ .. (P)/g' "$1"
}

# compare NAME: the file in $directory with the one that is kept.
compare() {
    if [ "${1-}" != "" ] && [ "${UPDATE_GOLDEN-}" = yes ]; then
        cp "$directory/$1" "$golden/$1"
    elif ! cmp -s "$directory/$1" "$golden/$1"; then
        problem "$1 is not what is kept: $(diff "$golden/$1" "$directory/$1" | head -n 6)"
    fi
}

n=0
for graph in "$golden"/*.bgl; do
    name=$(basename "$graph" .bgl)
    status=0
    [ "$name" = conflict ] && status=2 # it is drawn all the same
    for suffix in dot graphml; do
        call $status draw "$graph" -o "$directory/$name.$suffix"
        compare "$name.$suffix"
    done
    if command -v dot >/dev/null; then
        call $status draw "$graph" -o "$directory/$name.tikz.tex"
        structure "$directory/$name.tikz.tex" >"$directory/$name.tex"
        compare "$name.tex"
    fi
    n=$((n + 1))
done
[ $n -ge 10 ] || problem "$n graphs only"
finish
