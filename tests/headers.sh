#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Each installed header compiles alone, as C17 and as C++17, without warnings, twice in a row, and
# without any foreign header or config.h; functions keep C linkage for C++.
set -euo pipefail

: "${top_srcdir:=.}" "${PUBLIC_HEADERS:=}" "${CC:=cc}" "${TEST_CXX:=c++}"
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
warnings=(-Wall -Wextra -Wpedantic -Wundef -Wshadow -Wconversion -Werror)
read -ra c_compiler <<<"$CC"
read -ra cxx_compiler <<<"$TEST_CXX"
n=0 failed=0

fault() {
    echo "$1"
    failed=$((failed + 1))
}

# The compilers see copies of the installed headers only: one that includes a private header fails
# here and not at the user's.
for header in $PUBLIC_HEADERS; do
    mkdir -p "$directory/include/$(dirname "$header")"
    cp "$top_srcdir/$header" "$directory/include/$header"
done

for header in $PUBLIC_HEADERS; do
    [[ $header == *.h ]] || continue
    n=$((n + 1))
    # a file with nothing but includes is not C: it needs a declaration
    printf '#include "%s"\n#include "%s"\nextern int ha_unused;\n' "$header" "$header" \
        >"$directory/alone.c"
    cp "$directory/alone.c" "$directory/alone.cc"
    "${c_compiler[@]}" -std=c17 "${warnings[@]}" -Wstrict-prototypes -fsyntax-only \
        -I"$directory/include" "$directory/alone.c" || fault "$header is not C17 alone"
    "${cxx_compiler[@]}" -std=c++17 "${warnings[@]}" -fsyntax-only \
        -I"$directory/include" "$directory/alone.cc" || fault "$header is not C++17 alone"

    # what a header sends its readers to is there
    while read -r file; do
        [ -e "$directory/include/$file" ] || fault "$header names $file, which is not installed"
    done < <(grep -oE '(lib|bondgraph|mech2d)/[a-z0-9_]+\.[a-z]+' "$top_srcdir/$header" | sort -u)

    if grep -q '^[a-zA-Z].*(' "$top_srcdir/$header"; then
        for word in HA_BEGIN_DECLS HA_END_DECLS; do
            grep -q "^$word\$" "$top_srcdir/$header" ||
                fault "$header has functions without $word: C++ cannot link them"
        done
    fi
done

echo "$n headers, $failed faults"
[ "$n" -gt 0 ] && [ $failed -eq 0 ]
