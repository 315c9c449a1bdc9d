#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes every picture of the README and of these pages, and the tables of speed.md, in a directory:
# `make doc-figures` runs
#   HALFARROW=PROGRAM JOINTS=PROGRAM top_srcdir=DIR doc/figures.sh DIRECTORY
# Graphviz and gnuplot (packages graphviz, gnuplot-nox) have to be there.
set -euo pipefail

: "${HALFARROW:?names the program}" "${JOINTS:?names doc/joints}" "${top_srcdir:=.}"
out=$(cd "${1:?names the directory}" && pwd)

# draw NAME MODEL ARGUMENT...: the picture NAME.svg; an unsound graph is drawn with exit status 2.
draw() {
    local name=$1 status=0
    shift
    "$HALFARROW" draw "$@" -o "$out/$name.svg" 2>/dev/null || status=$?
    [ $status -eq 0 ] || [ $status -eq 2 ]
    [ -s "$out/$name.svg" ]
}

dot -Tsvg "$top_srcdir/doc/pipeline.dot" -o "$out/pipeline.svg"
"$JOINTS" "$out"
draw pendulum "$top_srcdir/examples/pendulum.yaml" --level scalar --layout rows
draw diagram-motor "$top_srcdir/examples/motor.bgl"
draw diagram-andrews "$top_srcdir/examples/andrews.yaml" --level word
draw diagram-slider-crank "$top_srcdir/examples/slider_crank.yaml"
draw diagram-loop "$top_srcdir/tests/golden/loop.bgl"
draw diagram-conflict "$top_srcdir/tests/golden/conflict.bgl"

# mechanism NAME EXAMPLE ARGUMENT...: the picture NAME.svg of the bodies of an example.
mechanism() {
    local name=$1 example=$2
    shift 2
    draw "$name" --mechanism "$top_srcdir/examples/$example.yaml" "$@"
}

mechanism library-cylinder four_cylinder --at 0.002
mechanism library-elastic-link elastic_slider_crank --at 0.021
mechanism library-geared-motor hoist
mechanism library-jack excavator
mechanism library-planetary-stage gearbox
mechanism library-suspension-corner suspension

# --- results --------------------------------------------------------------------------------------

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
examples=$top_srcdir/examples

# results NAME MODEL ARGUMENT...: a run, whose NAME is shown in the key.
results() {
    local name=$1 model=$2
    shift 2
    "$HALFARROW" run -q "$examples/$model" "$@" -o "$work/$name.csv"
}

# plot NAME OUTPUTS RESULT...: the picture NAME.svg of outputs over time.
plot() {
    local name=$1 outputs=$2
    shift 2
    (cd "$work" && "$HALFARROW" plot "${@/%/.csv}" --y "$outputs" -o "$out/$name.svg")
}

results ideal andrews.yaml
results compliant andrews.yaml --variant compliant
results 'compliant, D as printed' andrews.yaml --variant bera
plot figure-andrews-crank K1.angle,K1.omega,K1.alpha ideal
plot figure-andrews-triangle K3.angle,K3.omega ideal
plot figure-andrews-compliant K1.angle,K1.omega,K1.alpha compliant 'compliant, D as printed'
"$HALFARROW" compare -q "$examples/andrews.yaml" --variant base --variant compliant \
    --sweep 'joints.*.stiffness=1e7:1e10:4' --y K1.angle,K3.angle -o "$out/figure-convergence.svg"

results rigid rapson.yaml --variant rigid
results compliant rapson.yaml --variant compliant
plot figure-rapson tiller.angle,tiller.omega,tiller.alpha rigid compliant
"$HALFARROW" compare -q "$examples/rapson.yaml" --variant rigid --variant compliant --log \
    --y tiller.alpha -o "$out/figure-rapson-difference.svg"

for clearance in '0.1 mm' '0.25 mm' '0.5 mm'; do
    results "$clearance" clearance_slider_crank.yaml --set "joints.B.clearance=$clearance" \
        --t-end '3 ms' --step '4 us'
done
plot figure-clearance slider.vx,B.normal '0.1 mm' '0.25 mm' '0.5 mm'

results stick_slip stick_slip.yaml --t-end '30 s'
plot figure-stick-slip spring.e,friction.force,slide.speed stick_slip

results wiper wiper.yaml --set outputs='[winding.f, O.omega]'
plot readme-motor winding.f,O.omega wiper
draw readme-wiper --mechanism "$examples/wiper.yaml" --at 0,0.2,0.4 -y arm.tip

# --- speed ----------------------------------------------------------------------------------------

results=$top_srcdir/bench/results/amd-epyc.csv

# precision NAME CASE SIZE LABEL: the picture NAME.svg of errors over times.
precision() {
    gnuplot -c "$top_srcdir/doc/speed.gp" "$results" "$2" "$3" "$4" "$out/$1.svg"
    [ -s "$out/$1.svg" ]
}

precision figure-speed-andrews andrews 7 'relative error of the angles'
precision figure-speed-four-bar four-bar 40 'error of the angles [rad]'
precision figure-speed-chain chain 1000 'error of the angles [rad]'
LC_ALL=C awk -f "$top_srcdir/doc/speed.awk" "$results" "$top_srcdir/doc/speed.md" >"$work/speed.md"
mv "$work/speed.md" "$out/speed.md"
