#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# halfarrow fit: estimates, errors and correlations against a fit of closed forms that the test
# makes itself (compared once with scipy.optimize.least_squares of SciPy 1.10.1 with the derivatives
# of the test and tolerances 1e-15: estimates agree to 7e-12, covariances to 5e-12), what data do
# not determine, bounds, and what is wrong.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit
cd "$directory" || exit 1

# x'' + (R x' + x/C) / m = 0 from x = 0.1 at rest, with fixed pseudo-random noise at odd times; its
# fit by Gauss and Newton's method with derivatives by complex steps.
cat >reference.py <<'END'
import cmath, json, sys
m, truth = 2.0, {"R": 0.8, "C": 0.05}
def x(t, R, C):
    d = R/(2*m)
    w = cmath.sqrt(1/(m*C) - d*d)
    e = cmath.exp(-d*t)
    return 0.1*e*(cmath.cos(w*t) + d/w*cmath.sin(w*t))
state = 12345
def noise():
    global state
    total = 0.0
    for _ in range(12):
        state = (1103515245*state + 12345) % 2**31
        total += state/2**31
    return total - 6
times = [0.037*i + 0.01*((7*i) % 3) for i in range(81)]
def data(size):
    global state
    state = 12345
    return [x(t, **truth).real + size*noise() for t in times]
def write(name, values, unit="", factor=1.0):
    with open(name, "w") as out:
        out.write("time,C.q%s\n" % unit)
        for t, v in zip(times, values):
            out.write("%.17g,%.17g\n" % (t, v*factor))
def derivative(t, p, name):
    q = dict(p)
    q[name] = q[name] + 1e-30j
    return x(t, **q).imag/1e-30
def solve(a, b):
    n = len(b)
    a = [row[:] + [y] for row, y in zip(a, b)]
    for i in range(n):
        for k in range(n):
            if k != i:
                f = a[k][i]/a[i][i]
                a[k] = [u - f*v for u, v in zip(a[k], a[i])]
    return [a[i][n]/a[i][i] for i in range(n)]
def fit(values, p, names):
    p = dict(p)
    for _ in range(60):
        r = [v - x(t, **p).real for t, v in zip(times, values)]
        J = [[derivative(t, p, n) for n in names] for t in times]
        A = [[sum(j[i]*j[k] for j in J) for k in range(len(names))] for i in range(len(names))]
        step = solve(A, [sum(j[i]*q for j, q in zip(J, r)) for i in range(len(names))])
        for n, s in zip(names, step):
            p[n] += s
    s2 = sum(q*q for q in r)/(len(r) - len(names))
    one = [[float(i == k) for k in range(len(names))] for i in range(len(names))]
    cov = [[s2*v for v in solve(A, e)] for e in one]
    return p, cov, sum(q*q for q in r)
def near(a, b, tolerance, what):
    assert abs(a - b) <= tolerance*abs(b), (what, a, b)
def compare(found, wanted, names, sigma=None):
    p, cov, chi2 = wanted
    assert found["status"] == "done", found
    scale = 1.0 if sigma is None else sigma**2/(chi2/(len(times) - len(names)))
    for i, a in enumerate(names):
        near(found["parameters"][a], p[a], 1e-6, a)
        for k, b in enumerate(names):
            got = (found["correlation"][a][b]*found["standard_errors"][a]
                   * found["standard_errors"][b])
            near(got, cov[i][k]*scale, 1e-4, a + " " + b)
    near(found["chi2"]*(1.0 if sigma is None else sigma**2), chi2, 1e-4, "chi^2")
    near(found["rms"], (chi2/len(times))**0.5, 1e-4, "rms")
END
cat >data.py <<'END'
from reference import *
write("exact.csv", data(0.0))
write("noisy.csv", data(2e-3))
write("mm.csv", data(2e-3), " [mm]", 1e3)
with open("sigma.csv", "w") as out, open("weight.csv", "w") as other:
    out.write("t [ms],C.q,sigma(C.q)\n")
    other.write("t,C.q,weight(C.q)\n")
    for i, (t, v) in enumerate(zip(times, data(2e-3))):
        out.write("%.17g,%.17g,2e-3\n" % (1e3*t, v))
        other.write("%.17g,%.17g,%d\n" % (t, v if i % 5 else 77.0, i % 5 > 0))
END
python3 data.py || problem "the data"
cat >oscillator.bgl <<'END'
1a>I{2 kg}; 1a>R{0.8 N.s/m}; 1a>C{0.05 m/N, q=0.1}
END

# study NAME DATA [MORE]: a fit of R and C, 30 % off
study() {
    printf 'fit:\n  data: %s\n  parameters: {R: {start: 0.56}, C: {start: 0.065%s}}\n%s\n' \
        "$2" "${4:-}" "${3:-}" >"$1.yaml"
}

# exact data: back to what they were made with
study exact exact.csv
call 0 fit oscillator.bgl exact.yaml --rtol 1e-10 --json
python3 - out <<'END' || problem "parameters from exact data"
import sys
from reference import *
found = json.load(open(sys.argv[1]))
for name in truth:
    near(found["parameters"][name], truth[name], 1e-7, name)
assert found["data"] == 81 and found["degrees_of_freedom"] == 79 and found["rms"] < 1e-10, found
END
call 0 fit oscillator.bgl exact.yaml --json
python3 - out <<'END' || problem "parameters from exact data at the default tolerance"
import sys
from reference import *
found = json.load(open(sys.argv[1]))
for name in truth:
    near(found["parameters"][name], truth[name], 2e-6, name)
END

# the same of a mechanism: its length, through assembly, and its friction
cat >swing.yaml <<'END'
halfarrow: 1
parameters: {length: 1 m, c: 0.3 N.m.s}
ground: {points: {O: [0, 0]}}
bodies: {rod: {mass: 2 kg, inertia: 0.17 kg.m2, points: {O: [-length/2, 0]}}}
joints: {O: {type: revolute, between: [ground.O, rod.O]}}
forces: {d: {type: spring-damper, on: O, damping: c}}
simulate: {t_end: 3 s, step: 50 ms, rtol: 1e-10}
outputs: [rod.angle]
study:
  fit:
    data: swing.csv
    parameters:
      parameters.length: {start: 1.3 m}
      parameters.c: {start: 0.2 N.m.s, min: 0, max: 10}
END
call 0 run swing.yaml -o swing.csv --driver ida -q
call 0 fit swing.yaml --json
python3 - out <<'END' || problem "the length and the friction of a pendulum"
import json, sys
found = json.load(open(sys.argv[1]))["parameters"]
assert abs(found["parameters.length"] - 1) < 1e-7, found
assert abs(found["parameters.c"] - 0.3) < 3e-8, found
END
call 0 study swing.yaml -o directory
has out "parameters.length"
python3 - directory/fit.csv <<'END' || problem "the table of a fit"
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
assert rows[0] == ["t [s]", "rod.angle [rad]", "data(rod.angle) [rad]",
                   "residual(rod.angle) [rad]"], rows[0]
assert len(rows) == 62 and all(abs(float(r[3])) < 1e-8 for r in rows[1:])
assert float(rows[31][0]) == 1.5 and abs(float(rows[31][2]) - float(rows[31][1])) < 1e-8
END
call 0 fit swing.yaml -o fit.gp
[ -s fit.gp ] || problem "no plot"

# exact derivatives go through events: the height from which a ball began to fall and bounce
sed -e 's/^simulate.*/simulate: {t_end: 1.2 s, step: 13 ms, rtol: 1e-9}/' \
    -e 's/^outputs.*/outputs: [ball.y]/' "$examples/bouncing_mass.yaml" >ball.yaml
echo "fit: {data: ball.csv, parameters: {bodies.ball.start.y: {start: 33 cm}}}" >drop.yaml
call 0 run ball.yaml -o ball.csv -q
call 0 fit ball.yaml drop.yaml --json
python3 - out <<'END' || problem "the height of a fall"
import json, sys
found = json.load(open(sys.argv[1]))
assert abs(found["parameters"]["bodies.ball.start.y"] - 0.32) < 3e-8, found
assert found["runs"] < 30, found
END

# noise: least squares, errors and correlations; standard deviations, units, weights, both spellings
study noisy noisy.csv
study mm mm.csv
study sigma sigma.csv
study key noisy.csv '  sigma: {C.q: 2 mm}'
study weight weight.csv
for name in noisy mm sigma key weight; do
    call 0 fit oscillator.bgl $name.yaml --rtol 1e-9 --json
    cp out $name.json
done
python3 - <<'END' || problem "estimates from noisy data"
from reference import *
names, values = ["R", "C"], data(2e-3)
start = {"R": 0.7, "C": 0.052}
wanted = fit(values, start, names)
load = lambda name: json.load(open(name + ".json"))
compare(load("noisy"), wanted, names)
compare(load("mm"), wanted, names)
compare(load("sigma"), wanted, names, 2e-3)
compare(load("key"), wanted, names, 2e-3)
kept = [i for i in range(81) if i % 5]
times[:] = [times[i] for i in kept]
compare(load("weight"), fit([values[i] for i in kept], start, names), names)
END

# a bound that is in the way: the other parameter is best beside it
study bound noisy.csv '' ', max: 0.0495, min: 0.03'
sed -i 's/0.065/0.045/' bound.yaml
call 0 fit oscillator.bgl bound.yaml --rtol 1e-9 --json
python3 - out <<'END' || problem "a parameter at its bound"
import sys
from reference import *
found = json.load(open(sys.argv[1]))
p, cov, chi2 = fit(data(2e-3), {"R": 0.7, "C": 0.0495}, ["R"])
assert found["at_bound"] == ["C"] and found["parameters"]["C"] == 0.0495, found
assert found["standard_errors"]["C"] is None, found
near(found["parameters"]["R"], p["R"], 1e-6, "R")
near(found["chi2"], chi2, 1e-6, "chi^2")
END

# from afar: steps as long as the value would take a capacitance to 0; and past runs that fail, for
# the root of what is below 0 is no number
python3 - >fast.csv <<'END'
import math
print("t,C.e")
for i in range(1, 21):
    print("%.17g,%.17g" % (0.1*i, 10*(1 - math.exp(-0.1*i/0.3))))
END
for start in 20 50 100; do
    echo "fit: {data: fast.csv, parameters: {C: {start: $start}}}" >far.yaml
    call 0 fit --graph 'Se{10}>1a>R;1a>C' far.yaml --rtol 1e-9 --json
    cp out far$start.json
done
for start in 5 20; do
    echo "fit: {data: fast.csv, parameters: {parameters.p: {start: $start}}}" >root.yaml
    call 0 fit --graph 'p = 2; Se{10}>1a>R{sqrt(p - 1)};1a>C' root.yaml --rtol 1e-9 --json
    cp out root$start.json
done
python3 - far20.json far50.json far100.json root5.json root20.json <<'END' ||
import json, sys
all = [json.load(open(name)) for name in sys.argv[1:]]
assert sum(found["failed_runs"] for found in all) > 0, all
for found in all[:3]:
    assert abs(found["parameters"]["C"] - 0.3) < 3e-8, found
for found in all[3:]:
    assert abs(found["parameters"]["parameters.p"] - 1.09) < 3e-8, found
END
    problem "a fit from afar"

# what the data do not determine: k and m of a mass that swings freely; R and C of a product
cat >free.yaml <<'END'
halfarrow: 1
bodies:
  m: {mass: 2 kg, inertia: 1 kg.m2, points: {P: [0, 0]}, start: {x: 1.1, y: 0, fixed: [x, y]}}
ground: {points: {O: [0, 0]}}
gravity: [0, 0]
joints: {g: {type: translational, between: [ground.O, m.P]}}
forces: {k: {type: spring-damper, on: g, stiffness: 50 N/m, free_length: 1 m}}
simulate: {t_end: 3 s, step: 50 ms}
outputs: [m.x]
END
call 0 run free.yaml -o free.csv -q
cat >pair.yaml <<'END'
fit:
  data: free.csv
  parameters: {bodies.m.mass: {start: 2.5 kg}, forces.k.stiffness: {start: 40 N/m}}
END
for rtol in 1e-6 1e-9; do
    call 1 fit free.yaml pair.yaml --json --rtol $rtol
    has err 'do not determine all parameters: `bodies.m.mass` : `forces.k.stiffness` = 1 : 1'
    python3 - out <<'END' || problem "a pair that is not determined"
import json, sys
found = json.load(open(sys.argv[1]))
(pair,) = found["undetermined"]
assert found["status"] == "undetermined" and len(pair) == 2, found
assert all(abs(x - 1) < 1e-4 for x in pair.values()), found
ratio = found["parameters"]["forces.k.stiffness"]/found["parameters"]["bodies.m.mass"]
assert abs(ratio - 25) < 1e-3, found
assert found["standard_errors"] == {name: None for name in pair}, found
END
done
call 1 fit free.yaml pair.yaml
has out "not determined by the data"
cat >charge.yaml <<'END'
fit: {data: charge.csv, parameters: {R: {start: 2}, C: {start: 2}}}
END
python3 - >charge.csv <<'END'
import math
print("t,C.e")
for i in range(1, 21):
    print("%.17g,%.17g" % (0.1*i, 10*(1 - math.exp(-0.1*i/3))))
END
call 1 fit --graph 'Se{10}>1a>R;1a>C' charge.yaml
has err '`R` : `C` = 1 : -1'

# friction that is lost in the noise
python3 - <<'END'
from reference import *
truth["R"] = 1e-3
write("still.csv", data(2e-3))
END
study still still.csv
call 0 fit oscillator.bgl still.yaml
has err 'the standard error of `R` is larger than its estimate'

# a parameter that does nothing is named alone
cat >idle.yaml <<'END'
fit:
  data: free.csv
  parameters: {bodies.m.inertia: {start: 1 kg.m2}, forces.k.stiffness: {start: 40 N/m}}
END
call 1 fit free.yaml idle.yaml --json
has err 'determine all parameters: `bodies.m.inertia` = 1'
python3 - out <<'END' || problem "what is determined beside a parameter that is not"
import json, sys
found = json.load(open(sys.argv[1]))
assert abs(found["parameters"]["forces.k.stiffness"] - 50) < 1e-3, found
assert found["standard_errors"]["forces.k.stiffness"] < 1e-3, found
assert found["standard_errors"]["bodies.m.inertia"] is None, found
END

# bad input: one message each, that says where and what to do
# bad TEXT FIT [DATA]: the fit of the oscillator with these parameters and data is refused
bad() {
    printf 'fit: %s\n' "$2" >bad.yaml
    [ $# -lt 3 ] || printf '%b' "$3" >bad.csv
    call 2 fit oscillator.bgl bad.yaml
    has err "$1"
    [ "$(wc -l <err)" -eq 1 ] || problem "$called: more than a message: $(cat err)"
    empty out
}
fine='{data: bad.csv, parameters: {R: {start: 1}}}'
bad 'nowhere.csv' '{data: nowhere.csv, parameters: {R: {start: 1}}}'
bad 'bad.csv:1: error' "$fine" 't,C.nothing\n1,2\n2,3\n'
bad 'C.nothing' "$fine" 't,C.nothing\n1,2\n2,3\n'
bad '`R7`' '{data: exact.csv, parameters: {R7: {start: 1}}}'
bad 'the bounds of `R` are crossed' '{data: exact.csv, parameters: {R: {start: 1, min: 2, max: 1}}}'
bad 'is not within its bounds' '{data: exact.csv, parameters: {R: {start: 1, min: 2, max: 3}}}'
bad 'fewer data than parameters: 1 values for 2' \
    '{data: bad.csv, parameters: {R: {start: 1}, C: {start: 1}}}' 't,C.q\n1,2\n'
bad 'bad.csv:3: error: `C.q` is no finite number' "$fine" 't,C.q\n1,2\n2,nan\n'
bad 'bad.csv:3: error: times must ascend' "$fine" 't,C.q\n1,2\n1,2\n'
bad 'must be the time' "$fine" 'C.q,t\n1,2\n2,2\n'
bad 'bad.csv:1: error' "$fine" 't,C.q [kg]\n1,2\n2,2\n'
bad 'have different units' "$fine" 't,C.q,C.e\n1,2,3\n2,2,3\n'
bad 'stands without a column' "$fine" 't,C.q,sigma(C.e)\n1,2,1\n2,2,1\n'
bad 'must be above 0' "$fine" 't,C.q,sigma(C.q)\n1,2,0\n2,2,1\n'
bad 'of some outputs only' "$fine" 't,C.q,C.e,sigma(C.q)\n1,2,3,1\n2,2,3,1\n'
bad '`fit` has no `data`' '{parameters: {R: {start: 1}}}'
bad 'is empty' '{data: exact.csv, parameters: {}}'
bad '`start`' '{data: exact.csv, parameters: {R: {min: 1}}}'
bad 'from' '{data: exact.csv, parameters: {R: {start: 1, from: 2}}}'
call 2 fit swing.yaml exact.yaml mm.yaml
has err '`fit` needs a model'
printf 'vary: {R: {list: [1]}}\nmeasure: {m: end(C.e)}\n' >none.yaml
call 2 fit oscillator.bgl none.yaml
has err 'the study has no `fit`'
# the start must run
printf 'fit: {data: exact.csv, parameters: {I: {start: -1}}}\n' >start.yaml
call 2 fit oscillator.bgl start.yaml

# a model that does not follow the data: their time begins 0.7 s later than that of the run, in
# which the oscillation swings to the other side
awk -F, -v OFS=, 'NR > 1 { $1 = $1 + 0.7 } { print }' exact.csv >later.csv
printf 'fit: {data: later.csv, parameters: {R: {start: 0.8}}}\n' >later.yaml
call 0 fit oscillator.bgl later.yaml
has err 'later.csv: warning: the model does not follow the data of `C.q`: after the fit'
has err 'see whether their time begins where the run does'
printf 'fit: {data: exact.csv, parameters: {R: {start: 0.8}}}\n' >right.yaml
call 0 fit oscillator.bgl right.yaml
empty err
finish
