#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# halfarrow periodic, and runs that start on a cycle.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh"

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

finish
