#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# halfarrow statics --sweep and modes --sweep against closed forms.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

# Von Mises' truss: two springs of the stiffness k from the apex (0, y) to (-+b, 0), of the free
# length L0 = sqrt(b^2 + h^2). The load F = 2 k y (L0/L - 1) turns where L^3 = L0 b^2.
cat >"$directory/truss.yaml" <<'END'
halfarrow: 1
gravity: [0, 0]
parameters: {k: 1000, b: 1, h: 0.3, load: 0, L0: sqrt(b^2 + h^2)}
ground: {points: {A: [-b, 0], B: [b, 0], O: {at: [0, 0], axis: 90 deg}}}
bodies:
  apex: {mass: 1, inertia: 0.1, points: {P: {at: [0, 0], axis: 90 deg}}, start: {y: h}}
joints: {guide: {type: translational, between: [ground.O, apex.P]}}
forces:
  left: {type: spring-damper, between: [ground.A, apex.P], stiffness: k, free_length: L0}
  right: {type: spring-damper, between: [ground.B, apex.P], stiffness: k, free_length: L0}
  push: {type: force, on: apex.P, value: [0, -load]}
outputs: [apex.y]
END
# turning_of FILE: the values at which the branch turns back, of a table
turning_of() {
    awk -F, 'NR > 1 && $3 == 1 { print $1 }' "$1"
}
# check NUMBER WANTED TOLERANCE WHAT
check() {
    awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN { d = a - b; exit !(d <= e && -d <= e) }' ||
        problem "$4: $1 is not $2"
}
# closed form by awk: the load at the limit
limit=$(awk 'BEGIN {
    k = 1000; b = 1; h = 0.3; L0 = sqrt(b * b + h * h); L = exp(log(L0 * b * b) / 3)
    y = sqrt(L * L - b * b); printf "%.12f", 2 * k * y * (L0 / L - 1) }')
call 0 statics "$directory/truss.yaml" --sweep parameters.load=-25:25:11 -o "$directory/truss.csv"
check "$(turning_of "$directory/truss.csv" | sed -n 1p)" "$limit" 1e-7 "first limit of the truss"
check "$(turning_of "$directory/truss.csv" | sed -n 2p)" "-$limit" 1e-7 "second limit"
# 11 values, those between the limits three times, the two limits themselves, and the header
n=$(wc -l <"$directory/truss.csv")
wanted=$(awk -v l="$limit" 'BEGIN {
    for (v = -25; v <= 25; v += 5) { n += v < l && v > -l ? 3 : 1 }
    print n + 3 }')
[ "$n" -eq "$wanted" ] || problem "$n lines, not $wanted"
# at no load: on top and below stable, in the middle unstable
states=$(awk -F, '$1 == 0 { printf "%d ", $2 }' "$directory/truss.csv")
[ "$states" = "1 0 1 " ] || problem "at no load: $states"
middle=$(awk -F, '$1 == 0 { y = $4 } END { print y }' "$directory/truss.csv")
check "$middle" -0.3 1e-9 "the snapped truss"
call 0 statics "$directory/truss.yaml" --sweep parameters.load=-25:25:11
has out "turns back"
has out "2 turning points"
call 0 statics "$directory/truss.yaml" --sweep parameters.load=-25:25:11 --json
keys status parameter points turning steps ended

# A rod that hangs from a torsion spring whose other end is turned: phi = theta + a sin(theta),
# a = m g l / k = 4.905, turns back where cos(theta) = -1/a.
cat >"$directory/turn.yaml" <<'END'
halfarrow: 1
parameters: {phi: 0}
ground: {points: {O: [0, 0]}}
bodies:
  rod: {mass: 1, inertia: 0.08, points: {O: [-0.5, 0]}, start: {angle: -90 deg}}
joints: {O: {type: revolute, between: [ground.O, rod.O]}}
forces: {spring: {type: spring-damper, on: O, stiffness: 1, free_angle: phi - pi/2}}
outputs: [rod.angle]
END
call 0 statics "$directory/turn.yaml" --sweep parameters.phi=-1:12:14 \
    -o "$directory/turn.csv"
limit=$(awk 'BEGIN { a = 4.905; c = -1 / a; s = sqrt(1 - c * c)
    printf "%.12f", atan2(s, c) + a * s }')
check "$(turning_of "$directory/turn.csv" | sed -n 1p)" "$limit" 1e-7 "first limit of the rod"
limit=$(awk 'BEGIN { a = 4.905; c = -1 / a; s = -sqrt(1 - c * c); pi = atan2(0, -1)
    printf "%.12f", atan2(s, c) + 2 * pi + a * s }')
check "$(turning_of "$directory/turn.csv" | sed -n 2p)" "$limit" 1e-7 "second limit of the rod"

# q^2 = Se turns back at a value that is wanted, which is that of the turning point
call 0 statics --graph 'Se{1}>1a>C{e = q*q, q=1}; 1a>I' --sweep Se=1:-1:5
has out "points                   5, 1 turning point"

call 2 statics "$directory/truss.yaml" --sweep parameters.load=1:1:3
has err "bounds that are equal"
call 2 statics "$directory/truss.yaml" --sweep parameters.load=1:2
has err "is no range"
call 2 statics "$directory/truss.yaml" --sweep parameters.nought=1:2:3
has err "nought"
call 2 statics "$directory/truss.yaml" --sweep parameters.load=1:2:3 --keep-fixed
has err "--keep-fixed"

# Two masses between springs, the second heavier: lambda^2 from the quadratic; the two branches keep
# their shapes. In the middle both masses are alike and the frequencies are 1 and sqrt(3).
cat >"$directory/two.yaml" <<'END'
halfarrow: 1
parameters: {m: 1}
bondgraph:
  elements:
    I1: {type: I, value: 1}
    I2: {type: I, value: m}
    C1: {type: C, value: 1}
    C2: {type: C, value: 1}
    C3: {type: C, value: 1}
    1a: {type: "1"}
    1b: {type: "1"}
    0m: {type: "0"}
  bonds: [1a > I1, 1a > C1, 1a > 0m, 0m > C2, 0m > 1b, 1b > I2, 1b > C3]
END
call 0 modes "$directory/two.yaml" --sweep parameters.m=0.5:2:7 -o "$directory/two.csv"
# columns: value, then frequency, damping, re, im and mac of each mode
awk -F, 'NR > 1 {
    n++
    # m w^4 - 2 (1 + m) w^2 + 3 = 0
    d = sqrt(4 * (1 + $1) ^ 2 - 12 * $1)
    for (k = 0; k < 2; k++) {
        f = sqrt((2 * (1 + $1) + (k ? d : -d)) / (2 * $1)) / (2 * atan2(0, -1))
        off = $(2 + 5 * k) - f
        if (off > 1e-10 || off < -1e-10) { exit 1 }
        if (n > 1 && $(6 + 5 * k) < 0.9) { exit 1 }
    }
} END { if (n != 7) { exit 1 } }' "$directory/two.csv" || problem "two.csv has other frequencies"
call 0 modes "$directory/two.yaml" --sweep parameters.m=0.5:2:4
has out "2 modes over parameters.m"
call 0 modes "$directory/two.yaml" --sweep parameters.m=0.5:2:4 --json
keys parameter values rigid modes
head -n 1 "$directory/two.csv" | grep -q "mode2.damping" || problem "two.csv has another header"
call 2 modes "$directory/two.yaml" --sweep parameters.m=0.5:2:4 -o "$directory/two.svg"
has err "written as a table"

finish
