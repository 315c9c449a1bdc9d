#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `sensitivity`: its text, JSON, tables and plots, and what it refuses.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

examples=$top_srcdir/examples

# the charge of a capacitance, C E (1 - exp(-t/RC)), in closed form
graph='Se{10}>1a>R{2};1a>C{0.5}'
call 0 sensitivity --graph "$graph" --t-end 1 --rtol 1e-9 --parameter R,C,Se --json
python3 - "$directory/out" <<'END' || problem "$called: derivatives are wrong"
import json, math, sys
found = json.load(open(sys.argv[1]))
r, c, e = 2.0, 0.5, 10.0
d = math.exp(-1.0 / (r * c))
wanted = {"R": -c * e * d / (r * r * c), "C": e * (1 - d) - e * d / (r * c), "Se": c * (1 - d)}
assert found["parameters"] == {"R": r, "C": c, "Se": e}, found["parameters"]
for name, value in wanted.items():
    got = found["sensitivity"]["C.q"][name]
    assert abs(got - value) < 1e-8 * abs(value), (name, got, value)
    relative = value * found["parameters"][name] / (c * e * (1 - d))
    assert abs(found["relative"]["C.q"][name] - relative) < 1e-7
# C E^2 (1 - d) is supplied, C E^2 (1 - d^2) / 2 dissipated
heat = {"energy.supplied": {"R": -e * e * d / r ** 2, "Se": 2 * c * e * (1 - d)},
        "energy.dissipated": {"R": -(e * d / r) ** 2, "Se": c * e * (1 - d * d)}}
for name, by in heat.items():
    for parameter, value in by.items():
        got = found["sensitivity"][name][parameter]
        assert abs(got - value) < 1e-8 * abs(value), (name, parameter, got, value)
assert found["sensitivity"]["energy.error"]["R"] is None
END

# text; what has no derivative is named
call 0 sensitivity --graph "$graph" --t-end 1 --parameter R
has out 'sensitivities at 1 s, 0 events'
has out 'without a derivative, for they read energy.error: energy.error'

call 2 sensitivity --graph "$graph" --t-end 1 --parameter R -y energy.error
has err '`energy.error` has no derivative'

# what is made of energy.error is made of the sums of the book, not of those that are followed
cat >"$directory/book.yaml" <<'END'
halfarrow: 1
ground: {points: {O: [0, 0]}}
bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}, start: {vx: 1}}}
forces: {s: {type: force, on: b.P, value: [-2*b.vx - b.x, 0], book: dissipated}}
simulate: {t_end: 1}
outputs:
  - energy.error
  - {twice: 2*energy.error}
  - {minus: -energy.error}
  - energy.dissipated
  - {sum: energy.error + energy.dissipated}
END
call 0 sensitivity "$directory/book.yaml" --parameter bodies.b.mass --json
python3 - "$directory/out" <<'END' || problem "$called: outputs that read energy.error"
import json, sys
found = json.load(open(sys.argv[1]))
end, error = found["final"], found["final"]["energy.error"]
assert error != 0 and end["twice"] == 2*error and end["minus"] == -error, end
assert abs(end["sum"] - (error + end["energy.dissipated"])) < 1e-15, end
by = found["sensitivity"]
assert all(by[name]["bodies.b.mass"] is None for name in ("twice", "minus", "sum")), by
END

# a disc on a disc, y = R + r - m g/K + C cos(w t) with C = y(0) - R - r + m g/K
cat >"$directory/disc.yaml" <<'END'
halfarrow: 1
parameters: {R: 0.3, r: 0.1}
ground: {points: {O: [0, 0]}}
bodies: {b: {mass: 1, inertia: 1, points: {C: [0, 0]}, start: {y: 0.25}}}
forces:
  hit: {type: contact, between: [ground.O, b.C], surface: disc, surface_radius: R, radius: r,
        law: kelvin-voigt, stiffness: 100}
simulate: {t_end: 0.25 s, rtol: 1e-9}
outputs: [b.y]
END
call 0 sensitivity "$directory/disc.yaml" --parameter parameters.R,forces.hit.radius --json
python3 - "$directory/out" <<'END' || problem "$called: the derivatives by radii"
import json, math, sys
for name, got in json.load(open(sys.argv[1]))["sensitivity"]["b.y"].items():
    assert abs(got - (1 - math.cos(2.5))) < 1e-7, (name, got)
END

# an alpha of 0 is one that was given: of a joint nothing else comes of it
call 0 sensitivity "$examples/pendulum.yaml" --parameter parameters.length -y rod.x --t-end 1 \
    --rtol 1e-9 --json
cp "$directory/out" "$directory/usual"
call 0 sensitivity "$examples/pendulum.yaml" --parameter parameters.length -y rod.x --t-end 1 \
    --rtol 1e-9 --alpha 0 --json
python3 - "$directory/usual" "$directory/out" <<'END' || problem "$called: an alpha of 0"
import json, sys
found = [json.load(open(name))["sensitivity"]["rod.x"] for name in sys.argv[1:]]
usual, none = (one["parameters.length"] for one in found)
assert abs(usual - none) < 1e-7*abs(usual), (usual, none)
END

# through sticking and slipping, against central differences of runs; by the driver that takes more
# steps, too
call 0 sensitivity "$examples/pulled_block.yaml" --parameter bodies.block.mass --rtol 1e-9 \
    --driver explicit8 --json
cp "$directory/out" "$directory/explicit8"
call 0 sensitivity "$examples/pulled_block.yaml" --parameter bodies.block.mass --rtol 1e-9 \
    --driver ida --json
cp "$directory/out" "$directory/ida"
for mass in 1.9999 2.0001; do
    call 0 run "$examples/pulled_block.yaml" --set "bodies.block.mass=$mass kg" --rtol 1e-12 \
        --driver explicit8 --json
    cp "$directory/out" "$directory/run$mass"
done
python3 - "$directory" <<'END' || problem "derivatives through sticking are wrong"
import json, sys
load = lambda name: json.load(open(sys.argv[1] + "/" + name))
low, high = load("run1.9999")["final"], load("run2.0001")["final"]
for driver in "explicit8", "ida":
    found = load(driver)["sensitivity"]
    for name in "block.x", "block.vx", "energy.kinetic", "energy.supplied", "energy.dissipated":
        got, wanted = found[name]["bodies.block.mass"], (high[name] - low[name]) / 2e-4
        assert abs(got - wanted) < 1e-5 * abs(wanted), (driver, name, got, wanted)
END

# a value of 0 has a derivative, that of a damper that is not there too, and no per cents:
# q(t) = exp(-Rt/2) (cos wt + R/(2w) sin wt) with w -> 1 gives dq/dR = (sin t - t cos t)/2
call 0 sensitivity --graph '1a>I;1a>R{0};1a>C{q=1}' --t-end 1 --rtol 1e-9 --parameter R --json
python3 - "$directory/out" <<'END' || problem "$called: the derivative at 0"
import json, math, sys
found = json.load(open(sys.argv[1]))
assert found["parameters"] == {"R": 0}, found["parameters"]
got, wanted = found["sensitivity"]["C.q"]["R"], (math.sin(1) - math.cos(1))/2
assert abs(got - wanted) < 1e-8, (got, wanted)
assert found["relative"]["C.q"]["R"] is None
END
cat >"$directory/zero.yaml" <<'END'
halfarrow: 1
gravity: [0, 0]
ground: {points: {O: [0, 0]}}
bodies: {m: {mass: 1, inertia: 1, points: {P: [0, 0]}, start: {x: 1, y: 0, fixed: [x, y]}}}
joints: {guide: {type: translational, between: [ground.O, m.P]}}
forces: {spring: {type: spring-damper, on: guide, stiffness: 1, damping: 0}}
simulate: {t_end: 1 s, rtol: 1e-9}
END
call 0 sensitivity "$directory/zero.yaml" --parameter forces.spring.damping -y m.x --json
python3 - "$directory/out" <<'END' || problem "$called: the derivative by a damping of 0"
import json, math, sys
got = json.load(open(sys.argv[1]))["sensitivity"]["m.x"]["forces.spring.damping"]
assert abs(got - (math.sin(1) - math.cos(1))/2) < 1e-8, got
END
call 2 sensitivity "$directory/zero.yaml" --parameter forces.spring.damping -o "$directory/s.gp"
has err 'all values are 0'
sed 's/stiffness: 1, damping: 0/stiffness: 0, damping: 1/' "$directory/zero.yaml" \
    >"$directory/loose.yaml"
call 2 sensitivity "$directory/loose.yaml" --parameter forces.spring.stiffness -y m.x
has err 'no sensitivities to `forces.spring.stiffness` at its value 0'

# over the run: a column for each, the last row that of the end
call 0 sensitivity "$examples/pendulum.yaml" --parameter parameters.length,bodies.rod.mass \
    -y rod.angle --t-end 1 --step 0.25 -o "$directory/s.csv"
head -n 1 "$directory/s.csv" | grep -q '^t \[s\],d(rod.angle)/d(parameters.length)' ||
    problem "$called: the table has no column for the length"
[ "$(wc -l <"$directory/s.csv")" -eq 6 ] || problem "$called: not five rows"

call 0 plot "$directory/s.csv" -y rod.angle -o "$directory/s.gp"
has s.gp 'd(rod.angle)/d(bodies.rod.mass)'

# as a plot, the largest influence above
if command -v gnuplot >/dev/null; then
    call 0 sensitivity "$examples/pendulum.yaml" --t-end 1 -y rod.angle,O.fy \
        --parameter parameters.length,bodies.rod.inertia -o "$directory/s.svg"
    has s.svg 'parameters.length'
fi

# what cannot be had
sed -e 's/^gravity.*/parameters: {T: 1 s, u: 2}/' -e 's/rtol: 1e-9/rtol: 1e-6/' \
    -e 's/^forces.*/forces: {f: {type: force, on: m.P, value: ["if(t > T, u, 0)", 0]}}/' \
    "$directory/zero.yaml" >"$directory/edge.yaml"
for names in parameters.T parameters.T,parameters.u; do
    call 2 sensitivity "$directory/edge.yaml" --parameter $names
    has err 'the condition `t - T` is on its edge at 1 s'
done
call 2 sensitivity "$examples/pendulum.yaml"
has err 'needs what to differentiate with respect to: --parameter PATH'
call 2 sensitivity "$examples/pendulum.yaml" --parameter bodies.rod.height
has err 'gives no value at `bodies.rod.height`'
call 2 sensitivity --graph "$graph" --t-end 1 --parameter L
has err 'no element or parameter `L`'
call 2 sensitivity --graph "$graph" --parameter R
has err 'need an end time above 0'
call 1 sensitivity "$examples/pendulum.yaml" --parameter simulate.rtol
has err "read as a number while the model is built"
finish
