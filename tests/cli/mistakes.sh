#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Mistakes that a first model has: what is said of each, and what is not.
# shellcheck disable=SC2016 # backquotes are part of the messages
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

cat >"$directory/arm.yaml" <<'END'
halfarrow: 1
ground: {points: {O: [0, 0]}}
bodies: {arm: {mass: 1, inertia: 0.1, points: {O: [-0.5, 0], tip: [0.5, 0]}}}
joints: {C: {type: revolute, between: [ground.O, arm.O]}}
forces: {T: {type: torque, on: arm, value: -2*arm.omega}}
bondgraph:
  elements:
    V: {type: Se, value: 12 V}
    1i: {type: "1"}
    L: {type: I, value: 3 mH}
    K: {type: GY, value: 0.03 N.m/A}
  bonds: [V > 1i > L, 1i > K > C.axis]
outputs: [arm.angle, L.f]
simulate: {t_end: 0.01}
END
call 0 run "$directory/arm.yaml"

# mistake FROM TO TEXT...: the model with one thing written otherwise is refused with these texts
mistake() {
    sed "s/$1/$2/" "$directory/arm.yaml" >"$directory/wrong.yaml"
    cmp -s "$directory/arm.yaml" "$directory/wrong.yaml" && problem "$1 is not in the model"
    shift 2
    call 2 run "$directory/wrong.yaml"
    for text in "$@"; do
        has err "$text"
    done
}

mistake '-2\*arm.omega' '-2*sgn(arm.omega)' 'unknown function `sgn`; did you mean `sign`?'
mistake '-2\*arm.omega' '-2*arm.w' '`arm` has .x, .y, .angle, .vx, .vy, .omega'
mistake '-2\*arm.omega' '-2*arm.omgea' 'did you mean `arm.omega`?'
mistake 'L.f' 'L.i' '`outputs` asks for `L.i`, which is no output of the model; `L` has .e, .f, .p'
mistake 'L.f' 'K.torque' '`K` has .e1, .f1, .e2, .f2'
mistake 'L.f' 'C.drive' '`C` has .angle' 'has a `.drive` where its `motion` is given'
mistake 'on: arm' 'on: arm.tip' 'names the body `arm.tip`, which is a point; write the body, `arm`'
mistake 'on: arm' 'on: C' 'names the body `C`, which is a joint; write the body, `arm`'
mistake '\[ground.O, arm.O\]' 'ground.O, arm.O' \
    '`between` of joint `C` has more than one value' 'in brackets: between: [ground.O, arm.O]'
mistake '\[-0.5, 0\]' '[-0.5; 0]' '`-0.5; 0`; exactly 2 are expected: separate them by commas'
mistake 'revolute' 'Revolute' 'which is not known; did you mean `revolute`?'
mistake 'revolute' 'screw' 'which is not known; use one of `revolute`, `translational`'
mistake 'revolute' 'hinge' 'which is not known; did you mean `revolute`?'
mistake 'revolute' 'prismatic' 'which is not known; did you mean `translational`?'
mistake '0.03 N.m.A' '0.03 ohm' \
    'the value of `K` is an electric resistance, but a gyrator from electrical to rotational' \
    'V per rad/s'
mistake '0.03 N.m.A' '0.03 kg' 'the value of `K` is a mass'

mistake 'type: GY' 'type: gy' 'element `K` has the unknown type `gy`; did you mean `GY`?'
mistake 'type: GY' 'type: Zq' 'element `K` has the unknown type `Zq`; use one of Se Sf'
mistake 'type: revolute' 'type: revolute, length: 3' \
    'known are type, between, for, motion, start, model, st'

# signals
cat >"$directory/servo.yaml" <<'END'
halfarrow: 1
parameters: {wish: 1}
bondgraph:
  elements: {V: {type: MSe, value: u}, 1i: {type: "1"}, L: {type: I, value: 1}}
  bonds: [V > 1i > L]
  signals:
    speed: {type: lag, input: L.f, time_constant: 1 ms}
    u: {type: pid, input: wish - speed, kp: 1}
simulate: {t_end: 1}
END
call 0 run -q "$directory/servo.yaml"
sed 's/wish - speed/wish - spead/' "$directory/servo.yaml" >"$directory/wrong.yaml"
call 2 run "$directory/wrong.yaml"
has err '`input` of signal `u`: unknown name `spead`; did you mean `speed`?'
sed 's/type: lag/type: lagg/' "$directory/servo.yaml" >"$directory/wrong.yaml"
call 2 run "$directory/wrong.yaml"
has err 'signal `speed` has the unknown type `lagg`; did you mean `lag`?'

# ways and times are of mechanisms
call 2 draw "$examples/pendulum.yaml" -y rod.tip -o "$directory/way.svg"
has err '-y is for pictures of the mechanism; add --mechanism'

# files of another kind
printf '\211PNG\r\n\032\n' >"$directory/picture.png"
call 2 plot "$directory/picture.png"
has err 'picture.png` is a picture, and `plot` takes results, such as result.csv'
printf 't [s],x\n0,0\n' >"$directory/table.csv"
call 2 draw "$directory/table.csv" -o "$directory/table.svg"
has err 'table.csv: error: this is a table of results, and `draw` works on a model'
call 2 check "$directory/table.csv"
has err '`check` works on a model'

# columns by semicolons
printf 't [s];rod.angle [rad]\n0;0\n' >"$directory/semicolon.csv"
call 2 plot "$directory/semicolon.csv" -y rod.angle
has err '`0;0` is more than one number; separate the columns by commas'

# parameters without their section, a word for a time
call 2 run "$examples/pendulum.yaml" --set length='40 mm'
has err 'cannot set `length`: it is a parameter; write `parameters.length`'
call 2 run "$directory/arm.yaml" --set V='6 V'
has err 'cannot set `V`: `V` stands under `elements`; write `bondgraph.elements.V.KEY`'
call 2 run "$directory/arm.yaml" --set arm.mass='2 kg'
has err 'cannot set `arm.mass`: `arm` stands under `bodies`; write `bodies.arm.mass`'

# a parameter of another dimension, where no formula tells: 2 may be of any
call 2 run "$examples/pendulum.yaml" --set parameters.length='2 kg'
has err '`parameters.length`: 2 kg is a mass, but 1 m is a length; give both the same dimension'
call 0 run "$examples/pendulum.yaml" --set parameters.length='40 cm' --t-end '10 ms'
cat >"$directory/vary.yaml" <<'END'
vary: {parameters.length: {list: [1 kg, 2 kg]}}
measure: {a: peak(rod.angle)}
END
call 2 study "$examples/pendulum.yaml" "$directory/vary.yaml" -o "$directory/kg"
has err 'vary.yaml:1:8: error: `parameters.length`: 1 kg is a mass, but 1 m is a length'
cat >"$directory/vary.yaml" <<'END'
vary: {length: {list: [1 m, 2 m]}}
measure: {a: peak(rod.angle)}
END
call 2 study "$examples/pendulum.yaml" "$directory/vary.yaml" -o "$directory/m"
has err 'vary.yaml:1:8: error: cannot set `length`: it is a parameter; write `parameters.length`'

call 2 linearise "$examples/pendulum.yaml" --at rest
has err '`rest` is no time; give a time, such as 0.25 or 28 ms, or `equilibrium`'

# a cell without a number
printf 't,x\n0,1\n1,\n' >"$directory/empty.csv"
call 2 plot "$directory/empty.csv" -y x
has err 'empty.csv:3:3: error: column `x` is empty here; give a number, or leave out the row'
printf 't,x\n0,1\n1,3\n' >"$directory/full.csv"
call 0 plot "$directory/full.csv" -x t -y x -o "$directory/full.gp"

# units that nothing shown has; of several one is enough
call 0 run -q "$examples/pendulum.yaml" --t-end '0.1 s' -o "$directory/rod.csv"
call 2 plot "$directory/rod.csv" -y rod.omega --unit mm -o "$directory/rod.gp"
has err '--unit mm: nothing that is plotted is of this dimension'
call 0 plot "$directory/rod.csv" -y rod.omega --unit mm,rev/min -o "$directory/rod.gp"

# a time after the end of the run
printf 'vary: {parameters.length: {list: [1 m]}}\nmeasure: {a: "at(rod.angle, 5 s)"}\n' \
    >"$directory/late.yaml"
call 0 study "$examples/pendulum.yaml" "$directory/late.yaml" --t-end '0.1 s' \
    -o "$directory/late"
has err 'the measure `a` is not a finite number: at() asks for t = 5 s and the run ends at 0.1 s'

# the outputs that the file lists, and the unit of the value
{
    cat "$examples/pendulum.yaml"
    echo 'outputs: [rod.angle]'
} >"$directory/rod.yaml"
call 0 statics "$directory/rod.yaml" --sweep 'parameters.length=1 m:2 m:3'
has out 'parameters.length [m]'
has out 'rod.angle'
call 0 statics "$examples/pendulum.yaml" --sweep 'parameters.length=1 m:2 m:3' -o "$directory/s.csv"
head -n 1 "$directory/s.csv" | grep -qF 'parameters.length [m]' || problem "$called: no unit"

# a start inside of a contact, the radius forgotten: 20 mm deep Hertz's spring of the file stores
# 26.75 J, which would throw 0.1 kg 26.8 m high at 10 m/s2
call 0 run "$examples/bouncing_mass.yaml" --set bodies.ball.start.y=0 --t-end '0.1 s'
has err 'warning: the run starts 0.02 m inside of the contact `bounce`, whose spring'
has err 'spring then stores 26.8 J, enough to throw all bodies 27 m high'
call 0 run "$examples/bouncing_mass.yaml" --set bodies.ball.start.y=0.02 --t-end '0.1 s'
empty err
# at rest in it: K d^1.5 = m g with K = 4/3 E/(1 - nu^2) sqrt(r); and 5 times as deep
rests() {
    call 0 run "$examples/bouncing_mass.yaml" --t-end '0.1 s' --set "bodies.ball.start.y=$(
        awk -v n="$1" 'BEGIN { K = 4/3*1e7/(1 - 0.45^2)*sqrt(0.02)
            printf "%.12g", 0.02 - n*(0.1*9.81/K)^(2/3) }')"
    empty err
}
rests 1
rests 5

# a start beyond a stop: k d^2 / 2 = 50 J; a soft one, 0.1 m beyond which the weight rests, is
# silent
cat >"$directory/stop.yaml" <<'END'
halfarrow: 1
parameters: {k: 10 kN/m}
ground: {points: {O: [0, 0]}}
bodies: {b: {mass: 1 kg, inertia: 0.01 kg.m2, points: {C: [0, 0]}, start: {x: 0.6 m}}}
joints: {J: {type: translational, between: [ground.O, b.C]}}
forces: {s: {type: stop, on: J, upper: 0.5 m, stiffness: k}}
simulate: {t_end: 0.1 s}
END
call 0 run "$directory/stop.yaml"
has err 'stop.yaml:6:10: warning: the run starts 0.1 m beyond the limit of the stop `s`'
has err 'stores 50 J, enough to throw all bodies 5 m high'
call 0 run "$directory/stop.yaml" --set parameters.k='98.1 N/m'
empty err
call 0 run "$directory/stop.yaml" --start equilibrium
empty err

# reactions of redundant joints: one way of many, said where one is printed
cat >"$directory/door.yaml" <<'END'
halfarrow: 1
ground: {points: {A: [0, 0], B: [0, 1]}}
bodies: {door: {mass: 20, inertia: 2, points: {A: [0, -0.5], B: [0, 0.5]}}}
joints:
  low: {type: revolute, between: [ground.A, door.A]}
  high: {type: revolute, between: [ground.B, door.B]}
simulate: {t_end: 0.1}
END
shared='One way of many to share the load are the reactions of low, high.'
for command in run statics; do
    call 0 $command "$directory/door.yaml"
    has out "$shared"
    call 0 $command "$directory/door.yaml" --json
    has out '"high": false'
done
{
    cat "$directory/door.yaml"
    echo 'outputs: [door.angle]'
} >"$directory/angle.yaml"
call 0 run "$directory/angle.yaml"
grep -qF 'One way of many' "$directory/out" && problem "$called: a load that is not shared"
call 0 run "$examples/pendulum.yaml"
grep -qF 'One way of many' "$directory/out" && problem "$called: a load that is not shared"

# a switch that stays closed beside an effort source
call 2 run --t-end 1 --graph 'Se{1}>0a>Sw;0a>R'
has err 'nothing decides `Sw.f`'
call 0 run --t-end 1 --graph 'Se{1}>1b;1b>R;1b>0a>Sw;0a>R2'

finish
