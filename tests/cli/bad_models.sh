#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Model files that are wrong: exit status, place, what is said of which object, and what to do.
# shellcheck disable=SC2016 # backquotes are part of the messages
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

# The model of the next test: its lines behind `halfarrow: 1`.
file=$directory/m.yaml
model() {
    printf 'halfarrow: 1\n' >"$file"
    printf '%s\n' "$@" >>"$file"
}

# refused STATUS PLACE TEXT...: `run` ends so, with one error at line:column (a pattern) with all
# texts.
refused() {
    local status=$1 place=$2
    shift 2
    call "$status" run "$file"
    grep -q -- "^$file:$place: error: " "$directory/err" || problem "$called: no error at $place"
    [ "$(grep -c ' error: ' "$directory/err")" -eq 1 ] || problem "$called: not one error"
    for text in "$@"; do
        has err "$text"
    done
}

ground='ground: {points: {O: [0, 0]}}'
bodies='bodies: {K: {mass: 1, inertia: 1, points: {O: [0, 0], H: [1, 0]}}}'
joints='joints: {J: {type: revolute, between: [ground.O, K.O]}}'
simulate='simulate: {t_end: 1}'

# names that would turn the text around them, or end a comment of generated code
for name in 'R\u202e' 'R*/' 'R\x07'; do
    model 'bondgraph:' "  elements: {\"$name\": {type: R, value: 1}}" '  bonds: []' "$simulate"
    call 2 equations --format c "$file"
    grep -q "^$file:3:14: error: " "$directory/err" || problem "$called: no error at the name"
    [ ! -s "$directory/out" ] || problem "$called: code was written"
done

# keys
model "$bodies" 'simlate: {t_end: 1}'
refused 2 3:1 'unknown key `simlate`' 'did you mean `simulate`?'
model 'bodies: {K: {mass: 1, inertia: 1, gravty: [0, 0]}}'
refused 2 2:35 'unknown key `gravty` in body `K`' 'did you mean `gravity`?'
model 'bodies:' '  K: {mass: 1, inertia: 1, mass: 2}'
refused 2 3:28 'key `mass` is given twice' 'line 3, column 7'
model 'bodies: {K: {inertia: 1}}'
refused 2 2:13 'body `K` has no `mass`; add it'
model "$ground" "$bodies" 'joints: {J: {type: distance, between: [ground.O, K.O]}}'
refused 2 4:13 'joint `J` has no `length`; add it'
model 'bodies: {K: 3}'
refused 2 2:13 'body `K` is `3`; a mapping such as {key: value}'

# a comma that cuts an expression in two
model 'bodies: {K: {mass: 1, inertia: 1, start: {x: 1}, points: {A: [-max(1, 2)/3, 0]}}}'
refused 2 2:63 'the comma behind `-max(1` ends an item' \
    'put the expression in quotes'
model 'bodies: {K: {mass: 1, inertia: 1, points: {A: [1, 2, (3)]}}}'
refused 2 2:47 'point `K.A` is a sequence of 3; exactly 2 are expected'
! grep -q quotes "$directory/err" || problem "no expression was cut"

# options are called as they are written
model "$bodies" 'simulate: {t_end: 1, driver: euler}'
refused 2 3:30 '`driver` of section `simulate` is `euler`; give ida'

# units and numbers
model 'bodies: {K: {mass: 1 kgg, inertia: 1}}'
refused 2 2:22 '`mass` of body `K`' 'unknown unit `kgg`' 'did you mean `kg`?'
model 'bodies: {K: {mass: 1 m, inertia: 1}}'
refused 2 2:20 '1 m is a length, a mass in kg is expected; write for example'
model "$ground" "$bodies" \
    'forces: {S: {type: spring-damper, between: [ground.O, K.H], stiffness: 5 N/m^1.5}}'
refused 2 4:77 '`stiffness` of force `S`' '`^1.5`' 'write a whole number'
model 'bodies: {K: {mass: 1, inertia: 1, start: {omega: 3 Hz}}}'
refused 2 2:50 '`omega` of body `K`' 'does not say what angle it counts' 'write 3 rad/s'
model 'bodies: {K: {mass: -1 kg, inertia: 1}}'
refused 2 2:20 '`mass` of body `K` is -1 kg; it must be at least 0'
model 'bodies: {K: {mass: 1, inertia: -1 g.mm2}}'
refused 2 2:32 '`inertia` of body `K` is -1 g.mm2; it must be at least 0'
for number in nan inf -inf .nan .inf; do
    model "bodies: {K: {mass: $number, inertia: 1}}"
    call 2 run "$file"
    has err '`mass` of body `K`'
    has err 'finite'
done
model 'bodies: {K: {mass: 1e400, inertia: 1}}'
refused 2 2:20 '`mass` of body `K`' '1e400 is too large'
model 'parameters: {a: 0, c: 1/a}' "$bodies"
refused 2 2:20 'parameter `c` is not finite'

# names
model "$ground" "$bodies" 'joints: {J: {type: revolute, between: [ground.O, L.O]}}'
refused 2 4:50 'joint `J` names the body `L`, which does not exist; add it or use another'
model "$ground" "$bodies" 'joints: {J: {type: revolute, between: [ground.O, K.Q]}}'
refused 2 4:50 'joint `J` is at `K.Q`, but body `K` has no point `Q`'
model "$bodies" 'joints: {J: {type: revolute, between: [K.O, K.H]}}'
refused 2 3:10 'joint `J`' 'two points of body `K`; put its ends on two bodies'
model 'parameters: {radius: 1}' 'bodies: {K: {mass: raduis, inertia: 1}}'
refused 2 3:20 'unknown name `raduis`; did you mean `radius`?'
model "$bodies" 'forces: {F: {type: torque, on: K, value: 1 + K.omgea}}' "$simulate"
refused 2 3:42 '`K.omgea`' 'did you mean `K.omega`?'
model 'parameters: {a: b, b: a}' "$bodies"
refused 2 2:17 'circular: `a` needs `b`, which needs `a`; give one of them a value'
model 'parameters: {a: a + 1}' "$bodies"
refused 2 2:17 'circular: `a` needs `a`; give it a value'

# bodies that nothing determines, forces that do not exist at the start
model 'bodies:' '  L: {mass: 0, inertia: 1}' "$simulate"
refused 1 3:3 'body `L` has mass 0 and nothing determines its motion; give it a mass'
call 1 check "$file"
has err "$file:3:3: error: body \`L\` has mass 0"
has out 'class'
model "$bodies" 'forces: {F: {type: torque, on: K, value: 1/K.omega}}' "$simulate"
refused 2 3:10 'the value of `F` is ' 'change its expression or the start values'
model "$ground" "$bodies" \
    'forces: {S: {type: spring-damper, between: [ground.O, K.O], stiffness: 1}}' "$simulate"
refused 1 4:10 '`S` starts with both ends at one point' 'move one end'

# starts that cannot be assembled
model "$ground" \
    'bodies: {K: {mass: 1, inertia: 1, points: {O: [1, 0]}, start: {x: 2, y: 0, fixed: [x, y]}}}' \
    "$joints" "$simulate"
refused 1 4:10 'joint `J` cannot be closed, `J.x` stays at 1 m' '`K.x`, `K.y` contradict' 'take one'
model "$ground" \
    'bodies: {K: {mass: 1, inertia: 1, points: {O: [1, 0]}, start: {x: 3, fixed: [x]}}}' \
    "$joints" "$simulate"
refused 1 4:10 'joint `J` cannot be closed' 'the fixed start value `K.x` contradicts the joints'
model "$ground" \
    'bodies: {K: {mass: 1, inertia: 1, points: {O: [0, 0]}, start: {vx: 2, fixed: [vx]}}}' \
    "$joints" "$simulate"
refused 1 4:10 'rate of `J.x` stays at 2 m/s' 'the fixed velocity `K.vx` contradicts the joints'
# across an upright rail, whose cosine of 90 deg is only nearly 0, nothing that is free along it
# leads
upright='mass: 1, inertia: 1, points: {O: [0, 0]}, start: {angle: 90 deg'
model 'ground: {points: {O: {at: [0, 0], axis: 90 deg}}}' \
    "bodies: {K: {$upright, x: 2, fixed: [x]}}}" \
    'joints: {J: {type: translational, between: [ground.O, K.O]}}' "$simulate"
refused 1 4:10 '`J.y` stays at -2 m' 'the fixed start value `K.x` contradicts the joints'
model 'ground: {points: {O: {at: [0, 0], axis: 90 deg}}}' \
    "bodies: {K: {$upright, vx: 2, fixed: [vx]}}}" \
    'joints: {J: {type: translational, between: [ground.O, K.O]}}' "$simulate"
refused 1 4:10 'rate of `J.y` stays at -2 m/s' 'the fixed velocity `K.vx` contradicts the joints'
hinge='type: revolute, between:'
model 'ground: {points: {O: [0, 0], P: [5, 0]}}' "$bodies" \
    "joints: {J: {$hinge [ground.O, K.O]}, I: {type: revolute, between: [ground.P, K.H]}}" \
    "$simulate"
refused 1 4:57 'joint `I` cannot be closed, `I.x` stays at -4 m' 'do not reach'

# a four-bar of which something is wrong: ground, starts of crank, coupler and rocker, motion
four_bar() {
    local points='points: {D: [0, 0], C: [1.5, 0]}'
    model "ground: {points: {A: [0, 0], D: [$1, 0]}}" 'bodies:' \
        "  crank: {mass: 1, inertia: 1, points: {A: [0, 0], B: [1, 0]}, start: {angle: 60 deg$2}}" \
        '  coupler: {mass: 1, inertia: 1, points: {B: [0, 0], C: [2, 0]}}' \
        "  rocker: {mass: 1, inertia: 1, $points, start: {angle: 120 deg$3}}" \
        'joints:' "  A: {type: revolute, between: [ground.A, crank.A]$4}" \
        '  B: {type: revolute, between: [crank.B, coupler.B]}' \
        '  C: {type: revolute, between: [coupler.C, rocker.C]}' \
        '  D: {type: revolute, between: [ground.D, rocker.D]}' "$simulate"
}

# unreachable: its sides of 1, 2 and 1.5 m do not span 5 m
four_bar 5 '' '' ''
refused 1 10:3 'joint `C` cannot be closed together with `' '`C.x` stays at ' \
    ' m: the bodies do not reach;' \
    'correct the points of its bodies'
# over-fixed: both cranks
four_bar 2.5 ', fixed: [angle]' ', fixed: [angle]' ''
refused 1 '[0-9]*:3' 'cannot be closed' \
    'the fixed start values `crank.angle`, `rocker.angle` contradict' \
    'take one out of `fixed` or correct it, or give the others start values nearer'
# motions that start where the bodies do not reach: from 180 deg, B is 5 m from D; the links let the
# crank come to 51 deg
four_bar 4 '' '' ', motion: pi + t'
refused 1 '[0-9]*:3' 'the motion of `A.drive` is out of reach at t = 0: it asks for ' \
    ' rad more than it is where the mechanism closes without it' 'correct the motion'
# jacks on a chain, each of which reaches 1 to 3 m: those that are named are out of reach
jacks() {
    model 'ground: {points: {A: [0, 0], B: [2, 0]}}' 'bodies:' \
        '  boom: {mass: 1, inertia: 1, points: {A: [0, 0], B: [1, 0], C: [3, 0]}}' \
        '  stick: {mass: 1, inertia: 1, points: {C: [0, 0], D: [1, 0], E: [2, 0]},' \
        '    start: {x: 3, y: 0, angle: 2}}' \
        '  bucket: {mass: 1, inertia: 1, points: {E: [0, 0], F: [1, 0]},' \
        '    start: {x: 2, y: 2, angle: 3}}' \
        'joints:' '  A: {type: revolute, between: [ground.A, boom.A]}' \
        '  C: {type: revolute, between: [boom.C, stick.C]}' \
        '  E: {type: revolute, between: [stick.E, bucket.E]}' \
        "  lift: {type: actuator, between: [ground.B, boom.B], motion: $1}" \
        "  crowd: {type: actuator, between: [boom.B, stick.D], motion: $2}" \
        "  curl: {type: actuator, between: [stick.C, bucket.F], motion: $3}" "$simulate"
}
jacks 2 2 2
call 0 assemble "$file"
jacks 3.5 2 2
refused 1 '[0-9]*:3' 'the motion of `lift` is out of reach at t = 0: it asks for ' ' m more than'
jacks 2 0.4 2
refused 1 '[0-9]*:3' 'the motion of `crowd` is out of reach at t = 0: it asks for ' ' m less than'
jacks 2 2 4
refused 1 '[0-9]*:3' 'the motion of `curl` is out of reach at t = 0: it asks for ' ' m more than'
jacks 4 2 0.2
refused 1 '[0-9]*:3' 'the motions of `lift`, `curl` are out of reach' 'without them'
# under-fixed: what the assembly chose is named, and what it moved, and the branch
four_bar 2.5 '' '' ''
call 0 assemble "$file"
has out 'guesses moved: '
has out 'not fixed: crank.angle; 1 of 1 degrees of freedom are left to guesses'
has out 'list it in `fixed`'
grep -q '^  B  *\(left\|right\) .*crank.A, crank.B, coupler.C' "$directory/out" ||
    problem 'no turn at B'
call 0 assemble --json "$file"
keys branch not_fixed unique_reactions
has out '"crank.angle"'
four_bar 2.5 ', fixed: [angle]' '' ''
call 0 assemble "$file"
! grep -q 'not fixed' "$directory/out" || problem 'a fixed four-bar is said to be under-fixed'
four_bar 2.5 ', fixed: [angle]' '' '' # the other branch than the rocker's guess
sed -i 's/angle: 120 deg/angle: -120 deg/; s/C: \[2, 0\]}/&, start: {angle: 70 deg}/' "$file"
call 0 assemble "$file"
has out 'the given angles turn to another side'
# disconnected: bodies that hang on nothing
model "$ground" 'bodies:' '  K: {mass: 1, inertia: 1, points: {O: [0, 0], H: [1, 0]}}' \
    '  L: {mass: 1, inertia: 1, points: {H: [0, 0], E: [1, 0]}}' \
    '  N: {mass: 1, inertia: 1, points: {E: [0, 0]}}' \
    'joints:' '  J: {type: revolute, between: [ground.O, K.O]}' \
    '  E: {type: revolute, between: [L.E, N.E]}' "$simulate"
call 0 check "$file"
has out 'not on the ground    L, N'
has out 'join one of each part to a point of the ground'
call 0 check --json "$file"
keys floating_parts
# locked: a triangle of two bodies, and the same with a motion
triangle() {
    model 'ground: {points: {A: [0, 0], D: [2.5, 0]}}' 'bodies:' \
        '  K: {mass: 1, inertia: 1, points: {A: [0, 0], B: [1, 0]}}' \
        '  L: {mass: 1, inertia: 1, points: {D: [0, 0], B: [2, 0]}, start: {angle: 120 deg}}' \
        'joints:' \
        "  A: {type: revolute, between: [ground.A, K.A]$1}" \
        '  B: {type: revolute, between: [K.B, L.B]}' \
        '  D: {type: revolute, between: [ground.D, L.D]}' "$simulate"
}
triangle ''
call 0 check "$file"
has out 'mobility             0 by counting, 0 by the rank of the constraints'
has out 'Nothing can move: the joints hold all 6 coordinates'
has out 'give a joint fewer'
triangle ', motion: 1 + t'
refused 1 '[0-9]*:3' 'the motion of `A.drive` is out of reach'
# locked on the way: sides of 1.5, 1 and 1 m on 2.5 m let the crank turn to acos(0.6) = 0.9273 rad,
# where coupler and rocker are in line
model 'ground: {points: {A: [0, 0], D: [2.5, 0]}}' 'bodies:' \
    '  crank: {mass: 1, inertia: 1, points: {A: [0, 0], B: [1.5, 0]}}' \
    '  coupler: {mass: 1, inertia: 1, points: {B: [0, 0], C: [1, 0]}}' \
    '  rocker: {mass: 1, inertia: 1, points: {D: [0, 0], C: [1, 0]}, start: {angle: 120 deg}}' \
    'joints:' \
    '  A: {type: revolute, between: [ground.A, crank.A], motion: 0.2 + 0.5*t}' \
    '  B: {type: revolute, between: [crank.B, coupler.B]}' \
    '  C: {type: revolute, between: [coupler.C, rocker.C]}' \
    '  D: {type: revolute, between: [ground.D, rocker.D]}' 'simulate: {t_end: 5}'
call 1 run "$file"
has err 'the solver stopped at t = 1.454'
has err 'at `C` the bars from coupler.B over coupler.C to rocker.D are in line'
has err 'with its prescribed motions the mechanism locks there: keep the motions within its reach'
# what stops for another reason locks nothing
model "$ground" "$bodies" "$joints" 'forces: {T: {type: torque, on: K, value: 1/(0.5 - t)^3}}' \
    "$simulate"
call 1 run "$file"
! grep -q 'note' "$directory/err" || problem "a note on joints: $(cat "$directory/err")"
# inconsistent: a third crank that is too long for its parallelogram; redundant where it is not
parallelogram() {
    model 'ground: {points: {A: [0, 0], B: [1, 0], C: [2, 0]}}' 'bodies:' \
        '  a:' '    {mass: 1, inertia: 1, points: {A: [0, 0], T: [1, 0]},' \
        '     start: {angle: 1, fixed: [angle]}}' \
        '  b: {mass: 1, inertia: 1, points: {B: [0, 0], T: [1, 0]}, start: {angle: 1}}' \
        "  c: {mass: 1, inertia: 1, points: {C: [0, 0], T: [$1, 0]}, start: {angle: 1}}" \
        '  k: {mass: 1, inertia: 1, points: {A: [0, 0], B: [1, 0], C: [2, 0]}, start: {angle: 0}}' \
        'joints:' \
        '  A: {type: revolute, between: [ground.A, a.A]}' \
        '  B: {type: revolute, between: [ground.B, b.B]}' \
        '  C: {type: revolute, between: [ground.C, c.C]}' \
        '  TA: {type: revolute, between: [a.T, k.A]}' \
        '  TB: {type: revolute, between: [b.T, k.B]}' \
        '  TC: {type: revolute, between: [c.T, k.C]}' "$simulate"
}
parallelogram 4
refused 1 '[0-9]*:3' 'joint `TC` cannot be closed together with `TB`, `TC.y` stays at '
parallelogram 1
call 0 check "$file"
has out 'redundant constraints 1: TC.y'
has out 'reactions            6 joints not determined: A, B, C, TA, TB, TC'
call 0 run --json "$file"
has out '"TC": false'

# causality
model "$ground" "$bodies" "$joints" \
    'bondgraph: {elements: {A: {type: Sf}, B: {type: Sf}}, bonds: [A > J.axis, B > J.axis]}' \
    "$simulate"
refused 2 5:39 '`A`' '`B`' 'remove one of them'

# variants and the end time
model "$bodies" "$simulate" 'variants: {a: {}, b: {}}'
call 2 run "$file" --variant c
has err 'the variant `c` is not known; use one of `a`, `b`'
model "$bodies" "$simulate"
call 2 run "$file" --variant c
has err 'the variant `c` is not known; the file has no variants: use none, or `base`'
# all variants are read by check, each with its own faults
model "$ground" "$bodies" "$joints" "$simulate" \
    'variants:' '  a: {joints: {K: {model: compliant, stiffness: 1}}}' \
    '  b: {joints: {J: {modell: ideal}}}' '  c: {bodys: {}}' '  d: {}'
call 2 check "$file"
has err 'the variant `a` changes the joint `K`, which the file does not have'
has err 'unknown key `modell` in joint `J`; did you mean `model`?'
has err 'unknown key `bodys` in the file; did you mean `bodies`?'
call 0 check "$file" --variant d
call 0 run "$file" --variant d
model "$bodies"
call 2 run "$file"
has err "$file: error: the model has no end time; give --t-end TIME"
has err 'simulate: {t_end: TIME}'
model "$bodies" 'simulate: {t_end: -1 s}'
refused 2 3:19 '`t_end` of section `simulate` is -1; give a number of at least 0 s'

# files that are no models
: >"$file"
refused 2 1:1 'the file is empty'
printf -- '- 1\n- 2\n' >"$file"
refused 2 1:1 'the file is a sequence; a model is a mapping'
printf 'halfarrow: 1\nname: a\001b\000c\n' >"$file"
refused 2 2:8 'binary file?'
{
    printf 'halfarrow: 1\nbodies: '
    head -c 20000 /dev/zero | tr '\0' '['
} >"$file"
refused 2 2:72 'more than 64' 'write it flatter'
{
    echo 'a: &a [x, x, x, x, x, x, x, x, x, x]'
    last=a
    for next in b c d e f g h i; do
        echo "$next: &$next [*$last, *$last, *$last, *$last, *$last, *$last, *$last, *$last]"
        last=$next
    done
} >"$file"
call 2 run "$file"
has err 'more than 4000000 values'
model 'bodies: {}'
refused 2 1:1 'the mechanism has no bodies; give it some'
model 'bodies: {}' \
    'bondgraph: {elements: {C: {type: C, q: 1}, R: {type: R}, 1: {type: "1"}},' \
    '    bonds: [1 > C, 1 > R]}'
call 0 check "$file"
call 2 check "$directory"
has err 'Is a directory'
call 2 check "$directory/nosuch.yaml"
has err 'No such file or directory'
if [ "$(id -u)" -ne 0 ]; then
    model "$bodies"
    chmod 0 "$file"
    call 2 check "$file"
    has err 'Permission denied'
fi

# all errors of a file in one go
rm -f "$file"
model 'bodies:' '  K: {mass: 1 m, inertia: 1}' '  L: {mass: 1, inertia: q}' \
    'joints: {J: {type: screw, between: [K.A, L.A]}}'
call 2 check "$file"
has err "$file:3:13: error: \`mass\` of body \`K\`"
has err "$file:4:25: error: \`inertia\` of body \`L\`"
has err "$file:5:20: error: joint \`J\` has the type \`screw\`"
[ "$(wc -l <"$directory/err")" -eq 3 ] || problem "not three errors"

# only: `check` of the model reports these lines, each beginning with line:column, and no others:
# what follows from an error is none of its own.
only() {
    call 2 check "$file"
    [ "$(wc -l <"$directory/err")" -eq $# ] || problem "not $# errors: $(cat "$directory/err")"
    for text in "$@"; do
        has err "$file:$text"
    done
}
rod='bodies: {rod: {mass: 1, inertia: 1, points: {P: [0, 0]}}}'
model "$ground" "$rod" 'joints: {O: {type: revolute, between: [ground.O, rod.P]}}' \
    'forces: {s: {type: spring-damper, on: p, stiffness: 2}}' \
    'bondgraph:' '  elements: {V: {type: Se}, U: {type: GYR}, O: {type: I}, L: {type: R, p: 1}}' \
    '  bonds: [V > U, U > O, L > V]'
only '5:39: error: force `s` is on the joint `p`, which does not exist; add it' \
    '7:29: error: element `U` has the unknown type `GYR`' \
    '7:45: error: the name `O` of an element is already that of a joint' \
    '7:59: error: element `L` has the start value `p`, but a resistor has none'
# a force on a body where a joint is meant; the comma of an expression without quotes, in braces
model "$ground" "$rod" 'joints: {O: {type: revolute, between: [ground.O, rod.P]}}' \
    'forces: {s: {type: stop, on: rod, upper: 1, stiffness: 2}}'
only '5:30: error: force `s` is on the joint `rod`, which does not exist; it is a body, did'
has err 'did you mean `O`?'
model "$ground" "$rod" 'forces: {m: {type: torque, on: rod, value: if(t > 1, 2, 3)}}'
only '4:44: error: the comma behind `if(t > 1` ends an item: put the expression in quotes'
model "$ground" "$rod" \
    'forces:' '  m:' '    type: torque' '    on: rod' '    value: if(t > 1, 2'
only '8:23: error: `value` of force `m`: the expression ends where'
model 'bondgraph: {elements: {M: {type: I, q: 1}, S: {type: Se, p: 1}}}'
only '2:24: error: element `M` has the start value `q`, but an inertia has none' \
    '2:44: error: element `S` has the start value `p`, but an effort source has none'
model 'grund: {points: {O: [0, 0]}}' 'parameter: {a: 2}' \
    'bodys: {rod: {mass: a, inertia: 1, points: {P: [0, 0]}}}' \
    'joints: {O: {type: revolute, between: [ground.O, rod.P]}}' \
    'forces: {w: {type: force, on: rod.P, value: [2*a, 1]}, d: {type: torque, on: rod, value: a}}'
only '2:1: error: unknown key `grund` in the file; did you mean `ground`?' \
    '3:1: error: unknown key `parameter` in the file; did you mean `parameters`?' \
    '4:1: error: unknown key `bodys` in the file; did you mean `bodies`?'
model 'ground: {points: {O: [0, 0], Q: [0, 1 kg]}}' \
    'bodies:' '  rod: {mass: 1, inertia: 1, points: {P: [0, 0]}}' \
    '  bar: {mass: 1, inertia: 1, point: {P: [0, 0]}}' \
    '  two: {mass: 1, inertia: -1, points: {P: [0, 0]}}' 'joints:' \
    '  p: {type: constraint, between: [ground.O, rod.P], rows: {}}' \
    '  q: {type: revolute, between: [grund.O, rod.P]}' \
    '  r: {type: revolute, between: [rod.P, bar.P]}' \
    '  s: {type: revolute, between: [two.P, bar.P]}' \
    '  t: {type: revolute, between: [ground.Q, rod.P]}' \
    'forces: {d: {type: spring-damper, on: p, stiffness: 2}}' \
    'bondgraph: {elements: {V: {type: Se}}, bonds: [V > q.axis, V > p]}'
only '2:37: error: point `ground.Q`: 1 kg is a mass' \
    '5:30: error: unknown key `point` in body `bar`; did you mean `points`?' \
    '6:27: error: `inertia` of body `two` is -1' \
    '8:3: error: joint `p` has 0 rows' \
    '9:33: error: joint `q` names the body `grund`, which does not exist; did you mean `ground`?'
# a ground or a body without points is no fault: what names them is
model 'ground: {}' 'bodies: {K: {mass: 1, inertia: 1}}' \
    'joints: {O: {type: revolute, between: [ground.O, K.P]}}'
only '4:40: error: joint `O` is at `ground.O`, but body `ground` has no point `O`'

# an energy is no output that an expression can read
model "$bodies" 'forces: {f: {type: torque, on: K, value: -energy.kinetic}}' "$simulate"
refused 2 3:42 'an expression uses `energy.kinetic`' 'summed up from the results' \
    'use outputs of bodies'

# values with which nothing can be calculated
model 'bodies: {K: {mass: 1e300 kg, inertia: 1}}' "$simulate"
refused 2 2:10 '`mass` of body `K` is 1e+300' 'at most 1e+100'
bow='joints: {J: {type: constraint, between: [ground.O, K.P], rows: {bow: sqrt(ON.x_0)-1-ON.y_0}}}'
model "$ground" \
    'bodies: {K: {mass: 1, inertia: 1, points: {P: [0, 0]}, start: {x: 0, y: -1, fixed: [x]}}}' \
    "$bow" "$simulate"
refused 2 4:10 \
    'joint `J` cannot be assembled: the derivatives of its constraint `J` are not finite' \
    'at the positions that assembly starts from'
model "$ground" 'bodies: {K: {mass: 1, inertia: 1, points: {P: [0, 0]}, start: {x: -1, y: 2}}}' \
    "$bow" "$simulate"
refused 2 4:10 'joint `J` cannot be assembled: the value of its constraint `J` is not finite'

# what is legal and as a rule a slip is warned of, once, however many variants are read
variants='variants: {a: {simulate: {t_end: 2}}, b: {simulate: {t_end: 3}}}'
# warned PLACE TEXT: `check` is content, with one warning at the place
warned() {
    call 0 check "$file"
    [ "$(grep -c . "$directory/err")" -eq 1 ] || problem "$called: not one line"
    has err "$file:$1: warning: $2"
}
model 'bodies: {K: {mass: 1, inertia: 1, start: {angle: -90}}}' "$simulate" "$variants"
warned 2:50 \
    '`angle` of body `K`: the angle -90 without a unit is in radians, 14.3 turns; write `-90 deg`'
model "$bodies" 'ground: {points: {O: {at: [0, 0], axis: 45}}}' "$simulate" "$variants"
warned 3:41 'point `ground.O`: the angle 45 without a unit is in radians, 7.16 turns'
for angle in '90 rad' '-90 deg' 6.28 '30*pi'; do
    model "bodies: {K: {mass: 1, inertia: 1, start: {angle: $angle}}}" "$simulate"
    call 0 check "$file"
    empty err
done
model "$ground" "$bodies" "$joints" 'forces: {s: {type: spring-damper, on: J, free_angle: 1}}' \
    "$simulate" "$variants"
warned 5:10 'force `s` does nothing: it has neither `stiffness` nor `damping`'
model "$ground" "$bodies" "$joints" 'forces: {s: {type: spring-damper, on: J, stiffness: 0}}' \
    "$simulate"
call 0 check "$file"
empty err

# a direction with the name of the rate of another
for free in 'way: ON.x_0, way_rate: ON.y_0' 'way_rate: ON.y_0, way: ON.x_0'; do
    model "$ground" "$bodies" 'joints:' \
        "  J: {type: constraint, between: [ground.O, K.O], rows: {a: theta_j}, free: {$free}}" \
        "$simulate"
    refused 2 '5:.*' 'clash: `way_rate` is the rate of `way`; rename one'
done

# a joint or a body where an element is expected
between='between: [ground.O, rod.P]'
pair="joints: {O: {type: revolute, $between}, S: {type: translational-revolute, $between}"
pair+=", W: {type: weld, $between}}"
model "$ground" "$rod" "$pair" \
    'bondgraph: {elements: {K: {type: Se}}, bonds: [K > O, K > S, K > W, K > rod, K > o]}'
only '5:48: error: bond `K > O` ends at `O`, which is a joint; write `O.axis`' \
    '5:55: error: bond `K > S` ends at `S`, which is a joint; write `S.slide` or `S.angle`' \
    '5:62: error: bond `K > W` ends at `W`, which is a joint; it leaves no direction free' \
    '5:69: error: bond `K > rod` ends at `rod`, which is a body; bond to a joint of it' \
    '5:78: error: bond `K > o` ends at `o`, which is no element of the bond graph; add it'
finish
