#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Parts on the command line: results of nested and flat files byte for byte, `--set`, pictures,
# messages.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

arm='  arm:
    parameters: {l: 1 m, m: 2 kg}
    ports: {base: rod.A, tip: rod.B}
    bodies:
      rod: {mass: m, inertia: m*l^2/12, points: {A: [-l/2, 0], B: [l/2, 0]}}'
cat >"$directory/nested.yaml" <<END
halfarrow: 1
submodels:
$arm
  pair:
    ports: {base: "link[0].base", tip: "link[1].tip"}
    parts: {link: {type: arm, count: 2, parameters: {m: 2 - 0.1*i}}}
    joints: {J: {type: revolute, between: ["link[0].tip", "link[1].base"]}}
parts: {left: {type: pair, start: {link: {rod: {angle: -30 deg, fixed: [angle]}}}}}
ground: {points: {O: [0, 0]}}
joints: {O: {type: revolute, between: [ground.O, left.base]}}
forces: {f: {type: force, on: left.tip, value: [0, "-0.1*left.tip.vy"]}}
simulate: {t_end: 1 s}
END
cat >"$directory/flat.yaml" <<'END'
halfarrow: 1
bodies:
  a:
    mass: 2
    inertia: 2/12
    points: {A: [-0.5, 0], B: [0.5, 0]}
    start: {angle: -30 deg, fixed: [angle]}
  b:
    mass: 1.9
    inertia: 1.9/12
    points: {A: [-0.5, 0], B: [0.5, 0]}
    start: {angle: -30 deg, fixed: [angle]}
ground: {points: {O: [0, 0]}}
joints:
  J: {type: revolute, between: [a.B, b.A]}
  O: {type: revolute, between: [ground.O, a.A]}
forces: {f: {type: force, on: b.B, value: [0, "-0.1*b.B.vy"]}}
simulate: {t_end: 1 s}
END
call 0 run "$directory/nested.yaml" -o "$directory/nested.csv"
call 0 run "$directory/flat.yaml" -o "$directory/flat.csv"
sed -i '1s/left\.link\[0\]\.rod/a/g; 1s/left\.link\[1\]\.rod/b/g; 1s/left\.J/J/g' \
    "$directory/nested.csv"
cmp "$directory/nested.csv" "$directory/flat.csv" || problem "nested and flat results differ"

call 0 draw "$directory/nested.yaml" --level word -o "$directory/word.dot"
cp "$directory/word.dot" "$directory/out"
has out 'left'
has out 'pair'
if grep -q 'rod' "$directory/word.dot"; then
    problem "what is in a part is drawn at word level"
fi
call 0 draw "$directory/nested.yaml" -o "$directory/all.dot"
cp "$directory/all.dot" "$directory/out"
has out 'label="link[0]"'

# four levels, 215 parts, hang together as the row of their links does
call 0 check "$examples/nested_chain.yaml" --json
near mobility 160 0
call 0 run "$examples/nested_chain.yaml" --rtol 1e-9 --json
nested=$(awk '$1 == "\"final\":" { on = 1 }
    on && /rod.angle/ { sub(/,$/, "", $2); print $2; exit }' "$directory/out")
cat >"$directory/row.yaml" <<'END'
halfarrow: 1
submodels:
  link:
    parameters: {l: 50 mm, m: 0.1 kg}
    ports: {start: rod.A, end: rod.B}
    bodies:
      rod: {mass: m, inertia: m*l^2/12, points: {A: [-l/2, 0], B: [l/2, 0]}, start: {x: l/2, y: 0}}
ground: {points: {O: [0, 0]}}
parts: {link: {type: link, count: 160, start: {x: 0.05*i, angle: 0}}}
joints:
  O: {type: revolute, between: [ground.O, "link[0].start"]}
  J: {type: revolute, for: {i: [0, 158]}, between: ["link[i].end", "link[i+1].start"]}
simulate: {t_end: 0.1 s, rtol: 1e-9}
outputs: ["link[0].rod.angle"]
END
call 0 run "$directory/row.yaml" --json
near 'link[0].rod.angle' "$nested" 1e-7

# overrides: by the place in the file, and by the parameter
call 0 run "$directory/nested.yaml" --set parts.left.parameters='{link.l: 2}' --json
first=$(grep -o '"left.link\[1\].rod.x": [^,]*' "$directory/out")
call 0 run "$directory/nested.yaml" --set parameters.left.link.l=2 --json
[ "$first" = "$(grep -o '"left.link\[1\].rod.x": [^,]*' "$directory/out")" ] ||
    problem "two ways of setting a parameter differ"
call 2 run "$directory/nested.yaml" --set parameters.lefft.link.l=2
has err '`lefft` is no part and no instance of a submodel; did you mean `left`?'
call 2 run "$directory/nested.yaml" --set parameters.left.link.q=2
has err 'has no such parameter'
call 2 run "$directory/nested.yaml" --set submodels.pair.parts.link.count=0
has err '`count` of part `left.link` is 0; give a whole number from 1 to 10000'
call 2 run "$directory/nested.yaml" --set submodels.pair.parts.link.count=1e9
has err '`count` of part `left.link` is 1000000000'
call 2 run "$directory/nested.yaml" --set submodels.pair.parts.link.count=1
has err 'the last of the row is `left.link[0]`'
has err 'in the part `left` of type `pair`'

# a part that is placed places its bodies, with or without a start of their own: at the origin of
# each part in it, here (3, 4) and (3 - 2 sin 1, 4 + 2 cos 1)
cat >"$directory/place.yaml" <<'END'
halfarrow: 1
gravity: [0, 0]
submodels:
  w: {ports: {p: b.P}, bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}}}}
  v: {ports: {p: u.p}, parts: {u: {type: w, start: {y: 2}}}}
parts: {w: {type: w, start: {x: 3, y: 4, vx: 5}}, v: {type: v, start: {x: 3, y: 4, angle: 1}}}
simulate: {t_end: 0}
outputs: [w.b.x, w.b.y, w.b.vx, v.u.b.x, v.u.b.y]
END
call 0 run "$directory/place.yaml" -o "$directory/place.csv"
tail -n 1 "$directory/place.csv" | awk -F , '
    { split("3 4 5 1.317058030384207 5.0806046117362795", want, " ")
      for (i = 1; i <= 5; i++) { d = $(i + 1) - want[i]; if (d * d > 1e-28) exit 1 } }' ||
    problem "placed at $(tail -n 1 "$directory/place.csv")"

# a parameter of the file is not one of a submodel
cat >"$directory/outside.yaml" <<'END'
halfarrow: 1
parameters: {t0: 1}
submodels: {m: {ports: {p: b.P}, bodies: {b: {mass: t0, inertia: 1, points: {P: [0, 0]}}}}}
parts: {q: {type: m}}
simulate: {t_end: 1}
END
call 2 check "$directory/outside.yaml"
has err '`mass` of body `q.b`: unknown name `t0`; define it'
has err '`t0` is a parameter outside of the submodel; give the submodel one of its own'

finish
