#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Extremes over a run are values that the outputs take: as the rows have them, at jumps and bends.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

# extreme NAME KEY VALUE TOLERANCE: the extreme of an output in the last report
extreme() {
    awk -v name="\"$1\":" -v key="\"$2\":" -v value="$3" -v most="$4" '
        $1 == name { is_in = $2 == "{" }
        is_in && $1 == key {
            sub(/,/, "", $2)
            is_good = $2 - value <= most && value - $2 <= most
            if (!is_good) print name, key, $2, "is not", value
            is_in = 0
        }
        END { exit !is_good }' "$directory/out" || problem "$called: $1 $2 is not $3"
}

# x = cos t
file=$directory/jump.yaml
cat >"$file" <<'END'
halfarrow: 1
gravity: [0, 0]
bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}, start: {x: 1}}}
forces: {f: {type: force, on: b.P, value: [-b.x, 0]}}
simulate: {t_end: 10 s}
outputs:
  - {step: "if(b.x > 0, 1000, 0)", stairs: floor(b.x*100), distance: abs(b.x), cut: "min(b.x, 0.5)"}
  - {late: "if(t > 3.333, 100, 0)", root: "min(sqrt(abs(b.x)), 5)", saw: t/3 - floor(t/3)}
  - {bend: "3 - abs(b.x - 0.3)", over: "if(b.x > 0.3, b.x, -b.x)"}
END
for driver in auto ida explicit; do
    call 0 run "$file" --driver "$driver" --json
    extreme step max 1000 0
    extreme step min 0 0
    extreme stairs max 100 0
    extreme distance min 0 1e-6
    extreme distance max 1 1e-5
    extreme cut max 0.5 0
    extreme late max 100 0
    extreme late min 0 0
    extreme root min 0 1e-3
    extreme saw max 1 1e-6
    extreme bend max 3 1e-6
    extreme over min -0.3 1e-5
done

# x = sin t; an output without a value at the start: tan t = 2 t at the least value of -sin(t)^2 / t
file=$directory/late.yaml
cat >"$file" <<'END'
halfarrow: 1
gravity: [0, 0]
bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}, start: {vx: 1}}}
forces: {f: {type: force, on: b.P, value: [-b.x, 0]}}
simulate: {t_end: 10 s, step: 10 s, rtol: 1e-8}
outputs: [b.x, {late: b.ax*sin(t)/t}]
END
for driver in auto ida explicit; do
    call 0 run "$file" --driver "$driver" --json
    extreme late min -0.7246113537 1e-6
done

# functions of the time in outputs that no equation has: one pulse far shorter than a step, and two
# of opposite signs on f = 1 - exp(-t)
file=$directory/pulses.yaml
cat >"$file" <<'END'
halfarrow: 1
bondgraph:
  elements:
    {S: {type: Se, value: 1}, 1a: {type: "1"}, I: {type: I, value: 1}, R: {type: R, value: 1}}
  bonds: [S > 1a, 1a > I, 1a > R]
simulate: {t_end: 5}
outputs:
  - {one: "exp(-((t - 1)/1e-5)^2)"}
  - {two: "I.f*(exp(-((t - 2.2222)/1e-5)^2) - 3*exp(-((t - 2.2)/1e-6)^2))"}
END
for driver in auto ida explicit explicit8; do
    call 0 run "$file" --driver "$driver" --json
    extreme one max 1 1e-5
    extreme one min 0 0
    extreme two max 0.89162957 2e-5
    extreme two min -2.66759052 2e-5
done

# what friction bears while it holds, of a pulse far shorter than the steps that nothing limits
for driver in auto ida explicit explicit8; do
    for when in 1.2345 1.5; do
        call 0 run --graph "Se{0.5*exp(-((t-$when)/1e-4)^2)}>1a; 1a>I; 1a>R{e=sign(f)}" --t-end 3 \
            --driver "$driver" --json
        extreme R.e max 0.5 1e-6
        extreme R.e min 0 1e-6
        extreme I.f max 0 0
    done
done

# a wiper with steep friction: reactions follow from the motion at that time, in a stiff run too
file=$directory/wiper.yaml
cat >"$file" <<'END'
halfarrow: 1
parameters: {a: 50 mm, b: 250 mm, c: 80 mm, arm: 500 mm}
gravity: [0, 0]
ground: {points: {O: [0, 0], C: [250 mm, 0]}}
bodies:
  crank:
    mass: 0.1 kg
    inertia: 1e-4 kg.m2
    points: {O: [0, 0], A: [a, 0]}
    start: {angle: 60 deg, omega: 0 rad/s, fixed: [angle, omega]}
  rod:
    {mass: 0.15 kg, inertia: 8e-4 kg.m2, points: {A: [-b/2, 0], B: [b/2, 0]}, start: {angle: 0.17}}
  arm:
    mass: 0.5 kg
    inertia: 0.0104166667 kg.m2
    points: {C: [-arm/2, 0], B: [-arm/2 + c, 0]}
    start: {angle: 90 deg}
joints:
  O: {type: revolute, between: [ground.O, crank.O]}
  A: {type: revolute, between: [crank.A, rod.A]}
  B: {type: revolute, between: [rod.B, arm.B]}
  C: {type: revolute, between: [ground.C, arm.C]}
forces:
  glass: {type: torque, on: arm, value: -4.8*tanh(arm.omega/0.05)}
bondgraph:
  elements:
    V: {type: Se, value: 12 V}
    1i: {type: "1"}
    R: {type: R, value: 0.5 ohm}
    L: {type: I, value: 0.5 mH}
    K: {type: GY, value: 0.03 N.m/A}
    1m: {type: "1"}
    rotor: {type: I, value: 3e-5 kg.m2}
    drag: {type: R, value: 1e-5 N.m.s/rad}
    worm: {type: TF, value: 1/50}
  bonds: [V > 1i > R, 1i > L, 1i > K > 1m, 1m > rotor, 1m > drag, 1m > worm > O.axis]
simulate: {t_end: 3 s, driver: ida}
outputs: [A.fx, A.fy]
END
call 0 run "$file" --step 1e-4 -o "$directory/wiper.csv"
call 0 run "$file" --json
column() {
    awk -F, -v i="$1" -v s="$2" 'NR > 1 && (NR == 2 || s*$i > s*most) { most = $i }
                                 END { print most }' "$directory/wiper.csv"
}
extreme A.fx max "$(column 2 1)" 0.02
extreme A.fx min "$(column 2 -1)" 0.2
extreme A.fy max "$(column 3 1)" 0.02
extreme A.fy min "$(column 3 -1)" 0.02
# rows between steps as near the bound of stability: R, L, C in series on 10 V, by its two poles
circuit='Se{10}>1a>R{2.47539464620722};1a>C{0.9721046308895598};1a>I{0.11789027968107893}'
for rtol in 1e-6 1e-8; do
    call 0 run --graph "$circuit" --t-end 4 --step 0.05 --rtol $rtol --driver explicit8 \
        -o "$directory/rows.csv"
    awk -F, -v most="$(awk -v r=$rtol 'BEGIN { print 40 * r }')" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^"?I\.f/) column = i }
        NR > 1 {
            a = 2.47539464620722 / 0.11789027968107893 / 2
            d = sqrt(a * a - 1 / (0.11789027968107893 * 0.9721046308895598))
            wanted = 10 / 0.11789027968107893 * (exp((d - a) * $1) - exp((-d - a) * $1)) / (2 * d)
            off = $column - wanted
            worst = off > worst ? off : -off > worst ? -off : worst
        }
        END {
            if (!column || NR < 80 || worst > most) { print "off by " worst; exit 1 }
        }' "$directory/rows.csv" || problem "rows between steps at rtol $rtol"
done
finish
