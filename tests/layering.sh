#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Which file may include what:
#   lib <- bondgraph <- mech2d <- tools;
#   a foreign library only where it is wrapped;
#   <config.h> first in every source, never in a header.
set -euo pipefail

problem() {
    echo "$1"
    problems=$((problems + 1))
}

# Lines "file:line:text" of the includes in a tree; the four directories, C only.
includes() {
    (
        cd "$1"
        grep -nE '^[[:space:]]*#[[:space:]]*include' -r --include='*.[ch]' --include='*.def' \
            lib bondgraph mech2d tools 2>/dev/null || true
    )
}

# forbidden TREE DIRECTORY UPPER...: no file under DIRECTORY includes anything of UPPER.
forbidden() {
    local tree=$1 directory=$2 upper line
    shift 2
    for upper in "$@"; do
        while read -r line; do
            problem "$line: $directory must not know $upper"
        done < <(includes "$tree" | grep -E "^$directory/[^:]*:[0-9]+:[^\"<]*[\"<]([.]+/)*$upper/")
    done
}

# only TREE HEADER-PATTERN FILE...: a foreign header is included by these files only.
only() {
    local tree=$1 pattern=$2 line file allowed
    shift 2
    while read -r line; do
        for allowed in "$@"; do
            file=${line%%:*}
            [ "$file" != "$allowed" ] || continue 2
        done
        problem "$line: only for $*"
    done < <(includes "$tree" | grep -E "[\"<]($pattern)[\">]")
}

config_first() {
    local tree=$1 file first
    while read -r file; do
        first=$(grep -E '^[[:space:]]*#[[:space:]]*include' "$tree/$file" | head -n 1)
        case $file,$first in
            *.c,'#include <config.h>') ;;
            *.c,*) problem "$file: the first include is not <config.h>" ;;
        esac
    done < <(
        cd "$tree" && find lib bondgraph mech2d tools tests bench -name '*.c' 2>/dev/null | sort
    )
    while read -r file; do
        problem "$file: a header must not include <config.h>"
    done < <(includes "$tree" | grep -E '\.h:[0-9]+:.*[<"]config\.h[>"]')
}

check_tree() {
    local tree=$1
    problems=0

    forbidden "$tree" lib bondgraph mech2d tools tests bench
    forbidden "$tree" bondgraph mech2d tools tests bench
    forbidden "$tree" mech2d tools tests bench
    forbidden "$tree" tools tests bench

    only "$tree" 'igraph[a-z_/]*\.h' lib/graph/digraph_igraph.c
    only "$tree" '(ida|idas|cvode|kinsol|nvector|sundials|sunmatrix|sunlinsol|sunnonlinsol)/.*\.h' \
        lib/dae/ida/dae_ida.c lib/dae/ida/dae_ida.h \
        lib/dae/ida/dae_linear.c lib/dae/ida/dae_linear.h \
        lib/dae/ida/dae_newton.c lib/dae/ida/dae_newton.h \
        lib/dae/ida/dae_vector.c lib/dae/ida/dae_vector.h
    only "$tree" '(suitesparse/)?klu\.h' lib/dae/dae_start_priv.h lib/linalg/lu.c
    only "$tree" '(suitesparse/)?btf\.h' lib/dae/dae_singular.c
    only "$tree" '(suitesparse/)?(amd|colamd|cholmod|spqr|umfpack|SuiteSparse[A-Za-z_]*)\.h(pp)?' \
        lib/linalg/rank.c
    only "$tree" 'yaml\.h' lib/data/yaml_read.c
    only "$tree" 'udunits2?\.h' lib/data/units_udunits.c

    config_first "$tree"
    [ $problems -eq 0 ]
}

# Does the check see a fault? Each is put alone into a tree of its own.
self_test() {
    local tree fault
    tree=$(mktemp -d)
    # shellcheck disable=SC2064 # the value of now
    trap "rm -rf '$tree'" EXIT
    for fault in 'lib/x.c #include "bondgraph/graph.h"' \
        'bondgraph/x.h # include "../mech2d/joint.h"' \
        'mech2d/x.c #include <tools/shared/cli.h>' \
        'lib/x.c #include <igraph.h>' \
        'lib/x.c #include <igraph/igraph.h>' \
        'bondgraph/x.c #include <klu.h>' \
        'lib/x.c #include <sundials/sundials_types.h>' \
        'lib/x.c #include <colamd.h>' \
        'lib/x.h #include <config.h>'; do
        rm -rf "${tree:?}"/*
        mkdir "$tree"/{lib,bondgraph,mech2d,tools}
        printf '#include <config.h>\n#include "lib/status.h"\n' >"$tree/lib/good.c"
        check_tree "$tree" || return 1
        printf '#include <config.h>\n%s\n' "${fault#* }" >"$tree/${fault%% *}"
        [[ ${fault%% *} != *.h ]] || printf '%s\n' "${fault#* }" >"$tree/${fault%% *}"
        if check_tree "$tree" >/dev/null; then
            echo "self-test: not seen: $fault"
            return 1
        fi
    done
    printf '#include "lib/status.h"\n#include <config.h>\n' >"$tree/lib/x.c"
    rm -f "$tree/lib/x.h"
    if check_tree "$tree" >/dev/null; then
        echo "self-test: not seen: config.h is not first"
        return 1
    fi
}

problems=0

self_test
if ! check_tree "${top_srcdir:-.}"; then
    echo "$problems includes that should not be"
    exit 1
fi
