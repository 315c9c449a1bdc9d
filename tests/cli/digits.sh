#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Digits asked for are there: against closed forms and a solution in quadruple precision.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

# digits N NAME VALUE SCALE: the end value of an output has N digits, its largest magnitude being
# SCALE.
digits() {
    awk -v n="$1" -v name="\"$2\":" -v value="$3" -v scale="$4" '
        /^  "/ { inside = $1 == "\"final\":" }
        inside && $1 == name {
            sub(/,$/, "", $2)
            found = 1
            d = $2 - value
            if (d < 0) { d = -d }
            if (d > scale * 10 ^ -n) {
                print name, $2, "is not", value, "to", n, "digits"
                exit 1
            }
        }
        END { if (!found) { print name, "is missing"; exit 1 } }' "$directory/out" ||
        problem "$called: wrong number"
}

for n in 3 6 9; do
    # Andrews' mechanism: angle and angular velocity of the crank, the triangle, a reaction
    call 0 run -q --json --digits $n "$examples/andrews.yaml" \
        --set 'outputs=[K1.angle, K1.omega, K3.angle, O.force]'
    keys digits runs peaks
    digits $n K1.angle 15.81077119515370709711939 15.81
    digits $n K1.omega 1139.920302259106064198097 1139
    digits $n K3.angle 0.04082224011964580485828232 0.45
    digits $n O.fx 332.628490706 332

    # an oscillator: q = sin t, of amplitude 1
    call 0 run -q --json --digits $n --graph '1a>I{1, p=1};1a>C{1}' --t-end 10
    digits $n C.q -0.54402111088936981340 1
    digits $n C.f -0.83907152907645245226 1
done

# the runs are by two methods; all outputs have their digits but the error of the energy
grep -q '"ida"' "$directory/out" && grep -q '"explicit8"' "$directory/out" ||
    problem "the digits are of one method"

# without units, what shares no junction has a size of its own: 1e14 beside an oscillator of 1e-5,
# q = 1e-5 sin t
apart='Se1{1e9} > 1a > R1{1}; 1a > C1{1}; 1b > I2{1, p=1e-5}; 1b > C2{1}'
call 0 run -q --json --digits 3 --graph "$apart" --t-end 20
digits 3 C2.q 9.129452507276277e-6 1e-5
digits 3 C2.f 4.0808206181339197e-6 1e-5

# what is left of a difference, behind a transformer, with nothing of its kind beside it: a bridge
# in balance
call 0 run -q --json --digits 5 --t-end 2 --graph 'Se{3} > 0s; 0s > 1p > R1{0.3}; 1p > 0c > R3{0.9};
    0s > 1q > R2{0.1}; 1q > 0d > R4{0.3}; 0c > 1x > 0d; 1x > TF{2} > 1z > I{0.1}; 1z > R5{0.7}'

# outputs that are round-off, all of their unit: a block that slides, a crank at a given speed
for model in incline scotch_yoke; do
    call 0 run -q --json --digits 6 "$examples/$model.yaml"
done

# stiff: ida alone
call 0 run -q --json --digits 4 --graph 'Se>1a>R{1e9};1a>I;1a>C' --t-end 1

# chaos, and an end far away: refused, with the output and what was reached
call 1 run -q --digits 10 "$examples/double_pendulum.yaml"
has err '10 digits cannot be had: the runs agree to'
has err 'held back by `'
call 2 run -q --digits 13 "$examples/pendulum.yaml"
has err 'give 0, or a whole number from 2 to 12'
call 2 run -q --digits 1 "$examples/pendulum.yaml"

# a brake of 1 N that comes on at 1 s stops 1 kg at 0.5 mm/s within 0.5 ms, after 0.125 um. By its
# speed it is held at once, and slows down by alpha, which is the same for all methods and
# tolerances: the runs agree to a way that is 2 % too long, until alpha is large enough
cat >"$directory/brake.yaml" <<'END'
halfarrow: 1
bondgraph:
  elements:
    1a: {type: "1"}
    I: {type: I, value: 1 kg, p: 5e-4}
    D: {type: Dry, value: "if(t > 1, 1, 0)"}
    Q: {type: Df}
  bonds: [1a > I, 1a > D, 1a > Q]
simulate: {t_end: 1.5}
outputs: [Q.q]
END
call 1 run -q --digits 4 "$directory/brake.yaml"
has err 'take a larger --alpha'
call 0 run -q --json --digits 4 "$directory/brake.yaml" --alpha 4000
digits 4 Q.q 0.000500125 0.0005

finish
