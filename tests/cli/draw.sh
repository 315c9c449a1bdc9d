#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Pictures: formats by suffix, levels, reproducible text, unsound graphs.
# shellcheck disable=SC2016 # backquotes are part of the messages
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh"

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
call 2 draw "$examples/motor.bgl" --level fine -o -
has err '`fine`'
call 0 draw "$examples/motor.bgl" -o "$directory/motor.graphml"
grep -q "<data key=.name.>I_coil</data>" "$directory/motor.graphml" || problem "no I_coil in GraphML"
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
fi
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
