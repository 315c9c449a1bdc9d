#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Conversion between formats: what a converted file runs to, and what is refused.
# shellcheck disable=SC2016 # backquotes are part of the messages
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

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
    cmp -s "$directory/out" "$directory/equations" ||
        problem "rlc: other equations by way of $suffix"
done

# the options of a run stay in a model file
cat >"$directory/coil.yaml" <<'END'
halfarrow: 1
name: coil
bondgraph:
  elements: {V: {type: Se, value: 12 V}, L: {type: I}}
  bonds: [V > L]
simulate: {t_end: 2 s}
outputs: [L.f]
END
call 0 convert "$directory/coil.yaml" -o "$directory/coil2.yaml"
has err "outputs"
call 0 run "$directory/coil2.yaml" --json -o /dev/null
near L.f 24 1e-5
call 0 convert "$directory/coil.yaml" -o "$directory/coil.bgl"
has err '`Se_V`'
call 0 convert "$directory/coil.yaml" -o "$directory/coil.bg"
grep -q "root: 'coil'" "$directory/coil.bg" || problem "the name of the model is not written"

# start values and sources over the time are in sections of their own, and come back
echo 'MSe{3*sin(2*t)}>1a;1a>R{2};1a>C{0.5, q=0.1}' >"$directory/starts.bgl"
call 0 convert "$directory/starts.bgl" -o "$directory/starts.bg"
empty err
call 0 run "$directory/starts.bg" --t-end 1.7 --rtol 1e-9 --json -o /dev/null
near C.q "$(awk 'BEGIN { t = 1.7
    printf "%.12g", 0.3 * sin(2 * t) - 0.6 * cos(2 * t) + 0.7 * exp(-t) }')" 1e-8

cat >"$directory/named.yaml" <<'END'
halfarrow: 1
parameters: {R: 2}
bondgraph:
  elements: {V: {type: Se, value: 12 V}, Ra: {type: R, value: R}}
  bonds: [V > Ra]
END
call 0 convert "$directory/named.yaml" -o "$directory/named.bg"
has err 'parameters are replaced by their values'

# parameters stay, with their definitions, and so do values that read them: -12 V / (R + 2 S),
# S = 3 R
cat >"$directory/named.yaml" <<'END'
halfarrow: 1
parameters: {R: 2, S: 3*R}
bondgraph:
  elements:
    V: {type: Se, value: 12 V}
    Ra: {type: R, value: R}
    1: {type: "1"}
    Rb: {type: R, value: 2*S}
  bonds: [V > 1, 1 > Ra, 1 > Rb]
END
for suffix in yaml bgl; do
    call 0 convert "$directory/named.yaml" -o "$directory/named2.$suffix"
    empty out
    call 0 run "$directory/named2.$suffix" --set parameters.R=1 --t-end 0 --json -o /dev/null
    near Ra.e "$(awk 'BEGIN { printf "%.12g", 12 / 7 }')" 1e-10
done

# laws and fields: the same motion from each format
cat >"$directory/coil3.yaml" <<'END'
halfarrow: 1
parameters: {L: 2, a: 0.1, k: 4}
bondgraph:
  elements:
    Se_U: {type: Se, value: sin(t)}
    1e: {type: "1"}
    1m: {type: "1"}
    R: {type: R, value: 0.5}
    R_d: {type: R, e: 0.3*f*abs(f)}
    I: {type: I, f: p/sqrt(1 + p^2), p: 0.2}
    IC: {type: IC, ports: 2, energy: p1^2*(1 + q2/a)/(2*L) + k*q2^2/2, q2: 0.05}
    C: {type: C, ports: 2, value: [[1, 0.2], [0.2, 3]], q: [0.1, 0]}
  bonds: [Se_U > 1e > R, 1e > IC.1, 1m > IC.2, 1m > I, 1e > C, 1m > C, 1m > R_d]
END
call 0 run "$directory/coil3.yaml" --t-end 1 --rtol 1e-9 --atol 1e-9 --json -o /dev/null
position=$(awk '$1 == "\"IC.q2\":" && $2 != "{" { sub(/,$/, "", $2); print $2 }' "$directory/out")
for suffix in yaml bgl; do
    call 0 convert "$directory/coil3.yaml" -o "$directory/coil4.$suffix"
    empty out
    call 0 run "$directory/coil4.$suffix" --t-end 1 --rtol 1e-9 --atol 1e-9 --json -o /dev/null
    near IC.q2 "$position" 1e-9
done
call 1 convert "$directory/coil3.yaml" -o "$directory/x.bg"
has err 'has coupled ports'
sed 's/1e > IC.1, 1m > IC.2/1m > IC.2, 1e > IC.1/' "$directory/coil3.yaml" >"$directory/turned.yaml"
call 0 convert "$directory/turned.yaml" -o "$directory/turned2.yaml"
call 0 run "$directory/turned2.yaml" --t-end 1 --rtol 1e-9 --atol 1e-9 --json -o /dev/null
near IC.q2 "$position" 1e-9
call 1 convert "$directory/turned.yaml" -o "$directory/x.bgl"
has err 'are not in the order of its ports'

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
