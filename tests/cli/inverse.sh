#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# halfarrow inverse: the efforts of drives from prescribed motions.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

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

# a motion that has a kink where the run ends: what it was before counts. From 0.6 rad at -0.6 rad/s
# to 0 at -0.6 rad/s the weight alone takes up energy
cat >"$directory/kink.yaml" <<'END'
halfarrow: 1
ground: {points: {O: [0, 0]}}
bodies:
  rod: {mass: 20 kg, inertia: 3, points: {O: [-0.4, 0]}}
joints:
  O: {type: revolute, between: [ground.O, rod.O], motion: "if(t < 1, 0.6 - 0.6*t, 5*(t - 1))"}
simulate: {t_end: 1, step: 0.25}
END
call 0 inverse "$directory/kink.yaml" --json
near rod.omega -0.6 1e-13
near energy.supplied "$(awk 'BEGIN { printf "%.17g", -20 * 9.81 * 0.4 * sin(0.6) }')" 1e-10
near energy.error 0 1e-10
# and one that goes on behind it would take an infinite effort
call 1 inverse "$directory/kink.yaml" --t-end 1.5
has err 'jumps by -5.6 at t = 1 s'

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

# An inverse signal: the torque of a rod that is turned by angle = t^2, from its angle.
cat >"$directory/signal.yaml" <<'END'
halfarrow: 1
ground: {points: {O: [0, 0]}}
bodies:
  rod: {mass: 2 kg, inertia: 0.3, points: {O: [-0.4, 0]}, start: {angle: 0, fixed: [angle]}}
joints: {O: {type: revolute, between: [ground.O, rod.O]}}
forces: {motor: {type: torque, on: rod, value: u}}
bondgraph: {signals: {u: {type: inverse, input: rod.angle - t^2}}}
simulate: {t_end: 1.5, step: 0.5, rtol: 1e-10}
outputs: [rod.omega, u]
END
call 0 inverse "$directory/signal.yaml" --json
near u \
    "$(awk 'BEGIN { printf "%.17g", 2 * (0.3 + 2 * 0.16) + 2 * 9.81 * 0.4 * cos(2.25) }')" 1e-7
call 0 check "$directory/signal.yaml"
has out "inverse signal       u: 2 derivatives of its input, by rod.angle.f > rod.position.angle.q"

# Two wheels on a torsion spring, driven at the first one so that the second turns by
# b = 0.1 (1 - cos t)^3 = 0.1 (5/2 - 15/4 cos t + 3/2 cos 2t - 1/4 cos 3t):
# a = b + 2 b''/50, u = a'' + 2 b''. Four derivatives are needed.
cat >"$directory/wheels.yaml" <<'END'
halfarrow: 1
gravity: [0, 0]
ground: {points: {O: [0, 0]}}
bodies:
  a: {mass: 1, inertia: 1, points: {O: [0, 0]}}
  b: {mass: 1, inertia: 2, points: {O: [0, 0]}}
joints:
  A: {type: revolute, between: [ground.O, a.O]}
  B: {type: revolute, between: [ground.O, b.O]}
forces:
  motor: {type: torque, on: a, value: u}
  k1: {type: torque, on: a, value: 50*(b.angle - a.angle)}
  k2: {type: torque, on: b, value: 50*(a.angle - b.angle)}
bondgraph: {signals: {u: {type: inverse, input: b.angle - 0.1*(1 - cos(t))^3}}}
simulate: {t_end: 1.5, step: 0.5, rtol: 1e-10}
outputs: [a.angle, b.angle, u]
END
call 0 inverse "$directory/wheels.yaml" --json
wanted=$(awk 'BEGIN { t = 1.5
    f = 2.5 - 3.75 * cos(t) + 1.5 * cos(2 * t) - 0.25 * cos(3 * t)
    f2 = 3.75 * cos(t) - 6 * cos(2 * t) + 2.25 * cos(3 * t)
    f4 = -3.75 * cos(t) + 24 * cos(2 * t) - 20.25 * cos(3 * t)
    printf "%.17g %.17g %.17g", 0.1 * f, 0.1 * (f + f2 / 25), 0.1 * (3 * f2 + f4 / 25) }')
read -r b a u <<<"$wanted"
near b.angle "$b" 1e-8
near a.angle "$a" 1e-8
near u "$u" 1e-6
call 0 check "$directory/wheels.yaml" --json
has out '"derivatives": 4'
has out '"index": 5'
call 0 inverse "$directory/wheels.yaml"
has out "zero dynamics        none"

# a cart that is moved under a pole that stands: the pole is left free, and falls at sqrt(14.014)
cat >"$directory/cart.yaml" <<'END'
halfarrow: 1
ground: {points: {O: [0, 0]}}
bodies:
  cart: {mass: 2, inertia: 1, points: {O: [0, 0]}}
  pole: {mass: 1, inertia: 0.1, points: {P: [0, -0.5]}, start: {y: 0.5}}
joints:
  S: {type: translational, between: [ground.O, cart.O]}
  P: {type: revolute, between: [cart.O, pole.P]}
forces: {motor: {type: force, on: cart.O, value: [u, 0]}}
bondgraph: {signals: {u: {type: inverse, input: cart.x - 0.01*t^2}}}
simulate: {t_end: 0.5, step: 0.1}
END
call 0 inverse "$directory/cart.yaml"
has err "the zero dynamics are unstable"
has err "leave free, pole.angle, pole.omega, grows by"
has err "grows by 3.744 1/s"
"$HALFARROW" inverse - <"$directory/cart.yaml" >"$directory/out" 2>"$directory/err" ||
    problem "a model on standard input: $(head -n 3 "$directory/err")"
has err "the zero dynamics are unstable"

# a parallelogram through its change point, where it may go on in two ways, exactly in a row
cat >"$directory/change.yaml" <<'END'
halfarrow: 1
ground: {points: {A: [0, 0], D: [2, 0]}}
bodies:
  a: {mass: 1, inertia: 0.1, points: {P: [-0.5, 0], Q: [0.5, 0]}, start: {angle: 0.5}}
  b: {mass: 1, inertia: 0.1, points: {P: [-1, 0], Q: [1, 0]}, start: {angle: 0}}
  c: {mass: 1, inertia: 0.1, points: {P: [-0.5, 0], Q: [0.5, 0]}, start: {angle: 0.5}}
joints:
  A: {type: revolute, between: [ground.A, a.P], motion: 0.5 - t}
  B: {type: revolute, between: [a.Q, b.P]}
  C: {type: revolute, between: [b.Q, c.Q]}
  D: {type: revolute, between: [ground.D, c.P]}
simulate: {t_end: 1 s}
END
call 1 inverse "$directory/change.yaml"
has err 'error: the mechanism passed a singular position at about t = 0.5 s, where its branch'
call 0 inverse "$directory/change.yaml" --t-end '0.4 s'

finish
