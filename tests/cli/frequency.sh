#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# halfarrow frequency: what it prints and writes, what it refuses.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

rlc='Se{0}>1a>R{50 ohm}; 1a>I{100 mH}; 1a>C{10 uF}'
range="--from 10 --to 1000"

# shellcheck disable=SC2086 # two options
call 0 frequency --graph "$rlc" --u Se --y C.e $range --count 20
has out "poles    -250 + 968.2458i, -250 - 968.2458i"
has out "where the magnitude is 1"
# shellcheck disable=SC2086
call 0 frequency --graph "$rlc" --u Se --y C.e,I.f $range --json
has out '"C.e/Se"'
has out '"margins"'
# shellcheck disable=SC2086
call 0 frequency --graph "$rlc" --u Se --y C.e $range -o "$directory/rlc.csv"
grep -q "^frequency .Hz.,C.e/Se magnitude,C.e/Se phase .deg." "$directory/rlc.csv" ||
    problem "rlc.csv has another header"


# 1/(2 z sqrt(1 - z^2)), f0 sqrt(1 - 2 z^2), z = 1/4
# shellcheck disable=SC2086
call 0 frequency --graph "$rlc" --u Se --y C.e $range
has out "peak     2.065591 at 148.8758 Hz"
call 0 frequency --graph 'Se{0}>1a;1a>I{1};1a>C{1}' --u Se --y C.e --from 0.1 --to 1
has out "peak     without bound, a resonance without damping, at 0.1591549 Hz"
call 2 frequency --graph 'Se{0}>1a>R{1};1a>C{1}' --u Se --y C.e --from '1 rad/s' --to 1 \
    --count 1
has err "from: 1 rad/s is an angular velocity, a frequency in Hz is expected"
call 0 frequency --graph 'Se{0}>1a>R{1};1a>C{1}' --u Se --y C.e --from '1e-3 kHz' --to '1 Hz' \
    --count 1
mv "$directory/out" "$directory/units"
call 0 frequency --graph 'Se{0}>1a>R{1};1a>C{1}' --u Se --y C.e --from 1 --to 1 --count 1
cmp -s "$directory/out" "$directory/units" || problem "frequencies with units are other frequencies"
has out "response at 1 frequency"
call 2 frequency --graph 'Se{0}>1a>R{1};1a>C{1}' --u Se --y C.e --from 1 --to 2 --count 1
has err "or one frequency: from = to and the count 1"
call 2 frequency --graph 'Se{0}>1a>R{1};1a>C{1}' --u Se --y C.e --from 1 --to 2 --count 2.5
has err "--count is 2.5"

# The phase of two storages comes near to -180 deg and never gets there; that of three does, where
# 1/(s^3 + 5 s^2 + 6 s + 1) is -1/29, at sqrt(6) rad/s.
call 0 frequency --graph "$rlc" --u Se --y C.e --from 1 --to 1e308 --json
cp "$directory/out" "$directory/two"
call 0 frequency --graph 'Se{0}>1a>R1{1};1a>0a>C1{1};0a>1b>R2{1};1b>0b>C2{1};0b>1c>R3{1};1c>C3{1}' \
    --u Se --y C3.e --from 0.01 --to 1e6 --count 4001 --json
cp "$directory/out" "$directory/three"
python3 - "$directory/two" "$directory/three" <<'END' || problem "gain margins"
import json, math, sys
two, three = (next(iter(json.load(open(name))["margins"].values())) for name in sys.argv[1:])
assert two["gain"] is None and abs(two["phase"] - 41.4) < 0.5, two
assert abs(three["gain"] - 29) < 0.01, three
assert abs(three["gain_frequency"]*2*math.pi - math.sqrt(6)) < 1e-3, three
END

# Plots: the numbers of the script, in decibels, are those of the closed forms.
# shellcheck disable=SC2086
call 0 frequency --graph "$rlc" --u Se --y C.e $range -o "$directory/bode.gp"
empty out
called="the script of a Bode plot"
cp "$directory/bode.gp" "$directory/out"
has out "set label '148.9 Hz' at first"
has out "set label 'phase margin"
has out "set logscale x"
has out "set ytics 90"
awk '
    /^\$data_1_1 /, /^END/ { if (NF == 2) { n++; f = $1; m = $2; w = 2 * 3.14159265358979 * f
        g = 1 / sqrt((1 - w * w * 1e-6) ^ 2 + (5e-4 * w) ^ 2)
        d = m - 20 * log(g) / log(10); if (d * d > 1e-18) { print f, m, "dB"; exit 1 } } }
    END { if (n < 400) { print n " points"; exit 1 } }' "$directory/out" ||
    problem "the Bode plot has other numbers"
# shellcheck disable=SC2086
call 0 frequency --graph "$rlc" --u Se --y C.e $range --plot nyquist -o "$directory/nyquist.gp"
called="the script of a Nyquist plot"
cp "$directory/nyquist.gp" "$directory/out"
has out "set size ratio -1"
has out "title '-1'"
# shellcheck disable=SC2086
call 0 frequency --graph "$rlc" --u Se --y I.f $range --plot poles -o "$directory/poles.gp"
called="the script of a pole-zero map"
cp "$directory/poles.gp" "$directory/out"
has out "title 'zeros of I.f/Se'"
grep -q "^-250 968.24583655" "$directory/out" || problem "the pole is not at -250 + 968.2458i"
# shellcheck disable=SC2086
call 2 frequency --graph "$rlc" --u Se --y I.f $range --plot nichols -o "$directory/x.svg"
has err "use bode, nyquist or poles"
if command -v gnuplot >/dev/null; then
    for kind in bode nyquist poles; do
        # shellcheck disable=SC2086
        call 0 frequency --graph "$rlc" --u Se --y C.e,I.f $range --plot $kind \
            -o "$directory/$kind.svg"
        empty err
        grep -q '<svg' "$directory/$kind.svg" || problem "$kind.svg is no SVG"
    done
fi

call 2 frequency --graph "$rlc" --u Se --y C.e
has err "needs a range"
# shellcheck disable=SC2086
call 2 frequency --graph "$rlc" --y C.e $range
has err "needs an input and an output"
# shellcheck disable=SC2086
call 2 frequency --graph "$rlc" --u Sf --y C.e $range
has err "did you mean \`Se\`"
call 2 frequency --graph "$rlc" --u Se --y C.e --from 10 --to 1
has err "0 < from < to"

finish
