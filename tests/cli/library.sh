#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Included files, packing, and the parts that are shipped, against closed forms and published
# numbers.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh"

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

# --- the others ---------------------------------------------------------------------------------

# a jack that holds a weight: the pressure is that of the weight on the area of the piston
cat >"$directory/lifted.yaml" <<END
halfarrow: 1
include: [jack.yaml]
parts:
  jack:
    type: jack
    parameters: {rod_mass: 1000 kg, leak: 1e30, friction: 2e5}
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

call 0 run "$top_srcdir/examples/gearbox.yaml" --json
first=$(value first.on_sun.omega) second=$(value second.on_carrier.omega)
close ratio "$(awk -v a="$first" -v b="$second" 'BEGIN { print a / b }')" 12 1e-5

for n in 1 5 20; do
    call 0 run "$top_srcdir/examples/scissor_lift.yaml" --set parameters.n=$n --t-end 0 --json
    close drive "$(value roller.drive)" \
        "$(awk -v n=$n 'BEGIN { a = 25 * atan2(0, -1) / 180
            printf "%.12g", -9.81 * (400 * n + 30 * n * n) * cos(a) / sin(a) }')" 1e-9
done

finish
