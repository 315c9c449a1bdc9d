#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Which file may know what:
#   lib <- bondgraph <- mech2d <- tools, and inside each layer its folders in the order below;
#   at the top of a layer only public headers and tables of kinds, each with the rank of a folder;
#   a function is called from its own folder or from one above: by the symbols of the objects;
#   a foreign library only where it is wrapped;
#   <config.h> first in every source, never in a header.
set -euo pipefail

# The folders from the lowest to the highest, each with what it has at the top of its layer. A file
# knows its own folder and those above it in this list. doc/overview.md says why.
order='
lib/core: status.h status.def context.h
lib/data: result.h compare.h
lib/expr: expr.h expr_ops.def expr_table.h
lib/tape:
lib/linalg:
lib/graph:
lib/dae/method:
lib/dae: dae.h dae_opts.def unknown.h unknown.def
lib/dae/ida:
lib/dae/explicit:
lib/dae/direct:
bondgraph/graph: domains.def extras.def elements.def
bondgraph/graph: graph.h element_type.h block.h submodel.h expand.h
bondgraph/elements:
bondgraph/causality: causality.h classes.def
bondgraph/equations: equations.h
bondgraph/model: model.h run_opts.def
bondgraph/analysis: branch.h equilibrium.h frequency.h linearise.h modes.h periodic.h
bondgraph/analysis: sensitivity.h
bondgraph/text: bgt.h compact.h
bondgraph/draw: export.h draw_formats.def
mech2d/mechanism: mechanism.h outline.h part.h scene.h
mech2d/mechanism: joints.def joint_models.def forces.def
mech2d/expand: system.h
mech2d/forces:
mech2d/joints:
mech2d/assemble: assemble.h branch.h place.h simulate.h
mech2d/read: read.h write.h
mech2d/study: fit.h prepared.h sensitivity.h study.h
tools/shared: options.def
tools/digits:
tools/scene:
tools/engine:
tools/analysis:
tools/page:
tools/compare:
tools/plot:
tools/completion:
tools: *
'

problem() {
    echo "$1"
    problems=$((problems + 1))
}

# Lines "file:line:text" of the includes in a tree; the four directories, C only. What is in
# tools/engine/wasm stands for files that foreign builds make.
includes() {
    (
        cd "$1"
        grep -nE '^[[:space:]]*#[[:space:]]*include' -r --include='*.[ch]' --include='*.def' \
            --exclude-dir=wasm \
            lib bondgraph mech2d tools 2>/dev/null || true
    )
}

# For awk: rank_of(FILE) in the order of the folders, 0 for what is not in it; folder_of(FILE).
# shellcheck disable=SC2016 # awk has $
ranks='
BEGIN {
    n = split(order, lines, "\n")
    for (i = 1; i <= n; i++) {
        split("", words)
        split(lines[i], words, /[: ]+/)
        rank[words[1]] = i
        layer = words[1]
        sub("/.*", "", layer)
        for (k = 2; k in words; k++) {
            if (words[k] != "") { rank[layer "/" words[k]] = i }
        }
    }
}
function folder_of(file) { sub("/[^/]*$", "", file); return file }
function rank_of(file) {
    if (file in rank) { return rank[file] }
    file = folder_of(file)
    return (file "/*") in rank || index(file, "/") > 0 ? rank[file] + 0 : 0
}'

# Includes against the order, and files that have no folder in it.
check_includes() {
    local tree=$1 line
    while read -r line; do
        problem "$line"
    done < <(
        includes "$tree" | awk -v order="$order" "$ranks"'
            {
                split($0, at, ":")
                from = rank_of(at[1])
                if (from == 0 && !said[at[1]]++) {
                    print at[1] ": its folder, or the file at the top of its layer, has no rank"
                }
            }
            match($0, /"[^"]*"/) || match($0, /<(lib|bondgraph|mech2d|tools|tests|bench)\/[^>]*>/) {
                name = substr($0, RSTART + 1, RLENGTH - 2)
                to = rank_of(name)
                if (to == 0) {
                    print $0 ": no file of the product by its full path"
                } else if (to > from && from > 0) {
                    print $0 ": " folder_of(at[1]) " must not know " folder_of(name)
                }
            }'
    )
}

# Symbols of the objects of a build against the order: `nm -P -A -g` says which symbols an object
# has and which it needs. Data may be above who names them: a table of kinds is below the kinds, of
# which each has a row there; what a row must have, the header below says. Objects of sources that
# are no more do not count.
check_symbols() {
    local tree=$1 build=$2 line
    while read -r line; do
        problem "$line"
    done < <(
        cd "$build"
        find lib bondgraph mech2d tools -name '*.o' 2>/dev/null | while read -r object; do
            source=${object/\/.libs\//\/}
            [ ! -e "$tree/${source%.o}.c" ] || echo "$object"
        done | xargs -r nm -P -A -g | awk -v order="$order" "$ranks"'
            {
                sub(/:$/, "", $1)
                sub(/\/\.libs\//, "/", $1)
                sub(/\.o$/, ".c", $1)
            }
            $3 ~ /^[Uwv]$/ { n_needs++; needs[n_needs] = $1; symbol[n_needs] = $2 }
            $3 !~ /^[Uwv]$/ { defined[$2] = $1; is_code[$2] = $3 ~ /^[TWi]$/ }
            END {
                for (k = 1; k <= n_needs; k++) {
                    name = symbol[k]
                    if (is_code[name] && rank_of(defined[name]) > rank_of(needs[k]) &&
                        !said[needs[k], name]++) {
                        print needs[k] ": calls " name "() of " defined[name] ", which is above it"
                    }
                }
            }' | sort
    )
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

    check_includes "$tree"
    only "$tree" 'igraph[a-z_/]*\.h' lib/graph/digraph_igraph.c
    only "$tree" '(ida|idas|cvode|kinsol|nvector|sundials|sunmatrix|sunlinsol|sunnonlinsol)/.*\.h' \
        lib/dae/ida/dae_ida.c lib/dae/ida/dae_ida.h \
        lib/dae/ida/dae_linear.c lib/dae/ida/dae_linear.h \
        lib/dae/ida/dae_newton.c lib/dae/ida/dae_newton.h \
        lib/dae/ida/dae_vector.c lib/dae/ida/dae_vector.h
    only "$tree" '(suitesparse/)?klu\.h' lib/linalg/lu_klu.c
    only "$tree" '(suitesparse/)?btf\.h' lib/linalg/blocks_btf.c
    only "$tree" '(suitesparse/)?(amd|colamd|cholmod|spqr|umfpack|SuiteSparse[A-Za-z_]*)\.h(pp)?' \
        lib/linalg/rank.c
    only "$tree" 'yaml\.h' lib/data/yaml_read.c
    only "$tree" 'udunits2?\.h' lib/data/units_udunits.c
    only "$tree" '(cminpack-1/)?(c?minpack|cminpackP)\.h' lib/linalg/marquardt.c

    config_first "$tree"
    [ $problems -eq 0 ]
}

# Does the check see a fault? Each is put alone into a tree of its own.
self_test() {
    local tree fault file
    tree=$(mktemp -d)
    # shellcheck disable=SC2064 # the value of now
    trap "rm -rf '$tree'" EXIT
    for fault in 'lib/core/x.c #include "bondgraph/graph.h"' \
        'bondgraph/graph/x.h # include "../mech2d/joint.h"' \
        'mech2d/expand/x.c #include <tools/shared/cli.h>' \
        'lib/core/x.c #include "lib/data/yaml.h"' \
        'lib/core/x.c #include "lib/result.h"' \
        'bondgraph/elements/x.c #include "bondgraph/equations/reduce.h"' \
        'bondgraph/graph.h #include "bondgraph/model.h"' \
        'tools/shared/x.c #include "tools/page/page.h"' \
        'mech2d/bodies/x.c #include "lib/status.h"' \
        'lib/x.c #include "lib/status.h"' \
        'lib/core/x.c #include "y.h"' \
        'lib/core/x.c #include <igraph.h>' \
        'lib/core/x.c #include <igraph/igraph.h>' \
        'bondgraph/draw/x.c #include <klu.h>' \
        'lib/core/x.c #include <sundials/sundials_types.h>' \
        'lib/core/x.c #include <SuiteSparseQR_C.h>' \
        'mech2d/study/x.c #include <cminpack.h>' \
        'lib/core/x.h #include <config.h>'; do
        file=${fault%% *}
        rm -rf "${tree:?}"/*
        mkdir -p "$tree"/{lib/core,mech2d,tools} "$tree/$(dirname "$file")"
        printf '#include <config.h>\n#include "lib/status.h"\n' >"$tree/lib/core/good.c"
        check_tree "$tree" || return 1
        printf '#include <config.h>\n%s\n' "${fault#* }" >"$tree/$file"
        [[ $file != *.h ]] || printf '%s\n' "${fault#* }" >"$tree/$file"
        if check_tree "$tree" >/dev/null; then
            echo "self-test: not seen: $fault"
            return 1
        fi
    done
    rm -rf "${tree:?}"/*
    mkdir -p "$tree/lib/core"
    printf '#include "lib/status.h"\n#include <config.h>\n' >"$tree/lib/core/x.c"
    if check_tree "$tree" >/dev/null; then
        echo "self-test: not seen: config.h is not first"
        return 1
    fi
}

# Does it see a call upwards, and only that? A row of a table above is none.
self_test_symbols() {
    local tree called
    local -a compiler
    tree=$(mktemp -d)
    # shellcheck disable=SC2064 # the value of now
    trap "rm -rf '$tree'" EXIT
    read -ra compiler <<<"${CC:-cc}"
    mkdir -p "$tree"/lib/{core,data/.libs}
    echo 'extern const int row; int high(void); int used(void) { return row; }' \
        >"$tree/lib/core/x.c"
    echo 'int used(void); const int row = 1; int high(void) { return used(); }' \
        >"$tree/lib/data/y.c"
    for called in no yes; do
        [ $called = no ] || echo 'int low(void) { return high(); }' >>"$tree/lib/core/x.c"
        "${compiler[@]}" -c -o "$tree/lib/core/x.o" "$tree/lib/core/x.c"
        "${compiler[@]}" -c -o "$tree/lib/data/.libs/y.o" "$tree/lib/data/y.c"
        problems=0
        check_symbols "$tree" "$tree" >/dev/null
        if [ $called,$problems != no,0 ] && [ $called,$problems != yes,1 ]; then
            echo "self-test: a call upwards: $called, and $problems are seen"
            return 1
        fi
    done
}

top=$(cd "${top_srcdir:-.}" && pwd)

self_test
self_test_symbols
check_tree "$top" || true
check_symbols "$top" "${top_builddir:-.}"
if [ $problems -gt 0 ]; then
    echo "$problems faults"
    exit 1
fi
