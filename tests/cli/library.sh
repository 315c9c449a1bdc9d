#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Included files, packing, and the parts that are shipped, against closed forms and published
# numbers.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

library=$top_srcdir/library

# value NAME: a number of the JSON printed last
value() {
    grep -oE "\"$1\": *[-+0-9.eE]+" "$directory/out" | tail -n 1 | sed 's/.*: *//'
}

# close NAME FOUND WANTED RELATIVE
close() {
    awk -v a="$2" -v b="$3" -v r="$4" \
        'BEGIN { d = a - b; d = d < 0 ? -d : d; s = b < 0 ? -b : b
            exit !(a != "" && d <= r * s) }' ||
        problem "$called: $1 is $2, not $3"
}

# --- include ------------------------------------------------------------------------------------

mkdir "$directory/parts" "$directory/elsewhere"
cat >"$directory/parts/arm.yaml" <<'END'
halfarrow: 1
parameters: {length: 2 m}
submodels:
  arm:
    parameters: {l: 1 m}
    ports: {base: rod.A}
    bodies: {rod: {mass: 1, inertia: 0.1, points: {A: [-l/2, 0]}, start: {angle: 0}}}
END
cat >"$directory/machine.yaml" <<'END'
halfarrow: 1
include: [parts/arm.yaml]
ground: {points: {O: [0, 0]}}
parts: {arm: {type: arm, parameters: {l: length}}}
joints: {O: {type: revolute, between: [ground.O, arm.base]}}
simulate: {t_end: 0.1}
END
call 0 run "$directory/machine.yaml" -o "$directory/a.csv"
call 0 run "$directory/machine.yaml" --json --t-end 0
close arm.rod.x "$(value arm.rod.x)" 1 1e-12
call 0 run "$directory/machine.yaml" --json --t-end 0 --set parameters.length=4
close arm.rod.x "$(value arm.rod.x)" 2 1e-12
call 0 convert --pack "$directory/machine.yaml" -o "$directory/packed.yaml"
call 0 run "$directory/packed.yaml" -o "$directory/b.csv"
cmp "$directory/a.csv" "$directory/b.csv" || problem "a packed file gives other results"
mv "$directory/parts/arm.yaml" "$directory/elsewhere/arm.yaml"
sed -i 's|parts/arm|arm|' "$directory/machine.yaml"
call 2 run "$directory/machine.yaml"
has err 'No such file'
has err 'looked for beside this file, in the directories of --library'
call 0 run "$directory/machine.yaml" --library "$directory/elsewhere" -o "$directory/c.csv"
cmp "$directory/a.csv" "$directory/c.csv" || problem "a file of --library gives other results"

printf 'halfarrow: 1\ninclude: [b.yaml]\nbodies: {}\n' >"$directory/a.yaml"
printf 'halfarrow: 1\ninclude: [c.yaml]\n' >"$directory/b.yaml"
printf 'halfarrow: 1\ninclude: [a.yaml]\n' >"$directory/c.yaml"
call 2 check "$directory/a.yaml"
has err 'would include itself'
has err 'c.yaml:2:11'
printf 'halfarrow: 1\nbodies: {}\n' >"$directory/c.yaml"
call 2 check "$directory/a.yaml"
has err 'unknown key `bodies` in an included file'
printf 'halfarrow: 1\nsubmodels: {x: {}}\n' >"$directory/b.yaml"
printf 'halfarrow: 1\ninclude: [b.yaml]\nbodies: {}\nsubmodels: {x: {}}\n' >"$directory/a.yaml"
call 2 check "$directory/a.yaml"
has err '`x` of `submodels` is also in'

# --- elastic link -------------------------------------------------------------------------------

# E I = 1, rho A = 1, L = 1: frequencies (beta L)^2 / 2 pi
cat >"$directory/cantilever.yaml" <<END
halfarrow: 1
include: [elastic_link.yaml]
gravity: [0, 0]
parameters: {n: 8, P: 0}
parts:
  beam:
    type: elastic_link
    parameters: {area: 0.01, second_moment: 1e-8, modulus: 1e8, density: 100, segments: n}
ground: {points: {O: [0, 0]}}
joints: {O: {type: weld, between: [ground.O, beam.start]}}
forces: {P: {type: force, on: beam.end, value: [0, P]}}
outputs: [beam.end.x, beam.end.y, beam.end]
END
for n in 4 8 16; do
    call 0 modes "$directory/cantilever.yaml" --library "$library" --set parameters.n=$n --json
    grep -oE '"frequency": *[0-9.eE+-]+' "$directory/out" | sed 's/.*: *//' | head -n 3 \
        >"$directory/f$n"
done
paste -d ' ' "$directory/f4" "$directory/f8" "$directory/f16" | awk '
    BEGIN { split("3.516015268 22.03449156 61.69721442", truth) }
    {
        f = truth[NR] / 6.283185307179586
        a = $1 / f - 1; b = $2 / f - 1; c = $3 / f - 1
        if (NF != 3 || c > 0.02 || c < -0.02 || a / b < 3 || b / c < 3.6 || b / c > 4.4) {
            print "mode " NR ": errors " a ", " b ", " c " are not of second order"
            wrong = 1
        }
    }
    END { exit NR != 3 || wrong }' || problem "frequencies of the cantilever"

# large deflection under P L^2 / E I = 10: Mattiasson, Int. J. Numer. Methods Eng. 17 (1981), 145
for n in 8 16; do
    call 0 statics "$directory/cantilever.yaml" --library "$library" --set parameters.n=$n \
        --set parameters.P=10 --json
    value "beam.node\\[$n\\].at.P.y" >"$directory/y$n"
done
close tip "$(cat "$directory/y16")" 0.81061 4e-3
awk -v a="$(cat "$directory/y8")" -v b="$(cat "$directory/y16")" \
    'BEGIN { r = (a - 0.8106090) / (b - 0.8106090); exit !(r > 3.2 && r < 4.8) }' ||
    problem "deflections of 8 and 16 segments are not of second order"

# and without their error, of the second order, the published digits in both directions
for n in 8 16; do
    call 0 statics "$directory/cantilever.yaml" --library "$library" --set parameters.n=$n \
        --set parameters.P=10 --json
    value "beam.node\\[$n\\].at.P.x" >"$directory/x$n"
done
extrapolated() {
    awk -v a="$(cat "$directory/${1}8")" -v b="$(cat "$directory/${1}16")" \
        'BEGIN { printf "%.9f", (4 * b - a) / 3 }'
}
close 'the tip aside' "$(extrapolated y)" 0.81061 1e-4
close 'the tip along' "$(extrapolated x)" 0.44500 2e-4

# --- the others ---------------------------------------------------------------------------------

# a jack that holds a weight: the pressure is that of the weight on the area of the piston
cat >"$directory/lifted.yaml" <<END
halfarrow: 1
include: [jack.yaml]
parts:
  jack:
    type: jack
    parameters: {rod_mass: 1000 kg, friction: 2e5}
    start: {angle: 90 deg}
ground: {points: {O: {at: [0, 0], axis: 90 deg}}}
joints: {O: {type: weld, between: [ground.O, jack.base]}}
bondgraph:
  elements: {pump: {type: Sf, value: 0}, tank: {type: Se, value: 0}}
  bonds: [pump > jack.supply, tank > jack.tank]
simulate: {t_end: 0.5}
END
call 0 run "$directory/lifted.yaml" --library "$library" --json
close pressure "$(value jack.oil_cap.e)" 1951637.4 1e-4
# where it stands: m g / A = 1000 kg * 9.81 m/s2 / (pi/4 (80 mm)^2), sunk by p/bulk
# of half its stroke; with a leak it creeps to its end, m g / 1e8 N/m into the stop
call 0 statics "$directory/lifted.yaml" --library "$library" --json
close 'the pressure at rest' "$(value jack.oil_cap.e)" 1951637.48966 1e-9
close 'the place at rest' "$(value jack.guide.slide)" -3.4850669458e-4 1e-9
call 0 statics "$directory/lifted.yaml" --library "$library" --json \
    --set parts.jack.parameters.leakage=1e-12
close 'the end of a leaking jack' "$(value jack.guide.slide)" -0.2500981 1e-9

# a motor without load: the speed and the current of its maker's catalogue (maxon RE 40, 148867:
# 7580 rev/min and 137 mA), and one that lifts a load, against the balance of torques and voltages
cat >"$directory/idle.yaml" <<END
halfarrow: 1
include: [geared_motor.yaml]
ground: {points: {O: [0, 0]}}
parts: {m: {type: geared_motor}}
joints: {O: {type: weld, between: [ground.O, m.housing]}}
bondgraph: {elements: {V: {type: Se, value: 24 V}}, bonds: [V > m.electric]}
simulate: {t_end: 0.2 s}
END
call 0 run "$directory/idle.yaml" --library "$library" --json
close 'the speed without load' "$(value m.turning.omega)" 793.776 1e-3
close 'the current without load' "$(value m.coil.f)" 0.137 2e-3
call 0 run "$top_srcdir/examples/hoist.yaml" --rtol 1e-9 --json
# shellcheck disable=SC2046 # two numbers
set -- $(awk 'BEGIN { k = 0.0302; n = 43; R = 0.299; b = 5.21e-6; T = 30 * 9.81 * 0.025 / n
    w = (24 * k / R - T) / (k * k / R + b); printf "%.12g %.12g", (T + b * w) / k, w / n * 0.025 }')
close 'the current of the hoist' "$(value m.coil.f)" "$1" 1e-7
close 'the speed of the load' "$(value load.vy)" "$2" 1e-7

# level arms of equal length: the spring acts on the wheel with foot^2 times its stiffness, and the
# corner has the frequencies of a quarter of a car. Barton and Fieldhouse, Automotive Chassis
# Engineering (2018), 3.13: 22 kN/m at the wheel give 1.25 Hz and 10.9 Hz
cat >"$directory/corner.yaml" <<END
halfarrow: 1
include: [suspension_corner.yaml]
parameters: {foot: 0.6, k: 22 kN/m, ms: 317.5 kg, mu: 45.4 kg, kt: 192 kN/m}
ground: {points: {G: {at: [-0.4 + 0.3*foot, 0], axis: 90 deg}}}
parts:
  c:
    type: suspension_corner
    parameters: {frame_mass: ms, wheel_mass: mu, tyre_stiffness: kt, arm_mass: 1e-9, damping: 0,
      lower_in_x: -0.4, lower_in_y: -0.1, lower_out_x: -0.1, lower_out_y: -0.1, upper_in_x: -0.4,
      upper_in_y: 0.1, upper_out_x: -0.1, upper_out_y: 0.1, foot: foot, dome_x: -0.4 + 0.3*foot,
      dome_y: 0.3, stiffness: k/foot^2, spring_length: 0.4 + ms*9.81*foot/k,
      deflection: (ms + mu)*9.81/kt}
    start: {y: 0.32 - (ms + mu)*9.81/kt}
joints: {guide: {type: translational, between: [ground.G, c.mount]}}
END
call 0 modes "$directory/corner.yaml" --library "$library" --at equilibrium --json
# shellcheck disable=SC2046 # the frequencies; the road may stand at any height
set -- $(grep -oE '"frequency": *[0-9.eE+-]+' "$directory/out" | sed 's/.*: *//')
close 'the frequency of the body' "$2" 1.25 5e-3
close 'the frequency of the wheel' "$3" 10.9 5e-3
body=$2 wheel=$3
# shellcheck disable=SC2046 # two numbers
set -- $(awk 'BEGIN { s = 317.5; u = 45.4; k = 22000; t = 192000
    b = (s * (k + t) + u * k) / s / u / 2; d = sqrt(b * b - k * t / s / u); f = 8 * atan2(1, 1)
    printf "%.12g %.12g", sqrt(b - d) / f, sqrt(b + d) / f }')
close 'the frequency of the body' "$body" "$1" 1e-8
close 'the frequency of the wheel' "$wheel" "$2" 1e-8

# a crank that is held under 10 kN on the piston: M = F r sin(phi + psi) / cos psi
cat >"$directory/held.yaml" <<END
halfarrow: 1
include: [cylinder.yaml]
gravity: [0, 0]
parts: {c: {type: crank_cylinder, parameters: {phase: 1}}}
forces: {gas: {type: force, on: c.head, value: [0, -10 kN]}}
bondgraph: {elements: {hold: {type: Sf, value: 0}}, bonds: [hold > c.shaft]}
simulate: {t_end: 0}
END
call 0 run "$directory/held.yaml" --library "$library" --json
close 'the torque of the crank' "$(value hold.e)" "$(awk 'BEGIN { s = 0.04 * sin(1) / 0.14
    printf "%.15g", -1e4 * 0.04 * (sin(1) + cos(1) * s / sqrt(1 - s * s)) }')" 1e-9

# an elastic rod follows the rigid one the closer, the stiffer it is
largest_lag() {
    call 0 run "$top_srcdir/examples/elastic_slider_crank.yaml" --set "parameters.modulus=$1" --json
    awk '/"peaks"/ { in_peaks = 1 }
        in_peaks && $1 == "\"min\":" { sub(/,$/, "", $2); printf "%.17g", -$2; exit }' \
        "$directory/out"
}
awk -v a="$(largest_lag 2e10)" -v b="$(largest_lag 2e11)" -v c="$(largest_lag 2e12)" \
    'BEGIN { exit !(a > 1e-4 && a < 1.5e-4 && a / b > 10 && b / c > 10 && c > 0) }' ||
    problem "a stiffer rod is not nearer to the rigid one"

call 0 run "$top_srcdir/examples/gearbox.yaml" --json
first=$(value first.on_sun.omega) second=$(value second.on_carrier.omega)
close ratio "$(awk -v a="$first" -v b="$second" 'BEGIN { print a / b }')" 12 1e-5

for n in 1 5 20; do
    call 0 run "$top_srcdir/examples/scissor_lift.yaml" --set parameters.n=$n --t-end 0 --json
    close drive "$(value roller.drive)" \
        "$(awk -v n=$n 'BEGIN { a = 25 * atan2(0, -1) / 180
            printf "%.12g", 9.81 * (400 * n + 30 * n * n) * cos(a) / sin(a) }')" 1e-9
done

finish
