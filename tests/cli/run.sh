#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs: results against closed forms, files, overrides, interruption.
# shellcheck disable=SC2016 # backquotes are part of the messages
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

csv=$directory/out.csv
tight=(--rtol 1e-10 --atol 1e-12)

# the grid, the header, the end exactly
call 0 run "$examples/rlc.bgl" --t-end '20 ms' --step '3 ms' "${tight[@]}" -o "$csv"
head -n 1 "$csv" | grep -q '^t \[s\],Se.e \[V\],' || problem "header: $(head -n 1 "$csv")"
[ "$(wc -l <"$csv")" -eq 9 ] || problem "not header, 7 grid times and the end"
tail -n 1 "$csv" | grep -q '^0.02,' || problem "the last row is not at the end"
awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^C\.e/) u = i }
    NR > 1 {
        d = 250; w = sqrt(1e6 - d * d)
        x = 12 * (1 - exp(-d * $1) * (cos(w * $1) + d / w * sin(w * $1)))
        if ($u - x > 1e-6 || x - $u > 1e-6) { print "at", $1, $u, "is not", x; exit 1 }
    }' "$csv" || problem "the step response is wrong"

# the same by explicit steps, and by the choice of the program; another name is refused
for driver in explicit explicit8 auto; do
    call 0 run "$examples/rlc.bgl" --t-end '20 ms' --driver $driver "${tight[@]}" --json
    used=$driver
    [ $driver = auto ] && used=explicit8
    has out "\"driver\": \"$used\""
    has out '"driver_switches": 0'
    awk '
        /"C.e"/ { gsub(/[^-+.e0-9]/, "", $2); u = $2 }
        END {
            d = 250; w = sqrt(1e6 - d * d)
            x = 12 * (1 - exp(-d * 0.02) * (cos(w * 0.02) + d / w * sin(w * 0.02)))
            if (u - x > 1e-8 || x - u > 1e-8) { print u, "is not", x; exit 1 }
        }' "$directory/out" || problem "the step response by explicit steps is wrong"
done
call 0 run "$examples/rlc.bgl" --t-end '20 ms' --driver explicit "${tight[@]}"
has out 'driver                   explicit'
call 2 run "$examples/rlc.bgl" --t-end '20 ms' --driver euler
has err 'option `driver` is `euler`; give ida, explicit, auto, explicit8 or kinematic'

# an option that the method has no use for
call 0 run "$examples/rlc.bgl" --t-end '20 ms' --driver explicit --max-order 2
has err 'warning: the highest order, max-order 2, is that of the implicit method'
call 0 run "$examples/rlc.bgl" --t-end '20 ms' --driver auto --max-order 2
! grep -q 'max-order' "$directory/err" || problem "$called: the order may be needed"

# a flow that a constraint forbids, too little to contradict it: its energy goes nowhere
echo '1a>I{8e14, p=4e7};1a>Re' >"$directory/open.bgl"
for json in '' --json; do
    # shellcheck disable=SC2086 # no word where it is empty
    call 1 run "$directory/open.bgl" --t-end '1 s' --alpha 2.5 --atol 1e-14 $json
    has err 'error: the result is wrong, since the energy book does not close: it is off by 1 J'
done
near energy_error 1 1e-4
near energy_passed 2 1e-4
call 1 run "$directory/open.bgl" --t-end '1 s' --alpha 2.5 --atol 1e-14
has out 'energy error             1 J of 2 J that passed'

# stiff joints at tight tolerances: the first step is not too short to advance the time
call 0 run -q --json "$examples/andrews.yaml" --variant compliant --rtol 1e-10 --atol 1e-12 \
    --driver ida --t-end 1e-4

# what a program that was killed has left is removed when it is old; all else beside it stays
old=2020-01-01
for file in l.csv.123-0.part l.csv.123-x.part ll.csv.1-0.part; do
    touch -d "$old" "$directory/$file"
done
touch "$directory"/l.csv.124-0.part
touch -d "$old" "$directory"/l.csv-12.part # a name of the user's
call 0 run -q "$examples/rlc.bgl" --t-end 0.02 -o "$directory/l.csv"
[ ! -e "$directory/l.csv.123-0.part" ] || problem "$called: the leftover is still there"
for file in l.csv.123-x.part ll.csv.1-0.part l.csv.124-0.part l.csv-12.part; do
    [ -e "$directory/$file" ] || problem "$called: $file is no leftover, and gone"
done

# a name that a spreadsheet would take for a formula
sed "s/'Se base/'=cmd|x base/; s/'Se 1a/'=cmd|x 1a/" >"$directory/formula.bg" <<'END'
version: '0.1'
root: 'rlc'
models:
  /:
    components: ['Se base/Se e=12', '1a base/1', 'R base/R r=50', 'I base/I L=0.1']
    netlist: ['Se 1a.non_inverting', '1a.inverting R', '1a.inverting I']
END
call 0 run -q "$directory/formula.bg" --t-end 0.02 -o "$directory/formula.csv"
head -n 1 "$directory/formula.csv" | grep -qF ",'=cmd|x.e," ||
    problem "$called: a formula in the header"

# standard output
call 0 run "$examples/rlc.bgl" --t-end 0.02 -o -
has out "t [s],Se.e"
grep -qv '^[t0-9]' "$directory/out" && problem "something else than CSV on standard output"

# without --step 500 intervals, and a grid that the end is not on
call 0 run "$examples/rlc.bgl" --t-end 0.02 -o "$csv"
[ "$(wc -l <"$csv")" -eq 502 ] || problem "not a header and 501 rows"

# results are CSV: another suffix is refused before anything is solved, a device needs none
call 2 run "$examples/rlc.bgl" --t-end 0.02 -o "$directory/out.xyz"
has err 'out.xyz'
has err 'use .csv'
[ ! -e "$directory/out.xyz" ] || problem "a file of an unknown format"
call 2 run "$examples/rlc.bgl" --t-end 0.02 -o "$directory"
call 0 run -q "$examples/rlc.bgl" --t-end 0.02 -o /dev/null
if [ -w /dev/full ]; then
    call 1 run "$examples/rlc.bgl" --t-end 0.02 -o /dev/full
    has err '`/dev/full` cannot be written: No space left'
    "$HALFARROW" run "$examples/rlc.bgl" --t-end 0.02 -o - >/dev/full 2>"$directory/err"
    [ $? -eq 1 ] || problem "results on a full disk are not exit status 1"
    has err 'No space left'
fi

# a run that has no row leaves no file
for file in none.csv none.mat; do
    call 2 run --graph '1a>R{1};1a>C{e = log(q), q=0}' --t-end 1 -o "$directory/$file"
    [ ! -e "$directory/$file" ] || problem "$called: a file without a row"
done

# an end time of 0 gives the start
call 0 run "$examples/rlc.bgl" --t-end 0 -o "$csv"
[ "$(wc -l <"$csv")" -eq 2 ] || problem "an end time of 0 does not give one row"

# the other closed forms
call 0 run --json "$examples/coupled_inertias.bgl" --t-end 1 "${tight[@]}"
near I1.f 0.9274456797537927 1e-8
near I2.f 2.782337039261378 1e-8
call 0 run --json "$examples/motor.bgl" --t-end 10
near I_rotor.f 237.71790808240885 1e-3
near I_load.f 11.885895404120443 1e-4

# start values and overrides: an LC circuit swings from its start, q(t) = q0 cos(t / sqrt(L C))
call 0 run --json --graph 'k = 2; I{k}>0a; 0a>C{8, q=3}' --t-end 4 "${tight[@]}"
near C.q 1.6209069176044193 1e-6
call 0 run --json --graph 'k = 2; I{k}>0a; 0a>C{8, q=3}' --t-end 4 "${tight[@]}" \
    --set parameters.k=0.125 --set C.q=1
near C.q -0.6536436208636119 1e-6
call 0 run --json --graph 'I{2}>0a; 0a>C{8, q=3}' --t-end 4 "${tight[@]}" \
    --set 'I=0.125' --set 'C.q=1'
near C.q -0.6536436208636119 1e-6

# a mechanism: a period of a rod of 1 m let go from the horizontal, small tolerance
call 0 run --json "$examples/pendulum.yaml"
near max_constraint_error 0 1e-6
near multipliers 2 0

# the summary
call 0 run "$examples/rlc.bgl" --t-end 0.02
has out "done at 0.02"
call 0 run -q "$examples/rlc.bgl" --t-end 0.02 -o "$csv"
empty out
empty err

# a file that cannot be written is exit status 1
call 1 run "$examples/rlc.bgl" --t-end 0.02 -o "$directory/no/such/file.csv"
has err "no/such"

# a slider whose axis starts across its guide may turn either way, and that is said
for angle in 0 1; do
    printf '%s\n' 'halfarrow: 1' 'ground: {points: {O: {at: [0, 0], axis: 90 deg}}}' \
        "bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}, start: {angle: $angle deg}}}" \
        'joints: {S: {type: translational, between: [ground.O, b.P]}}' 'simulate: {t_end: 0}' \
        >"$directory/tie.yaml"
    for command in assemble run; do
        call 0 $command "$directory/tie.yaml"
        if [ $angle = 0 ]; then
            has err 'tie.yaml:4:10: note: the axes of joint `S` start at 90 deg to each other'
        else
            empty err
        fi
    done
done

# a limit of file sizes is an error of writing, and leaves nothing behind
mkdir "$directory/small"
(ulimit -f 1; "$HALFARROW" run -q "$examples/rlc.bgl" --t-end 0.02 -o "$directory/small/out.csv") \
    2>"$directory/err"
[ $? -eq 1 ] || problem "results beyond the limit of file sizes are not exit status 1"
called="a run with a limit of file sizes"
has err 'out.csv` cannot be written: File too large; choose another place'
[ -z "$(ls -A "$directory/small")" ] || problem "$called leaves $(ls -A "$directory/small")"

# results do not take the place of their model, whatever it is called there
cp "$examples/pendulum.yaml" "$directory/model.csv"
ln -s model.csv "$directory/link.csv"
ln "$directory/model.csv" "$directory/second.csv"
for name in model.csv link.csv second.csv; do
    call 2 run "$directory/model.csv" -o "$directory/$name"
    has err "\`-o $directory/$name\` is the file that the model is read from"
done
"$HALFARROW" run - -o "$directory/link.csv" <"$directory/model.csv" 2>/dev/null
[ $? -eq 2 ] || problem "results replace the model on standard input"
cmp "$examples/pendulum.yaml" "$directory/model.csv" || problem "the model is gone"

# a zero has no sign: a mass of 1 kg at rest under a force of -0 N
call 0 run --graph 'Se{-0}>1a>I' --t-end 1 --step 1 -o "$csv"
grep -qE '(^|[,"])-0($|,)' "$csv" && problem "-0 in results: $(cat "$csv")"
call 0 run --graph 'Se{-0}>1a>I' --t-end 1
grep -qE ' -0 ' "$directory/out" && problem "-0 in a table: $(cat "$directory/out")"

# a MATLAB file has the numbers of the CSV file: read by what Python's `struct` makes of the format
call 0 run -q "$examples/rlc.bgl" --t-end 0.02 -o "$directory/out.mat"
call 0 run -q "$examples/rlc.bgl" --t-end 0.02 -o "$csv"
if command -v python3 >/dev/null; then
    python3 - "$csv" "$directory/out.mat" <<'END' || problem "the MATLAB file is not the CSV file"
import csv, struct, sys

rows = list(csv.reader(open(sys.argv[1])))
matrices, data, at = {}, open(sys.argv[2], "rb").read(), 0
while at < len(data):
    kind, n, m, imaginary, length = struct.unpack_from("<5i", data, at)
    name = data[at + 20:at + 20 + length - 1].decode()
    at += 20 + length
    code, size = {0: ("d", 8), 20: ("i", 4), 51: ("c", 1)}[kind]
    flat = struct.unpack_from("<%d%s" % (n * m, code), data, at)
    at += n * m * size
    matrices[name] = [flat[j * n:(j + 1) * n] for j in range(m)]  # columns
assert list(matrices) == ["Aclass", "name", "description", "dataInfo", "data_1", "data_2"]
text = [b"".join(column[i] for column in matrices["Aclass"]) for i in range(4)]
assert text == [b"Atrajectory", b"1.1        ", b"           ", b"binTrans   "], text
names = [b"".join(column).decode().rstrip() for column in matrices["name"]]
units = [b"".join(column).decode().rstrip() for column in matrices["description"]]
header = [n + (" " + u if u else "") for n, u in zip(names, units)]
assert header == ["time [s]"] + rows[0][1:], (header, rows[0])
assert matrices["dataInfo"] == [(0 if j == 0 else 2, j + 1, 0, -1) for j in range(len(names))]
assert matrices["data_2"] == [tuple(map(float, row)) for row in rows[1:]]
assert matrices["data_1"] == [(0.0,), (0.02,)], matrices["data_1"]
END
fi

# the solver stops: what was computed is kept
call 1 run "$examples/rlc.bgl" --t-end 1 --max-steps 5 -o "$csv" --json
has out '"status": "failed"'
[ "$(wc -l <"$csv")" -gt 1 ] || problem "a failed run keeps no rows"

# a run that stops has a row where it does: q = 1 - exp(-t) up to 0.4, where the resistor becomes
# infinite; the row is that before
for driver in ida explicit explicit8; do
    call 1 run --graph 'Se{1}>1a>R{e = if(C.q < 0.4, f, 1/0*f)};1a>C' --t-end 3 --step 0.4 \
        --driver $driver --rtol 1e-8 --json
    near t_reached 0.5108256 1e-6
    near C.q 0.4 1e-6
    near R.e 0.6 1e-6
done

# a contact that gets deeper than its law goes is named: 4/e^2 of the clearance of 10 micrometres
cat >"$directory/deep.yaml" <<'END'
halfarrow: 1
gravity: [0, 0]
ground: {points: {O: [0, 0]}}
bodies: {b: {mass: 20, inertia: 1, points: {P: [0, 0]}, start: {vy: -50}}}
forces:
  c:
    type: contact
    between: [ground.O, b.P]
    surface: socket
    surface_radius: 10 mm
    radius: 9.99 mm
    modulus: 207 GPa
    cylinder_length: 15 mm
    cylinder_law: johnson
simulate: {t_end: 2 ms}
END
call 1 run "$directory/deep.yaml"
has err 'the contact `c` is'
has err 'its law of cylinders ends at 5.41e-06 m'
head -n 1 "$directory/err" >"$directory/first"
has first 'the contact `c` is' # the conclusion comes first

# the stabilisation that is chosen leaves room for squares, however short the run is
call 0 run "$examples/pendulum.yaml" --t-end 1e-100 --json
near rod.angle 0 1e-12
near rod.alpha -14.715 2e-4 # g d / (inertia / m + d^2), d = 0.5 m

# a tolerance whose square is 0 and a source beyond all squares are named
call 2 run "$examples/pendulum.yaml" --atol 1e-300
has err 'option `atol` is 1e-300; give 0, or a number from 1e-30'
call 1 run --graph 'MSe{1e200}>1a>I{1}' --t-end 2 --atol 1e-6
has err 'a rate is so large that no first step is short enough'

# where no step was tried no method is told
call 0 run "$examples/pendulum.yaml" --driver explicit --t-end 0 --json
has out '"driver": null'

# an interrupt or a request to end stops the run cleanly with exit status 130
interrupted_run() {
    "$HALFARROW" run --graph 'I>0a;0a>C{1, q=1}' --t-end 1e7 --step 10 -o "$csv" --json \
        >"$directory/out" 2>"$directory/err" &
    interrupt $! "$1" "$2"
    [ "$(wc -l <"$csv")" -gt 1 ]
}
for signal in INT TERM; do
    patiently interrupted_run $signal
    called="a run after SIG$signal"
    [ $status -eq 130 ] || problem "$called ends with $status"
    has out '"status": "interrupted"'
    [ "$(wc -l <"$csv")" -gt 1 ] || problem "$called keeps no rows"
    awk -F, '
        NR == 1 { n = NF }
        # the last row is where the run was
        NF != n || is_off { print "row", NR, "is", $0; exit 1 }
        NR > 1 { is_off = $1 != 10 * (NR - 2) }' "$csv" ||
        problem "$called leaves rows that cannot be read"
done
# what stands still has no tolerance to be too coarse; what moves a little has
cat >"$directory/held.yaml" <<'END'
halfarrow: 1
ground: {points: {O: {at: [0, 0], axis: 10 deg}}}
bodies: {b: {mass: 1, inertia: 0.01, points: {C: [0, 0], tip: [0.1, 0]}, start: {x: 0, fixed: [x]}}}
joints: {J: {type: translational, between: [ground.O, b.C]}}
forces: {f: {type: friction, on: J, friction: 0.2, friction_law: karnopp}}
simulate: {t_end: 1 s}
END
call 0 run "$directory/held.yaml"
empty err
sed 's/{f: .*/{f: {type: spring-damper, on: J, stiffness: 1e6}}/' "$directory/held.yaml" \
    >"$directory/stiff.yaml"
call 1 run "$directory/stiff.yaml" --atol 1e-6
has err 'little beside the absolute tolerance'
has err 'the energy book does not close'

# two rods on springs of 1e14 N/m: what the steps would follow is a vibration of 1e-13 m. The
# default does not: it goes on as with ideal joints, in some 1e5 steps instead of millions
cat >"$directory/hard.yaml" <<'END'
halfarrow: 1
ground: {points: {O: [0, 0]}}
bodies:
  upper:
    {mass: 1, inertia: 0.1, points: {A: [-0.5, 0], B: [0.5, 0]}, start: {angle: 0.3}}
  lower:
    {mass: 1, inertia: 0.1, points: {A: [-0.5, 0]}, start: {angle: 0.3}}
joints:
  A: {type: revolute, between: [ground.O, upper.A]}
  B: {type: revolute, between: [upper.B, lower.A]}
simulate: {t_end: 0.6}
outputs: [upper.angle, lower.angle]
END
call 0 run "$directory/hard.yaml" --driver explicit8 --rtol 1e-11 --json
final() {
    awk -v name="\"$1\":" '$1 == "\"final\":" { on = 1 } on && $1 == name { print $2 + 0; exit }' \
        "$directory/out"
}
upper=$(final upper.angle)
lower=$(final lower.angle)
hard='{type: revolute, model: compliant, stiffness: 1e14, between: '
call 0 run "$directory/hard.yaml" --json --max-steps 300000 \
    --set "joints.A=${hard}[ground.O, upper.A]}" --set "joints.B=${hard}[upper.B, lower.A]}"
near upper.angle "$upper" 1e-5
near lower.angle "$lower" 1e-5
finish
