#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Equations in all formats: C compiles, LaTeX compiles where there is a LaTeX.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

for model in rlc.bgl motor.bgl four_bar.yaml slider_crank_driven.yaml; do
    call 0 equations "$examples/$model" --format text
    cp "$directory/out" "$directory/text"
    call 0 equations "$examples/$model"
    cmp -s "$directory/out" "$directory/text" || problem "$model: text is not the default"
    call 0 equations "$examples/$model" --format c -o "$directory/model.c"
    ${CC:-cc} -std=c17 -Wall -Wextra -Werror -c "$directory/model.c" -o "$directory/model.o" ||
        problem "$model: the C file does not compile"
    call 0 equations "$examples/$model" --format latex -o "$directory/model.tex"
    if command -v pdflatex >/dev/null; then
        (cd "$directory" && TEXMFVAR=$directory pdflatex -interaction=nonstopmode -halt-on-error \
            model.tex >tex.out 2>&1) || problem "$model: LaTeX: $(grep '^!' "$directory/tex.out")"
    fi
done
# the start values are those of the assembled mechanism
call 0 equations "$examples/four_bar.yaml" --format c
has out "halfarrow_start"
# a name that would show the code around it in another order
name=$(printf 'S\xe2\x80\xaee')
cat >"$directory/order.bg" <<END
version: '0.1'
root: m
models:
  /:
    components: ['$name base/Se e=12', 'R base/R r=5']
    netlist: ['$name R']
END
call 2 equations "$directory/order.bg" --format c
has err "has no printable character of UTF-8 at byte 2; leave out what is there"
grep -q "$(printf '\xe2\x80\xae')" "$directory/err" && problem "$called: a mark of direction"
call 2 equations "$examples/rlc.bgl" --format fortran
has err "latex"
# equations do not take the place of a model
cp "$examples/pendulum.yaml" "$directory/pendulum.txt"
call 2 equations "$directory/pendulum.txt" -o "$directory/pendulum.txt"
has err "is the file that the model is read from"
cmp "$examples/pendulum.yaml" "$directory/pendulum.txt" || problem "the model is gone"
call 2 equations "$examples/pendulum.yaml" -o "$directory/other.yaml"
has err "has the suffix of a model"
[ ! -e "$directory/other.yaml" ] || problem "equations under the name of a model"
call 2 equations --graph 'Se1>0a>R;Se2>0a' --format latex
# the flow of a bond that leaves a storage is not the flow into the storage
call 0 equations --graph 'I{2, p=1} > 0; 0 > R{3}'
has out "I.f = -I.f_in"
has out "der(I*I.f_in) = I.e"
call 0 equations --graph 'I{2, p=1} > 0; 0 > R{3}' --format latex
has out 'f_{\mathrm{in},\text{I}}'
# a law that gives the other quantity is an equation
call 0 equations --graph 'Sf{2} > 1; 1 > R{f = 2*e}'
has out "0 = R.f - 2*R.e"
finish
