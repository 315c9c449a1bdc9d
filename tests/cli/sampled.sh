#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Models with sampled, delayed and held signals in analyses of rest and of small deviations.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

# $1: the signals; $2: C's start, if any
circuit() {
    cat <<EOF2
halfarrow: 1
parameters: {T: 0.1, K: 1, ki: 1, ref: 5}
bondgraph:
  elements:
    V: {type: MSe, value: u}
    R: {type: R, value: 1}
    C: {type: C, value: 1}
    1a: {type: "1"}
  signals:
$1
  bonds: [V > 1a > R, 1a > C]
simulate: {t_end: 10 s}
EOF2
}

# C.e = u = K (ref - C.e): half the reference
circuit '    u: {type: sample, input: "K*(ref-C.e)", period: T}' >"$directory/p.yaml"
circuit '    u: {type: delay, input: "K*(ref-C.e)", period: T}' >"$directory/delay.yaml"
for model in p delay; do
    call 0 statics "$directory/$model.yaml" --json
    near u 2.5 1e-12
    near C.e 2.5 1e-12
    has out '"stable": null'
done
call 0 statics "$directory/p.yaml" --sweep parameters.ref=0:4:3 --json
found=$(awk '$1 == "\"C.e\":" { printf "%.9g ", $2 }' "$directory/out")
[ "$found" = "0 1 2 " ] || problem "$called: $found"

# a digital integral leaves no error; a run from there stays, and its first samples too
circuit '    sum: {type: sample, input: "sum + ki*T*(ref-C.e)", period: T}
    u: {type: sample, input: "K*(ref-C.e) + sum", period: T}' >"$directory/pi.yaml"
call 0 statics "$directory/pi.yaml" --json
near u 5 1e-11
near sum 5 1e-11
near C.e 5 1e-11
call 0 run "$directory/pi.yaml" --start equilibrium --json
near sum 5 1e-9
near C.e 5 1e-9

# of a hold it depends on when it began
circuit '    u: {type: hold, input: "K*(ref-C.e)", when: "sin(2*pi*t)"}' >"$directory/hold.yaml"
call 1 statics "$directory/hold.yaml"
has err "no equilibrium can be told: \`u.state.q\` holds a value"

# the loop is open between samples: that is said, or refused
call 1 linearise "$directory/p.yaml"
has err "cannot be linearised: \`u\` is sampled"
call 1 linearise "$directory/pi.yaml" --at equilibrium
has err "\`u\` is sampled"
call 1 modes "$directory/p.yaml" --at 0.05
has err "\`u\` is sampled"
call 1 frequency "$directory/p.yaml" --at 0.05 --u ref --y C.e --from 0.1 --to 1
has err "\`u\` is sampled"
call 0 linearise "$directory/p.yaml" --force --json
has out '"u is held"'
has err "the linear model holds \`u\`"
call 0 modes "$directory/p.yaml" --force --json
has out '"u is held"'
call 0 frequency "$directory/p.yaml" --force --u ref --y C.e --from 0.1 --to 1 --json
has out '"u is held"'
grep -q 'sin(' "$directory/out" && problem "$called names a clock"

# what a contact holds from its touch on is no part of a model whose bodies are apart
for file in bouncing_mass clearance_slider_crank; do
    call 0 linearise "$examples/$file.yaml" --json
    empty err
    has out 'held is not held"'
done
call 1 linearise "$examples/bouncing_mass.yaml" --at equilibrium
has err "\`bounce.held\` holds a value since its condition was met"
call 0 linearise "$examples/bouncing_mass.yaml" --at equilibrium --force --json
has out '"bounce.held is held"'

# the rest of the digital loop, after one time of its samples: those at the end come back as such at
# the begin. Its multipliers are those of [C, sum] one time later, with a = exp(-T):
#     trace  a - K (1 - a) + 1
call 0 periodic "$directory/pi.yaml" --json
near period 0.1 1e-12
near C.e 5 1e-8
near u 5 1e-8
near sum 5 1e-8
trace=$(awk 'BEGIN { a = exp(-0.1); printf "%.12f", a - (1 - a) + 1 }')
call 0 periodic "$directory/pi.yaml"
found=$(awk '/Floquet/ { sub(/,.*/, ""); sum += $3; on = 1; next }
    on && (NF == 1 || $2 ~ /^[-+]$/) { sum += $1; next } on { exit }
        END { printf "%.9f", sum }' "$directory/out")
awk -v a="$found" -v b="$trace" 'BEGIN { exit !((a - b) ^ 2 < 1e-12) }' ||
    problem "$called: the multipliers add up to $found, not $trace"
call 2 periodic "$directory/pi.yaml" --period 0.25
has err "no whole number of the times at which"

# driven by sines, sampled and delayed: where the run ends after many periods
sines() {
    cat <<EOF2
halfarrow: 1
bondgraph:
  signals:
    d: {type: $1}
    x: {type: lag, input: "0.5*d + cos(2*pi*t) + 1", time_constant: 0.3}
simulate: {t_end: 20 s}
EOF2
}
for way in 'delay, input: x, period: 0.25' 'sample, input: d/2 + x/3, period: 0.5' \
    'hold, input: x, when: sin(2*pi*t)'; do
    sines "$way" >"$directory/sines.yaml"
    call 0 run "$directory/sines.yaml" --json
    wanted=$(awk '$1 == "\"final\":" { on = 1 } on && $1 == "\"x\":" { print $2 + 0; exit }' \
        "$directory/out")
    call 0 periodic "$directory/sines.yaml" --json
    found=$(awk '$1 == "\"final\":" { on = 1 } on && $1 == "\"x\":" { print $2 + 0; exit }' \
        "$directory/out")
    awk -v a="$found" -v b="$wanted" 'BEGIN { exit !(b > 0 && (a - b) ^ 2 < 1e-10) }' ||
        problem "$called: x is $found after a period, $wanted after many"
done

# what a sample reads of a delay of its period is two periods old, of a sample one; the last
# time is 0.8 s, and the input counts the periods
old() {
    printf '%s\n' 'halfarrow: 1' 'bondgraph:' '  signals:' \
        "    d: {type: $1, input: t/0.1, period: 0.1}" \
        '    s: {type: sample, input: d, period: 0.1}' \
        'simulate: {t_end: 0.85}' 'outputs: [s]' >"$directory/old.yaml"
    call 0 run "$directory/old.yaml" --json
}
old delay
near s 6 1e-9
has err 'warning: signal `s` takes a value that is two periods old from the delay `d`'
old sample
near s 7 1e-9
empty err

# a counter of four comes back after four times, and after no fewer
cat >"$directory/four.yaml" <<EOF2
halfarrow: 1
bondgraph:
  signals:
    n: {type: sample, input: "n+1-4*floor((n+1)/4)", period: 0.1}
    y: {type: lag, input: n, time_constant: 0.2}
simulate: {t_end: 10 s}
EOF2
call 1 periodic "$directory/four.yaml"
has err 'give another --period, as a multiple'
call 0 periodic "$directory/four.yaml" --period 0.4 --json
has out '"stable": null'

# a value that is held over the begin is another one than a run begins with
sines 'hold, input: x, when: cos(2*pi*t)' >"$directory/sines.yaml"
call 1 periodic "$directory/sines.yaml"
has err "holds over the begin of the period"

# a quantiser in a loop changes within the tolerances and is no cycle
circuit '    u: {type: quantiser, input: "5 - C.e", step: 0.7}' >"$directory/steps.yaml"
call 1 periodic "$directory/steps.yaml"

# noise is at its mean at rest, acts as a constant in a linear model, and never comes again
circuit '    n: {type: noise, period: 0.1, seed: 3, deviation: 2}
    u: {type: sample, input: "K*(ref-C.e) + n", period: T}' >"$directory/noise.yaml"
call 0 statics "$directory/noise.yaml" --json
near C.e 2.5 1e-12
near n 0 0
has err 'the noise `n` is at its mean, 0'
call 0 statics "$directory/noise.yaml" --sweep parameters.ref=0:4:3 --json
has err 'the noise `n` is at its mean, 0'
call 1 linearise "$directory/noise.yaml"
has err 'cannot be linearised: `u` is sampled'
call 0 run "$directory/noise.yaml" --start equilibrium --json
circuit '    n: {type: noise, period: 0.1, seed: 3, deviation: 2}
    u: {type: lag, input: "K*(ref-C.e) + n", time_constant: 1}' >"$directory/noise.yaml"
call 0 statics "$directory/noise.yaml" --json
near C.e 2.5 1e-12
has out '"stable": true'
for at in 0 0.55 equilibrium; do # C' = u - C, u' = -K C - u + n: -1 and i
    call 0 linearise "$directory/noise.yaml" --at $at --json
    found=$(tr -d ' \n' <"$directory/out" | grep -o '"eigenvalues":\[\[[^]]*\]' | tr -dc '0-9.,-')
    awk -v e="$found" 'BEGIN { split(e, v, ","); exit !(v[1] + 1 < 1e-12 && v[1] + 1 > -1e-12 &&
        v[2] ^ 2 - 1 < 1e-12 && v[2] ^ 2 - 1 > -1e-12) }' || problem "$called: $found"
    has err 'the noise `n` is'
done
has err 'the noise `n` is at its mean, 0'
call 1 periodic "$directory/noise.yaml"
has err 'there is no cycle: `n` is noise'

# samples alone are solved for by inverse dynamics, and a motion with a pole ends there
cat >"$directory/count.yaml" <<EOF2
halfarrow: 1
bondgraph: {signals: {n: {type: sample, input: "n + 1", period: 0.1}}}
simulate: {t_end: 0.25}
EOF2
call 0 run "$directory/count.yaml" --driver kinematic --json
near n 3 1e-15
# rows, the last one and the end show what was held before a sample, whatever the last digits of its
# time and theirs: 68 * 0.1 is above 6.8
circuit '    u: {type: sample, input: "t", period: T}' >"$directory/clock.yaml"
for driver in auto ida explicit; do
    call 0 run "$directory/clock.yaml" --t-end 200 --step 0.1 --driver $driver \
        --set 'outputs=[u]' -o "$directory/clock.csv"
    awk -F, 'NR > 2 { d = $2 - (NR - 3) * 0.1; if (d * d > 1e-20) exit 1 }
        END { exit NR != 2002 }' "$directory/clock.csv" ||
        problem "$called: a row shows what is sampled there"
    for n in 1 3 6 7 68; do
        call 0 run "$directory/clock.yaml" --t-end "$(awk "BEGIN { print $n * 0.1 }")" \
            --driver $driver --json
        near u "$(awk "BEGIN { print ($n - 1) * 0.1 }")" 1e-12
    done
done
# without states
cat >"$directory/clock.yaml" <<EOF2
halfarrow: 1
bondgraph: {signals: {u: {type: sample, input: t, period: 0.1}}}
simulate: {t_end: 200, step: 0.1}
outputs: [u]
EOF2
call 0 run "$directory/clock.yaml" -o "$directory/clock.csv"
awk -F, 'NR > 2 { d = $2 - (NR - 3) * 0.1; if (d * d > 1e-20) exit 1 }
    END { exit NR != 2002 }' "$directory/clock.csv" ||
    problem "$called: a row shows what is sampled there"

# floor of what rests on a whole number, comes to one from either side, or is a sample
for driver in auto ida explicit explicit8; do
    for case in 'floor(min(1,t))|3|2' 'floor(min(2,t))|4|5' 'floor(max(1,2-t))|2|2' \
        'floor(-min(1,t))|2|-2' 'floor(3*t)|2|5' 'sign(floor(t)-1)|4|1' 'floor(2+0*t)|1|2'; do
        IFS='|' read -r source end wanted <<<"$case"
        call 0 run --graph "Sf{$source}>0a;0a>C{1}" --t-end "$end" --driver $driver --json
        near C.q "$wanted" 1e-9
    done
    # q = t - 3/2: its floor is -2, -1, 0, 1, 2 for 1/2, 1, 1, 1, 1/2 s
    call 0 run --graph 'Sf{1}>0a;0a>C{1,q=-1.5};MSf{sign(floor(C.q))}>0b;0b>C2{1}' --t-end 2.5 \
        --driver $driver --json
    near C2.q -1.5 1e-6
    # it stays at 3 for 1 s, then q = 3 + (t - 1)^2/2
    call 0 run --graph 'Sf{max(0,t-1)}>0a;0a>C{1,q=3};MSf{floor(C.q)}>0b;0b>C2{1}' --t-end 3 \
        --driver $driver --json
    near C2.q "$(awk 'BEGIN { print 3*(1 + sqrt(2)) + 4*(2 - sqrt(2)) }')" 1e-4
    # samples of 1, 2, 3, 4 at whole seconds, and the signs of what they are off 2
    cat >"$directory/stairs.yaml" <<EOF2
halfarrow: 1
bondgraph:
  elements:
    S: {type: MSf, value: floor(u)}
    T: {type: MSf, value: sign(u - 2)}
    0a: {type: "0"}
    0b: {type: "0"}
    C: {type: C, value: 1}
    D: {type: C, value: 1}
  signals: {u: {type: sample, input: floor(t + 1.5), period: 1}}
  bonds: [S > 0a, 0a > C, T > 0b, 0b > D]
simulate: {t_end: 3.5}
EOF2
    call 0 run "$directory/stairs.yaml" --driver $driver --json
    near C.q 8 1e-9
    near D.q 0.5 1e-9
done

cat >"$directory/pole.yaml" <<EOF2
halfarrow: 1
ground: {points: {O: [0, 0]}}
bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}}}
joints: {s: {type: translational, between: [ground.O, b.P], motion: "1/(t-1.5)"}}
simulate: {t_end: 3 s}
EOF2
call 1 inverse "$directory/pole.yaml"
has err 'runs away'

finish
