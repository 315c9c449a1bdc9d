#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Resistors with a port for their heat: a brake that heats its disc, against the closed form.
# shellcheck disable=SC2016 # backquotes are part of the messages
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

# the closed form in the comment of the example; what went to the air is what the book lacks
read -r speed heat < <(awk 'BEGIN {
    J = 0.8; w0 = 100; b = 0.4; mc = 500; k = 20 / mc; a = 2 * b / J; t = 5
    printf "%.15g %.15g\n", w0 * exp(-b * t / J),
        293.15 + b * w0 * w0 / mc * (exp(-a * t) - exp(-k * t)) / (k - a) }')
for driver in ida explicit explicit8 auto; do
    call 0 run "$examples/brake.yaml" --driver $driver --json
    near wheel.omega "$speed" 2e-6
    near temperature "$heat" 2e-6
    near energy.dissipated 0 0
    near energy.error 0 1e-3
done
# dry friction by a law of one's own, to rest: all of the motion is in the disc
call 0 run "$examples/brake.yaml" --set bondgraph.elements.brake.e='60*tanh(f/0.01)' \
    --set parameters.h=1e-9 --t-end 2 --json
near temperature "$(awk 'BEGIN { printf "%.15g", 293.15 + 0.5 * 0.8 * 1e4 / 500 }')" 1e-6

# in one line: by a value, of either sense, and by a law
call 0 run --graph 'Se{12} > RS{3} > C{energy = 500*300*exp(q/500)}' --t-end 10 --rtol 1e-9 --json
near C.e "$(awk 'BEGIN { printf "%.15g", 300 + 48 * 10 / 500 }')" 1e-7
near energy.supplied 480 1e-7
call 0 run --graph 'Sf{4} > RS{3} > C{energy = 500*300*exp(q/500)}' --t-end 10 --rtol 1e-9 --json
near C.e "$(awk 'BEGIN { printf "%.15g", 300 + 48 * 10 / 500 }')" 1e-7
call 0 run --graph 'Sf{2} > RS{e = f^3} > C{energy = 500*300*exp(q/500)}' --t-end 10 --rtol 1e-9 \
    --json
near C.e "$(awk 'BEGIN { printf "%.15g", 300 + 16 * 10 / 500 }')" 1e-7
call 0 causality --trace --graph 'Se{12} > RS{3} > C{energy = 500*300*exp(q/500)}'
has out 'the temperature must arrive at its port of heat'

# it goes where other elements go: to the compact notation and to a model file, and back
printf 'Sf{2} > RS{e = f^3} > C{energy = 500*300*exp(q/500)}\n' >"$directory/heat.bgl"
call 0 convert "$directory/heat.bgl" -o "$directory/heat.yaml"
call 0 run "$directory/heat.yaml" --t-end 10 --rtol 1e-9 --json
near C.e "$(awk 'BEGIN { printf "%.15g", 300 + 16 * 10 / 500 }')" 1e-7
call 0 convert "$directory/heat.yaml" -o "$directory/again.bgl"
call 0 run "$directory/again.bgl" --t-end 10 --rtol 1e-9 --json
near C.e "$(awk 'BEGIN { printf "%.15g", 300 + 16 * 10 / 500 }')" 1e-7
call 1 convert "$directory/heat.yaml" -o "$directory/heat.bg"
has err '`RS`'

# what cannot be
call 2 check --graph 'Se{12} > RS{3} > Sf{1}'
has err '`RS` has one sense only (the temperature must arrive at its port of heat)'
call 2 check --graph 'Se{12} > RS{3}'
has err '`RS` has 1 bond; a resistor with heat needs 2, bond the other port too'
call 2 check --graph 'Se{12} > RS{3} > C{500 J/K}'
has err '`C` is thermal with a flow in W, but `RS`'
has err 'is thermal with a flow in W/K'
call 2 check --graph 'Se{12 V} > RS{3 kg} > Se2{300 K}'
has err 'the value of `RS` is a mass'
call 2 check --graph 'Se{12 V} > RS{3 ohm} > Se2{300 V}'
has err 'which shares its bond, is thermal'
finish
