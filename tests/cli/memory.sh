#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Little memory: a command does its work or says that memory is short, and ends, whatever BLAS there
# is: the threads that one starts when it is loaded wait for ever where there is no memory for them.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

if [ -n "${SANITIZER_FLAGS:-}" ]; then
    echo "skipped: sanitizers need terabytes of addresses"
    exit 77
fi

# limited KILOBYTES ARGUMENT...: a run with so much memory, which ends by itself.
limited() {
    local limit=$1
    shift
    called="halfarrow $* with $limit kB"
    status=0
    (
        ulimit -v "$limit"
        exec timeout -k 5 60 "$HALFARROW" "$@" >"$directory/out" 2>"$directory/err" </dev/null
    ) || status=$?
    case $status in
        0) ;;
        1 | 3) has err "out of memory" ;;
        *) problem "$called: exit status $status; $(head -n 3 "$directory/err")" ;;
    esac
}

chain() {
    local i
    printf 'halfarrow: 1\nground: {points: {O: [0, 0]}}\nbodies:\n'
    for ((i = 0; i < $1; i++)); do
        echo "  b$i: {mass: 1, inertia: 0.1, points: {A: [-0.5, 0], B: [0.5, 0]}, start: {x: $i.5}}"
    done
    printf 'joints:\n  j0: {type: revolute, between: [ground.O, b0.A]}\n'
    for ((i = 1; i < $1; i++)); do
        echo "  j$i: {type: revolute, between: [b$((i - 1)).B, b$i.A]}"
    done
    echo 'simulate: {t_end: 1e-4}'
}

chain 400 >"$directory/chain.yaml"
for limit in 130000 160000 204800; do
    limited $limit check --graph 'Se>1a>R;1a>I'
    limited $limit check "$directory/chain.yaml"
    limited $limit run "$directory/chain.yaml" -o "$directory/chain.csv"
done
[ $status -eq 0 ] || problem "$called: $(head -n 3 "$directory/err")"
limited 130000 check --graph 'Se>1a>R;1a>I'
[ $status -eq 0 ] || problem "$called: $(head -n 3 "$directory/err")"
OPENBLAS_NUM_THREADS=8 limited 160000 run "$directory/chain.yaml" -o "$directory/chain.csv"
limited 130000 report "$directory/chain.yaml" -o "$directory/chain.html"
limited 130000 run --compile "$examples/andrews.yaml" -o "$directory/andrews.csv"

finish
