#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Motion along the limit of a condition to which both sides lead: friction that sticks, relays.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

for driver in ida explicit explicit8 auto; do
    # 0.5 t against a friction of 1: v = (t - 2)^2/4 from 2 s on
    call 0 run --graph 'MSe{0.5*t}>1a; 1a>I{1, p=0}; 1a>R{e = sign(f)}' --t-end 6 --driver $driver \
        --json
    near I.f 4 1e-5
    near energy.dissipated 5.3333333333333333 1e-4
    near slides 1 0

    # on a spring, 0.6 less at each turn: 2.05, -1.45, 0.85, -0.25, where it stays
    call 0 run --graph '1a>I{1, p=0}; 1a>C{1, q=2.05}; 1a>R{e = 0.3*sign(f)}' --t-end 20 \
        --driver $driver --rtol 1e-8 --json
    near C.q -0.25 1e-6
    near R.e 0.25 1e-6
    near slides 1 0

    # a relay of 2 against sin(t): from 1 at rate -2 + sin(t) to 0, then its mean is sin(t)
    call 0 run --graph 'MSf{sin(t) - 2*sign(C.q)}>0a; 0a>C{1, q=1}' --t-end 5 --driver $driver \
        --rtol 1e-8 --json
    near C.q 0 1e-7
    near MSf.f 0 1e-9
    # a weaker one lets go where sin(t) = 0.5, and meets 0 again
    call 0 run --graph 'MSf{sin(t) - 0.5*sign(C.q)}>0a; 0a>C{1, q=0}' --t-end 1.5 --driver $driver \
        --rtol 1e-9 --json
    near C.q "$(awk 'BEGIN {
        a = atan2(0.5, sqrt(0.75))
        printf "%.17g", cos(a) - cos(1.5) - 0.5 * (1.5 - a)
    }')" 1e-7

    # a pulse that a friction of 0.5 lets pass for some 1e-3 s: by midpoints over the slip
    call 0 run --graph 'Se{exp(-((t-3.7558)/0.000892)^2)}>1a; 1a>I{1};
        1a>R{e=if(f>0,0.5,if(f<0,-0.5,0))}' --t-end 5 --driver $driver --rtol 1e-8 --json
    near I.f 0 1e-9
    near energy.dissipated "$(awk 'BEGIN {
        h = 1e-8
        for (t = -0.000892 * sqrt(log(2)) + h / 2; v >= 0; t += h) {
            v += h * (exp(-(t / 0.000892)^2) - 0.5)
            lost += 0.5 * h * v
        }
        printf "%.17g", lost
    }')" 1e-10

    # on the load of a joint: it sticks until 2 t = 0.3 m g
    cat >"$directory/block.yaml" <<'END'
halfarrow: 1
ground: {points: {O: [0, 0]}}
bodies:
  b: {mass: 2, inertia: 0.1, points: {P: [0, 0]}}
joints:
  J: {type: translational, between: [ground.O, b.P]}
forces:
  push: {type: force, on: b.P, value: [2*t, 0]}
  rub: {type: force, on: b.P, value: ["-0.3*J.fy*sign(b.vx)", 0]}
simulate: {t_end: 6}
outputs: [b.vx, b.ax]
END
    call 0 run "$directory/block.yaml" --driver $driver --rtol 1e-8 --json
    near b.vx "$(awk 'BEGIN { printf "%.17g", (6 - 2.943) ^ 2 / 2 }')" 1e-6
    near b.ax 3.057 1e-6

    # a brake that comes with more than 25 N on the hinge and takes these off it: between the two it
    # holds the 25 N, where neither side agrees with itself
    cat >"$directory/brake.yaml" <<'END'
halfarrow: 1
ground: {points: {O: [0, 0]}}
bodies:
  b: {mass: 2, inertia: 0.1, points: {P: [-1, 0]}, start: {angle: 0.5}}
joints:
  J: {type: revolute, between: [ground.O, b.P]}
forces:
  brake: {type: torque, on: b, value: "-if(J.fy > 25, 8, 0)*sign(b.omega)"}
simulate: {t_end: 0.9, rtol: 1e-8}
outputs: [b.omega, J.fy]
END
    call 0 run "$directory/brake.yaml" --driver $driver --json
    near slides 1 0
    near J.fy 25 1e-6
    # a push that lifts 20 N off the rail and comes with them: it holds them until 3 t = 5.38
    cat >"$directory/lift.yaml" <<'END'
halfarrow: 1
ground: {points: {O: [0, 0]}}
bodies:
  b: {mass: 2, inertia: 0.1, points: {P: [0, 0]}, start: {vx: 1}}
joints:
  J: {type: translational, between: [ground.O, b.P]}
forces:
  push: {type: force, on: b.P, value: [0, "if(J.fy > 20, 5, -5) + 3*t"]}
simulate: {t_end: 1.5}
outputs: [J.fy]
END
    call 0 run "$directory/lift.yaml" --driver $driver --json
    near J.fy 20 1e-9
    call 0 run "$directory/lift.yaml" --driver $driver --t-end 3 --json
    near J.fy 15.62 1e-9
done

# two frictions at once, two masses and a spring between them: the drivers agree
two='MSe{0.5*t}>1a; 1a>I1{1}; 1a>R1{e = sign(f)}; 1a>0k; 0k>C{1}; 0k>1b; 1b>I2{1};
    1b>R2{e = 0.5*sign(f)}'
call 0 run --graph "$two" --t-end 6 --driver explicit8 --rtol 1e-11 --json
near slides 2 0
first=$(sed -n 's/^ *"I1.f": \(.*\),$/\1/p' "$directory/out" | tail -n 1)
second=$(sed -n 's/^ *"I2.f": \(.*\),$/\1/p' "$directory/out" | tail -n 1)
for driver in ida explicit; do
    call 0 run --graph "$two" --t-end 6 --driver $driver --rtol 1e-8 --json
    near I1.f "$first" 1e-6
    near I2.f "$second" 1e-6
done

# limits that are not 0, at which the difference to the limit has no round-off: a relay that holds
# the voltage of a capacitor at 2.55, a belt that takes a mass along at 0.1 m/s, and a rounded
# controller
# whose output is between two of its values; each comes there once
for driver in ida explicit8; do
    call 0 run --graph 'MSe{2.5 + 2*sign(2.55 - C.e)}>1a; 1a>R{1}; 1a>C{1}' --t-end 3 \
        --driver $driver --json
    near C.e 2.55 1e-6
    near events 1 0
    cat >"$directory/belt.yaml" <<'END'
halfarrow: 1
gravity: [0, 0]
bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}, start: {vx: 1}}}
forces: {f: {type: force, on: b.P, value: ["-sign(b.vx - 0.1)", 0]}}
simulate: {t_end: 10 s}
outputs: [b.vx, b.x]
END
    call 0 run "$directory/belt.yaml" --driver $driver --json
    near b.vx 0.1 1e-6
    near b.x 1.405 1e-5
    near events 1 0
    cat >"$directory/rounded.yaml" <<'END'
halfarrow: 1
bondgraph:
  elements:
    {V: {type: MSe, value: u}, R: {type: R, value: 1}, C: {type: C, value: 1}, 1a: {type: "1"}}
  signals: {u: {type: quantiser, input: 5 - C.e, step: 0.7}}
  bonds: [V > 1a > R, 1a > C]
simulate: {t_end: 10 s}
outputs: [C.e, u]
END
    call 0 run "$directory/rounded.yaml" --driver $driver --json
    near C.e 2.55 1e-6
    near slides 1 0
done

# a force that exceeds the friction by a billionth, against a spring: x = d (1 - cos(w (t - T)))/k,
# which turns at 2 d/k, where d less than the friction holds it
for driver in ida explicit explicit8 auto; do
    call 0 run --graph 'Se{min(1 + 1e-9, t)}>1a; 1a>I{1}; 1a>R{e = sign(f)}; 1a>C{0.5}' --t-end 8 \
        --driver $driver --rtol 1e-8 --json
    near C.q 1e-9 1e-13
    near I.f 0 1e-15
done

# the summary says it
call 0 run --graph '1a>I{1, p=1}; 1a>R{e = sign(f)}' --t-end 2
has out 'held between two sides   1 time, first at 1 s'

finish
