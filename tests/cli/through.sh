#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Bodies that go through each other end a run. Two discs of 1 kg that meet at 10 m/s are as deep in
# each other as the spring takes up the energy of their speed to one another,
#     k d^2/2 = (1/2 kg) (10 m/s)^2/2:   d = 0.19 m, 0.95 of the sum of the radii, for 1385 N/m.
# shellcheck disable=SC2016 # backquotes are part of the messages
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

file=$directory/discs.yaml
discs() { # discs STIFFNESS RADIUS SURFACE_RADIUS
    cat >"$file" <<END
halfarrow: 1
gravity: [0, 0]
bodies:
  a: {mass: 1, inertia: 1e-3, points: {C: [0, 0]}, start: {vx: 10}}
  b: {mass: 1, inertia: 1e-3, points: {C: [0, 0]}, start: {x: 1}}
forces:
  hit: {type: contact, between: [a.C, b.C], surface: disc, surface_radius: $3, radius: $2,
        stiffness: $1, exponent: 1, restitution: 1}
simulate: {t_end: 0.5}
END
}
for driver in auto ida explicit explicit8; do
    discs 1395 0.05 0.15
    call 0 run "$file" --driver $driver --json --rtol 1e-8
    near a.vx 0 1e-4
    near b.vx 10 1e-4
    for case in "1375 0.05 0.15" "1375 0 0.2" "1 0.1 0.1"; do
        # shellcheck disable=SC2086 # three words
        discs $case
        call 1 run "$file" --driver $driver
        has err 'the contact `hit` go through each other: they are 0.19 m deep'
        head -n 1 "$directory/err" >"$directory/first"
        has first 'error: the run stopped at t = ' # the conclusion comes first
        has first 'go through each other'
    done
done
# a start that is deeper is refused
discs 1400 0.05 0.15
call 2 run "$file" --set bodies.b.start.x=0.005
has err ' inside of the contact `hit`'
finish
