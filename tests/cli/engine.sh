#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The force with which a four-cylinder engine shakes its foundation, against its Fourier series.
#
# On a crank of the radius r that turns with w, phi from the axis of the cylinders, a piston is at
# r cos phi + l c with c = sqrt(1 - q^2 sin^2 phi), q = r / l, and the mass centre of its rod at
# r cos phi + k l c, k being its place from the pin over the length. Half a turn between the inner
# and the outer two takes out all r cos phi, and what is left is
#
#   F = -4 (m_piston + k m_rod) l c'' w^2.
#
# By the binomial series the part of c in cos 2 phi is -2 sum binomial(2 n, n - 1) b_n (q / 2)^(2 n)
# with c = sum b_n (q sin phi)^(2 n).
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

sed -e 's|^outputs:.*|outputs: [O.angle, ground]|' -e "s|\.\./library|$top_srcdir/library|" \
    -e 's|^simulate:.*|simulate: {t_end: 20 ms, step: 0.02/72}|' "$examples/four_cylinder.yaml" \
    >"$directory/engine.yaml"

# harmonic COLUMN ORDER: the amplitude over one turn of 72 rows
harmonic() {
    awk -F, -v name="$1" -v order="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) { sub(/ .*/, "", $i); column[$i] = i } next }
        NR <= 73 {
            a = order * ($column["O.angle"] - atan2(0, -1) / 2)
            c += $column[name] * cos(a) / 36
            s += $column[name] * sin(a) / 36
        }
        END { printf "%.17g", sqrt(c * c + s * s) }' "$directory/engine.csv"
}
second=$(awk 'BEGIN {
    r = 0.04; l = 0.14; m = 0.4 + 0.3 * 0.5; w = 100 * atan2(0, -1); b = 1; part = 0
    for (n = 1; n < 60; n++) {
        b *= (n - 1.5) / n # of sqrt(1 - x)
        binomial = 1
        for (k = 1; k < n; k++) binomial *= (n + 1 + k) / k
        part -= 2 * binomial * b * (r / l / 2) ^ (2 * n)
    }
    printf "%.17g", 4 * m * l * part * 4 * w * w }')

call 0 inverse "$directory/engine.yaml" -o "$directory/engine.csv"
check() { # NAME FOUND WANTED TOLERANCE
    awk -v a="$2" -v b="$3" -v d="$4" 'BEGIN { exit !(a != "" && a - b <= d && b - a <= d) }' ||
        problem "$1 is $2, not $3"
}
check 'the second harmonic' "$(harmonic ground.fy 2)" "$second" "$(awk -v f="$second" \
    'BEGIN { print 1e-9 * f }')"
check 'the first harmonic' "$(harmonic ground.fy 1)" 0 1e-7
check 'the force across' "$(harmonic ground.fx 1)" 0 1e-7
check 'the second force across' "$(harmonic ground.fx 2)" 0 1e-7
call 0 run "$directory/engine.yaml" --rtol 1e-10 -o "$directory/engine.csv"
check 'the second harmonic of a run' "$(harmonic ground.fy 2)" "$second" "$(awk -v f="$second" \
    'BEGIN { print 1e-6 * f }')"

# one piston heavier by 0.1 kg: a first harmonic of 0.1 r w^2, for c has even ones alone
sed -i '/^parts:/,/^joints:/s|parameters: {|&piston_mass: "if(i > 0, 0.4, 0.5)", |' \
    "$directory/engine.yaml"
call 0 inverse "$directory/engine.yaml" -o "$directory/engine.csv"
check 'the first harmonic out of balance' "$(harmonic ground.fy 1)" \
    "$(awk 'BEGIN { w = 100 * atan2(0, -1); printf "%.17g", 0.1 * 0.04 * w * w }')" 1e-6
finish
