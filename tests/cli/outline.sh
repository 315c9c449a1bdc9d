#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Bodies from their shape, and pictures of mechanisms.
# shellcheck disable=SC2016 # backquotes are part of the messages
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

# a pendulum cut from a plate, from its corner, and the same with what the plate weighs by hand:
# 0.4 m x 0.1 m x 10 mm of 5000 kg/m3 are 2 kg with 2 (0.16 + 0.01) / 12 kg.m2 about (0.2, 0.05)
cat >"$directory/plate.yaml" <<'END'
halfarrow: 1
ground: {points: {O: [0, 0]}}
bodies:
  rod:
    frame: drawing
    outline: {polygon: [[0, 0], [40 cm, 0], [40 cm, 10 cm], [0, 10 cm]]}
    thickness: 10 mm
    density: 5 g/cm3
    points: {O: [2 cm, 3 cm]}
    start: {angle: 0, fixed: [angle]}
joints: {O: {type: revolute, between: [ground.O, rod.O]}}
simulate: {t_end: 1 s, rtol: 1e-10}
END
sed -e 's/frame: drawing/mass: 2/' -e '/thickness/d' -e '/density/d' \
    -e 's|outline:.*|inertia: 2*0.17/12|' -e 's/\[2 cm, 3 cm\]/[-0.18, -0.02]/' \
    "$directory/plate.yaml" >"$directory/weighed.yaml"
call 0 run -q "$directory/weighed.yaml" -o "$directory/weighed.csv"
angle=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i ~ /^rod.angle/) c = i } }
                 END { print $c }' "$directory/weighed.csv")
call 0 run --json "$directory/plate.yaml"
near rod.angle "$angle" 1e-9

# the shape is the picture, in its colour and its layer
call 0 draw --mechanism "$examples/crank_plates.yaml" -o "$directory/crank.svg"
empty out
grep -q 'own" fill="#7e22ce" stroke="#7e22ce"' "$directory/crank.svg" || problem "no own colour"
grep -o 'class="body[^"]* body-[0-9]' "$directory/crank.svg" | tail -n 1 | grep -q 'body-0' ||
    problem "the crank is not over the others"
grep -q 'fill-rule="evenodd" d="M.*A.*Z' "$directory/crank.svg" || problem "no arcs"
# the ghosts of two times, and the way of a point
call 0 draw --mechanism "$examples/four_bar.yaml" --at '500 ms,0.1 s,0.3' -y coupler,crank.A -o -
mv "$directory/out" "$directory/units"
call 0 draw --mechanism "$examples/four_bar.yaml" --at 0.5,0.1,0.3 -y coupler,crank.A -o -
cmp -s "$directory/out" "$directory/units" || problem "times with units are other times"
[ "$(grep -c 'class="ghost"' "$directory/out")" = 2 ] || problem "not two ghosts"
[ "$(grep -c 'class="way"' "$directory/out")" = 2 ] || problem "not two ways"

# what is refused
refuse() {
    local text=$1
    shift
    call 2 check "$directory/plate.yaml" "$@"
    has err "$text"
}
refuse 'crosses itself' --set 'bodies.rod.outline={polygon: [[0, 0], [1, 1], [1, 0], [0, 1]]}'
refuse '0 shapes; give one of' --set 'bodies.rod.outline=[{radius: 1}]'
refuse '2 shapes' --set 'bodies.rod.outline=[{circle: [0, 0], radius: 1, bar: [[0, 0], [1, 1]]}]'
refuse 'has no size; give its `width`' --set 'bodies.rod.outline=[{bar: [[0, 0], [1, 1]]}]'
refuse 'it must be above 0' --set 'bodies.rod.thickness=0'
refuse 'write for example' --set 'bodies.rod.density=3 kg'
refuse 'its mass twice' --set 'bodies.rod.mass=1'
refuse 'does not exist; use' --set 'bodies.rod.frame=paper'
refuse 'not in the origin; say `frame: drawing`' --set 'bodies.rod.frame=body'
refuse 'give a whole number' --set 'bodies.rod.layer=0.5'
refuse 'is no colour of body' --set 'bodies.rod.colour=red'
call 2 draw --mechanism "$examples/rlc.bgl" -o "$directory/x.svg"
has err 'no bodies that could be drawn'
call 2 draw --mechanism "$examples/four_bar.yaml" -y coupler.Q -o "$directory/x.svg"
has err 'no point or body `coupler.Q`'
call 2 draw --mechanism "$examples/four_bar.yaml" --at 1e9 -o "$directory/x.svg"
has err 'is no time of this run'
call 2 draw --mechanism "$examples/four_bar.yaml" -o "$directory/x.dot"
has err '.pdf'
[ ! -e "$directory/x.svg" ] || problem "a picture in spite of an error"
finish
