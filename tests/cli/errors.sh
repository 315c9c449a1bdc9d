#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Errors in models: file:line:column, all in one go, the object named; unsound models.
# shellcheck disable=SC2016 # backquotes are part of the messages
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

printf 'Se{1 flup}>1a>Quux\n1a>R{2\n  1a>\n' >"$directory/bad.bgl"
call 2 check "$directory/bad.bgl"
empty out
has err "$directory/bad.bgl:1:15: error: \`Quux\`"
has err "$directory/bad.bgl:2:5: error: this \`{\`"
has err "$directory/bad.bgl:3:6: error: a bond needs"
has err "$directory/bad.bgl:1:6: error:"
[ "$(wc -l <"$directory/err")" -eq 4 ] || problem "not four errors"

call 2 check --graph 'Se>1a>Quux'
has err "--graph:1:7: error: "

printf 'halfarrow: 1\nbodies: {a: {mass: 1 m}}\n' |
    "$HALFARROW" check - >"$directory/out" 2>"$directory/err"
[ "${PIPESTATUS[1]}" -eq 2 ] || problem "a bad model on standard input is not exit status 2"
called="check -"
has err "-:2:20: error: "

# one entry that stands for many joints is one error
call 2 check "${top_srcdir:-.}/examples/andrews.yaml" --set 'joints.*.model=compliant' \
    --set 'joints.*.stiffness=-1'
has err '`stiffness` of joint `O` is -1'
has err 'so for 9 more that `joints.*.stiffness` stands for'
[ "$(wc -l <"$directory/err")" -eq 1 ] || problem "not one error"

# unsound graphs: the report is printed, the exit status is 2
call 2 check --graph 'Se1>0a>R;Se2>0a'
has out CONFLICT
has err '`Se1`'
has err '`Se2`'
call 2 check --json --graph 'Se1>0a>R;Se2>0a'
has out '"class": "CONFLICT"'
keys bonds integral strokes
call 2 causality --json --graph 'Sf1>1a>R;Sf2>1a'
has out '"class": "CONFLICT"'
call 2 run --t-end 1 --graph 'Se1>0a>R;Se2>0a'
empty out
call 2 equations --graph 'Se1>0a>R;Se2>0a'

call 2 check --json --graph '1t>MTF{cos(Df.q)}>1x;Sf>1x;1t>Df;1t>R'
has out '"class": "NON_INVERTIBLE"'
has err '`MTF`'

# nothing to work on
for command in check causality equations; do
    call 2 $command --graph ''
    has err '--graph:1:1: error: the bond graph is empty; give it elements and bonds'
    empty out
done
call 2 run --graph '# a comment' --t-end 1
has err 'the bond graph is empty'
printf '\n' >"$directory/empty.bgl"
call 2 run "$directory/empty.bgl" --t-end 1
has err "$directory/empty.bgl:1:1: error: the bond graph is empty"

# a value that does not exist at the start
call 2 run --graph 'Se{1/I.f}>I' --t-end 1
has err '--graph:1:1: error: the value of `Se` is '

# causal but singular: for any values 2, at these values 1
call 2 check --graph '1a>0b;0b>1c;1c>0d;0d>1c;Sf5>1a;0b>R6;0b>C7'
has out STRUCTURALLY_SINGULAR
has err '--graph:1:16: error: the effort and the flow on the bonds between `0d`, `1c`'
twins='Se>1s>R;1s>I;1s>0x;0x>TF1{3}>0y;0x>TF2{3}>0y;0y>C'
call 1 check --json --graph "$twins"
has out '"class": "SINGULAR_AT_VALUES"'
has out '"order": null'
has err '`TF1` = 3, `TF2` = 3'
call 1 run --t-end 1 --graph "$twins"
empty out
call 1 causality --graph "$twins"
has out SINGULAR_AT_VALUES
call 1 equations --graph "$twins"
has out 'TF1 = 3'
call 1 check --json --graph 'Se>1a;1a>I{0}'
has out '"class": "SINGULAR_AT_VALUES"'
has err '--graph:1:10: error: `I` has the value 0 and nothing determines its flow; give it a value'
call 2 run --graph 'I>1b;1b>Re1;1b>Re2' --t-end 1
has err '`Re1`, `Re2` repeat each other'
# singular at the start only: what varies is tried there
call 1 check --json --graph 'Se>1>I;1>MTF{t}>1b>Re'
has out '"class": "SINGULAR_AT_VALUES"'

# overrides: their errors have a place too
call 2 check "$examples/rlc.bgl" --set 'Rx=3'
has err '--set:1:1: error: `Rx`'
call 2 check "$examples/rlc.bgl" --set 'R=3 flup'
has err "--set:1:5: error: "
call 2 check "$examples/rlc.bgl" --set 'R'
has err "PATH=VALUE"
# the nearest is named, but one letter is like no other
call 2 check "$examples/four_bar.yaml" --set parameters.q=3
has err 'cannot set `q`: the file has no such parameter; give it under `parameters` first'
call 2 check "$examples/andrews.yaml" --set parameters.mon=3
has err 'cannot set `mon`: the file has no such parameter; did you mean `mom`?'
call 2 check "$examples/motor.bgl" --set 'parameters.m=3'
has err '`m`'

# -q keeps errors
call 2 check -q --graph 'Se>'
has err error
finish
