#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Motions that end in finite time, since something grows beyond all bounds: no driver goes on behind
# the pole, at no tolerance, whatever the equations would allow there.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

# expect NAME TIME FILE TOLERANCE...: all drivers stop near TIME and name NAME.
expect() {
    local name=$1 time=$2 file=$3 driver rtol
    shift 3
    for driver in ida explicit explicit8 auto; do
        for rtol in "$@"; do
            call 1 run "$file" --t-end 2 --driver $driver --rtol "$rtol" --json
            has err "the solver stopped at"
            has err "\`$name\`"
            near t_reached "$time" "$(awk -v r="$rtol" 'BEGIN { print 0.3 * sqrt(r) + 0.001 }')"
        done
    done
}

# x' = x^2 from 1: x = 1/(1 - t); x' = 1 + x^2 from 0: x = tan(t); x' = x^3 from 1
echo '1a>R{e = -f^2}; 1a>I{1, p=1}' >"$directory/square.bgl"
echo '1a>R{e = -1 - f^2}; 1a>I{1, p=0}' >"$directory/tangent.bgl"
echo '0a>C{1, q=1}; 0a>R{f = -e^3}' >"$directory/cube.bgl"
expect I.f 1 "$directory/square.bgl" 1e-3 1e-5 1e-7 1e-10
expect I.f 1.5707963267948966 "$directory/tangent.bgl" 1e-3 1e-5 1e-7 1e-10
expect C.q 0.5 "$directory/cube.bgl" 1e-3 1e-5 1e-7 1e-10

# A modulus with a pole at angle = t = pi/2: the unknown is smooth, a flow and a power are not. All
# drivers stop there, or in the row before, whatever the load.
angle='Sf{1}>1a; 1a>C{1, q=0}; 1a>MTF{1/cos(C.q)}'
two='0b; 0b>R2{2}; 0b>1d; 1d>R{1}; 1d>I{1}'
for driver in ida explicit explicit8 auto; do
    for load in '1b; 1b>R{1}' '1b; 1b>I{1}' '1b; Se{1}>1b' "$two"; do
        for rtol in 1e-3 1e-6 1e-10; do
            call 1 run --graph "$angle>$load" --t-end 2 --driver $driver --rtol $rtol --json
            has err 'the solver stopped at t = 1.570'
            has err 'grows beyond all bounds'
            near t_reached 1.5707963 0.003
        done
    done
    # behind a removable one, and over the top of a pulse that is narrow, but has one
    call 0 run --graph 'MSf{if(t == 1, 1, sin(t - 1)/(t - 1))}>1a; 1a>C{1}; 1a>R{1}' --t-end 2 \
        --driver $driver
    call 0 run --graph 'Sf{1}>1a; 1a>C{1, q=0}; 1a>R{e = f/(1e-8 + (C.q - 1)^2)}' --t-end 2 \
        --driver $driver --rtol 1e-8 --max-step 1e-4
done

# A slot on a bar that turns: the block in it, on a line at height 1, is at x = cot(angle) and gets
# to infinity where the bar is along the line, with the bar's angle prescribed or its own.
slot() {
    cat <<END
halfarrow: 1
gravity: [0, 0]
ground: {points: {O: [0, 0], L: [0, 1]}}
bodies:
  bar: {mass: 1, inertia: 0.1, points: {O: [0, 0]}, start: {angle: 1, omega: -1, fixed: [angle]}}
  block: {mass: $1, inertia: 0.1, points: {P: [0, 0]}, start: {x: 0.64, y: 1}}
joints:
  O: {type: revolute, between: [ground.O, bar.O]$2}
  L: {type: translational, between: [ground.L, block.P]}
  S: {type: translational-revolute, between: [block.P, bar.O]}
simulate: {t_end: 2}
outputs: [block.x]
END
}
slot 1 ', motion: 1 - t' >"$directory/driven.yaml"
slot 0 '' >"$directory/free.yaml"
expect block.vx 1 "$directory/driven.yaml" 1e-3 1e-5 1e-6
expect block.vx 1 "$directory/free.yaml" 1e-3 1e-4 1e-5 1e-7

# with a mass the block stops the bar before
slot 1 '' >"$directory/heavy.yaml"
call 0 run "$directory/heavy.yaml" --json

finish
