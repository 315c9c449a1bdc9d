#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Conversion between formats: what a converted file runs to, and what is refused.
# shellcheck disable=SC2016 # backquotes are part of the messages
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh"

# Each example as each format, run to its closed form: the current of the circuit at 20 ms, by
# i = 12 V / (w L) exp(-a t) sin(w t), a = R / 2L = 250/s, w = sqrt(1 / LC - a^2).
current=$(awk 'BEGIN { a = 250; w = sqrt(1e6 - a * a); t = 0.02
    printf "%.12g", 12 / (w * 0.1) * exp(-a * t) * sin(w * t) }')
for suffix in bgl yaml yml bg; do
    call 0 convert "$examples/rlc.bgl" -o "$directory/rlc.$suffix"
    empty out
    call 0 run "$directory/rlc.$suffix" --t-end '20 ms' --rtol 1e-9 --atol 1e-9 --json -o /dev/null
    near I.f "$current" 1e-7
    # once more, back to where it came from
    call 0 convert "$directory/rlc.$suffix" -o "$directory/back.bgl"
    call 0 equations "$directory/back.bgl"
    cp "$directory/out" "$directory/equations"
    call 0 equations "$examples/rlc.bgl"
    cmp -s "$directory/out" "$directory/equations" || problem "rlc: other equations by way of $suffix"
done

# the options of a run stay in a model file
printf 'halfarrow: 1\nname: coil\nbondgraph:\n  elements: {V: {type: Se, value: 12 V}, L: {type: I}}\n  bonds: [V > L]\nsimulate: {t_end: 2 s}\noutputs: [L.f]\n' >"$directory/coil.yaml"
call 0 convert "$directory/coil.yaml" -o "$directory/coil2.yaml"
has err "outputs"
call 0 run "$directory/coil2.yaml" --json -o /dev/null
near L.f 24 1e-5
call 0 convert "$directory/coil.yaml" -o "$directory/coil.bgl"
has err '`Se_V`'
call 0 convert "$directory/coil.yaml" -o "$directory/coil.bg"
grep -q "root: 'coil'" "$directory/coil.bg" || problem "the name of the model is not written"

printf 'halfarrow: 1\nparameters: {R: 2}\nbondgraph:\n  elements: {V: {type: Se, value: 12 V}, Ra: {type: R, value: R}}\n  bonds: [V > Ra]\n' >"$directory/named.yaml"
call 0 convert "$directory/named.yaml" -o "$directory/named2.yaml"
has err 'parameters are replaced by their values'

# settings of a .bg file
call 0 run "$directory/coil.bg" --set L=2 --t-end 1 --json -o /dev/null
near L.f 6 1e-5
call 2 check "$directory/coil.bg" --set X=2
has err '--set'
call 2 check "$directory/coil.bg" --variant x
printf 'version: 0.1\nmodels: {/: {components: [D elec/Di]}}\n' >"$directory/diode.bg"
call 2 check "$directory/diode.bg"
has err 'diode.bg:2:29: error: `D`'

# a model is not replaced by itself in another form
cp "$examples/rlc.bgl" "$directory/self.bgl"
call 2 convert "$directory/self.bgl" -o "$directory/self.bgl"
has err "is the file that the model is read from"
cmp "$examples/rlc.bgl" "$directory/self.bgl" || problem "the model is gone"

# what cannot be said
call 1 convert "$examples/pendulum.yaml" -o "$directory/x.bgl"
has err '`O.x`'
call 1 convert --graph 'Se>1a;1a>Re;1a>I' -o "$directory/x.bg"
has err '`Re`'
[ ! -e "$directory/x.bg" ] || problem "a refused conversion left a file"
call 2 convert "$examples/rlc.bgl"
has err '.yaml'
call 2 convert "$examples/rlc.bgl" -o "$directory/x.json"
has err '.yaml'
finish
