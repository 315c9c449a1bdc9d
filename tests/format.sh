#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every C file is laid out as .clang-format says, by clang-format 14: others lay out differently.
# No line of a source is longer than 100 columns, no source longer than 600 lines, and no folder of
# the product holds more than 40 sources. Tests may be longer than 600 lines: they are lists.
set -euo pipefail
export LC_ALL=C.UTF-8 # a column is a character, not a byte

longest_line=100
longest_file=600
fullest_folder=40

problem() {
    echo "$1"
    problems=$((problems + 1))
}

# The sources of a tree: all of them, only C, only those of the product.
sources() {
    (
        cd "$1"
        # what is in tools/page/uplot is foreign; golden files are results
        find lib bondgraph mech2d tools tests bench examples doc .ci Makefile.am configure.ac \
            -type f -not -path 'tools/page/uplot/*' -not -path 'tests/golden/*' \
            \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.def' -o -name '*.sh' -o -name '*.inc' \
            -o -name '*.awk' -o -name '*.py' -o -name '*.gp' -o -name '*.dot' -o -name Makefile.am \
            -o -name configure.ac -o -path tools/quickstart -o -path .ci/run \) 2>/dev/null | sort
    )
}

c_sources() {
    sources "$1" | grep -E '\.([ch]|cpp)$'
}

product_sources() {
    sources "$1" | grep -E '^(lib|bondgraph|mech2d|tools)/.*\.([ch]|def)$'
}

check_lines() {
    local line
    while read -r line; do
        problem "$line: longer than $longest_line columns"
    done < <(
        cd "$1"
        sources . | xargs grep -nE "^.{$((longest_line + 1)),}" -- /dev/null | cut -d: -f1,2
    )
}

check_sizes() {
    local n name
    while read -r n name; do
        if [ "$name" != total ] && [ "$n" -gt $longest_file ]; then
            problem "$name: $n lines, more than $longest_file; divide it by idea"
        fi
    done < <(cd "$1" && product_sources . | xargs wc -l)
    while read -r n name; do
        [ "$n" -le $fullest_folder ] ||
            problem "$name: $n sources, more than $fullest_folder; make folders of what is one"
    done < <(product_sources "$1" | sed 's|/[^/]*$||' | sort | uniq -c)
}

check_layout() {
    local file
    while read -r file; do
        problem "$file: not as .clang-format says; run $formatter -i $file"
    done < <(
        cd "$1"
        { c_sources . | xargs "$formatter" --dry-run 2>&1 || true; } |
            sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: warning.*/\1/p' | sort -u
    )
}

check_tree() {
    problems=0
    check_lines "$1"
    check_sizes "$1"
    check_layout "$1"
    [ $problems -eq 0 ]
}

# Does the check see a fault? Each is put alone into a tree of its own.
self_test() {
    local tree fault i
    tree=$(mktemp -d)
    # shellcheck disable=SC2064 # the value of now
    trap "rm -rf '$tree'" EXIT
    for fault in none layout columns lines folder; do
        rm -rf "${tree:?}"/*
        mkdir "$tree/lib"
        cp "$1/.clang-format" "$tree"
        printf 'int good(void)\n{\n    return 0;\n}\n' >"$tree/lib/good.c"
        case $fault in
            layout) printf 'int x( void )\n{\n  return 0;\n}\n' >"$tree/lib/x.c" ;;
            columns) printf '# %0100d\n' 0 >"$tree/lib/Makefile.inc" ;;
            lines) yes '/* */' 2>/dev/null | head -n 601 >"$tree/lib/x.def" ;;
            folder) # a folder among its files, too
                mkdir "$tree/lib/x2" && touch "$tree/lib/x2/y.h"
                for i in {1..40}; do touch "$tree/lib/x$i.h"; done ;;
        esac
        if check_tree "$tree" >/dev/null; then
            [ $fault = none ] || { echo "self-test: not seen: $fault" && return 1; }
        else
            [ $fault != none ] || { echo "self-test: a fault where there is none" && return 1; }
        fi
    done
}

formatter=
for candidate in clang-format-14 clang-format; do
    if "$candidate" --version 2>/dev/null | grep -q 'version 14\.'; then
        formatter=$candidate
        break
    fi
done
if [ -z "$formatter" ]; then
    echo "clang-format 14 is missing (Debian 12: clang-format-14)"
    exit 77
fi

problems=0

set +o pipefail # `yes` ends by a signal
self_test "${top_srcdir:-.}"
set -o pipefail
check_tree "${top_srcdir:-.}" || true
echo "$(sources "${top_srcdir:-.}" | wc -l) sources, $problems faults of layout"
[ $problems -eq 0 ]
