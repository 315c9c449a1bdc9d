#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Outputs by expression: every command that shows outputs takes them, in their units.
# shellcheck disable=SC2016 # backquotes are part of the messages
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

file=$directory/rod.yaml
cat >"$file" <<'END'
halfarrow: 1
functions: {hyp: {of: [a, b], is: "sqrt(a^2 + b^2)"}}
ground: {points: {O: [0, 0]}}
bodies:
  rod: {mass: 2 kg, inertia: 0.1, points: {O: [-0.5, 0], P: [0.5, 0]}, start: {fixed: [angle]}}
joints: {O: {type: revolute, between: [ground.O, rod.O]}}
values: {tip: "hyp(rod.P.vx, rod.P.vy)"}
simulate: {t_end: 1.5 s, rtol: 1e-9}
outputs:
  - tip
  - {pin: {value: "hyp(O.fx, O.fy)", unit: kN}, turned: {value: rod.angle, unit: deg}}
  - {sum: 3 + energy.kinetic}
variants: {heavy: {bodies: {rod: {mass: 4 kg}}}}
END

# the header, the units, the peaks: the rod turns by 180 degrees, the pin carries most at the bottom
call 0 run "$file" -o "$directory/rod.csv"
[ "$(head -n 1 "$directory/rod.csv")" = 't [s],tip [m/s],pin [kN],turned [deg],sum' ] ||
    problem "header: $(head -n 1 "$directory/rod.csv")"
call 0 run "$file" --json
peak() {
    awk -v name="\"$1\":" -v value="$2" '
        $1 == name { is_in = $2 == "{" }
        is_in && $1 == "\"max\":" {
            sub(/,/, "", $2)
            found = $2 - value < 1e-8 * value && value - $2 < 1e-8 * value
            if (!found) print name, $2, "is not", value
            is_in = 0
        }
        END { exit !found }' "$directory/out" || problem "$called: wrong peak of $1"
}
peak pin 0.05232 # m g + m l omega^2 with omega^2 = 2 m g l / (m l^2 + I)
peak tip 5.7183913821983187

call 0 run "$file" --digits 7 --json
has out '"pin": '
call 0 compare "$file" --variant base --variant heavy
has out 'pin'
call 0 plot "$directory/rod.csv" --y pin,turned -o "$directory/rod.svg"
call 0 report "$file" -o "$directory/rod.html"
grep -q turned "$directory/rod.html" || problem "the page has no output by expression"
call 0 linearise "$file" --set simulate.t_end=1 --set bodies.rod.start.angle=-1.5707963267948966 \
    --u rod.weight.y --y turned,pin
has out turned

# the efficiency of a geared motor that lifts 30 kg, against the balance of torques and voltages
sed -e "s|\.\./library|$top_srcdir/library|" -e '/^outputs:/d' "$examples/hoist.yaml" \
    >"$directory/hoist.yaml"
cat >>"$directory/hoist.yaml" <<'END'
outputs: [{efficiency: {value: 30*9.81*load.vy/(battery.e*m.coil.f), unit: "%"}}]
END
call 0 run "$directory/hoist.yaml" --rtol 1e-9 --json
near efficiency "$(awk 'BEGIN {
    k = 0.0302; R = 0.299; b = 5.21e-6; T = 30 * 9.81 * 0.025 / 43
    w = (24 * k / R - T) / (k * k / R + b)
    printf "%.12g", 100 * T * w * k / (24 * (T + b * w)) }')" 1e-5

# columns stand in the order in which they are asked for, the parts of one name in their own
call 0 run "$file" --set 'outputs=[rod.omega, tip, O.fy, energy.kinetic, rod.angle]' -o - --t-end 0
head -n 1 "$directory/out" >"$directory/head"
grep -qxF 't [s],rod.omega [rad/s],tip [m/s],O.fy [N],energy.kinetic [J],rod.angle [rad]' \
    "$directory/head" || problem "the order of outputs: $(cat "$directory/head")"

# what is wrong has its place
sed -i 's/unit: deg/unit: kN/' "$file"
call 2 run "$file"
has err ":11:82: error: \`unit\` of output \`turned\`: kN is a force, but the expression is"
# Hz counts turns, the expression radians
sed -i 's/rod.angle, unit: kN/rod.omega, unit: Hz/' "$file"
call 2 run "$file"
has err '`unit` of output `turned`: Hz does not say what angle it counts'
sed -i 's,rod.omega,rod.omega/(2*pi),' "$file"
call 0 run "$file"


# an output without a value is told, with its first row: x = 1 - t is negative after 1 s
cat >"$directory/root.yaml" <<'END'
halfarrow: 1
ground: {points: {O: [0, 0]}}
bodies: {a: {mass: 1, inertia: 1, points: {P: [0, 0]}, start: {x: 1, vx: -1}}}
outputs: [a.x, {root: "sqrt(a.x)"}, {inverse: "1/(t - 0.5)"}]
simulate: {t_end: 2 s, step: 0.25}
END
call 0 run "$directory/root.yaml"
has err 'the output `root` is no number at t = 1.25 s, and has no finite value in 4 of 9 rows'
has err 'the output `inverse` is infinite at t = 0.5 s, and has no finite value in 1 of 9 rows'
call 0 run "$directory/root.yaml" --t-end 1 --set 'outputs=[a.x, {root: sqrt(a.x + 1e-6)}]'
empty err

finish
