#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every example is checked, run and drawn; those with a closed form or a law in their comment keep
# to it.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

for example in ${EXAMPLES:?lists the examples}; do
    case $example in *.c | *.py | *.ipynb) continue ;; esac # programs of the library
    file=$top_srcdir/$example
    time=()
    [ "${file##*.}" = bgl ] && time=(--t-end '10 ms')
    head -n 1 "$file" | grep -q '^# ' || problem "$example does not open with a comment"
    call 0 check "$file"
    call 0 run -q "$file" "${time[@]}" -o "$directory/out.csv"
    empty err
    awk 'END { exit NR < 10 }' "$directory/out.csv" || problem "$example: less than 9 results"
    call 0 draw "$file" -o "$directory/out.dot"
done

# least and largest value of a column of the results
column() {
    awk -F, -v name="$1" '
        NR == 1 { for (i = 1; i <= NF; i++) { sub(/ .*/, "", $i); if ($i == name) c = i } }
        NR == 2 { low = high = $c }
        NR > 1 { if ($c < low) low = $c; if ($c > high) high = $c }
        END { print low, high }' "$directory/out.csv"
}

# incline: g sin(30 deg), m g cos(30 deg) and its couple
call 0 run --json "$examples/incline.yaml" --rtol 1e-9
near S.slide 9.71 1e-8
near block.ax 4.247854605562 1e-9
near S.fy 14.715 1e-9
near S.torque 1.6991418422250 1e-9

# four_bar: the rocker swings between the dead points of the linkage, 95.7387 and 143.1297 degrees
call 0 run -q "$examples/four_bar.yaml" -o "$directory/out.csv"
read -r low high < <(column rocker.angle)
awk -v low="$low" -v high="$high" 'BEGIN {
    exit !(low > 1.67095 && low < 1.672 && high < 2.49809 && high > 2.4975) }' ||
    problem "the rocker swings from $low to $high rad"

# slider_crank: the piston's stroke is twice the crank; nothing but the damper takes the work
call 0 run --json "$examples/slider_crank.yaml" -o "$directory/out.csv"
near energy.error 0 1e-4
read -r low high < <(column S.slide)
awk -v low="$low" -v high="$high" 'BEGIN {
    exit !(low > 0.1 - 1e-6 && low < 0.1003 && high < 0.2 + 1e-6 && high > 0.1997) }' ||
    problem "the piston goes from $low to $high m"

# slider_crank_driven: no freedom is left; the work comes back after each turn
call 0 check --json "$examples/slider_crank_driven.yaml"
near mobility 0 0
call 0 run --json "$examples/slider_crank_driven.yaml"
near energy.supplied 0 1e-3
near crank.omega 157.07963267948966 1e-9

# and what the solver leaves over in derivatives and multipliers does not grow from step to step
for pair in '1e-7 1e-3' '1e-8 1e-4' '1e-9 1e-5'; do
    read -r tolerance allowed <<<"$pair"
    call 0 run --json "$examples/slider_crank_driven.yaml" --rtol "$tolerance" --atol "$tolerance"
    near energy_error 0 "$allowed" # it falls with the tolerance
done

# motor_four_bar: the coil is a state, the rotor depends on the crank
call 0 check --json "$examples/motor_four_bar.yaml"
has out '"I_coil"'
grep -A 2 '"derivative"' "$directory/out" | grep -q I_rotor ||
    problem "the rotor is no dependent storage"

finish
