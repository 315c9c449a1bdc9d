#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Units of start values, given alone, by parameters and in submodels, and of files that are written.
# shellcheck disable=SC2016 # backquotes are part of the messages
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

# --- starts -------------------------------------------------------------------------------------

cat >"$directory/circuit.yaml" <<'END'
halfarrow: 1
parameters: {x0: 3 mC, p0: 2 mV.s}
submodels:
  m:
    parameters: {q0: 1 C, C: 1 F}
    ports: {p: 1a}
    elements: {1a: {type: "1"}, C: {type: C, value: C, q: q0}, R: {type: R, value: 2 ohm}}
    bonds: [1a > C, 1a > R]
bondgraph:
  elements:
    V: {type: Se, value: 12 V}
    m: {type: m}
    L: {type: I, value: 2 mH, p: p0}
    D: {type: C, value: 1 uF, q: x0}
    Df: {type: Df, q: 4 mC}
    1b: {type: "1"}
  bonds: [V > 1b > m.p, 1b > L, 1b > D, 1b > Df]
simulate: {t_end: 0}
END
call 0 run "$directory/circuit.yaml" --json
near D.q 3e-3 0
near m.C.q 1 0
near Df.q 4e-3 0
wrong() {
    sed "$1" "$directory/circuit.yaml" >"$directory/wrong.yaml"
    call 2 check "$directory/wrong.yaml"
    has err "$2"
}
wrong 's/q: x0/q: 3 mm/' 'the start value `q` of `D` is a length, but the displacement of what is'
wrong 's/x0: 3 mC/x0: 3 mm/' 'the start value `q` of `D` is a length'
wrong 's/p: p0/p: 2 N.s/' 'the start value `p` of `L` is of the dimension kg.m.s-1'
wrong 's/q: 4 mC/q: 4 V/' 'the start value `q` of `Df` is'
wrong 's/q: q0/q: 2 kg/' 'the start value `q` of `m.C` is a mass'
wrong 's/q0: 1 C/q0: 1 kg/' 'the start value `q` of `m.C` is a mass'
wrong 's/{type: m}/{type: m, parameters: {q0: 2 m}}/' '`q0` of instance `m`: 2 m is a length'
wrong 's/q0: 1 C/q0: 1/; s/{type: m}/{type: m, parameters: {q0: 2 m}}/' \
    'the start value `q` of `m.C` is a length'
# and in a part
cat >"$directory/part.yaml" <<'END'
halfarrow: 1
submodels:
  m:
    parameters: {q0: 1}
    ports: {p: 1a}
    bodies: {b: {mass: 1}}
    elements: {1a: {type: "1"}, C: {type: C, value: 1 uF, q: q0}, R: {type: R, value: 2 ohm}}
    bonds: [1a > C, 1a > R]
parts: {m: {type: m, parameters: {q0: 2 m}}}
bondgraph: {elements: {V: {type: Se, value: 12 V}}, bonds: [V > m.p]}
simulate: {t_end: 0}
END
call 2 check "$directory/part.yaml"
has err 'the start value `q` of `m.C` is a length'
for start in 'q=3 mm' 'q=x'; do
    call 2 check --graph "x = 3 mm; Se{12 V}>1>R{1 ohm}; 1>C{1 uF, $start}"
    has err 'the start value `q` of `C` is a length'
done
# it tells the domain, too
call 2 check --graph '1>R{1}; 1>C{q=3 mm}; 1>R2{1 ohm}'
has err 'the start value `q` of `C` is a length'
call 0 run --graph '1>R{1}; 1>C{q=3 mm}; 1>I{2}' --t-end 0
has out 'I.f                                      0 m/s'

# --- signals ------------------------------------------------------------------------------------

cat >"$directory/signals.yaml" <<'END'
halfarrow: 1
parameters: {kp: 5 V.s/rad, i0: 4 A}
bondgraph:
  elements:
    V: {type: MSe, value: c}
    1b: {type: "1"}
    L: {type: I, value: 2 mH}
    R: {type: R, value: 2 ohm}
    K: {type: GY, value: 0.03 N.m/A}
    J: {type: I, value: 2e-4 kg.m2}
  signals:
    a: {type: integrator, input: L.f, gain: 4 1/s, start: i0}
    b: {type: integrator, input: L.f, start: 4 C}
    c: {type: pid, input: J.f, kp: kp, ki: 3 V/rad, limits: [-12 V, 12 V], start: 1 V}
    l: {type: lag, input: L.f, time_constant: 1 ms, gain: 2 ohm, start: 5 V}
    q: {type: quantiser, input: L.f, step: 1 mA}
    s: {type: sample, input: R.e, period: 1 ms, start: 3 V}
  bonds: [V > 1b > L, 1b > R, 1b > K > J]
simulate: {t_end: 0}
END
call 0 run "$directory/signals.yaml" --json
near a 4 0
near l 5 0
call 0 equations "$directory/signals.yaml"
has out 'a.state.f = 4*L.f'
mistaken() {
    sed "$1" "$directory/signals.yaml" >"$directory/wrong.yaml"
    call 2 check "$directory/wrong.yaml"
    has err "$2"
}
mistaken 's/i0: 4 A/i0: 4 m/' \
    'signal `a`: by its `gain` times the input it is an electric current, by its `start` a length'
mistaken 's/start: 4 C/start: 4 A/' 'signal `b`: by its `input`'
mistaken 's/kp: 5 V.s.rad/kp: 5 m/' 'signal `c`: by its `kp` times the input'
mistaken 's/12 V\]/12 A]/' 'by its `limits` an electric current'
mistaken 's/start: 1 V/start: 1 kg/' 'signal `c`: by its `kp` times the input it is a voltage, by'
mistaken 's/2 ohm, start/2 V, start/' 'signal `l`: by its `gain` times the input it is a power, by'
mistaken 's/1 mA/1 mV/' 'signal `q`: by its `input` it is an electric current, by its `step` a'
mistaken 's/start: 3 V/start: 3 A/' 'signal `s`: by its `input` it is a voltage, by its `start`'

# --- files that are written ---------------------------------------------------------------------

cat >"$directory/first.bgl" <<'END'
x = 0.003 m
k = 2000 N/m
1
R{1.2 N.s/m}
C{0.7 mm/N, q=3 mm}
I{2.1 kg, p=0.3 N.s}
C2{1/k, q=x}
R2{3}
1>R
1>C
1>I
1>C2
1>R2
END
call 0 convert "$directory/first.bgl" -o "$directory/model.yaml"
cp "$directory/model.yaml" "$directory/out"
has out 'value: "0.7 mm/N", q: "3 mm"'
has out 'k: "2000 N/m"'
call 0 convert "$directory/model.yaml" -o "$directory/back.bgl"
cmp "$directory/first.bgl" "$directory/back.bgl" || problem "units are not those that were read"
call 0 run "$directory/first.bgl" --t-end 1 -o "$directory/first.csv"
call 0 run "$directory/model.yaml" --t-end 1 -o "$directory/model.csv"
cmp "$directory/first.csv" "$directory/model.csv" || problem "a converted file runs otherwise"
finish
