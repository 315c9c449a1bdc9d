#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run --compile: the same rows to the last digit, and a warning where there is no compiler.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

export HALFARROW_CACHE=$directory/cache
unset CC

# same MODEL OPTION...: both ways
same() {
    local model=$1
    shift
    call 0 run "$examples/$model" "$@" -o "$directory/interpreted.csv" --quiet
    call 0 run "$examples/$model" "$@" --compile --json -o "$directory/compiled.csv"
    has out '"compiled": true'
    cmp "$directory/interpreted.csv" "$directory/compiled.csv" ||
        problem "$model: compiled and interpreted differ"
}

same andrews.yaml
same motor_four_bar.yaml       # electrical states
same slider_crank_driven.yaml  # a prescribed motion
same rlc.bgl --t-end '20 ms'
same inverted_pendulum.yaml    # feedback
found=$(find "$directory/cache" -name '*.so' | wc -l)
[ "$found" -eq 5 ] || problem "$found libraries in the cache, not 5"
same andrews.yaml --t-end '10 ms' # from the cache
[ "$(find "$directory/cache" -name '*.so' | wc -l)" -eq 5 ] || problem "compiled again"

call 0 run "$examples/rlc.bgl" --t-end '1 ms' --compile
has out "as machine code"

# compare --compile: runs with the same numbers
call 0 compare "$examples/rapson.yaml" -q --y tiller.angle -o "$directory/interpreted.csv"
call 0 compare "$examples/rapson.yaml" -q --y tiller.angle --compile -o "$directory/compiled.csv"
cmp "$directory/interpreted.csv" "$directory/compiled.csv" ||
    problem "comparisons differ when compiled"
[ "$(find "$directory/cache" -name '*.so' | wc -l)" -gt 5 ] || problem "compare compiles nothing"

# a chain, long enough to be compiled as loops: links of unlike masses, a spring in the middle
links=60
{
    printf 'halfarrow: 1\nname: chain\nground: {points: {O: [0, 0]}}\nbodies:\n'
    for ((i = 1; i <= links; i++)); do
        printf '  L%d: {mass: %d.5 kg, inertia: 1/12, points: {A: [-0.5, 0], B: [0.5, 0]}}\n' \
            $i $((i % 7))
    done
    printf 'joints:\n  J1: {type: revolute, between: [ground.O, L1.A]}\n'
    for ((i = 2; i <= links; i++)); do
        printf '  J%d: {type: revolute, between: [L%d.B, L%d.A]}\n' $i $((i - 1)) $i
    done
    printf 'simulate: {t_end: 200 ms, step: 10 ms, rtol: 1e-6, atol: 1e-6}\n'
} >"$directory/chain.yaml"
examples=$directory same chain.yaml
loops=$(grep -l 'halfarrow_loop' "$directory"/cache/*.c | head -n 1)
[ -n "$loops" ] || problem "nothing is compiled as loops"
for driver in explicit auto; do
    examples=$directory same chain.yaml --driver $driver
done

# a library that was cut short is compiled anew
truncate -s 6000 "${loops%.c}.so"
examples=$directory same chain.yaml
[ "$(stat -c %s "${loops%.c}.so")" -gt 6000 ] || problem "a damaged library is kept"

# where nothing can be kept the equations are interpreted
HALFARROW_CACHE=/dev/null/cache call 0 run "$examples/rlc.bgl" --t-end '1 ms' --compile --json
has err "warning: the equations are interpreted"
has err "set HALFARROW_CACHE"
has out '"compiled": false'

# an interrupt ends the compiler, too, and leaves nothing behind
printf '#!/bin/sh\nexec sleep 60\n' >"$directory/slow"
chmod +x "$directory/slow"
for signal in INT TERM; do
    CC=$directory/slow HALFARROW_CACHE=$directory/stopped "$HALFARROW" run "$examples/rlc.bgl" \
        --t-end '1 ms' --compile >"$directory/out" 2>"$directory/err" &
    pid=$!
    while ! ls "$directory"/stopped/*.so.* >"$directory/seen" 2>&1; do
        sleep 0.1
    done
    kill -$signal $pid
    wait $pid
    status=$?
    called="a compilation after SIG$signal"
    [ $status -eq 130 ] || problem "$called ends with $status"
    has err 'was interrupted; nothing was computed'
    [ -z "$(ls -A "$directory/stopped")" ] || problem "$called leaves $(ls "$directory/stopped")"
done

# what a program that was killed has left is removed when it is old
touch -d 2020-01-01 "$directory/cache/x.so.aB3dE6" "$directory/cache/x.so.keep"
touch "$directory/cache/x.so.aB3dE7"
call 0 run -q --graph 'Se{7}>1a>R{3};1a>I{5};1a>C{11}' --t-end '1 ms' --compile -o /dev/null
[ ! -e "$directory/cache/x.so.aB3dE6" ] || problem "$called: the leftover is still there"
[ -e "$directory/cache/x.so.keep" ] || problem "$called: what is no leftover is gone"
[ -e "$directory/cache/x.so.aB3dE7" ] || problem "$called: what another works on is gone"
rm "$directory"/cache/x.so.*

# a compiler that fails is named
CC=false HALFARROW_CACHE=$directory/other call 0 run "$examples/rlc.bgl" --t-end '1 ms' --compile
has err 'the C compiler `false` failed with exit status 1'

# without a compiler they are, too
export CC=/nonexistent/cc HALFARROW_CACHE=$directory/other
call 0 run "$examples/rlc.bgl" --t-end '1 ms' --compile --json
has err "warning: the equations are interpreted"
has err "install the package gcc"
has out '"compiled": false'
finish
