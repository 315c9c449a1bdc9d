#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# No run claims digits that are not there: estimates against closed forms, a solution in quadruple
# precision, and runs of a hundred thousand times less tolerance.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

# not_more LEAST NAME VALUE SCALE ...: the estimate of the last run is at least LEAST, and no more
# than the digits of end values NAME beside the true VALUE, their largest magnitudes being SCALE.
not_more() {
    awk -v list="$*" '
        BEGIN {
            n = split(list, word, " ")
            for (i = 2; i < n; i += 3) {
                truth["\"" word[i] "\":"] = word[i + 1]
                size["\"" word[i] "\":"] = word[i + 2]
            }
            right = 16
        }
        { sub(/,$/, "", $2) }
        $1 == "\"digits_estimate\":" { text = $2; estimate = $2 + 0; found = 1 }
        /^  "/ { inside = $1 == "\"final\":" }
        inside && $1 in truth {
            d = ($2 - truth[$1]) / size[$1]
            d = d < 0 ? -d : d
            digits = d > 0 ? -log(d) / log(10) : 16
            right = digits < right ? digits : right
        }
        END {
            right = right < 0 ? 0 : right
            if (!found || text == "null" || estimate < word[1] + 0 ||
                (right < 15 && estimate > right)) {
                print "the estimate is", estimate, "of", right, "digits"
                exit 1
            }
        }' "$directory/out" || problem "$called: wrong estimate"
}

# the end value NAME of the last run
final() {
    sed -n "/\"final\"/,\$s/^ *\"$1\": \([^,]*\),*\$/\1/p" "$directory/out"
}

for way in '--rtol 1e-6' '--rtol 1e-9' '--rtol 1e-3' '--driver ida' '--driver explicit' \
    '--driver explicit8 --max-step 0.01' '--driver ida --rtol 1e-9'; do
    # an oscillator over 8 periods: q = sin t
    # shellcheck disable=SC2086
    call 0 run -q --json --graph '1a>I{1, p=1};1a>C{1}' --t-end 50 $way
    not_more 0.5 C.q -0.26237485370392877 1 C.f 0.9649660284921133 1

    # Andrews' mechanism
    # shellcheck disable=SC2086
    call 0 run -q --json "$examples/andrews.yaml" \
        --set 'outputs=[K1.angle, K1.omega, K3.angle]' $way
    not_more 0 K1.angle 15.81077119515370709711939 15.81 \
        K1.omega 1139.920302259106064198097 1139 K3.angle 0.04082224011964580485828232 0.45
done
call 0 run -q --json "$examples/andrews.yaml"
not_more 4 K1.angle 15.81077119515370709711939 15.81

# without units, an oscillator apart from what is 1e9 times as large: q = sin t
for rtol in 1e-6 1e-9; do
    call 0 run -q --json --t-end 50 --rtol $rtol --graph \
        'Se1{1e9} > 1a > R1{1}; 1a > C1{1}; 1b > I2{1, p=1}; 1b > C2{1}'
    not_more 0 C2.q -0.26237485370392877 1 C2.f 0.9649660284921133 1
done

# friction that holds, and chaos that leaves nothing
for model in stick_slip double_pendulum; do
    name=slide.slide
    [ $model = double_pendulum ] && name=lower.angle
    call 0 run -q --json "$examples/$model.yaml" --rtol 1e-10
    value=$(final $name)
    for rtol in 1e-4 1e-5 1e-6 1e-7; do
        call 0 run -q --json "$examples/$model.yaml" --rtol $rtol
        not_more 0 $name "$value" 3
    done
done
call 0 run -q --json "$examples/double_pendulum.yaml" --t-end 100
has out '"digits_estimate": 0.0,'

# a clearance, where the looser run comes out at what the run does by chance
cat >"$directory/pin.yaml" <<'END'
halfarrow: 1
ground: {points: {O: [0, 0]}}
bodies:
  crank:
    mass: 0.95036
    inertia: 0.00049154
    points: {A: [-0.039391, 0], B: [0.039391, 0]}
    start: {angle: -0.79653, x: 0.027542, y: -0.028162, omega: 18.229, fixed: [angle, omega]}
  rod:
    mass: 1.7557
    inertia: 0.0078366
    points: {A: [-0.11572, 0], B: [0.11572, 0]}
    start: {x: 0.16732, y: -0.028162, angle: 0.24584}
  slider: {mass: 0.36938, inertia: 0.001, points: {B: [0, 0]}, start: {x: 0.27956, y: 0}}
joints:
  O: {type: revolute, between: [ground.O, crank.A]}
  A: {type: revolute, between: [crank.B, rod.A]}
  B:
    type: revolute
    between: [rod.B, slider.B]
    model: clearance
    bearing_radius: 0.01
    clearance: 0.00040396
    modulus: 2e11
    poisson: 0.3
    restitution: 0.89055
  S: {type: translational, between: [ground.O, slider.B]}
forces: {brake: {type: spring-damper, on: O, damping: 0.014555}}
simulate: {t_end: 0.042453}
outputs: [slider.vx, slider.x, crank.angle]
END
call 0 run -q --json "$directory/pin.yaml" --driver explicit8 --rtol 1e-11
value=$(final slider.vx)
for driver in ida explicit8; do
    call 0 run -q --json "$directory/pin.yaml" --driver $driver
    not_more 0.1 slider.vx "$value" 1.2787
done

# what rests is right; nothing is told of a run that has no end, nor where digits were asked for
call 0 run -q --json --graph 'Se{0}>1a>I;1a>R' --t-end 1
has out '"digits_estimate": 15.0,'
call 1 run -q --json "$examples/pendulum.yaml" --max-steps 20
has out '"digits_estimate": null'
call 0 run -q --json "$examples/pendulum.yaml" --digits 3
! grep -q digits_estimate "$directory/out" || problem "$called: an estimate of what was measured"
has out '"digits_left_out": ['
has out '"energy.error"'

# what is printed
call 0 run -q "$examples/pendulum.yaml"
has out '  correct digits           about '

# a run without digits says so in its first line: a chain of two bars that goes over the top again
# and again, whose ends part by all of it; the same over a second has digits, and one that failed
# has none to doubt
chain() {
    cat << END
halfarrow: 1
ground: {points: {O: [0, 0]}}
bodies:
  a: {mass: 1, inertia: 0.1, points: {A: [-0.5, 0], B: [0.5, 0]},
    start: {angle: 2.9, omega: 4, fixed: [angle, omega]}}
  b: {mass: 1, inertia: 0.1, points: {A: [-0.5, 0]},
    start: {angle: 2.8, omega: -3, fixed: [angle, omega]}}
joints:
  J: {type: revolute, between: [ground.O, a.A]}
  K: {type: revolute, between: [a.B, b.A]}
simulate: {t_end: 60}
outputs: [a.angle, b.angle]
END
}
chain > "$directory/chain.yaml"
angle='[ab].angle, at most [0-9.]* rad,'
call 0 run -q "$directory/chain.yaml"
sed 1q "$directory/out" | grep -q "501 rows; no digit of $angle is sure at the end, nor at" ||
    problem "$called: the first line does not say that no digit is sure"
call 0 run -q "$directory/chain.yaml" --rtol 1e-6
sed 1q "$directory/out" | grep -q "501 rows; no digit of $angle is sure at the end: take" ||
    problem "$called: a tolerance that was given is not kept"
call 1 run "$directory/chain.yaml" --digits 3
call 0 run -q "$directory/chain.yaml" --t-end 1
sed 1q "$directory/out" | grep -q 'sure' && problem "$called: doubts"
call 1 run -q "$directory/chain.yaml" --max-steps 20
sed 1q "$directory/out" | grep -q 'sure' && problem "$called: doubts"

# what the tolerance by default leaves too few digits of has them all the same, by every driver, and
# the file does not hang on what is printed: balls that hit each other, whose height was off by 6e-4
cat >"$directory/balls.yaml" <<'END'
halfarrow: 1
ground: {points: {F: [0, 0]}}
bodies:
  a:
    mass: 0.46943
    inertia: 0.0011757
    points: {C: [0, 0]}
    start: {x: 0, y: 0.30139, vx: 0.65923, vy: 0.50207}
  b:
    mass: 1.13368
    inertia: 0.00015521
    points: {C: [0, 0]}
    start: {x: 0.4, y: 0.20366, vx: 0, vy: -1.29097}
forces:
  A:
    type: contact
    between: [ground.F, a.C]
    radius: 0.079129
    modulus: 2.6314e8
    restitution: 0.83341
  B:
    type: contact
    between: [ground.F, b.C]
    radius: 0.018501
    modulus: 7.1426e9
    restitution: 0.54319
  C:
    type: contact
    between: [a.C, b.C]
    radius: 0.018501
    modulus: 7.1426e9
    restitution: 0.54319
    surface: disc
    surface_radius: 0.079129
simulate: {t_end: 1.33983}
outputs: [a.x, a.y, b.x, b.y]
END
call 0 run -q --json "$directory/balls.yaml" --driver explicit8 --rtol 1e-13
value=$(final a.y)
for driver in auto explicit explicit8 ida; do
    call 0 run --json "$directory/balls.yaml" --driver $driver -o "$directory/balls.csv"
    not_more 3 a.y "$value" 0.38
    grep -qE '"tightened": [12]' "$directory/out" || problem "$called: not repeated"
    grep -qE '"rtol": (1e-8|1e-10|9.99999.*e-(9|11)|1.00000.*e-(8|10)),' "$directory/out" ||
        problem "$called: not the tolerance of the result"
    call 0 run -q "$directory/balls.yaml" --driver $driver -o "$directory/quiet.csv"
    cmp "$directory/balls.csv" "$directory/quiet.csv" || problem "$called: hangs on what is printed"
done
call 0 report "$directory/balls.yaml" -o "$directory/balls.html"
grep -q '1e-0*\(8\|10\)' "$directory/balls.html" || problem "$called: not repeated"
# one that does not get to the end is told, and the run before it stays
call 0 run -q --json "$directory/balls.yaml" --driver ida --rtol 1e-6
steps=$(sed -n 's/^  "steps": \(.*\),/\1/p' "$directory/out")
call 0 run -q "$directory/balls.yaml" --driver ida --max-steps $((steps + 50))
sed 1q "$directory/out" | grep -q 'and with rtol 1e-08 the run does not get there' ||
    problem "$called: a repeat that failed is not told"
# what is said is said of the run that is shown, and what the start is warned of stays
sed 's/y: 0.30139/y: 0.0591/; s/^outputs: .*/outputs: [a.y, {z: "sqrt(b.y - 0.03)"}]/' \
    "$directory/balls.yaml" >"$directory/deep.yaml"
call 0 run "$directory/deep.yaml" -o "$directory/deep.csv"
has err 'warning: the run starts 0.02 m inside of the contact `A`'
n=$(grep -c nan "$directory/deep.csv")
[ "$(grep -c "has no finite value in $n of 501 rows" "$directory/err")" -eq 1 ] ||
    problem "$called: $n rows without a value: $(cat "$directory/err")"

# a current that a switch cuts dies out by alpha, a number of the method: its charge until then is
# 1/e; capacitors that are joined share their charge; the coil of a chopper begins each period anew
# from 0
cut='Se{1} > 1; 1 > I{1}; 1 > R{1}; 1 > Sw{t<1}; 1 > Df'
join='0a > C{1,q=1}; 0a > 1s; 1s > C2{1}; 1s > Sw{t>1}; 0a > R2{1}'
chop='Se{1} > 1; 1 > I{1e-3}; 1 > R{1}; 1 > Sw{sin(2*pi*1e4*t)>0}; 1 > Df'
for driver in auto explicit ida; do
    # what a large alpha makes stiff needs more explicit steps than a repeat may take
    many=$([ $driver = explicit ] && echo 0 || echo 1)
    call 0 run -q --json --graph "$cut" --t-end 3 --driver $driver
    not_more $((3 * many)) Df.q 0.36787944117144233 0.38
    call 0 run -q --json --graph "$join" --t-end 3 --driver $driver
    not_more $((2 * many)) C.q 0.067667641618306351 1
    call 0 run -q --json --graph "$chop" --t-end 0.01 --driver $driver
    not_more $((1 * many)) Df.q 1.229424501e-4 1.2e-4
    # of an alpha that was given no digit is claimed that is not there
    call 0 run -q --json --graph "$cut" --t-end 3 --driver $driver --alpha 20
    not_more 0 Df.q 0.36787944117144233 0.38
    call 0 run -q --json --graph "$chop" --t-end 0.01 --driver $driver --alpha 2000
    not_more 0 Df.q 1.229424501e-4 1.2e-4
done
call 0 run -q --graph "$cut" --t-end 3
sed 1q "$directory/out" | grep -q '; at rtol 1e-10 and with a larger alpha, as rtol 1e-06 left' ||
    problem "$called: the first line does not say that the run was repeated"
sed 1q "$directory/out" | grep -q '; no digit of I.e, at most .*, is sure in its extremes: alpha' ||
    problem "$called: the first line does not say that alpha decides on the peak"
call 0 run -q --graph "$cut" --t-end 3 --alpha 20
sed 1q "$directory/out" | grep -q 'nor at rtol 1e-10: take a larger --alpha' ||
    problem "$called: the first line does not say that the alpha that was given is too small"
call 0 run -q --graph "$cut" --t-end 3 --alpha 20 --rtol 1e-6
sed 1q "$directory/out" | grep -q 'digits of .* are sure at the end: take .* or a larger --alpha' ||
    problem "$called: the first line does not say how many digits are sure, and what helps"
call 0 run -q --json --graph "$cut" --t-end 3 --alpha 2e4
not_more 2 Df.q 0.36787944117144233 0.38

# extremes have digits of their own: friction near rest, of a speed below the tolerance; the truth
# is by another method with a thousandth of the tolerance
least() {
    awk '$1 == "\"friction.force\":" { inside = 1 }
        inside && $1 == "\"min\":" { sub(/,/, "", $2); print $2; exit }' "$directory/out"
}
call 0 run "$examples/belt.yaml" --driver ida --rtol 1e-11 --json --t-end 2
truth=$(least)
for driver in auto explicit explicit8 ida; do
    call 0 run "$examples/belt.yaml" --driver $driver --json --t-end 2
    awk -v found="$(least)" -v truth="$truth" '
        $1 == "\"peaks_digits_estimate\":" {
            d = (found - truth) / 1.4826
            d = d < 0 ? -d : d
            is_good = $2 + 0 >= 1 && (d == 0 || $2 + 0 <= -log(d) / log(10))
        }
        END { exit !is_good }' "$directory/out" || problem "$called: wrong digits of the extremes"
done
call 0 run -q "$examples/belt.yaml" --driver explicit8 --t-end 2
has out 'of the extremes, fewest in friction.force'

# a current whose largest value lies between two samples of its controller, a row in their middle:
# by ida at 1e-12 and by explicit8 at 1e-10 with rows 1e-6 s apart
for driver in explicit explicit8 ida; do
    call 0 run "$examples/digital_four_bar.yaml" --driver $driver --rtol 1e-10 --json
    awk '$1 == "\"I_coil.f\":" { inside = 1 }
        inside && $1 == "\"max\":" { sub(/,/, "", $2); d = $2 - 6.9466448437; inside = 0 }
        END { exit !(d < 1e-8 && d > -1e-8) }' "$directory/out" ||
        problem "$called: wrong extreme of I_coil.f"
done

# an angle that is round-off is nothing in degrees, too
cat >"$directory/round.yaml" <<'END'
halfarrow: 1
ground: {points: {O: [0, 0]}}
bodies: {k: {mass: 1, inertia: 0.01, points: {C: [0, 0]}, start: {x: 0.6, vx: 1}}}
joints: {J: {type: translational, between: [ground.O, k.C]}}
simulate: {t_end: 1 s}
outputs: [{tilt: {value: 1e-17*sin(1e17*k.x), unit: deg}}, k.x]
END
call 0 run "$directory/round.yaml"
grep -q 'no digit' "$directory/out" && problem "$called: round-off counts"
awk '$1 == "correct" && $4 + 0 < 10 && !/all but/ { exit 1 }' "$directory/out" ||
    problem "$called: few digits of what is nothing"

finish
