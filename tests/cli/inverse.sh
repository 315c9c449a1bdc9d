#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# halfarrow inverse: the efforts of drives from prescribed motions.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh"

# a rod that is turned by angle = t^2: torque = 2 (J + m l^2) + m g l cos(t^2)
cat >"$directory/rod.yaml" <<'END'
halfarrow: 1
ground: {points: {O: [0, 0]}}
bodies:
  rod: {mass: 2 kg, inertia: 0.3, points: {O: [-0.4, 0]}}
joints:
  O: {type: revolute, between: [ground.O, rod.O], motion: t^2}
simulate: {t_end: 1.5, step: 0.5}
outputs: [rod.omega, O.drive, energy]
END
call 0 inverse "$directory/rod.yaml" --json
near rod.omega 3 1e-13
near O.drive \
    "$(awk 'BEGIN { printf "%.17g", 2 * (0.3 + 2 * 0.16) + 2 * 9.81 * 0.4 * cos(2.25) }')" 1e-11
near energy.supplied \
    "$(awk 'BEGIN { printf "%.17g", 0.5 * 0.62 * 9 + 2 * 9.81 * 0.4 * sin(2.25) }')" 1e-10
near energy.error 0 1e-10

# against integration
for model in slider_crank_driven whitworth; do
    call 0 inverse "$examples/$model.yaml" -o "$directory/inverse.csv"
    call 0 run "$examples/$model.yaml" --driver explicit8 --rtol 1e-12 -o "$directory/run.csv"
    paste -d, "$directory/inverse.csv" "$directory/run.csv" | awk -F, -v model=$model '
        NR == 1 { n = NF / 2; for (c = 1; c <= n; c++) name[c] = $c; next }
        {
            for (c = 1; c <= n; c++) {
                d = $c - $(c + n)
                size = $c < 0 ? -$c : $c
                d = d < 0 ? -d : d
                most[c] = size > most[c] ? size : most[c]
                off[c] = d > off[c] ? d : off[c]
            }
        }
        END {
            for (c = 1; c <= n; c++) {
                if (name[c] !~ /energy.error/ && off[c] > 1e-8 * (most[c] + 1)) {
                    print model, name[c], off[c], "of", most[c]
                    bad = 1
                }
            }
            exit bad || NR < 100
        }' || problem "$model: inverse dynamics and integration differ"
done

# A rocker that cannot follow its crank beyond the dead centre, where cos(1 + t) = 1/6. Small and
# slow, or large and fast, it is the same mechanism.
for size in 1 0.01 1000; do
    for duration in 2 2000; do
        cat >"$directory/dead.yaml" <<END
halfarrow: 1
parameters: {s: $size, w: 2/$duration}
ground: {points: {O: [0, 0], C: [3*s, 0]}}
bodies:
  crank: {mass: 1, inertia: 0.1*s^2, points: {O: [-0.5*s, 0], A: [0.5*s, 0]}, start: {angle: 1}}
  rod:
    mass: 1
    inertia: 0.1*s^2
    points: {A: [-0.6*s, 0], B: [0.6*s, 0]}
    start: {x: 0.5*s, y: 1.2*s}
  rocker:
    mass: 1
    inertia: 0.1*s^2
    points: {B: [-0.9*s, 0], C: [0.9*s, 0]}
    start: {x: 2*s, y: 0.8*s, angle: -1}
joints:
  O: {type: revolute, between: [ground.O, crank.O], motion: 1 + w*t}
  A: {type: revolute, between: [crank.A, rod.A]}
  B: {type: revolute, between: [rod.B, rocker.B]}
  C: {type: revolute, between: [rocker.C, ground.C]}
simulate: {t_end: $duration, step: $duration/20}
outputs: [rocker.angle, O.drive]
END
        call 1 inverse "$directory/dead.yaml" --json
        has err "no positions nearby meet all joints and prescribed motions"
        near t_reached "$(awk -v T="$duration" 'BEGIN {
            x = 1 / 6
            printf "%.17g", (atan2(sqrt(1 - x * x), x) - 1) * T / 2
        }')" "$(awk -v T="$duration" 'BEGIN { print 1e-6 * T }')"
    done
done

call 1 inverse "$examples/pendulum.yaml"
has err "1 of 3 are free"
call 1 inverse --graph 'Se>1a>C;1a>R' --t-end 1
has err "only integration"

finish
