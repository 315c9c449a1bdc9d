#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Mistakes that a first model has: what is said of each, and what is not.
# shellcheck disable=SC2016 # backquotes are part of the messages
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh"

cat >"$directory/arm.yaml" <<'END'
halfarrow: 1
ground: {points: {O: [0, 0]}}
bodies: {arm: {mass: 1, inertia: 0.1, points: {O: [-0.5, 0], tip: [0.5, 0]}}}
joints: {C: {type: revolute, between: [ground.O, arm.O]}}
forces: {T: {type: torque, on: arm, value: -2*arm.omega}}
bondgraph:
  elements:
    V: {type: Se, value: 12 V}
    1i: {type: "1"}
    L: {type: I, value: 3 mH}
    K: {type: GY, value: 0.03 N.m/A}
  bonds: [V > 1i > L, 1i > K > C.axis]
outputs: [arm.angle, L.f]
simulate: {t_end: 0.01}
END
call 0 run "$directory/arm.yaml"

# mistake FROM TO TEXT...: the model with one thing written otherwise is refused with these texts
mistake() {
    sed "s/$1/$2/" "$directory/arm.yaml" >"$directory/wrong.yaml"
    cmp -s "$directory/arm.yaml" "$directory/wrong.yaml" && problem "$1 is not in the model"
    shift 2
    call 2 run "$directory/wrong.yaml"
    for text in "$@"; do
        has err "$text"
    done
}

mistake '-2\*arm.omega' '-2*sgn(arm.omega)' 'unknown function `sgn`; did you mean `sign`?'
mistake '-2\*arm.omega' '-2*arm.w' '`arm` has .x, .y, .angle, .vx, .vy, .omega'
mistake '-2\*arm.omega' '-2*arm.omgea' 'did you mean `arm.omega`?'
mistake 'L.f' 'L.i' '`outputs` asks for `L.i`, which is no output of the model; `L` has .e, .f, .p'
mistake 'L.f' 'K.torque' '`K` has .e1, .f1, .e2, .f2'
mistake 'on: arm' 'on: arm.tip' 'names the body `arm.tip`, which is a point; write the body, `arm`'
mistake 'on: arm' 'on: C' 'names the body `C`, which is a joint; write the body, `arm`'
mistake '\[ground.O, arm.O\]' 'ground.O, arm.O' \
    '`between` of joint `C` has more than one value' 'in brackets: between: [ground.O, arm.O]'
mistake '\[-0.5, 0\]' '[-0.5; 0]' '`-0.5; 0`; exactly 2 are expected: separate them by commas'
mistake 'revolute' 'Revolute' 'which is not known; did you mean `revolute`?'
mistake 'revolute' 'hinge' 'which is not known; use one of `revolute`, `translational`'
mistake '0.03 N.m.A' '0.03 ohm' \
    'the value of `K` is an electric resistance, but a gyrator from electrical to rotational' \
    'V per rad/s'
mistake '0.03 N.m.A' '0.03 kg' 'the value of `K` is a mass'

finish
