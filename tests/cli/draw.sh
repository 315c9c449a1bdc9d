#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Pictures: formats by suffix, levels, reproducible text, unsound graphs.
# shellcheck disable=SC2016 # backquotes are part of the messages
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

call 0 draw "$examples/motor.bgl" -o -
empty err
has out "digraph"
has out '"1i" -> "I_coil" [arrowhead=teervee, arrowtail=none'
cp "$directory/out" "$directory/first"
call 0 draw "$examples/motor.bgl" -o "$directory/motor.dot"
empty out
cmp -s "$directory/first" "$directory/motor.dot" || problem "two pictures of one model differ"
call 0 draw "$examples/motor.bgl" -o - --acausal
grep -q "=tee" "$directory/out" && problem "strokes in an acausal picture"
for level in word multibond scalar; do
    call 0 draw "$examples/pendulum.yaml" --level $level -o -
    has out "digraph"
done
# instances of submodels: a box each with its ports, or with what is in it
call 0 draw "$examples/differential.yaml" --level word -o -
has out '"left" -> "half_left" [arrowhead=rvee, arrowtail=none, color="#111827", taillabel="shaft"'
has out '"0v" -> "right" [arrowhead=rvee, arrowtail=none, color="#111827", headlabel="electric"'
grep -q 'left[.]Ra' "$directory/out" && problem "the word bond graph shows what is in an instance"
call 0 draw "$examples/differential.yaml" -o -
has out 'label="left";'
has out '"left.Ra" [label='
# what a contact is made of is part of the joint that has it
call 0 draw "$examples/clearance_slider_crank.yaml" --level word -o -
has out '"slider" -> "B" ['
grep -q '"B[.]' "$directory/out" && problem "parts of the joint B stand for themselves"
# dampers, springs and loads of mechanisms have units
call 0 draw "$examples/slider_crank.yaml" -o -
has out "<R: 50 N.s/m>"
has out "<Se: 5 N.m>"
call 0 draw "$examples/four_bar.yaml" -o -
has out "<C: 1 rad/(N.m)>"
has out "<R: 0.05 N.m.s/rad>"
call 0 draw "$examples/motor.bgl" --no-legend -o -
grep -q "<table" "$directory/out" && problem "a legend with --no-legend"
call 2 draw "$examples/motor.bgl" --level fine -o -
has err '`fine`'
call 0 draw "$examples/motor.bgl" -o "$directory/motor.graphml"
grep -q "<data key=.name.>I_coil</data>" "$directory/motor.graphml" ||
    problem "no I_coil in GraphML"
call 2 draw "$examples/motor.bgl" --level word -o "$directory/word.graphml"
call 2 draw "$examples/motor.bgl" -o "$directory/motor.jpg"
has err ".svg"
call 2 draw --graph 'Se1>0a>R;Se2>0a' -o "$directory/conflict.dot"
[ -s "$directory/conflict.dot" ] || problem "an unsound graph is not drawn"

if command -v dot >/dev/null; then
    for suffix in svg png pdf; do
        call 0 draw "$examples/motor.bgl" -o "$directory/motor.$suffix"
        [ -s "$directory/motor.$suffix" ] || problem "no motor.$suffix"
    done
    grep -q '<svg' "$directory/motor.svg" || problem "motor.svg is no SVG"
    grep -q 'I_coil' "$directory/motor.svg" || problem "motor.svg does not name its elements"
    [ "$(grep -c '<g id="bond' "$directory/motor.svg")" -eq 11 ] ||
        problem "not 11 bonds in motor.svg"
    grep -q 'class="edge bond derivative"' "$directory/motor.svg" || problem "no class in motor.svg"
    # a mechanism has its shape: the crank of the slider-crank is left of its piston
    call 0 draw "$examples/slider_crank.yaml" --level word -o "$directory/shape.svg"
    awk '/<title>/ { name = $0; gsub(/.*<title>|<.title>.*/, "", name) }
         /<text/ && match($0, / x="[-0-9.]+"/) { x[name] = substr($0, RSTART + 4, RLENGTH - 5) }
         END { exit !(x["crank"] + 0 < x["rod"] + 0 && x["rod"] + 0 < x["piston"] + 0) }' \
        "$directory/shape.svg" || problem "the slider-crank is not drawn in its shape"
    call 0 draw "$examples/slider_crank.yaml" --level word --layout rows -o "$directory/rows.svg"
    cmp -s "$directory/shape.svg" "$directory/rows.svg" && problem "the layout makes no difference"
    # parts in parts: the same picture each time
    for i in 1 2 3; do
        call 0 draw "$examples/gearbox.yaml" -o "$directory/gearbox$i.svg"
        cmp -s "$directory/gearbox1.svg" "$directory/gearbox$i.svg" ||
            problem "two pictures of the gearbox differ"
    done
    # a ladder of 2000 bonds
    awk 'BEGIN { print "Se > 1a0"
                 for (i = 0; i < 500; i++) {
                     printf "1a%d > R%d; 1a%d > 0b%d; 0b%d > C%d\n", i, i, i, i, i, i
                     if (i < 499) { printf "0b%d > 1a%d\n", i, i + 1 }
                 } }' >"$directory/ladder.bgl"
    for suffix in svg tex; do
        call 0 draw "$directory/ladder.bgl" -o "$directory/ladder.$suffix"
    done
    [ "$(grep -c '<g id="bond' "$directory/ladder.svg")" -eq 2000 ] ||
        problem "not 2000 bonds drawn"
    call 2 draw "$examples/pendulum.yaml" --layout round -o "$directory/round.svg"
    has err '`round`'
    if command -v pdflatex >/dev/null && kpsewhich tikz.sty >/dev/null; then
        for model in motor.bgl four_bar.yaml differential.yaml; do
            for level in word multibond scalar; do
                call 0 draw "$examples/$model" --level $level -o "$directory/model.tex"
                (cd "$directory" && TEXMFVAR=$directory pdflatex -interaction=nonstopmode \
                    -halt-on-error model.tex >tex.out 2>&1) ||
                    problem "$model, $level: LaTeX: $(grep '^!' "$directory/tex.out")"
            done
        done
    fi
fi
# --arrows: a pendulum let go at the height of its hinge pulls it by m g (1 - m r^2/J) = 2.45 N;
# the tip of each arrow is in the picture, and a sample tells the size
call 0 draw --mechanism --arrows "$examples/pendulum.yaml" --set bodies.rod.start.angle=0 \
    -o "$directory/arrows.svg"
grep -q '>2 N</text>' "$directory/arrows.svg" || problem "no sample of 2 N beside the arrows"
call 0 draw --mechanism --arrows "$examples/excavator.yaml" -o "$directory/arrows.svg"
sed -n 's/.*viewBox="0 0 \([0-9.]*\) \([0-9.]*\)".*/box \1 \2/p
    s/^<g transform="translate(\([0-9.-]*\) \([0-9.-]*\)) scale.*/origin \1 \2/p
    s/.*class="force tip" d="M\([0-9.-]*\) \([0-9.-]*\)L.*/tip \1 \2/p' "$directory/arrows.svg" |
    awk '$1 == "box" { w = $2; h = $3 } $1 == "origin" { x = $2; y = $3 }
        $1 == "tip" { u[n++] = x + $2; v[n] = y - $3 }
        END { # the last one is the sample
            for (i = 0; i < n - 1; i++)
                outside += u[i] < 0 || u[i] > w || v[i + 1] < 0 || v[i + 1] > h
            exit !(n == 6 && outside == 0) }' || problem "arrows are cut off"
# what stands still without a load has none
call 0 draw --mechanism --arrows "$examples/pendulum.yaml" --set 'gravity=[0, 0]' \
    -o "$directory/arrows.svg"
grep -q 'class="force' "$directory/arrows.svg" && problem "round-off is drawn as a force"
# a picture does not take the place of its model
cp "$examples/pendulum.yaml" "$directory/self.dot"
call 2 draw "$directory/self.dot" -o "$directory/self.dot"
has err "is the file that the model is read from"
cmp "$examples/pendulum.yaml" "$directory/self.dot" || problem "the model is gone"

# without Graphviz: an error that says what to do, and the text beside
for suffix in svg tex; do
    PATH=/nonexistent "$HALFARROW" draw "$examples/motor.bgl" -o "$directory/x.$suffix" \
        2>"$directory/err"
    [ $? -eq 1 ] || problem "a missing Graphviz is not exit status 1"
    called="draw -o x.$suffix without Graphviz"
    has err graphviz
    has err "x.dot"
    [ ! -e "$directory/x.$suffix" ] || problem "a picture without Graphviz"
    cmp -s "$directory/first" "$directory/x.dot" || problem "no DOT text beside x.$suffix"
    rm -f "$directory/x.dot"
done
finish
