#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Cams: a flat face on an eccentric disc against its closed form, a profile by points against the
# polynomial of which they are, and the speed at which a follower lifts off.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

# y = rb + e (1 - cos a), the force m (y'' + g) + k (y - rb) + F0; at w = 80 rad/s and t = 0.2 s
# a = 16, and the smallest force over a turn is 2 k e + F0 + m g - m e w^2 = 32.905 N
cat >"$directory/disc.yaml" <<'END'
halfarrow: 1
parameters: {e: 10 mm, rb: 25 mm, m: 0.5 kg, k: 2000 N/m, F0: 20 N, w: 80 rad/s}
ground: {points: {O: [0, 0], rail: {at: [0, 0], axis: 90 deg}}}
bodies:
  cam: {mass: 1 kg, inertia: 1e-3, points: {O: [0, 0]}, motion: {angle: w*t}}
  follower:
    mass: m
    inertia: 1e-4
    points: {face: {at: [0, 0], axis: 90 deg}}
    start: {y: rb}
joints:
  O: {type: revolute, between: [ground.O, cam.O]}
  guide: {type: translational, between: [ground.rail, follower.face]}
  face:
    type: constraint
    between: [cam.O, follower.face]
    rows: {lift: MN.y_0 - rb - e*(1 - cos(theta_i))}
forces:
  spring: {type: force, on: follower.face, value: [0, -F0 - k*(follower.y - rb)]}
simulate: {t_end: 0.2 s, step: 1 ms}
END
closed_form() {
    awk -v w=80 -v t=0.2 -v what="$1" 'BEGIN {
        a = w * t; e = 0.01; y = 0.025 + e * (1 - cos(a)); ay = e * w * w * cos(a)
        v["y"] = y; v["vy"] = e * w * sin(a); v["ay"] = ay
        v["fy"] = 0.5 * (ay + 9.81) + 2000 * (y - 0.025) + 20
        printf "%.17g", v[what] }'
}
for command in inverse "run --rtol 1e-11" "run --rtol 1e-11 --driver ida"; do
    # shellcheck disable=SC2086 # the words of a command
    call 0 $command --json "$directory/disc.yaml"
    near follower.y "$(closed_form y)" 3.5e-10
    near follower.vy "$(closed_form vy)" 8e-9
    near follower.ay "$(closed_form ay)" 6.4e-7
    near face.fy "$(closed_form fy)" 5.7e-7
done
# the cam's bearing takes the force of the face besides the weight: momentum closes
near O.fy "$(awk -v f="$(closed_form fy)" 'BEGIN { printf "%.17g", f + 9.81 }')" 1e-6

# a follower that its spring holds alone leaves the cam above sqrt((2 k e + F0 + m g) / (m e)) =
# 113.934 rad/s: the face is stiff, and vibrates by some 1e-6 m
sed -e 's/rows: {lift/free: {gap/' -e '/^forces:/a\
  contact: {type: stop, on: face.gap, lower: 0, stiffness: 1e8, damping: 2000}' \
    "$directory/disc.yaml" >"$directory/lift.yaml"
largest_gap() {
    call 0 run --json "$directory/lift.yaml" --set "parameters.w=$1"
    awk '$1 == "\"face.gap\":" && $2 == "{" { in_gap = 1 }
         in_gap && $1 == "\"max\":" { sub(/,$/, "", $2); print $2; exit }' "$directory/out"
}
awk -v gap="$(largest_gap 110)" 'BEGIN { exit !(gap != "" && gap <= 1e-12) }' ||
    problem "the follower lifts off below the speed of theory"
awk -v gap="$(largest_gap 117)" 'BEGIN { exit !(gap > 1e-5) }' ||
    problem "the follower does not lift off above the speed of theory"

# a follower whose roller of the radius rr rolls on an eccentric disc of the radius rc, in line with
# the axis of the cam, and one with a knife edge, rr = 0. With R = rc + rr, b = w t and the
# derivative y' by the angle
#   y = e cos b + c,  c^2 = R^2 - (e sin b)^2,  y' = -e sin b - e^2 sin b cos b / c,
# the pressure angle is atan(y' / y), and the cam is turned by F y'. The second model is a rod R
# from the centre of the disc: it presses the guide by F tan(pressure angle), which the profile as
# a constraint along the way leaves out.
cat >"$directory/roller.yaml" <<'END'
halfarrow: 1
parameters:
  {e: 10 mm, rc: 30 mm, rr: 8 mm, m: 0.5 kg, k: 2 kN/m, F0: 60 N, w: 80 rad/s, R: rc + rr}
ground: {points: {O: [0, 0], rail: {at: [0, 0], axis: 90 deg}}}
bodies:
  cam: {mass: 1, inertia: 1e-3, points: {O: [0, 0], E: [e, 0]}, motion: {angle: pi/2 + w*t}}
  follower:
    mass: m
    inertia: 1e-4
    points: {C: {at: [0, 0], axis: 90 deg}}
    start: {y: e + R}
joints:
  O: {type: revolute, between: [ground.O, cam.O]}
  guide: {type: translational, between: [ground.rail, follower.C]}
  contact:
    type: constraint
    between: [cam.O, follower.C]
    rows: {lift: "MN.y_0 - e*sin(theta_i) - sqrt(R^2 - (e*cos(theta_i))^2)"}
forces:
  spring: {type: force, on: follower.C, value: [0, -F0 - k*follower.y]}
outputs:
  - follower.C
  - {turning: {value: cam.drive, unit: N.m}}
  - contact.force
  - guide.force
  - {pressure: {value: atan(follower.vy/cam.omega/follower.y), unit: deg}}
simulate: {t_end: 0.2 s, step: 1 ms}
END
sed -e 's/type: constraint/type: distance/' -e 's/\[cam.O, follower.C\]/[cam.E, follower.C]/' \
    -e 's/rows: .*/length: R/' "$directory/roller.yaml" >"$directory/rod.yaml"
round() {
    awk -v rr="$1" -v what="$2" 'BEGIN {
        e = 0.01; R = 0.03 + rr; w = 80; b = w * 0.2; s = sin(b); x = cos(b)
        c = sqrt(R * R - e * e * s * s); d = -e * e * s * x / c; y = e * x + c; slope = d - e * s
        v["C.y"] = y; v["C.vy"] = w * slope
        v["C.ay"] = w * w * (-e * x - e * e * (x * x - s * s) / c - d * d / c)
        v["F"] = 0.5 * (v["C.ay"] + 9.81) + 60 + 2000 * y; v["drive"] = v["F"] * slope
        v["side"] = v["F"] * slope / y; v["angle"] = atan2(slope, y) * 180 / atan2(0, -1)
        printf "%.17g", v[what] }'
}
# eight NAME WHAT: 8 digits
eight() {
    local wanted
    wanted=$(round "$radius" "$2")
    near "$1" "$wanted" "$(awk -v x="$wanted" 'BEGIN { print 5e-9 * (x < 0 ? -x : x) }')"
}
for radius in 0.008 0; do
    for command in inverse "run --rtol 1e-11"; do
        for model in roller rod; do
            # shellcheck disable=SC2086 # the words of a command
            call 0 $command --json "$directory/$model.yaml" --set parameters.rr=$radius
            eight follower.C.y C.y
            eight follower.C.vy C.vy
            eight follower.C.ay C.ay
            eight contact.fy F
            eight turning drive
            eight pressure angle
        done
        eight guide.fx side # of the rod
    done
done

# a rise by a 3-4-5 polynomial from N points: the error of a spline is of the fourth order, at most
# 5/384 of (15 degrees)^4 times the largest fourth derivative, 360 * 0.01 / (120 degrees)^4
profile() {
    awk -v n="$1" 'BEGIN {
        pi = atan2(0, -1)
        for (i = 0; i <= n; i++) {
            d = 360 * i / n; u = d <= 120 ? d / 120 : d <= 180 ? 1 : d <= 300 ? (300 - d) / 120 : 0
            x = x (i ? ", " : "") sprintf("%.17g", 2 * pi * i / n)
            y = y (i ? ", " : "") sprintf("%.17g", 0.01 * u * u * u * (10 - 15 * u + 6 * u * u))
        }
        printf "{kind: periodic, x: [%s], y: [%s]}", x, y }'
}
# the largest error of the way over a turn
error_of() {
    sed -e 's/e\*(1 - cos(theta_i))/profile(theta_i)/' \
        -e "s|^ground:|tables: {profile: $(profile "$1")}\n&|" \
        -e 's/t_end: 0.2 s, step: 1 ms/t_end: 2*pi\/80, step: 0.1 ms/' "$directory/disc.yaml" \
        >"$directory/points.yaml"
    call 0 inverse "$directory/points.yaml" -o "$directory/points.csv"
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { sub(/ .*/, "", $i); column[$i] = i } next }
        {
            d = $column["cam.angle"] * 180 / atan2(0, -1)
            u = d <= 120 ? d / 120 : d <= 180 ? 1 : d <= 300 ? (300 - d) / 120 : 0
            e = $column["follower.y"] - 0.025 - 0.01 * u * u * u * (10 - 15 * u + 6 * u * u)
            e = e < 0 ? -e : e
            largest = e > largest ? e : largest
        }
        END { printf "%.17g", largest }' "$directory/points.csv"
}
coarse=$(error_of 24)
middle=$(error_of 36)
fine=$(error_of 48)
awk -v b="$middle" 'BEGIN { exit !(b < 1.15e-5 / (36 / 24) ^ 4) }' ||
    problem "the error $middle of a profile by 36 points"
awk -v a="$coarse" -v b="$fine" 'BEGIN { exit !(a < 1.15e-5 && a / b > 12 && a / b < 20) }' ||
    problem "errors $coarse and $fine of profiles by 24 and 48 points"

# a Geneva drive of four slots over ten steps: a quarter of a turn each, at rest between them; its
# largest speed is k / (1 - k) of that of the crank, which the points have to their error
for command in inverse "run --rtol 1e-9"; do
    # shellcheck disable=SC2086 # the words of a command
    call 0 $command --json "$examples/geneva.yaml"
    near wheel.angle "$(awk 'BEGIN { printf "%.17g", -4.75 * atan2(0, -1) }')" 1e-8
done
least=$(awk '$1 == "\"wheel.omega\":" && $2 == "{" { is_in = 1 }
    is_in && $1 == "\"min\":" { sub(/,$/, "", $2); print $2; exit }' "$directory/out")
awk -v v="$least" 'BEGIN { k = sqrt(0.5); e = v / 20 + k / (1 - k)
    exit !(v != "" && e < 3e-3 && e > -3e-3) }' || problem "a Geneva drive turns with $least rad/s"

# what is too rough is refused
sed -e 's/kind: periodic/kind: linear/' "$directory/points.yaml" >"$directory/rough.yaml"
call 2 check "$directory/rough.yaml"
has err "use smooth functions, splines"
finish
