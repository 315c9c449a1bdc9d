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

finish
