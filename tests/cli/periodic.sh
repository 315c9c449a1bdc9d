#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# halfarrow periodic, and runs that start on a cycle.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

# x'' + 0.1 x' + x = cos(1.5 t): x(0) = a/(a^2 + b^2), a = 1 - 1.5^2, b = 0.15
oscillator='Se{cos(1.5*t)}>1a>R{0.1}; 1a>I{1}; 1a>C{1}'
call 0 periodic --graph "$oscillator" --json
keys status period floquet floquet_error stable iterations runs error states turns drift final peaks
has out '"stable": true'
near C.q -0.788643533123028 1e-6
call 0 periodic --graph "$oscillator"
has out "period                   4.18879020479 s"
has out "stability                stable"

call 0 periodic "$examples/slider_crank.yaml" --json
has out '"crank.angle": 1'

# a run of one period from the cycle ends where it began
call 0 run --graph "$oscillator" --start periodic --t-end 4.18879020478639 --rtol 1e-9 --json
near C.q -0.788643533123028 1e-7
call 0 compare "$examples/slider_crank.yaml" --start periodic --t-end 0.1 \
    --sweep parameters.r=0.05:0.055:2
has out "parameters.r"

call 2 periodic "$examples/motor_speed.yaml"
has err "no period is found: in the equation"
call 2 periodic --graph "$oscillator" --period -1
has err "--period"
call 2 periodic --graph "$oscillator" --period 3
has err "its rate is another then"
call 2 periodic --graph 'Se{cos(t)+cos(1.4142135623*t)}>1a>R{0.1}; 1a>I{1}; 1a>C{1}'
has err "no common multiple"
call 1 periodic "$examples/bouncing_mass.yaml"
has err "there is no cycle"
call 2 periodic --graph 'C{1,q=1}>1a>I'
has err "its period is unknown"

# a weak van der Pol oscillator has its cycle of amplitude 2, not its rest, near the start: the
# period 2 pi (1 + mu^2/16), the multiplier about exp(-2 pi mu)
cat >"$directory/vdp.yaml" <<EOF2
halfarrow: 1
gravity: [0, 0]
ground: {points: {O: [0, 0]}}
bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}, start: {x: 1}}}
joints: {s: {type: translational, between: [ground.O, b.P]}}
forces: {f: {type: force, on: b.P, value: ["-b.x + 0.01*(1-b.x^2)*b.vx", 0]}}
simulate: {t_end: 10 s}
outputs: [b.x]
EOF2
call 0 periodic "$directory/vdp.yaml" --json
near period 6.28322457692 1e-8

# a gear of 1:3 under one turn a second needs three
cat >"$directory/gear.yaml" <<EOF2
halfarrow: 1
ground: {points: {A: [0, 0], B: [0.4, 0]}}
bodies:
  a: {mass: 1, inertia: 0.1, points: {O: [0, 0]}, motion: {angle: "2*pi*t"}}
  b: {mass: 1, inertia: 0.1, points: {O: [-0.02, 0]}}
joints:
  A: {type: revolute, between: [ground.A, a.O]}
  B: {type: revolute, between: [ground.B, b.O]}
  g: {type: gear, between: [a.O, b.O], radii: [0.1, 0.3]}
simulate: {t_end: 1}
EOF2
call 0 periodic "$directory/gear.yaml" --json
near period 3 1e-12

finish
