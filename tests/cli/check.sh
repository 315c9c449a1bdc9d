#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What `check` says of models that are sound, but perhaps not what was meant.
# shellcheck disable=SC2016 # backquotes are part of the messages
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

# has_not out|err TEXT: the output has no line with this text.
has_not() {
    ! grep -qF -- "$2" "$directory/$1" || problem "$called: \`$2\` on $1"
}

# the law of friction that a model gets without asking for one creeps
cat >"$directory/slope.yaml" <<'END'
halfarrow: 1
ground: {points: {O: {at: [0, 0], axis: 10 deg}}}
bodies: {block: {mass: 2 kg, inertia: 0.01, points: {P: [0, 0]}}}
joints: {slide: {type: translational, between: [ground.O, block.P]}}
forces:
  mu: {type: friction, on: slide, friction: 0.3}
simulate: {t_end: 100 s}
END
call 0 check "$directory/slope.yaml"
has out 'friction             coulomb, creeps under load at about 0.001 m/s: mu'
has out 'write `friction_law: karnopp`'
call 0 check --json "$directory/slope.yaml"
near creep 0.001 1e-12
call 0 run --json "$directory/slope.yaml"
near block.vx -6.6e-4 1e-5
call 0 check "$directory/slope.yaml" --set forces.mu.friction_speed='1 um/s'
has out 'creeps under load at about 1e-06 m/s: mu'
call 0 check "$directory/slope.yaml" --set forces.mu.friction_law=karnopp
has out 'friction             karnopp, holds: mu'
has_not out creeps
call 0 run --json "$directory/slope.yaml" --set forces.mu.friction_law=karnopp
near block.vx 0 1e-12
call 0 check "$directory/slope.yaml" --set forces.mu.friction=0
has_not out 'friction  '
# in a contact, which others may share, no law but those of bristles holds; two laws are two lines
call 0 check "$examples/clearance_slider_crank.yaml"
has out 'friction             ambrosio, creeps under load at about 0.001 m/s: B'
call 0 check "$examples/clearance_slider_crank.yaml" --set joints.B.friction_law=karnopp
has out 'friction             karnopp, creeps under load at about 1e-06 m/s: B'

# a circuit in a model file is no mechanism of 0 bodies
cat >"$directory/circuit.yaml" <<'END'
halfarrow: 1
bondgraph:
  elements: {V: {type: Se, value: 5 V}, 1i: {type: "1"}, R: {type: R, value: 3 ohm},
             L: {type: I, value: 1 mH}}
  bonds: [V > 1i > R, 1i > L]
simulate: {t_end: 1 ms}
END
call 0 check "$directory/circuit.yaml"
has out 'bond graph, 4 elements'
has_not out bodies
has_not out mobility

# a source that is drawn as a sink
call 0 check --graph '1a>Se{1}; 1a>R{1}; 1a>I{1}'
has out 'The half arrow points into the source Se'
has out 'turn the bond: Se > 1a'
call 0 check --graph 'Se{1}>1a; 1a>R{1}; 1a>I{1}'
has_not out 'half arrow'

finish
