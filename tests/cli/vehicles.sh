#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Vehicles: linear single-track vehicles against closed forms and published numbers, parking on
# ideal wheels, shimmy, parts of the library, a car on a slope.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit
cd "$directory" || exit 1

library=$(cd "$top_srcdir/library" && pwd)

# linear FILE: its 2 x 2 system of lateral speed (of the body) and yaw rate, by the steering angle
cat >linear.py <<'END'
import json, sys
def read(name="out"):
    found = json.load(open(name))
    k = {s: i for i, s in enumerate(found["states"])}
    v, w = k["car.vy"], k["car.omega"]
    A, B = found["A"], found["B"]
    # inertial axes at the angle 0: the lateral speed of the body is vy - U angle
    return ((A[v][v], A[v][w]), (A[w][v], A[w][w])), (B[v][0], B[w][0])
def near(name, found, wanted, relative=1e-10):
    if abs(found - wanted) > relative * abs(wanted):
        sys.exit(f"{name} is {found!r}, not {wanted!r}")
END

# eigenvalues and yaw gain at 10 m/s; K = m (b Cr - a Cf)/(L Cf Cr)
call 0 linearise "$examples/bicycle.yaml" --u parameters.delta --y car.omega --json
python3 - <<'END' || problem "eigenvalues and yaw gain of the linear bicycle"
from linear import *
import cmath
((a, b), (c, d)), (f, g) = read()
U, L, K = 10.0, 2.6, 1500*(1.4*9e4 - 1.2*8e4)/(2.6*8e4*9e4)
near("K", K, 0.0024038461538462, 1e-13)
b -= U
half, det = (a + d)/2, a*d - b*c
root = half + cmath.sqrt(half*half - det)
near("real part", root.real, -11.4986666666667)
near("imaginary part", abs(root.imag), 3.09397234778995)
near("yaw gain", (c*f - a*g)/det, U/(L + K*U*U))
near("yaw gain", (c*f - a*g)/det, 3.5206499661476)
END

# an oversteering one is unstable from sqrt(-L/K) on: there the determinant is 0
speed=$(python3 -c 'import math; print(math.sqrt(-2.6/(1500*(1.4*6e4 - 1.2*9e4)/(2.6*9e4*6e4))))')
call 0 linearise "$examples/bicycle.yaml" --u parameters.delta --y car.omega --json \
    --set parameters.Cf=9e4 --set parameters.Cr=6e4 --set "parameters.U=$speed"
python3 - "$speed" <<'END' || problem "the critical speed of the linear bicycle"
from linear import *
((a, b), (c, d)), _ = read()
b -= float(sys.argv[1])
if not abs(a*d - b*c) <= 1e-10*abs(a*d):
    sys.exit(f"determinant {a*d - b*c} of {a*d}")
END

# the dynamic single-track model of CommonRoad: its rates of yaw rate and side-slip angle,
# published to 16 digits, which are linear in the angles; the loads are those of its acceleration
python3 - >track.yaml <<'END'
m, a, b, I = 1093.2952334674046, 1.1561957064, 1.4227170936, 1791.5995300122856
h, g, mu = .61373004, 9.81, 1.0489
ax, v, C = 5.3536773276413925, 15.7216236334290116, 21.92/1.0489
front, rear = (mu*C*m*(g*b - ax*h)/(a + b), mu*C*m*(g*a + ax*h)/(a + b))
print(f"""halfarrow: 1
gravity: [0, 0]
parameters: {{delta: 0}}
bodies:
  car:
    mass: {m}
    inertia: {I}
    points: {{F: [{a}, 0], R: [-{b}, 0]}}
    start: {{angle: 0, vx: {v}, vy: 0, omega: 0}}
joints:
  F:
    {{type: wheel, on: car.F, radius: 0.344, steer: delta, model: linear,
      slip_stiffness: [1, {front!r}], speed_floor: 1}}
  R:
    {{type: wheel, on: car.R, radius: 0.344, model: linear,
      slip_stiffness: [1, {rear!r}], speed_floor: 1}}
simulate: {{t_end: 1}}""")
END
call 0 linearise track.yaml --u parameters.delta --y car.omega --json
python3 - <<'END' || problem "the published single-track model"
from linear import *
((a, b), (c, d)), (f, g) = read()
delta, v, w, beta = .0197545248559617, 15.7216236334290116, .0529001056654038, .0033012170610298
near("rate of the yaw rate", c*v*beta + d*w + g*delta, .6435589397748606, 1e-12)
near("rate of the side-slip angle", (a*v*beta + b*w + f*delta)/v - w, .0313297971641291, 1e-12)
END

# the kinematic one, on ideal wheels
cat >kinematic.yaml <<'END'
halfarrow: 1
gravity: [0, 0]
bodies:
  car:
    mass: 1000
    inertia: 1500
    points: {R: [-1.4227170936, 0], F: [1.1561957064, 0]}
    start:
      angle: 0.0294717351052816
      at: {R: {vx: "16.3546957860883566*cos(0.0294717351052816)"}}
      fixed: [angle, R.vx]
joints:
  F: {type: wheel, on: car.F, radius: 0.3, steer: 0.0378491427211811, model: ideal}
  R: {type: wheel, on: car.R, radius: 0.3, model: ideal}
simulate: {t_end: 0}
END
call 0 run kinematic.yaml --json
near car.R.vx 16.3475935934250209 1e-13
near car.R.vy .4819314886013121 1e-12
near car.omega .2401426578627629 1e-12

# parking: the rear axle stands at -S J0(a) (cos a, sin a), a = k0 S/(2 pi), straight as before
call 0 run "$examples/parallel_parking.yaml" --json
python3 - <<'END' || problem "where the car stands in the end"
import json
from linear import near
from math import cos, factorial, pi, sin
a = 0.25*8/(2*pi)
J0 = sum((-1)**k*(a/2)**(2*k)/factorial(k)**2 for k in range(15))
r = json.load(open("out"))
near("x", r["final"]["car.rear.x"], -8*J0*cos(a))
near("y", r["final"]["car.rear.y"], -8*J0*sin(a))
assert abs(r["final"]["car.angle"]) < 1e-10, r["final"]["car.angle"]
for wheel in "rear", "front":
    slip = r["peaks"][wheel + ".slip_lat"]
    assert max(slip["max"], -slip["min"]) <= 1e-12, slip
END

# shimmy: I s^3 + (I V/sigma) s^2 + (C/sigma) e^2 s + (C/sigma) e V = 0, stable where e > sigma
for trail in 0.06 0.12 0.2; do
    call 0 linearise "$examples/caster_shimmy.yaml" --y fork.angle --json \
        --set bodies.fork.start.angle=0 --set parameters.e=$trail
    python3 - $trail <<'END' || problem "the roots of shimmy, trail $trail"
import json, sys
e, sigma, V, C = float(sys.argv[1]), 0.12, 5.0, 1.5*0.9*200/0.15
I = 1e-3 + 0.8*e*e
roots = [complex(*z) for z in json.load(open("out"))["eigenvalues"]]
roots = [z for z in roots if abs(z) > 1e-6]
assert len(roots) == 3, roots
for z in roots:
    rest = I*z**3 + I*V/sigma*z*z + C/sigma*e*e*z + C/sigma*e*V
    assert abs(rest) < 1e-10*(C/sigma*e*V), (z, rest)
most = max(z.real for z in roots)
assert (abs(most) < 1e-9) if e == sigma else (most > 0) == (e < sigma), most
END
done

# a car of the library: loads shift by m a h/L and m a h/track, and the sum of them stays
call 0 run -q "$examples/lane_change.yaml" -o lane.csv
python3 - <<'END' || problem "loads of the wheels in a change of lanes"
import csv
from math import cos, sin
rows = list(csv.DictReader(open("lane.csv")))
m, a, b, h, w, g = 1400.0, 1.2, 1.4, 0.5, 1.5, 9.81
most = 0.0
for row in rows[1:]:
    x = {k.split(" ")[0]: float(v) for k, v in row.items()}
    n = {k: x[f"car.{k}.load"] for k in ("FL", "FR", "RL", "RR")}
    c, s = cos(x["car.chassis.angle"]), sin(x["car.chassis.angle"])
    drag = 0.3*2.1*1.2/2*(x["car.chassis.nose.vx"]*c + x["car.chassis.nose.vy"]*s)**2
    along = m*(x["car.chassis.ax"]*c + x["car.chassis.ay"]*s) + drag
    across = m*(x["car.chassis.ay"]*c - x["car.chassis.ax"]*s)
    most = max(most, abs(across))
    assert abs(sum(n.values()) - m*g) < 1e-8*m*g
    assert abs(n["RL"] + n["RR"] - m*g*a/(a + b) - along*h/(a + b)) < 1e-6*m*g, x["t"]
    assert abs(n["FR"] - n["FL"] - across*h/w) < 1e-6*m*g, x["t"]
assert most > 4000
assert abs(x["car.chassis.y"] - 3.03) < 0.05 and abs(x["car.chassis.angle"]) < 0.01
END

# slowly driven, both cars turn with the curvature tan(steering)/(a + b)
for part in single_track two_track; do
    cat >"$part.yaml" <<END
halfarrow: 1
include: [$library/vehicle.yaml]
gravity: [0, 0]
parts:
  car:
    type: $part
    parameters: {steering: 0.2, height: 0}
    start: {vx: 0.5, omega: "0.5*tan(0.2)/2.6"}
bondgraph: {elements: {hand: {type: Sf, value: 0}}, bonds: [hand > car.steer]}
simulate: {t_end: 10, rtol: 1e-9}
END
    call 0 run "$part.yaml" --json
    python3 - "$part" <<'END' || problem "the circle of a slow $part"
import json, sys
from math import hypot, tan
r = json.load(open("out"))["final"]
speed = hypot(r["car.chassis.vx"], r["car.chassis.vy"])
curvature = tan(0.2)/2.6
turning = curvature/(1 + (1.4*curvature)**2)**0.5
assert abs(r["car.chassis.omega"]/speed/turning - 1) < 2e-3, (r["car.chassis.omega"]/speed, turning)
END
done
call 2 run single_track.yaml --set parts.car.parameters.adhesion=0
has err 'above 0'

# a row of cars in one model
cat >fleet.yaml <<END
halfarrow: 1
include: [$library/vehicle.yaml]
gravity: [0, 0]
parts: {car: {type: two_track, count: 5, start: {vx: 10 + i}}}
bondgraph:
  elements: {hand: {type: Sf, value: "0.1*cos(2*t)", for: {i: [0, 4]}}}
  bonds: [{for: {i: [0, 4]}, bond: "hand[i] > car[i].steer"}]
simulate: {t_end: 1}
END
call 0 run fleet.yaml --json

# up a slope, braked, parked for an hour, rolled back
call 0 run -q "$examples/parked_car.yaml" -o slope.csv
python3 - <<'END' || problem "the parked car"
import csv
rows = [{k.split(" ")[0]: float(v) for k, v in row.items()}
        for row in csv.DictReader(open("slope.csv"))]
stands = [r["car.x"] for r in rows if 10 <= r["t"] <= 3600]
assert max(stands) - min(stands) < 1e-9, max(stands) - min(stands)
assert rows[2]["car.vx"] > 4.5 and rows[-1]["car.vx"] < -7, (rows[2], rows[-1])
assert max(abs(r["energy.error"]) for r in rows) < 1e-3
END

# a rack: the angles of both knuckles keep their tie rods as long as they are
call 0 run -q "$examples/rack_steering.yaml" -o rack.csv
python3 - <<'END' || problem "the angles of the knuckles over the way of the rack"
import csv
from math import atan, cos, hypot, sin
L, half, arm, rack = 2.6, 0.7, 0.15, 0.35
b = atan(half/L)
back = arm*cos(b) + 0.02
rod = hypot(half - arm*sin(b) - rack, back - arm*cos(b))
def angle(side, slide):  # of the left (1) or right (-1) knuckle, by bisection near the middle
    def off(q):
        x, y = -arm*cos(b), -side*arm*sin(b)
        return hypot(cos(q)*x - sin(q)*y + back,
                     side*half + sin(q)*x + cos(q)*y - side*rack - slide) - rod
    low, high = -0.6, 0.6
    for _ in range(80):
        middle = (low + high)/2
        low, high = (middle, high) if off(low)*off(middle) > 0 else (low, middle)
    return low
most = 0.0
for row in csv.DictReader(open("rack.csv")):
    x = {k.split(" ")[0]: float(v) for k, v in row.items()}
    for side, name in (1, "pivot_left.angle"), (-1, "pivot_right.angle"):
        assert abs(x[name] - angle(side, x["guide.slide"])) < 1e-7, (x["t"], name, x[name])
    most = max(most, abs(x["pivot_left.angle"]))
    assert abs(x["ackermann"]) < 0.02, x["ackermann"]
assert most > 0.35 and x["car.angle"] > 0.7, (most, x["car.angle"])
END

# pictures: each wheel is a tread, turned by its steering angle
call 0 report "$examples/lane_change.yaml" -o lane.html
for joint in 0 1 2 3; do
    has lane.html "steer-$joint\" transform="
done
call 0 draw --mechanism "$examples/parallel_parking.yaml" --at 2 -o park.svg
# atan(2.6 k), k = -0.25 sin(2 pi s/8), s = 2 - 8/(2 pi)
has park.svg ') rotate(-19.35)"><path'
finish
