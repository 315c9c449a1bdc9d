#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# halfarrow linearise: what it prints and writes, what it refuses.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

rlc='Se{12 V}>1a>R{50 ohm}; 1a>I{100 mH}; 1a>C{10 uF}'

call 0 linearise --graph "$rlc" --u Se --y C.e
has out "states x   I.p, C.q"
has out "968.2458"
has out "not an equilibrium; the largest acceleration is 12 (of I.p)"

call 0 linearise --graph "$rlc" --u Se --y C.e --json
has out '"equilibrium": false'

for suffix in txt m mat tex; do
    call 0 linearise --graph "$rlc" --u Se --y C.e -o "$directory/rlc.$suffix"
    [ -s "$directory/rlc.$suffix" ] || problem "no rlc.$suffix"
done
if command -v octave-cli >/dev/null; then
    (
        cd "$directory" && octave-cli --no-gui --norc --eval "
            rlc; s = load('rlc.mat');
            assert(sort(imag(eig(A))), [-968.245836551854; 968.245836551854], 1e-9);
            assert(s.A, A); assert(s.D, D); assert(states{2}, 'C.q');
            assert(abs(C * ((1000i * eye(2) - A) \\ B) + D), 2, 1e-12);"
    ) >"$directory/octave.log" 2>&1 || problem "Octave: $(tail -n 3 "$directory/octave.log")"
fi

# at rest after a while: the torque of gravity is in A, the motion is not
call 2 linearise "$examples/inverted_pendulum.yaml" --at -1
has err "before the run begins"
call 0 linearise "$examples/inverted_pendulum.yaml" --at 8 --json
has out '"states"'

call 2 linearise --graph "$rlc" --u Sf
has err "the input \`Sf\` is not known; did you mean \`Se\`"
cat >"$directory/start.yaml" <<'END'
halfarrow: 1
parameters: {from: 30 deg, m: 2 kg}
ground: {points: {O: [0, 0]}}
bodies:
  rod: {mass: m, inertia: 0.17 kg.m2, points: {O: [-0.5, 0]}, start: {angle: from, fixed: [angle]}}
joints: {O: {type: revolute, between: [ground.O, rod.O]}}
END
call 2 linearise "$directory/start.yaml" --u from
has err "the input \`from\` is in no equation"
call 2 frequency "$directory/start.yaml" --u from --y rod.angle --from 1 --to 2 --count 2
has err "the input \`from\` is in no equation"
call 2 linearise "$directory/start.yaml" --u from --force
has err "the input \`from\` is in no equation"
# a value that a sampled signal alone reads is read
call 0 linearise "$top_srcdir/examples/digital_four_bar.yaml" --u wish --y crank.omega --force
# friction that slides and a switch that is open constrain nothing: m v' = F - R v - k q (- L),
# and with a leak of the spring q' = v - q k/r
cat >"$directory/linear.py" <<'END'
import json, sys
found, wanted = json.load(open(sys.argv[1])), json.loads(sys.argv[2])
assert found["states"] == ["I.p", "C.q"], found["states"]
for row, other in zip(found["A"], wanted):
    assert all(abs(x - y) < 1e-12 for x, y in zip(row, other)), (found["A"], wanted)
END
chain='Se{5} > 1v; 1v > I{2, p=1}; 1v > R{0.5}'
for graph in "$chain; 1v > C{0.25}; 1v > Dry{1}" "$chain; 1v > C{0.25, q=0.1}; 1v > Sw{1}"; do
    call 0 linearise --graph "$graph" --json
    python3 "$directory/linear.py" "$directory/out" '[[-0.25, -4], [0.5, 0]]' ||
        problem "$called: what does not hold is taken for a constraint"
done
call 0 linearise --graph "$chain; 1v > 0a; 0a > C{0.25, q=0.1}; 0a > Sw{0}; 0a > R_b{3}" --json
python3 "$directory/linear.py" "$directory/out" '[[-0.25, -4], [0.5, -1.3333333333333333]]' ||
    problem "$called: an open switch is taken for a constraint"

# friction that holds constrains: with the mass M held, that of 3 kg swings on both springs, however
# heavy M is and however many hold it; what they hold they share
cat >"$directory/held.py" <<'END'
import json, sys
found = json.load(open(sys.argv[1]))
assert found["states"] == ["C.q", "I_b.p", "C_a.q"], found["states"]
wanted = [[0, 1 / 3, 0], [-20, 0, 2e6], [0, -1 / 3, 0]]
for row, other in zip(found["A"], wanted):
    assert all(abs(x - y) <= 1e-9 * max(1, abs(y)) for x, y in zip(row, other)), found["A"]
share = sum(found["C"][k][2] for k in range(len(found["C"])))
assert abs(share + 2e6) < 1e-2, found["C"]
assert len({round(row[2]) for row in found["C"]}) == 1, found["C"]
END
rest='0a > 1b; 1b > C{1/20}; 1b > I_b{3}; 0a > C_a{1/2e6}'
for mass in 1.5 1e5; do
    for dry in '1v > Dry_a{2}' '1v > Dry_a{2}; 1v > Dry_b{3}'; do
        case $dry in *_b*) shown=Dry_a.e,Dry_b.e ;; *) shown=Dry_a.e ;; esac
        call 0 linearise --graph "Se{1} > 1v; 1v > I{$mass}; $dry; 1v > $rest" --y "$shown" --json
        python3 "$directory/held.py" "$directory/out" ||
            problem "$called: what friction holds is not a constraint"
    done
done

# a model without states has gains, and is at rest
call 0 frequency --graph 'Se{1}>1a>R{2}' --u Se --y R.f --from 1 --to 2 --count 3
has out "1            0.5              0"
call 0 statics --graph 'Se{1}>1a>R{2}'

# what depends on other conditions is named by what it reads
call 0 linearise "$top_srcdir/examples/pulled_block.yaml"
has out "a function of slide.y.e, friction.hold.x, block.x.f"
! grep -q "if(side" "$directory/out" || problem "sides show what is inside"
call 0 linearise "$directory/start.yaml" --u m
call 2 linearise "$directory/start.yaml" --u rot
! grep -q 'did you mean' "$directory/err" || problem "a name of three letters is like all others"
call 2 linearise --graph "$rlc" --y C.z
has err "the output \`C.z\` is not known"
call 2 linearise --graph "$rlc" --u "Se,,R"
has err "has an empty name"
call 2 linearise --graph "$rlc" -o "$directory/rlc.csv"
has err "the linear model cannot be written"
call 2 linearise --graph 'Se1>1a>R{e = if(f > 0, f, 2*f)}; 1a>I'
has err "on its edge"
call 0 linearise --graph 'Se1>1a>R{e = if(f > 0, f, 2*f)}; 1a>I' --force
has out "sides      I.f <= 0"

# Outputs that jump or bend have sides of their own: the derivative is that of the side at hand,
# none on an edge where the sides differ. What others read there is not asked.
cat >"$directory/edges.yaml" <<'END'
halfarrow: 1
parameters: {q0: 0.5}
bondgraph:
  elements:
    S: {type: Se, value: 1}
    1j: {type: "1"}
    C: {type: C, value: 1, q: q0}
    R: {type: R, value: 1}
  bonds: [S > 1j > C, 1j > R]
simulate: {t_end: 1 s}
outputs:
  - C.q
  - {jump: {value: "sign(C.q - 0.5)"}}
  - {bend: {value: "abs(C.q - 0.5)"}}
  - {whole: {value: "floor(2*C.q)"}}
  - {inner: {value: "if(C.q > 0.5, max(3*C.q, 0), 5*C.q)"}}
  - {smooth: {value: "if(C.q > 0.5, (C.q - 0.5)^2, -(C.q - 0.5)^2)"}}
  - {equal: {value: "if(C.q > 0.5, C.q^2, C.q - 0.25)"}}
  - {late: {value: "if(t > 0, C.q, 2*C.q)"}}
  - {step: {value: "if(t > 0, C.q, C.q + 1)"}}
END
edges=$directory/edges.yaml
call 0 linearise "$edges" --at '250 ms' --y C.q
mv "$directory/out" "$directory/units"
call 0 linearise "$edges" --at 0.25 --y C.q
cmp -s "$directory/out" "$directory/units" || problem "a time with a unit is another time"
for name in jump bend whole inner late; do
    call 2 linearise "$edges" --u S --y $name
    has err "the output \`$name\` cannot be linearised here: its condition"
    call 0 linearise "$edges" --u S --y $name --force
    call 2 frequency "$edges" --u S --y $name --from 1 --to 1 --count 1
    has err "the output \`$name\` cannot be linearised here"
done
call 2 linearise "$edges" --u S --y jump
has err "\`C.q - 0.5\` > 0 is on its edge (0)"
call 2 linearise "$edges" --u S --y whole
has err "\`sin(pi*(2*C.q))\` > 0 is on its edge"
call 0 modes "$edges"
call 0 statics "$edges" --set parameters.q0=0.5 --json
call 0 linearise "$edges" --u S --y C.q,smooth,equal,step --json
python3 - "$directory/out" <<'END' || problem "derivatives of outputs on an edge"
import json, sys
answer = json.load(open(sys.argv[1]))
assert [c[0] for c in answer["C"]] == [1, 0, 1, 1], answer["C"]
assert answer["sides"] == ["C.q - 0.5 <= 0", "t <= 0"], answer["sides"]
END
for side in "0.25 0 -1 0 5 0.5 1" "0.7 0 1 0 3 0.4 1.4"; do
    set -- $side
    call 0 linearise "$edges" --set "parameters.q0=$1" --y jump,bend,whole,inner,smooth,equal --json
    python3 - "$directory/out" "$@" <<'END' || problem "derivatives of outputs at $1"
import json, sys
answer = json.load(open(sys.argv[1]))
for got, wanted in zip(answer["C"], sys.argv[3:], strict=True):
    assert abs(got[0] - float(wanted)) < 1e-12, (got, wanted)
assert "C.q - 0.5 %s 0" % ("<" if sys.argv[2] == "0.25" else ">=") in answer["sides"], answer
END
done

# a value that is read as a number on the way to the equations would have derivatives of 0
cat >"$directory/rubbed.yaml" <<'END'
halfarrow: 1
gravity: [0, 0]
parameters: {mu: 0.3, k: 100, z: 0, F: 0}
ground: {points: {O: [0, 0]}}
bodies:
  a: {mass: 1, inertia: 2, points: {O: [0, 0], P: [1, 0]}, start: {angle: 0.1}}
joints:
  A: {type: revolute, between: [ground.O, a.O]}
forces:
  rub: {type: friction, on: A, radius: 0.1, friction: mu, friction_speed: 1e-3}
  hold: {type: torque, on: a, value: -k*a.angle}
  tie: {type: spring-damper, between: [ground.O, a.P], stiffness: 10, free_length: 0.5, damping: z}
  push: {type: force, on: a.P, value: [0, F]}
outputs: [a.angle, a.omega]
simulate: {t_end: 1 s}
END
rubbed=$directory/rubbed.yaml
call 1 linearise "$rubbed" --u k,parameters.mu,mu,z
has err "cannot be differentiated by \`mu\`, which is 0.3: its value is read as a number"
has err "cannot be differentiated by \`parameters.mu\`, which is 0.3: its value is read"
has err "cannot be differentiated by \`z\`, which is 0: what a value of 0 switches off"
grep -qF "by \`k\`" "$directory/err" && problem "a stiffness has derivatives"
call 1 frequency "$rubbed" --u mu --y a.angle --from 1 --to 2
has err "cannot be differentiated by \`mu\`"
call 1 statics "$rubbed" --sweep parameters.mu=0.1:0.3:3
has err "cannot be differentiated by \`parameters.mu\`"
call 1 sensitivity "$rubbed" --parameter parameters.k,parameters.mu
has err "cannot be differentiated by \`parameters.mu\`"
call 0 linearise "$rubbed" --u k,F --json
python3 - "$directory/out" <<'END' || problem "derivatives by values of the file"
import json, math, sys
B = json.load(open(sys.argv[1]))["B"]
assert abs(B[1][0] + 0.1 / 2) < 1e-12 and abs(B[1][1] - math.cos(0.1) / 2) < 1e-12, B
END
"$HALFARROW" linearise - --u k,F --json <"$rubbed" >"$directory/piped" ||
    problem "a model on standard input with inputs of its own"
cmp -s "$directory/piped" "$directory/out" || problem "another linear model from standard input"

finish
