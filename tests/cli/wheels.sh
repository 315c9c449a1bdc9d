#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Wheels: numbers of Zimmer's examples at other times, powers in each row, ideal wheels that do not
# slide, the equations of a car with trailer, one car on a slope by every method, pictures.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit
cd "$directory" || exit 1

cat >rows.py <<'END'
import csv
def rows(name):
    with open(name) as file:
        return [{k.split(" [")[0]: float(v) for k, v in row.items()}
                for row in csv.DictReader(file)]
END

# numbers EXAMPLE TIME NAME VALUE ...: found by independent programs, to 9 digits
numbers() {
    local example=$1 time=$2
    shift 2
    call 0 run -q "$examples/$example.yaml" --t-end "$time" -o "$example.csv"
    python3 - "$example.csv" "$@" <<'END' || problem "$example at $time s"
import sys
from rows import rows
last, bad = rows(sys.argv[1])[-1], 0
for name, value in zip(sys.argv[2::2], sys.argv[3::2]):
    places = len(value.partition(".")[2])
    # the number is rounded where its digits end
    if not abs(last[name] - float(value)) <= 1e-9*abs(float(value)) + 0.5*10.0**-places:
        bad = 1
        print(name, last[name], value)
sys.exit(bad)
END
}
numbers zimmer_air_drag 1 body.omega -3.71646120377085 body.angle -4.29495248412872
numbers zimmer_air_drag 5 body.omega -1.83363148479428 body.angle -14.5228528441682
numbers zimmer_single_track 1 bodyFront.x -0.06357978956 bodyFront.y 1.164837007 \
    bodyFront.angle 0.300149465 bodyFront.omega -0.6451382182 front.angle 0.9166933792 \
    front.v_long 0.5345937494 rear.angle 0.8798853755 rear.v_long 0.5357783510 \
    steer.angle 0.2201702770 steer.omega -0.698934768
numbers zimmer_two_track 1 body1.x -0.0003796630772 body1.y 0.08377675932 \
    body1.angle 0.0050135106 body1.vx -0.00081180845 body1.vy 0.1699882535 \
    body1.omega 0.001462777183 steer.angle -0.1547360805 steer.omega 0.4757976848 \
    FL.omega 0.668434687 RL.omega 0.683898763 RR.omega 0.692797342 FR.omega 0.677286225

# the power of what drives is the rate of all energies and what the slip loses, in every row
cat >power.py <<'END'
import json, sys
from rows import rows
bodies = lambda *names: [f"{b}.{c}" for b in names for c in ("x", "y", "angle")]
sources, stores, drag, wheels = {
    "ideal_wheel": (["engine"], bodies("body") + ["wheel.inertia"], [], []),
    "dry_wheel": (["engine"], bodies("body") + ["wheel.inertia"], [], ["wheel"]),
    "slip_wheel": (["engine"], bodies("body") + ["wheel.inertia"], [], ["wheel"]),
    "single_track": (["engine"], bodies("bodyRear", "bodyFront"), ["drag"], []),
    "two_track": (["engine", "driver"], bodies("body1", "left", "right") +
                  [w + ".inertia" for w in ("FL", "RL", "RR", "FR")], [], ["FL", "RL", "RR", "FR"]),
}[sys.argv[1]]
if len(sys.argv) < 3:
    print(json.dumps([f"power({name})" for name in sources + stores + drag] + wheels))
    sys.exit()
most = 0.0
for row in rows(sys.argv[2]):
    off = sum(row[f"power({name})"] for name in sources)
    off -= sum(row[f"power({name})"] for name in stores + drag)
    for w in wheels:
        loss = row[w + ".f_long"]*row[w + ".slip_long"] + row[w + ".f_lat"]*row[w + ".slip_lat"]
        assert loss >= 0.0
        off -= loss
    most = max(most, abs(off))
if not most <= 1e-9:
    sys.exit(f"off by {most} W")
END
# from rest, where speeds and what they may be off by are next to nothing, the implicit method too
call 0 run "$examples/zimmer_two_track.yaml" --json
speed=$(awk '$1 == "\"final\":" { on = 1 } on && $1 == "\"body1.omega\":" { print $2 + 0; exit }' \
    "$directory/out")
for rtol in 1e-10 1e-11 1e-12; do
    call 0 run "$examples/zimmer_two_track.yaml" --driver ida --rtol $rtol --json
    near body1.omega "$speed" 1e-8
done
for example in ideal_wheel dry_wheel slip_wheel single_track two_track; do
    call 0 run -q "$examples/zimmer_$example.yaml" --set "outputs=$(python3 power.py $example)" \
        -o power.csv
    python3 power.py $example power.csv || problem "the powers of zimmer_$example"
done

# ideal wheels do not slide, in no row and not between them, whatever the method and the tolerance
for driver in ida explicit explicit8; do
    for example in trailer zimmer_single_track parallel_parking; do
        call 0 run -q "$examples/$example.yaml" --projection steps --rtol 1e-6 --driver $driver \
            --step 0.05 --json -o ideal.csv
        python3 - <<'END' || problem "$example slides with $driver"
import json
from rows import rows
is_slip = lambda name: name.endswith(".slip_lat") or name.endswith(".slip_long")
peaks = json.load(open("out"))["peaks"]
most = max(max(p["max"], -p["min"]) for name, p in peaks.items() if is_slip(name))
for row in rows("ideal.csv"):
    most = max([most] + [abs(x) for name, x in row.items() if is_slip(name)])
if not most <= 1e-12:
    raise SystemExit(f"{most} m/s")
END
    done
done

# a car with a trailer on its rear axle: CommonRoad's kinematic model KST (vehicle 4: wheelbase
# 3.6 m, of the trailer 8.1 m), its rate of the angle between them
cat >kst.yaml <<'END'
halfarrow: 1
gravity: [0, 0]
bodies:
  truck:
    mass: 8000
    inertia: 20000
    points: {R: [0, 0], F: [3.6, 0]}
    start: {x: 0, y: 0, angle: 0, vx: 16.3546957860883566, fixed: [x, y, angle, vx]}
  trailer:
    mass: 4000
    inertia: 10000
    points: {axle: [0, 0], hitch: [8.1, 0]}
    start: {angle: 0.0294717351052816, fixed: [angle]}
joints:
  R: {type: wheel, on: truck.R, radius: 0.5, model: ideal}
  F: {type: wheel, on: truck.F, radius: 0.5, model: ideal, steer: 0.0378491427211811}
  axle: {type: wheel, on: trailer.axle, radius: 0.5, model: ideal}
  hitch: {type: revolute, between: [truck.R, trailer.hitch]}
outputs: [{rate: trailer.omega - truck.omega}]
simulate: {t_end: 0}
END
call 0 run kst.yaml --json
near rate -0.23152742969444276 2e-13

# with the hitch behind the axle, forwards and in reverse (Lamiraux, Sekhavat, Laumond 1999, section
# 2; Rouchon, Fliess, Levine, Martin 1993): with v of the rear axle, w = v tan(delta)/L,
#   x' = v cos a, y' = v sin a, a' = w, b' = -(v/l) sin b - (1 + (c/l) cos b) w, b = a_trailer - a
call 0 run -q "$examples/trailer.yaml" -o trailer.csv
python3 - <<'END' || problem "the equations of a car with trailer"
from math import cos, sin, tan
from rows import rows
c, l, L = 0.8, 3.0, 2.6
speeds = []
for x in rows("trailer.csv"):
    v, a = x["rear.v_long"], x["car.angle"]
    w, b = v*tan(0.3*sin(0.8*x["t"]))/L, x["trailer.angle"] - a
    wanted = {"car.rear.vx": v*cos(a), "car.rear.vy": v*sin(a), "car.omega": w,
              "trailer.omega": -v/l*sin(b) - c/l*cos(b)*w}
    for name, value in wanted.items():
        if not abs(x[name] - value) <= 1e-12*max(1.0, abs(v)):
            raise SystemExit(f"{name} at {x['t']} s is {x[name]!r}, not {value!r}")
    speeds.append(v)
assert max(speeds) > 1.5 and min(speeds) < -1.0, (min(speeds), max(speeds))
END

# one car up a slope, braked, parked and rolled back, by every method: for an hour by those that
# take long steps at rest, for six minutes by those whose steps stay short
for driver in ida explicit explicit8 auto; do
    release=3610
    case $driver in explicit*) release=370 ;; esac
    call 0 run -q "$examples/parked_car.yaml" --set parameters.start=$release \
        --t-end $((release + 4)) --driver $driver --json -o slope.csv
    near t_reached $((release + 4)) 1e-9
    near car.vx -7.5557108 1e-6 # of all of them
    near car.x -3.821354 2e-6
    python3 - <<'END' || problem "the parked car with $driver"
import json
from rows import rows
table = rows("slope.csv")
x = [row["car.x"] for row in table if 10 <= row["t"] <= table[-1]["t"] - 14]
events = json.load(open("out"))["events"]
assert max(x) - min(x) < 1e-9, max(x) - min(x)
assert 4 <= events < 1000, events
END
done

# the constraints on velocities: in the report, in JSON, in the diagram
call 0 check "$examples/trailer.yaml"
has out 'some of velocities alone'
has out '3 of velocities alone: rear.lat, front.lat'
has out 'mobility             4 by counting, 4'
has out 'mobility of speeds   1 by counting, 1'
call 0 check "$examples/trailer.yaml" --json
python3 -c 'import json; r = json.load(open("out"))
assert r["velocity_constraints"] == ["rear.lat", "front.lat", "axle.lat"], r
assert (r["mobility"], r["speed_mobility"]) == (4, 1), r' || problem "what check tells of wheels"
call 0 draw "$examples/trailer.yaml" -o trailer.dot
grep -q '"front.lat" \[label=<rSe\[α\]<' trailer.dot || problem "no mark at the sink of a wheel"
grep -q '"hitch" \[label=<<b>rSe\[α,β\]' trailer.dot || problem "no mark at the sink of a hinge"

# arrows: the force of each wheel, from its contact, in its direction
call 0 draw --mechanism --arrows "$examples/zimmer_two_track.yaml" --at 1.5 -o arrows.svg
call 0 run -q "$examples/zimmer_two_track.yaml" -o two.csv
python3 - <<'END' || problem "the arrows of forces"
import re
from math import atan2, pi
from rows import rows
row = min(rows("two.csv"), key=lambda row: abs(row["t"] - 1.5))
found = []
arrow = r'class="force" d="M(.*?)L.*?class="force tip" d="M(.*?)L'
for tail, head in re.findall(arrow, open("arrows.svg").read()):
    (a, b), (c, d) = (map(float, point.split()) for point in (tail, head))
    found.append(atan2(d - b, c - a))
for wheel in "RL", "RR":
    wanted = atan2(row[wheel + ".fy"], row[wheel + ".fx"])
    if not any(abs((angle - wanted + pi) % (2*pi) - pi) < 1e-3 for angle in found):
        raise SystemExit(f"no arrow of {wheel} at {wanted}: {found}")
END
call 0 draw --mechanism "$examples/zimmer_two_track.yaml" -o plain.svg
grep -q 'class="force"' plain.svg && problem "arrows that nobody asked for"
finish
