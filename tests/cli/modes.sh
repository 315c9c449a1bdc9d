#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# halfarrow modes: what it prints and writes, what it refuses.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

rlc='Se>1a>R{50 ohm}; 1a>I{100 mH}; 1a>C{10 uF}'

call 0 modes --graph "$rlc" --set Se=0
has out "1 mode of 2 states, 0 rigid"
has out "159.1549"
has out "0.25"
has out "potential   C 100 %"
has out "dissipation R 100 %"

call 0 modes --graph "$rlc" --json
has out '"rigid": 0'
has out '"kinetic"'

cat >"$directory/rod.yaml" <<'END'
halfarrow: 1
ground: {points: {O: [0, 0]}}
bodies:
  rod: {mass: 1, inertia: 0.0833, points: {O: [-0.5, 0]}, start: {angle: -90 deg, fixed: [angle]}}
joints: {O: {type: revolute, between: [ground.O, rod.O]}}
END
call 0 modes "$directory/rod.yaml"
has out "0.610551"
has out "rod         x 0.5, angle 1"
has out "kinetic     rod.x 75 %, rod.angle 25 %"
has out "potential   rod.weight.y 100 %"
call 0 modes "$directory/rod.yaml" -o "$directory/rod.csv"
grep -q "^mode,re .1/s.,im .1/s.,frequency .Hz.,damping .1.,rod.x re" "$directory/rod.csv" ||
    problem "rod.csv has another header"

# A slider-crank on a spring: components of a body are one part, all bonds have their width, and the
# legend the numbers.
cat >"$directory/crank.yaml" <<'END'
halfarrow: 1
gravity: [0, 0]
ground: {points: {O: [0, 0]}}
bodies:
  crank: {mass: 3, inertia: 0.02, points: {O: [0, 0], A: [0.05, 0]}, start: {angle: 60 deg}}
  rod: {mass: 0.6, inertia: 1.2e-3, points: {A: [-0.05, 0], B: [0.1, 0]}}
  piston: {mass: 0.5, inertia: 4e-4, points: {B: [0, 0]}, start: {x: 0.17}}
joints:
  O: {type: revolute, between: [ground.O, crank.O]}
  A: {type: revolute, between: [crank.A, rod.A]}
  B: {type: revolute, between: [rod.B, piston.B]}
  S: {type: translational, between: [ground.O, piston.B]}
forces:
  spring: {type: spring-damper, on: O, stiffness: 5, damping: 0.02, free_angle: 60 deg}
END
if command -v dot >/dev/null; then
    call 0 modes --graph "$rlc" --set Se=0 -o "$directory/rlc.svg"
    grep -q "#bond-[0-9]*{opacity:1}" "$directory/rlc.svg" || problem "rlc.svg has no wide bonds"
    grep -q "159.15 Hz, damping 0.25" "$directory/rlc.svg" || problem "rlc.svg has no title"
    grep -q ">C 100 % (bond [0-9]*)<" "$directory/rlc.svg" || problem "rlc.svg has no numbers"
    call 0 modes "$directory/crank.yaml" --at equilibrium -o "$directory/crank.svg"
    for part in crank rod piston spring.C spring.R; do
        grep -q ">$part [0-9.]* % (bond [0-9]*)<" "$directory/crank.svg" ||
            problem "crank.svg has no share of $part"
    done
    sum=$(grep -oE '>(crank|rod|piston) [0-9.]+ %' "$directory/crank.svg" |
        awk '{ sum += $2 } END { print (sum > 99.9 && sum < 100.1) }')
    [ "$sum" = 1 ] || problem "the kinetic shares of crank.svg are not 100 %"
    call 0 modes "$directory/crank.yaml" --at equilibrium -o "$directory/crank.html"
    empty err
    for text in 'id="mode-table"' 'id="m-bond' 'class="run swing"' '"motions":[[["f"' \
        '<td>rod</td>'; do
        grep -qF "$text" "$directory/crank.html" || problem "crank.html has no $text"
    done
    call 0 modes --graph "$rlc" --set Se=0 -o "$directory/rlc.html"
    grep -qF '"motions":[[]]' "$directory/rlc.html" || problem "rlc.html has bodies"
    if command -v xmllint >/dev/null; then
        xmllint --noout "$directory/crank.svg" || problem "crank.svg is no XML"
    fi
fi
if command -v rsvg-convert >/dev/null && command -v ffmpeg >/dev/null; then
    call 0 modes "$directory/crank.yaml" --at equilibrium -o "$directory/crank.gif"
    head -c 3 "$directory/crank.gif" | grep -q GIF || problem "crank.gif is no GIF"
fi
call 2 modes --graph "$rlc" --set Se=0 -o "$directory/rlc.gif"
has err "no bodies"
call 2 modes --graph "$rlc" --set Se=0 --mode 2 -o "$directory/rlc.svg"
has err "one of the 1 modes"

call 0 modes "$examples/four_bar.yaml"
has out "not an equilibrium"

# round-off in columns that hold nothing: a wheel of inertia 1 and radius 0.3 under 10 kg, on
# a tyre of the slope 1.5 * 80 N/(0.1 m/s) rolls freely, so that four eigenvalues are 0; the arm
# slides sideways with the body alone
call 0 modes "$examples/zimmer_dry_wheel.yaml" --json
python3 - <<END || problem "the modes of a wheel under dry friction"
import json
modes = json.load(open("$directory/out"))["modes"]
found = [mode["eigenvalue"] for mode in modes]
wanted = [0, 0, 0, -1200/10, -1200*(1/11 + 0.3**2/1)]
assert len(found) == len(wanted), found
for (a, b), value in zip(found, wanted):
    assert abs(a - value) <= 1e-6*abs(value) and b == 0, found
END
call 0 modes "$examples/rack_steering.yaml"

call 2 modes "$directory/rod.yaml" --count 0
has err "a whole number from 1 on"
call 2 modes --graph 'Se1>1a>R{e = if(f > 0, f, 2*f)}; 1a>I'
has err "on its edge"
# a form that changes without a kink has one derivative: f' = -1 f here
call 0 modes --graph '1a>R{e = if(f > 0, f + f^2, f - f^2)}; 1a>I' --json
near damping 1 1e-12
has out '        -1.0,'
# where it jumps, has an infinite slope on one side, or two edges hide another, it has none
for law in 'Se{-sign(I.f)}>1a; 1a>R' 'Se{if(I.f >= 0, I.f, -sqrt(-I.f))}>1a; 1a>R' \
    'Se{if(I.f >= 0, I.f, if(2*I.f + I.p >= 0, I.f, 5*I.f))}>1a; 1a>R'; do
    call 2 modes --graph "$law; 1a>I"
    has err "on both sides the law has other values or derivatives"
done
# light damping beside a stiff spring is no round-off: R/2 sqrt(C/I)
call 0 modes --graph '1a>R{0.1}; 1a>I{1e-3}; 1a>C{1e-16}' --json
near damping 1.5811388300841897e-8 1e-16

# Of many strands and of many free chains each frequency is there as often as there are strands,
# and each chain has three rigid modes, above the size where all modes are found at once.
# strands NUMBER LINKS HELD
strands() {
    python3 - "$@" <<'END'
import sys
number, links, held = map(int, sys.argv[1:])
print("halfarrow: 1")
print(f"gravity: [0, {-9.81 * held}]")
if held:
    print("ground: {points: {" + ", ".join(f"O{k}: [{k}, 0]" for k in range(number)) + "}}")
print("bodies:")
for k in range(number):
    for i in range(links):
        print(f"  s{k}b{i}: {{mass: 1, inertia: 0.1, points: {{A: [0, 0.5], B: [0, -0.5]}},"
              f" start: {{x: {k}, y: {-0.5 - i}, angle: 0}}}}")
print("joints:")
for k in range(number):
    for i in range(0 if held else 1, links):
        upper = f"ground.O{k}" if i == 0 else f"s{k}b{i - 1}.B"
        print(f"  s{k}j{i}: {{type: revolute, between: [{upper}, s{k}b{i}.A]}}")
if not held:
    print("forces:")
    for k in range(number):
        for i in range(1, links):
            print(f"  s{k}f{i}: {{type: spring-damper, on: s{k}j{i}, stiffness: 1}}")
END
}
strands 16 12 1 >"$directory/strands.yaml"
strands 1 12 1 >"$directory/strand.yaml"
call 0 modes "$directory/strand.yaml" --count 2 --json
mv "$directory/out" "$directory/one"
call 0 modes "$directory/strands.yaml" --count 20 --json
python3 - "$directory/one" "$directory/out" <<'END' || problem "modes of 16 strands"
import json, sys
one, all = ([m["frequency"] for m in json.load(open(p))["modes"]] for p in sys.argv[1:])
assert len(all) == 20, all
for k, f in enumerate(all):
    assert abs(f - one[k // 16]) < 1e-9, (k, f, one)
END
strands 20 10 0 >"$directory/free.yaml"
call 0 modes "$directory/free.yaml" --count 70 --json
python3 - "$directory/out" <<'END' || problem "rigid modes of 20 chains"
import json, sys
found = json.load(open(sys.argv[1]))
lowest = [m["frequency"] for m in found["modes"]][60:]
assert found["rigid"] == 60 and len(lowest) == 10, found["rigid"]
assert max(lowest) - min(lowest) < 1e-9 and min(lowest) > 0.01, lowest
END

finish
