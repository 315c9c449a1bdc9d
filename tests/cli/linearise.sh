#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# halfarrow linearise: what it prints and writes, what it refuses.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh"

rlc='Se{12 V}>1a>R{50 ohm}; 1a>I{100 mH}; 1a>C{10 uF}'

call 0 linearise --graph "$rlc" --u Se --y C.e
has out "states x   I.p, C.q"
has out "968.2458"
has out "not an equilibrium; the largest acceleration is 12 (of I.p)"

call 0 linearise --graph "$rlc" --u Se --y C.e --json
has out '"equilibrium": false'

for suffix in txt m mat tex; do
    call 0 linearise --graph "$rlc" --u Se --y C.e -o "$directory/rlc.$suffix"
    [ -s "$directory/rlc.$suffix" ] || problem "no rlc.$suffix"
done
if command -v octave-cli >/dev/null; then
    (
        cd "$directory" && octave-cli --no-gui --norc --eval "
            rlc; s = load('rlc.mat');
            assert(sort(imag(eig(A))), [-968.245836551854; 968.245836551854], 1e-9);
            assert(s.A, A); assert(s.D, D); assert(states{2}, 'C.q');
            assert(abs(C * ((1000i * eye(2) - A) \\ B) + D), 2, 1e-12);"
    ) >"$directory/octave.log" 2>&1 || problem "Octave: $(tail -n 3 "$directory/octave.log")"
fi

# at rest after a while: the torque of gravity is in A, the motion is not
call 2 linearise "$examples/inverted_pendulum.yaml" --at -1
has err "before the run begins"
call 0 linearise "$examples/inverted_pendulum.yaml" --at 8 --json
has out '"states"'

call 2 linearise --graph "$rlc" --u Sf
has err "the input \`Sf\` is not known; did you mean \`Se\`"
call 2 linearise --graph "$rlc" --y C.z
has err "the output \`C.z\` is not known"
call 2 linearise --graph "$rlc" --u "Se,,R"
has err "has an empty name"
call 2 linearise --graph "$rlc" -o "$directory/rlc.csv"
has err "the linear model cannot be written"
call 2 linearise --graph 'Se1>1a>R{e = if(f > 0, f, 2*f)}; 1a>I'
has err "on its edge"
call 0 linearise --graph 'Se1>1a>R{e = if(f > 0, f, 2*f)}; 1a>I' --force
has out "sides      I.f <= 0"

finish
