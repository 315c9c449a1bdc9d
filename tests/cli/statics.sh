#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# halfarrow statics, and runs and linearisations that start from there.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh"

# Andrews' mechanism with its torque of 0.033 N.m: numbers from a solution of its seven equations
call 0 statics "$examples/andrews.yaml" --json
keys status stable iterations error final
has out '"stable": true'
near O.angle 3.284208655964 1e-11
near H.angle -3.23972715433 1e-10
near B.angle 0.0414050566721 1e-12
near G.angle -0.533710955747 1e-11
near A5.angle 0.524440117702 1e-11
near A7.angle 1.04809828 1e-8
near energy.potential 0.451619582548 1e-12

call 0 statics "$examples/pendulum.yaml"
has out "stability                stable"

# a drive stays where it is at the start, and bears the load
call 0 statics "$examples/slider_crank_driven.yaml" --json
has out '"stable": true'

call 0 linearise "$examples/andrews.yaml" --at equilibrium --json
has out '"equilibrium": true'
has out "424.56177"

call 0 run "$examples/pendulum.yaml" --start equilibrium --json
near rod.y -0.5 1e-12
near rod.omega 0 1e-9
call 0 run "$examples/trailing_arm.yaml" --start equilibrium --json
has out '"status": "done"'

call 1 statics "$examples/four_bar.yaml"
has err "nothing holds \`crank.angle\`"
call 1 run "$examples/belt.yaml" --start equilibrium
has err "no equilibrium is found"
call 1 statics --graph 'Sf{1}>0>C'
has err "no equilibrium is found"

# above 300 states the energy says it: a chain of 160 links that stands upright, and hangs
chain() {
    awk -v angle="$1" -v sign="$2" 'BEGIN {
        print "halfarrow: 1\nground: {points: {O: [0, 0]}}\nbodies:"
        for (i = 0; i < 160; i++) {
            printf "  b%d: {mass: 1, inertia: 1/12, points: {P: [-0.5, 0], Q: [0.5, 0]}, ", i
            printf "start: {angle: %s deg, y: %s%d.5}}\n", angle, sign, i
        }
        print "joints:"
        for (i = 0; i < 160; i++) {
            from = i == 0 ? "ground.O" : "b" i - 1 ".Q"
            printf "  j%d: {type: revolute, between: [%s, b%d.P]}\n", i, from, i
        }
    }'
}
chain 90 '' >"$directory/upright.yaml"
chain -90 - >"$directory/hanging.yaml"
call 0 statics "$directory/upright.yaml"
has out "stability                unstable"
call 0 statics "$directory/hanging.yaml"
has out "stability                stable"
# a short rod that stands beside it falls much faster than the lowest modes swing
{
    rod='  rod: {mass: 1, inertia: 1e-5, points: {P: [0, -0.01]}, start: {y: 0.01}}'
    sed "s/^joints:/$rod\n&/" "$directory/hanging.yaml"
    echo '  pin: {type: revolute, between: [ground.O, rod.P]}'
} >"$directory/both.yaml"
call 0 statics "$directory/both.yaml"
has out "stability                unstable"

finish
