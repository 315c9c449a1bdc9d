#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# halfarrow statics, and runs and linearisations that start from there.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

# Andrews' mechanism with its torque of 0.033 N.m: numbers from a solution of its seven equations
call 0 statics "$examples/andrews.yaml" --json
keys status stable iterations error final
has out '"stable": true'
near O.angle 3.284208655964 1e-11
near H.angle -3.23972715433 1e-10
near B.angle 0.0414050566721 1e-12
near G.angle -0.533710955747 1e-11
near A5.angle 0.524440117702 1e-11
near A7.angle 1.04809828 1e-8
near energy.potential 0.451619582548 1e-12

call 0 statics "$examples/pendulum.yaml"
has out "stability                stable"

# a drive stays where it is at the start, and bears the load
call 0 statics "$examples/slider_crank_driven.yaml" --json
has out '"stable": true'

call 0 linearise "$examples/andrews.yaml" --at equilibrium --json
has out '"equilibrium": true'
has out "424.56177"

call 0 run "$examples/pendulum.yaml" --start equilibrium --json
near rod.y -0.5 1e-12
near rod.omega 0 1e-9
call 0 run "$examples/trailing_arm.yaml" --start equilibrium --json
has out '"status": "done"'

call 1 statics "$examples/four_bar.yaml"
has err "nothing holds \`crank.angle\`"
call 1 run "$examples/belt.yaml" --start equilibrium
has err "cannot start at rest: the constraint of drive.drive"
call 1 statics --graph 'Sf{1}>0>C'
has err "no equilibrium is found"

# a graph in the compact notation has the outputs of its elements
call 0 statics --graph 'Se{12}>1a>R{50}; 1a>I{0.1}' --json
near I.f 0.24 1e-12
near R.e 12 1e-12
call 0 statics --graph 'Se{12}>1a>R{50}; 1a>I{0.1}; 1a>0b; 0b>C{1e-5}; 0b>Rp{100}' --json
near I.f 0.08 1e-12
near C.e 8 1e-11

# a current flows at rest: 12 V on 50 ohm and a coil; beside a capacitor that leaks, where it stays
call 0 run --graph 'Se{12}>1a>R{50}; 1a>I{0.1}' --t-end 1 --start equilibrium --json
near energy.kinetic 0.00288 1e-12
call 0 linearise --graph 'Se{8}>1>I{1}; 1>R{e=f^3}' --at equilibrium --u Se --y I.f
has out "I.p                         -12"
cat >"$directory/lifted.yaml" <<'END'
halfarrow: 1
ground: {points: {O: [0, 0]}}
bodies: {arm: {mass: 1, inertia: 1/12, points: {O: [-0.5, 0]}, start: {angle: -1}}}
joints: {O: {type: revolute, between: [ground.O, arm.O]}}
bondgraph:
  elements:
    V: {type: Se, value: 6}
    J: {type: "1"}
    R: {type: R, value: 1.2}
    L: {type: I, value: 0.02}
    K: {type: GY, value: 0.4}
  bonds: [V > J, J > R, J > L, J > K, K > O.axis]
outputs: [L.f, L.e, O.fy, arm.angle]
END
# 5 A, 2 N.m: cos(angle) = 2 / (0.5 m g)
call 0 statics "$directory/lifted.yaml" --json
near L.f 5 1e-9
near L.e 0 1e-9
near arm.angle -1.1508108448533139 1e-9
near O.fy 9.81 1e-9

# dry friction holds a start that its limit suffices for, whoever shares it; what it does not hold
# slides, one way or the other, until the limit is enough: 20 q = 5 - 2, 20 q - 1 = 2
spring='Se{F} > 1v; 1v > I{1.5}; 1v > C{1/20, q=START}'
for case in "1 0.02 Dry{2} 0.02 0.6" "1 0.02 Dry{2}|Dry_b{3} 0.02 0.3" "5 0 Dry{2} 0.15 2" \
    "1 0.2 Dry{2} 0.15 -2" "1 0.2 Dry{if(t<1,2,0)} 0.15 -2" "5 0 Dry{0} 0.25 0"; do
    read -r force start dry place held <<<"$case"
    graph=${spring/F/$force}
    graph=${graph/START/$start}
    for one in ${dry//|/ }; do
        graph="$graph; 1v > $one"
    done
    call 0 statics --graph "$graph" --json
    near C.q "$place" 1e-12
    near Dry.e "$held" 1e-9
done
call 0 statics --graph "Se{1} > 1v; 1v > I{1.5}; 1v > C{1/20, q=0.02}; 1v > Dry{2}" --json
has out '"stable": true'
# two blocks, one behind the other on springs, that both slide: Se_1 - 1 = -e_1, 3 - 1 + 3 = 10 q_0
for mass in 1 1e6; do
    graph="Se_0{3*M} > 1_0; 1_0 > I_0{M}; 1_0 > Dry_0{M}; 1_0 > C_0{0.1/M, q=-0.3}; 1_0 > 0_1;
        0_1 > C_1{0.1/M}; 0_1 > 1_1; 1_1 > I_1{M}; 1_1 > Dry_1{M}; Se_1{4*M} > 1_1"
    call 0 statics --graph "${graph//M/$mass}" --json
    near C_0.q 0.5 1e-11
    near C_1.q -0.3 1e-11
    near Dry_1.e "$mass" "$(awk -v m="$mass" 'BEGIN { print 1e-9 * m }')"
done
# a block on an incline that the law of Karnopp holds stays where it is put, one that it does not
# goes to m g sin(a) + k d = mu_s N; a run from either stays
incline() {
    cat <<END
halfarrow: 1
parameters: {a: 0.25 rad, s: $1}
ground: {points: {O: {at: [0, 0], axis: a}}}
bodies:
  b: {mass: 3, inertia: 0.1, points: {P: [0, 0]},
      start: {angle: a, x: s*cos(a), y: s*sin(a), fixed: [x]}}
joints: {slide: {type: translational, between: [ground.O, b.P]}}
forces:
  k: {type: force, on: b.P, value: [-50*slide.slide*cos(a), -50*slide.slide*sin(a)]}
  f: {type: friction, on: slide, friction: 0.3, static_friction: 0.4, friction_law: karnopp}
outputs: [slide.slide, f.force]
simulate: {t_end: 2}
END
}
weight=$(awk 'BEGIN { printf "%.17g", 3 * 9.81 * sin(0.25) }')
limit=$(awk 'BEGIN { printf "%.17g", 0.4 * 3 * 9.81 * cos(0.25) }')
for start in 0.05 -0.3 1; do
    incline "$start" >"$directory/incline.yaml"
    rests=$(awk -v s="$start" -v w="$weight" -v l="$limit" 'BEGIN {
        printf "%.17g", (50 * s > l - w ? (l - w) / 50 : 50 * s < -l - w ? (-l - w) / 50 : s) }')
    for call in "statics" "run --start equilibrium"; do
        call 0 $call "$directory/incline.yaml" --json
        near slide.slide "$rests" 1e-8
        near f.force "$(awk -v s="$rests" -v w="$weight" \
            'BEGIN { printf "%.17g", w + 50 * s }')" 1e-5
    done
done

# what holds a position that is fixed, and the forces then: not those of letting go
cat >"$directory/held.yaml" <<'END'
halfarrow: 1
gravity: [0, -9.81]
ground: {points: {O: [0, 0]}}
bodies: {rod: {mass: 1, inertia: 1/12, points: {O: [-0.5, 0]}, start: {angle: 0, fixed: [angle]}}}
joints: {O: {type: revolute, between: [ground.O, rod.O]}}
outputs: [O.fy, rod.alpha, rod.ay]
END
call 0 statics "$directory/held.yaml" --keep-fixed --json
near O.fy 9.81 1e-9
near rod.alpha 0 1e-12
near rod.ay 0 1e-12
near rod.angle 4.905 1e-9
call 0 statics "$directory/held.yaml" --keep-fixed
has out "held: rod.angle          by 4.905 N.m"

# above 300 states the energy says it: a chain of 160 links that stands upright, and hangs
chain() {
    awk -v angle="$1" -v sign="$2" 'BEGIN {
        print "halfarrow: 1\nground: {points: {O: [0, 0]}}\nbodies:"
        for (i = 0; i < 160; i++) {
            printf "  b%d: {mass: 1, inertia: 1/12, points: {P: [-0.5, 0], Q: [0.5, 0]}, ", i
            printf "start: {angle: %s deg, y: %s%d.5}}\n", angle, sign, i
        }
        print "joints:"
        for (i = 0; i < 160; i++) {
            from = i == 0 ? "ground.O" : "b" i - 1 ".Q"
            printf "  j%d: {type: revolute, between: [%s, b%d.P]}\n", i, from, i
        }
    }'
}
chain 90 '' >"$directory/upright.yaml"
chain -90 - >"$directory/hanging.yaml"
call 0 statics "$directory/upright.yaml"
has out "stability                unstable"
call 0 statics "$directory/hanging.yaml"
has out "stability                stable"
# a short rod that stands beside it falls much faster than the lowest modes swing
{
    rod='  rod: {mass: 1, inertia: 1e-5, points: {P: [0, -0.01]}, start: {y: 0.01}}'
    sed "s/^joints:/$rod\n&/" "$directory/hanging.yaml"
    echo '  pin: {type: revolute, between: [ground.O, rod.P]}'
} >"$directory/both.yaml"
call 0 statics "$directory/both.yaml"
has out "stability                unstable"

# any value of a file can be followed: sources, forces, stiffnesses, masses, inputs of signals
cat >"$directory/values.yaml" <<'END'
halfarrow: 1
ground: {points: {O: [0, 0]}}
bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}}}
joints: {J: {type: translational, between: [ground.O, b.P]}}
forces:
  pull: {type: force, on: b.P, value: [2, 0]}
  s: {type: spring-damper, on: J, stiffness: 10 N/m, damping: 3}
bondgraph:
  elements:
    V: {type: Se, value: 12 V}
    1i: {type: "1"}
    R: {type: R, value: 2 ohm}
    C: {type: C, value: 3 mF}
    F: {type: MSe, value: 3*u}
  signals:
    u: {type: lag, input: 3, time_constant: 1, gain: 2}
  bonds: [V > 1i > R, 1i > C, F > J.axis]
outputs: [b.x, C.q]
END
# follows PATH OUTPUT VALUE...: at 1, 2 and 3
follows() {
    local path=$1 name=$2
    shift 2
    call 0 statics "$directory/values.yaml" --sweep "$path" --json
    awk -v name="\"$name\":" -v wanted="$*" '$1 == name { sub(/,$/, "", $2); found[++n] = $2 }
        END { k = split(wanted, v, " ")
            for (i = 1; i <= k; i++) {
                d = found[n - k + i] - v[i]
                if (n < k || d > 1e-9 || d < -1e-9) exit 1
            } }' "$directory/out" || problem "$called: not $*"
}
follows 'bondgraph.elements.V.value=1 V:3 V:3' C.q 0.003 0.006 0.009
follows 'forces.pull.value.0=1:3:3' b.x 1.9 2 2.1
follows forces.s.stiffness=1:3:3 b.x 20 10 6.6666666666666667
follows bondgraph.signals.u.input=1:3:3 b.x 0.8 1.4 2
follows bondgraph.elements.C.value=1:3:3 C.q 12 24 36
call 2 statics "$directory/values.yaml" --sweep 'bondgraph.elements.V.value=1 m:3 m:3'
has err 'the value of `V` is a length'
call 2 statics "$directory/values.yaml" --sweep 'forces.pul.value.0=1:3:3'
has err 'did you mean `pull`?'

# closed oil: its volume is that of the positions where the search ends, however long the way; with
# a leak, however small, the jack sinks onto its end
cat >"$directory/jack.yaml" <<END
halfarrow: 1
include: [$(cd "$top_srcdir" && pwd)/library/jack.yaml]
ground: {points: {O: [0, 0], J: [1, 0]}}
bodies:
  boom:
    mass: 100
    inertia: 50
    points: {O: [-1, 0], L: [0, 0]}
    start: {angle: 40 deg, fixed: [angle]}
parts:
  lift: {type: jack, parameters: {dead: 500 mm, stroke: 900 mm, pressure: 3 MPa, bulk: 10 MPa},
    start: {x: 1, y: 0, angle: 110 deg}}
joints:
  A: {type: revolute, between: [ground.O, boom.O]}
  B: {type: revolute, between: [ground.J, lift.base]}
  C: {type: revolute, between: [lift.tip, boom.L]}
bondgraph:
  elements: {pump: {type: Sf, value: 0}, tank: {type: Se, value: 0}}
  bonds: [pump > lift.supply, tank > lift.tank]
outputs: [lift, lift.oil_cap.q]
END
call 0 run "$directory/jack.yaml" --t-end 0 --json
mv "$directory/out" "$directory/start"
call 0 statics "$directory/jack.yaml" --json
python3 - "$directory/start" "$directory/out" <<'END' || problem "the volume of closed oil"
import json, math, sys
start, rest = (json.load(open(path))["final"] for path in sys.argv[1:])
area = math.pi / 4 * 0.08**2
moved = rest["lift.guide.slide"] - start["lift.guide.slide"]
volume = rest["lift.oil_cap.q"] - start["lift.oil_cap.q"]
assert moved > 0.1 and abs(volume / area + moved) < 1e-13, (moved, volume / area + moved)
END
for leak in 1e-18 1e-12 1e-8; do
    call 0 statics "$directory/jack.yaml" --set parts.lift.parameters.leakage=$leak --json
    python3 - "$directory/out" <<'END' || problem "a jack with a leak of $leak"
import json, sys
found = json.load(open(sys.argv[1]))
assert found["final"]["lift.guide.slide"] < -0.45, found
assert abs(found["final"]["lift.oil_cap.e"]) < 1, found
assert found["iterations"] < 200, found
END
done

# a braked car holds on a slope by the deflection of its tyres: what keeps their law clear of a
# division by 0 lets it creep by micrometres in a century, which is at rest
call 0 statics "$examples/parked_car.yaml" --set joints.front.brake=1500 \
    --set joints.rear.brake=1500 --set bondgraph.elements.engine.value=0 --json
python3 - "$directory/out" <<'END' || problem "the car that is parked"
import json, math, sys
final = json.load(open(sys.argv[1]))["final"]
pull = 1200 * 9.81 * math.sin(math.atan(0.2))
assert abs(final["front.fx"] + final["rear.fx"] - pull) < 1e-8 * pull, final
END

# of the many equilibria that friction allows a run starts from the one that statics finds, whatever
# alpha the run has
cat >"$directory/pair.yaml" <<'END'
halfarrow: 1
bondgraph:
  elements:
    1a: {type: "1"}
    A: {type: I, value: 1}
    D: {type: Dry, value: 4}
    wall_a: {type: C, value: 1/17, q: 0}
    0c: {type: "0"}
    spring: {type: C, value: 1/14, q: -1.4}
    1b: {type: "1"}
    B: {type: I, value: 1}
    wall_b: {type: C, value: 1/17, q: 1.4}
  bonds: [1a > A, 1a > D, 1a > wall_a, 1a > 0c > spring, 0c > 1b > B, 1b > wall_b]
simulate: {t_end: 1}
outputs: [wall_a.q, D.e]
END
call 0 statics "$directory/pair.yaml" --json
mv "$directory/out" "$directory/rest"
for alpha in 1 20 1000; do
    call 0 run "$directory/pair.yaml" --start equilibrium --alpha $alpha --json
    python3 - "$directory/rest" "$directory/out" <<'END' || problem "alpha $alpha: another one"
import json, sys
rest, run = (json.load(open(path))["final"] for path in sys.argv[1:])
assert all(abs(rest[name] - run[name]) < 1e-9 for name in rest), (rest, run)
END
done

# over a load that rises and falls friction drags behind: 2 N hold, then q = (F -+ 2)/10
cat >"$directory/dragged.yaml" <<'END'
halfarrow: 1
parameters: {F: 0}
bondgraph:
  elements:
    S: {type: Se, value: F}
    1a: {type: "1"}
    I: {type: I, value: 1}
    D: {type: Dry, value: 2}
    C: {type: C, value: 0.1}
  bonds: [S > 1a > I, 1a > D, 1a > C]
outputs: [C.q, D.e]
END
# drags FROM:TO Q...: at 7 values of the force
drags() {
    call 0 statics "$directory/dragged.yaml" --sweep "parameters.F=$1:7" --json
    python3 - "$directory/out" "$@" <<'END' || problem "friction over $1"
import json, sys
found = json.load(open(sys.argv[1]))["points"]
wanted = [float(q) for q in sys.argv[3:]]
assert len(found) == len(wanted), found
for point, q in zip(found, wanted):
    e = point["value"] - 10*q
    assert abs(point["final"]["C.q"] - q) < 1e-9 and abs(point["final"]["D.e"] - e) < 1e-8, point
    assert point["stable"] is (None if abs(abs(e) - 2) < 1e-9 else True), point
END
}
drags 0:6 0 0 0 0.1 0.2 0.3 0.4
drags 6:0 0.4 0.4 0.4 0.4 0.4 0.3 0.2
drags 6:-6 0.4 0.4 0.4 0.2 0 -0.2 -0.4

finish
