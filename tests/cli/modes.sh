#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# halfarrow modes: what it prints and writes, what it refuses.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh"

rlc='Se>1a>R{50 ohm}; 1a>I{100 mH}; 1a>C{10 uF}'

call 0 modes --graph "$rlc" --set Se=0
has out "1 mode of 2 states, 0 rigid"
has out "159.1549"
has out "0.25"
has out "potential   C 100 %"
has out "dissipation R 100 %"

call 0 modes --graph "$rlc" --json
has out '"rigid": 0'
has out '"kinetic"'

cat >"$directory/rod.yaml" <<'END'
halfarrow: 1
ground: {points: {O: [0, 0]}}
bodies:
  rod: {mass: 1, inertia: 0.0833, points: {O: [-0.5, 0]}, start: {angle: -90 deg, fixed: [angle]}}
joints: {O: {type: revolute, between: [ground.O, rod.O]}}
END
call 0 modes "$directory/rod.yaml"
has out "0.610551"
has out "rod         x 0.5, angle 1"
has out "kinetic     rod.x 75 %, rod.angle 25 %"
call 0 modes "$directory/rod.yaml" -o "$directory/rod.csv"
grep -q "^mode,re .1/s.,im .1/s.,frequency .Hz.,damping .1.,rod.x re" "$directory/rod.csv" ||
    problem "rod.csv has another header"

if command -v dot >/dev/null; then
    call 0 modes --graph "$rlc" --set Se=0 -o "$directory/rlc.svg"
    grep -q "#bond-[0-9]*{opacity:1}" "$directory/rlc.svg" || problem "rlc.svg has no wide bonds"
    grep -q "159.15 Hz, damping 0.25" "$directory/rlc.svg" || problem "rlc.svg has no title"
fi
call 2 modes --graph "$rlc" --set Se=0 --mode 2 -o "$directory/rlc.svg"
has err "one of the 1 modes"

call 0 modes "$examples/four_bar.yaml"
has out "not an equilibrium"

call 2 modes "$directory/rod.yaml" --count 0
has err "a whole number from 1 on"
call 2 modes --graph 'Se1>1a>R{e = if(f > 0, f, 2*f)}; 1a>I'
has err "on its edge"

finish
