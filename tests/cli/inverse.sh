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

call 1 inverse "$examples/pendulum.yaml"
has err "1 of 3 are free"
call 1 inverse --graph 'Se>1a>C;1a>R' --t-end 1
has err "only integration"

finish
