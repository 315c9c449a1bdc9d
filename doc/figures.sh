#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes every picture of the README and of these pages in a directory: `make doc-figures` runs
#   HALFARROW=PROGRAM JOINTS=PROGRAM top_srcdir=DIR doc/figures.sh DIRECTORY
# Graphviz (package graphviz) has to be there.
set -euo pipefail

: "${HALFARROW:?names the program}" "${JOINTS:?names doc/joints}" "${top_srcdir:=.}"
out=${1:?names the directory}

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
