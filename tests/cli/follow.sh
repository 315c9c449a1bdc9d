#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# halfarrow modes --sweep follows modes by their shapes: frequencies that cross, that veer, a chain
# of hinged rods, forward and backward whirl. All against closed forms.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

# Columns of the tables: the value, then frequency, damping, re, im and mac of each mode.

# two_pendulums: of the lengths 1 and l, both 1 kg with 0.1 kg m^2
two_pendulums() {
    cat <<'END'
halfarrow: 1
parameters: {l: 1 m}
ground: {points: {A: [0, 0], B: [1, 0]}}
bodies:
  a:
    mass: 1
    inertia: 0.1
    points: {O: [-1, 0], P: [-0.5, 0]}
    start: {angle: -90 deg, fixed: [angle]}
  b:
    mass: 1
    inertia: 0.1
    points: {O: ["-l", 0], P: ["0.5 - l", 0]}
    start: {angle: -90 deg, fixed: [angle]}
joints:
  A: {type: revolute, between: [ground.A, a.O]}
  B: {type: revolute, between: [ground.B, b.O]}
END
}

# w^2 = g l / (0.1 + l^2). They cross at l = 1, which is one of the values, and at l = 0.1, which is
# not; a is always mode 1. The shape of b is (l, sqrt(0.1)).
two_pendulums >"$directory/cross.yaml"
for range in 0.8:1.2:9 1.2:0.8:9 0.05:0.37:9; do
    call 0 modes "$directory/cross.yaml" --sweep "parameters.l=$range" -o "$directory/cross.csv"
    awk -F, 'function off(x, y) { return x - y > 1e-9 || y - x > 1e-9 }
    NR > 1 {
        l = $1; pi = atan2(0, -1)
        fa = sqrt(9.81 / 1.1) / (2 * pi); fb = sqrt(9.81 * l / (0.1 + l * l)) / (2 * pi)
        first = first ? first : off($2, fa) ? 7 : 2
        a = first; b = 9 - first
        if (off($a, fa) || off($b, fb)) { exit 1 }
        if (NR > 2) {
            mac = (l * last + 0.1) ^ 2 / ((l * l + 0.1) * (last * last + 0.1))
            if (off($(a + 4), 1) || off($(b + 4), mac)) { exit 1 }
        }
        last = l; n++
    } END { if (n != 9) { exit 1 } }' "$directory/cross.csv" ||
        problem "$called: the frequencies are not followed: $(cat "$directory/cross.csv")"
done

# With a spring k between points 0.5 m below the hinges they veer:
# (ga - Ja w^2) (gb - Jb w^2) = kc^2, ga = g + kc, gb = g l + kc, kc = k/4.
{
    two_pendulums
    echo 'forces: {c: {type: spring-damper, between: [a.P, b.P], stiffness: 0.8, free_length: 1}}'
} >"$directory/veer.yaml"
call 0 modes "$directory/veer.yaml" --sweep parameters.l=0.8:1.2:17 -o "$directory/veer.csv"
awk -F, 'function off(x, y) { return x - y > 1e-9 || y - x > 1e-9 }
NR > 1 {
    l = $1; g = 9.81; kc = 0.2; ja = 1.1; jb = 0.1 + l * l; ga = g + kc; gb = g * l + kc
    half = (ga / ja + gb / jb) / 2
    root = sqrt(half * half - (ga * gb - kc * kc) / (ja * jb))
    low = sqrt(half - root) / (2 * atan2(0, -1)); high = sqrt(half + root) / (2 * atan2(0, -1))
    if (off($2, low) || off($7, high)) { exit 1 }
    if (NR > 2 && ($6 < 0.9 || $11 < 0.9)) { exit 1 }
    n++
} END { if (n != 17) { exit 1 } }' "$directory/veer.csv" ||
    problem "$called: the frequencies do not veer: $(cat "$directory/veer.csv")"

# The softer the spring, the narrower the range in which they do, here some thousandths of a step:
# it is looked for.
sed 's/stiffness: 0.8/stiffness: 0.01/' "$directory/veer.yaml" >"$directory/narrow.yaml"
call 0 modes "$directory/narrow.yaml" --sweep parameters.l=0.7:1.2:3 -o "$directory/narrow.csv"
awk -F, 'NR > 1 && !($2 < $7) { exit 1 } END { if (NR != 4) { exit 1 } }' \
    "$directory/narrow.csv" ||
    problem "$called: a narrow veering is taken for a crossing: $(cat "$directory/narrow.csv")"

# A hanging chain of rods has the same shapes at any size, w ~ 1/sqrt(s). The horizontal motion of
# its rods is all there is; the vertical one is round-off, which must not weigh.
{
    printf 'halfarrow: 1\nparameters: {s: 1 m}\nground: {points: {E: [0, 0]}}\nbodies:\n'
    for i in 1 2 3 4 5; do
        printf '  r%d: {mass: 1, inertia: s^2/12, points: {O: ["-s/2", 0], E: ["s/2", 0]}, ' $i
        printf 'start: {angle: -90 deg, fixed: [angle]}}\n'
    done
    printf 'joints:\n'
    from=ground
    for i in 1 2 3 4 5; do
        printf '  j%d: {type: revolute, between: [%s.E, r%d.O]}\n' $i $from $i
        from=r$i
    done
} >"$directory/chain.yaml"
call 0 modes "$directory/chain.yaml" --sweep parameters.s=0.5:3:6 -o "$directory/chain.csv"
awk -F, 'function off(x, y) { return x - y > 1e-9 || y - x > 1e-9 }
NR > 1 {
    for (k = 0; k < 5; k++) {
        scaled = $(2 + 5 * k) * sqrt($1)
        was[k] = NR == 2 ? scaled : was[k]
        if (off(scaled, was[k]) || (NR > 2 && off($(6 + 5 * k), 1))) { exit 1 }
    }
    n++
} END { if (n != 6) { exit 1 } }' "$directory/chain.csv" ||
    problem "$called: the modes of the chain are not followed: $(cat "$directory/chain.csv")"

# A disc on springs with the spin as a gyrator: w = sqrt(1 + (s/4)^2) +- s/4. At s = 0 both are 1
# and any shapes are found. From s to s' the likeness is that of (sqrt(m) w, sqrt(k)).
cat >"$directory/whirl.yaml" <<'END'
halfarrow: 1
parameters: {s: 0}
bondgraph:
  elements:
    Ix: {type: I, value: 2}
    Iy: {type: I, value: 2}
    Cx: {type: C, value: 0.5}
    Cy: {type: C, value: 0.5}
    G: {type: GY, value: s}
    1x: {type: "1"}
    1y: {type: "1"}
  bonds: [1x > Ix, 1x > Cx, 1x > G, G > 1y, 1y > Iy, 1y > Cy]
END
for range in 0:4:9 4:0:9 -3:3:7; do
    call 0 modes "$directory/whirl.yaml" --sweep "parameters.s=$range" -o "$directory/whirl.csv"
    awk -F, 'function off(x, y) { return x - y > 1e-9 || y - x > 1e-9 }
    function whirl(s, sign) { return sqrt(1 + s * s / 16) + sign * s / 4 }
    NR == 2 && $1 != 0 { sign = off($2 * 2 * atan2(0, -1), whirl($1, 1)) ? -1 : 1 }
    NR > 1 {
        if ($1 != 0 && sign == 0) { sign = off($2 * 2 * atan2(0, -1), whirl($1, 1)) ? -1 : 1 }
        for (k = 0; k < 2; k++) {
            turned = k == 0 ? sign : -sign
            w = whirl($1, turned); v = whirl(last, turned)
            if (off($(2 + 5 * k) * 2 * atan2(0, -1), w)) { exit 1 }
            mac = (w * v + 1) ^ 2 / ((w * w + 1) * (v * v + 1))
            if (NR > 2 && off($(6 + 5 * k), mac)) { exit 1 }
        }
        last = $1; n++
    } END { if (n != '"${range##*:}"') { exit 1 } }' "$directory/whirl.csv" ||
        problem "$called: the whirl is not followed: $(cat "$directory/whirl.csv")"
done

finish
