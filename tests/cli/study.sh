#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# halfarrow study: designs, measures against closed forms, shards, kills, and what is wrong.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit
cd "$directory" || exit 1

# a capacitor that is charged: u(t) = U (1 - exp(-t/RC))
cat >charge.yaml <<'END'
vary:
  R: {list: [1 ohm, 2 ohm]}
  C: {from: 1, to: 4, count: 3, scale: log}
measure:
  u: end(C.e)
  most: peak(C.e)
  sum: "end(C.e) + peak(R.e) - 2*least(C.e)"
  half: "at(C.e, 0.5 s)"
END
graph='Se{10}>1a>R;1a>C'
call 0 study --graph "$graph" charge.yaml -o charge --t-end 1
has err '6 runs'
has err 'compiled once'
python3 - charge/results.csv <<'END' || problem "the table of the charged capacitor"
import csv, math, sys
rows = list(csv.reader(open(sys.argv[1])))
assert rows[0] == ["run", "R", "C", "u", "most", "sum", "half", "status"], rows[0]
assert [r[0] for r in rows[1:]] == [str(i) for i in range(1, 7)]
want = [(R, C) for R in (1, 2) for C in (1, 2, 4)]
for row, (R, C) in zip(rows[1:], want):
    x = [float(v) for v in row[1:7]]
    u = lambda t: 10*(1 - math.exp(-t/(R*C)))
    assert abs(x[0] - R) < 1e-15 and abs(x[1] - C) < 1e-14 and row[7] == "done", row
    for got, exact in zip(x[2:], (u(1), u(1), u(1) + 10, u(0.5))):
        assert abs(got - exact) < 2e-5, (row, exact)
END

# rms and mean over rows
cat >mean.yaml <<'END'
vary: {R: {list: [1]}}
measure: {m: mean(C.e), r: rms(C.e)}
END
call 0 study --graph "$graph" mean.yaml -o mean --t-end 1
python3 - mean/results.csv <<'END' || problem "mean and rms"
import csv, math, sys
row = list(csv.reader(open(sys.argv[1])))[1]
e = math.exp
assert abs(float(row[2]) - 10*e(-1)) < 2e-4, row
assert abs(float(row[3]) - 10*math.sqrt(1 - 2*(1 - e(-1)) + (1 - e(-2))/2)) < 2e-4, row
END

# designs at random: the same with any number of threads, in shards, and after kills
# shellcheck source=tests/util/study.sh
. "$top_srcdir/tests/util/study.sh" || exit
call 0 study "$model" random.yaml -o one --jobs 1 "${short[@]}"
call 0 study "$model" random.yaml -o two --jobs 2 "${short[@]}"
cmp one/results.csv two/results.csv || problem "the number of threads changes the table"
for i in 1 2 3 4; do
    call 0 study "$model" random.yaml -o "shard$i" --shard "$i/4" "${short[@]}"
done
call 0 study --merge shard1 shard2 shard3 shard4 -o merged
cmp one/results.csv merged/results.csv || problem "shards change the table"
for i in 1 2 3; do
    call 0 study "$model" random.yaml -o shared --shard "$i/3" "${short[@]}"
done
call 0 study --merge -o shared
cmp one/results.csv shared/results.csv || problem "shards in one directory change the table"
for i in 1 2 3 4 5 6 7 8 9 10; do
    kill_at $((3 * i)) killed/results.journal study "$model" random.yaml -o killed --resume \
        "${short[@]}"
done
printf '17,0.1' >>killed/results.journal # a line that was not finished
call 0 study "$model" random.yaml -o killed --resume "${short[@]}"
cmp one/results.csv killed/results.csv || problem "kills change the table"
call 0 study "$model" random.yaml -o killed --resume "${short[@]}"
has err '40 kept from before'

# each of 40 strata of equal probability has one value
python3 - one/results.csv <<'END' || problem "the strata"
import csv, math, sys
rows = list(csv.reader(open(sys.argv[1])))[1:]
def strata(p): return sorted(int(40*x) for x in p) == list(range(40))
assert strata([0.5*math.erfc(-(float(r[1]) - 0.1)/0.001/math.sqrt(2)) for r in rows])
assert strata([(float(r[2]) - 0.34)/0.02 for r in rows])
assert strata([(float(r[3]) - 0.4)/0.2 for r in rows])
END

# cases; a run that fails is a row with its reason, and so is a measure that is no number
printf 'parameters.a,bodies.crank.mass\n0.1,0.5\n0.9,0.5\n0.1,0\n' >cases.csv
cat >cases.yaml <<'END'
cases: cases.csv
measure: {x: "log(end(crank.omega) - 1e3)", w: end(crank.omega)}
END
call 0 study "$model" cases.yaml -o cases "${short[@]}"
has err '3 failed'
has err '  run 2 failed, parameters.a = 0.9, bodies.crank.mass = 0.5: joint'
call 0 study "$model" cases.yaml -o cases --resume "${short[@]}"
has err '3 kept from before, 3 failed'
has cases/results.csv 'the measure `x` is not a finite number'
has cases/results.csv 'cannot be closed'
has err '3 failed'
[ "$(wc -l <cases/results.csv)" -eq 4 ] || problem "a row for each run"

# where no run gives a model, the first that were tried are named with their values
printf 'vary: {parameters.a: {list: [0.9, 1]}}\nmeasure: {w: end(crank.omega)}\n' >open.yaml
call 1 study "$model" open.yaml -o open "${short[@]}"
has err '  run 1 failed, parameters.a = 0.9: joint'
has err '  run 2 failed, parameters.a = 1: joint'
has err ': error: joint'
! grep -q 'results are in' err || problem "$called: a table that is not there"

# the order of the runs changes nothing in their rows: other lengths, masses, signs, values of 0
printf 'parameters.a,parameters.b,bodies.crank.mass\n' >first_row
printf '0.1,0.35,%s\n0.09,0.34,1\n0.11,0.36,0.2\n0.1,0.35,0\n0.12,0.3,0.7\n0.9,0.3,0.5\n' 0.5 >rows
for turn in cat tac 'sort -t, -k2'; do
    $turn rows | cat first_row - >cases.csv
    printf 'cases: cases.csv\nmeasure: {x: end(crank.omega), p: peak(O.fx), r: rms(rocker.angle)}' \
        >order.yaml
    rm -rf order
    call 0 study "$model" order.yaml -o order --jobs 1 "${short[@]}"
    sed 1d order/results.csv | cut -d, -f2- | sort >"order of ${turn%% *}"
done
for turn in tac sort; do
    cmp 'order of cat' "order of $turn" || problem "the order of the runs changes their rows: $turn"
done
printf 'R,Se\n1,10\n2,-3\n0,1\n-0.0,2\n0,-1\n3,0\n' >cases.csv
printf 'cases: cases.csv\nmeasure: {x: "atan2(end(C.e), -1)", p: peak(R.f)}' >order.yaml
for turn in cat tac; do
    call 0 study --graph 'Se{10}>1a>R;1a>C;1a>I{0.1}' order.yaml -o "signs $turn" --t-end 1
    sed 1d "signs $turn/results.csv" | cut -d, -f2- | sort >"signs of $turn"
    sed 1d cases.csv | tac | cat <(echo R,Se) - >turned.csv
    mv turned.csv cases.csv
done
has err 'compiled once, and for each of'
cmp 'signs of cat' 'signs of tac' || problem "the order of signs changes the rows"

# the section of a model
cat "$examples/pendulum.yaml" - >own.yaml <<'END'
study: {vary: {bodies.rod.mass: {list: [1, 2]}}, measure: {a: end(rod.angle)}}
END
call 0 study own.yaml -o own
call 0 check own.yaml

# batch files for a cluster do what shards do
call 0 study "$model" random.yaml -o batch --slurm 2 "${short[@]}"
export HALFARROW
for i in 1 2; do
    SLURM_ARRAY_TASK_ID=$i sh batch/study.sbatch >/dev/null 2>&1 || problem "batch file, shard $i"
done
sh batch/merge.sbatch >/dev/null 2>&1 || problem "batch file that merges"
cmp one/results.csv batch/results.csv || problem "batch files change the table"

# every option that says what the study is comes back in the batch file
says=(--graph 'Se{10}>1a>R' --set R=1 --set 'b=it is' --library one --library 'the other'
    --variant v --t-end '2 s')
call 0 study "${says[@]}" charge.yaml -o said --slurm 2
for ((i = 0; i < ${#says[@]}; i += 2)); do
    grep -qF -- " ${says[i]} '${says[i + 1]}'" said/study.sbatch ||
        problem "the batch file lacks ${says[i]} ${says[i + 1]}: $(cat said/study.sbatch)"
done
call 0 study --help
for option in $(sed -nE 's/^  (-.,|   ) --([a-z-]+).*/--\2/p' "$directory/out"); do
    case " ${says[*]} --help --version --quiet --json --output --jobs --shard --merge --resume \
--slurm " in
    *" $option "*) ;;
    *) problem "is the option $option in the batch file? add it to this test" ;;
    esac
done

# what is wrong is said
bad() {
    printf '%s\n' "$2" >bad.yaml
    rm -rf bad
    call 2 study "$model" bad.yaml -o bad "${short[@]}"
    has err "$1"
}
bad 'bad.yaml:1:9: error: cannot set `aa`: the file has no such parameter' \
    '{vary: {parameters.aa: {list: [1]}}, measure: {x: end(crank.angle)}}'
bad 'unknown key `mas`' '{vary: {bodies.crank.mas: {list: [1]}}, measure: {x: end(crank.angle)}}'
bad 'the design is empty' '{vary: {}, measure: {x: end(crank.angle)}}'
bad 'is empty; give one value' '{vary: {parameters.a: {list: []}}, measure: {x: end(crank.angle)}}'
bad 'bad.yaml:1:52: error: `outputs` asks for `crank.angel`' \
    '{vary: {parameters.a: {list: [0.1]}}, measure: {x: end(crank.angel)}}'
# a name that stands in other words of the message, too
bad 'bad.yaml:1:52: error: `outputs` asks for `ou`' \
    '{vary: {parameters.a: {list: [0.1]}}, measure: {x: end(ou)}}'
bad 'takes nothing of a run' '{vary: {parameters.a: {list: [0.1]}}, measure: {x: 1 + 1}}'
bad 'is not closed' '{vary: {parameters.a: {list: [0.1]}}, measure: {x: end(crank.angle}}'
bad 'needs `runs`' \
    '{design: random, vary: {parameters.a: {normal: [1, 2]}}, measure: {x: end(O.fx)}}'
bad 'at random or has no' '{vary: {parameters.a: {normal: [1, 2]}}, measure: {x: end(O.fx)}}'
bad 'has 2 values and' \
    '{design: zip, vary: {parameters.a: {list: [1]}, parameters.b: {list: [1, 2]}},
     measure: {x: end(O.fx)}}'
bad 'did you mean `latin-hypercube`' \
    '{design: latin-hypercub, vary: {parameters.a: {list: [1]}}, measure: {x: end(O.fx)}}'
bad '3 mm is a length, but 0.5 kg is a mass' \
    '{vary: {bodies.crank.mass: {list: [0.5 kg, 3 mm]}}, measure: {x: end(O.fx)}}'
bad 'is a length, a mass in kg is expected' \
    '{vary: {bodies.crank.mass: {list: [3 mm]}}, measure: {x: end(O.fx)}}'
bad 'kg is a mass, but 100 mm is a length' \
    '{design: random, runs: 2, vary: {parameters.a: {uniform: [0.1 kg, 0.2 kg]}},
     measure: {x: end(O.fx)}}'
bad 'there is no measure `max` of one output; use `peak(O.fx)`' \
    '{vary: {bodies.crank.mass: {list: [1]}}, measure: {x: max(O.fx)}}'
"$HALFARROW" study -q - random.yaml -o stdin "${short[@]}" <"$model" ||
    problem "a model on standard input is not run"
cmp one/results.csv stdin/results.csv || problem "a model on standard input gives another table"
call 2 study "$model" random.yaml -o one "${short[@]}"
has err '--resume goes on with it'
call 2 study "$model" random.yaml -o one --resume --t-end 0.06
has err 'of another study'
call 0 study "$model" random.yaml -o other --shard 1/4 --t-end 0.06
call 2 study --merge shard2 other -o merged2
has err 'is of another study than'
call 2 study --merge shard1 shard2 -o merged2
has err '20 of 40 runs are missing, the first is run 3'
call 2 study "$model" random.yaml -o x --shard 5/4
has err 'with I from 1 to N'
call 2 study "$model" random.yaml
has err 'needs a directory'

# what a model includes, and its tables, are the model, too
printf '0 1\n1 2\n2 4\n' >force.csv
printf 'halfarrow: 1\nparameters: {k: 3 N}\ntables: {T: {file: force.csv}}\n' >part.yaml
cat >pushed.yaml <<'END'
halfarrow: 1
include: [part.yaml]
gravity: [0, 0]
bodies: {b: {mass: 2 kg, inertia: 1 kg.m2, points: {P: [0, 0]}, start: {x: 0}}}
forces: {f: {type: force, on: b.P, value: ["k*T(t)", 0]}}
simulate: {t_end: 1 s}
study: {vary: {bodies.b.mass: {list: [1, 2, 3]}}, measure: {x: end(b.x)}}
END
call 0 study pushed.yaml -o pushed
cp pushed/results.csv whole.csv
for file in force.csv part.yaml; do
    cp "$file" kept
    sed -i 's/ 2$/ 20/; s/3 N/4 N/' "$file"
    call 2 study pushed.yaml -o pushed --resume
    has err 'of another study'
    cp kept "$file"
done

# a torn row, with what does not belong there, is no row
head -n 3 pushed/results.journal >torn
printf '2,2,0.4 what\n3,3,0.1,done,done\n' >>torn
cp torn pushed/results.journal
call 0 study pushed.yaml -o pushed --resume
cmp whole.csv pushed/results.csv || problem "a torn row is taken for one"

# a journal beyond what is read at once is not cut off
mkdir large
cp pushed/results.journal large
truncate -s $(((1 << 30) + 1)) large/results.journal # with a hole, which takes no room
call 2 study pushed.yaml -o large --resume
has err 'large/results.journal: error: this journal is too large to be read'
has err 'it has 1073741825 bytes and may have 1073741824'
[ "$(wc -c <large/results.journal)" -eq $(((1 << 30) + 1)) ] || problem "a large journal is cut off"
call 2 study --merge -o large
has err 'too large to be read'

# a disk without room: what was done is kept, and goes on where there is room
# shellcheck disable=SC2016 # the shell that is started expands it
bash -c 'ulimit -f 3; trap "" XFSZ; exec "$0" "$@"' "$HALFARROW" study "$model" random.yaml -o \
    full \
    --jobs 1 "${short[@]}" >out 2>err && problem "a full disk is not seen"
has err 'go on with --resume'
bash -c 'ulimit -f 4; trap "" XFSZ; exec "$0" "$@"' "$HALFARROW" study "$model" random.yaml -o \
    full --resume --jobs 2 "${short[@]}" >out 2>err && problem "a full disk is not seen"
[ "$(wc -l <err)" -eq 1 ] || problem "a full disk is said more than once: $(cat err)"
call 0 study "$model" random.yaml -o full --resume "${short[@]}"
cmp one/results.csv full/results.csv || problem "a full disk changes the table"

finish
