#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Variants side by side: differences against closed forms, causality, sweeps, files, failures.
# shellcheck disable=SC2016 # backquotes are part of the messages
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

# a body of mass m under a force f: x = f t^2 / (2 m), so that base and heavy are t^2 / 4 apart at
# f = 1: 0.25 m at the end, a root of the mean square of sqrt(1/80) m; pushed has a force of its own
cat >"$directory/push.yaml" <<'END'
halfarrow: 1
gravity: [0, 0]
parameters: {f: 1 N, share: 0}
bodies:
  b: {mass: 1 kg, inertia: 1, points: {P: [0, 0]}, start: {x: 0, y: 0, fixed: [x, y]}}
forces:
  drive: {type: force, on: b.P, value: [1 + share*f, 0]}
simulate: {t_end: 1 s, step: 1 ms, rtol: 1e-10, atol: 1e-10}
variants:
  heavy: {bodies: {b: {mass: 2 kg}}}
  pushed: {forces: {more: {type: force, on: b.P, value: [1 N, 0]}}}
  shared: {parameters: {share: 1}}
END

# differences VARIANT OUTPUT: the row of the CSV table.
table=$directory/table.csv
row() {
    awk -F, -v variant="$1" -v output="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
        $1 == variant && $(column["output"]) == output {
            print $(column["largest"]), $(column["t [s]"]), $(column["rms"]), $(column["end"])
        }' "$table"
}

# differ VARIANT OUTPUT LARGEST T RMS END
differ() {
    row "$1" "$2" | awk -v want="$3 $4 $5 $6" '
        function far(a, b) { return a - b > 1e-6 || b - a > 1e-6 }
        { split(want, w, " "); n++
          for (i = 1; i <= 4; i++) if (far($i, w[i])) { print "column", i, "is", $i; exit 1 } }
        END { if (n != 1) { print n + 0, "rows"; exit 1 } }' ||
        problem "$called: wrong difference of $1 $2"
}

# within SECTION KEY VALUE TOLERANCE: the number of a key behind the line of a section.
within() {
    awk -v section="\"$1\":" -v name="\"$2\":" -v value="$3" -v tolerance="$4" '
        $1 == section { is_in = 1 }
        is_in && $1 == name && $2 !~ /null|[{]/ {
            sub(/,$/, "", $2)
            found = 1
            d = $2 - value
            if (d < -tolerance || d > tolerance) { print name, $2, "is not", value; exit 1 }
            exit 0
        }
        END { if (!found) { print section, name, "is missing or wrong"; exit 1 } }' \
        "$directory/out" || problem "$called: wrong number"
}

call 0 compare -q "$directory/push.yaml" --variant base --variant heavy -o "$table"
empty out
differ heavy b.x 0.25 1 0.11180339887 -0.25
differ heavy b.vx 0.5 1 0.28867513459 -0.5
differ heavy b.y 0 0 0 0
columns="variant,against,status,output,unit,largest,t [s],rms,range,end,peak,peak_change"
[ "$(head -n 1 "$table")" = "$columns" ] ||
    problem "header: $(head -n 1 "$table")"

# the outputs that are asked for, and no others
call 0 compare -q "$directory/push.yaml" --variant heavy --y b.x,b.vx -o "$table"
[ "$(cut -d , -f 4 "$table" | sort | tr '\n' ' ')" = "b.vx b.x output " ] ||
    problem "\`--y\` does not choose the rows: $(cut -d , -f 4 "$table")"

# one variant alone is compared with the file as it stands; without any, all are; `base` is a name
call 0 compare -q "$directory/push.yaml" --variant heavy -o "$table"
differ heavy b.x 0.25 1 0.11180339887 -0.25
call 0 compare -q "$directory/push.yaml" --variant heavy --variant base -o "$table"
differ base b.x 0.25 1 0.11180339887 0.25
call 0 compare -q "$directory/push.yaml" -o "$table"
differ pushed b.x 0.5 1 0.22360679775 0.5
call 0 run -q "$directory/push.yaml" --variant base -o "$directory/base.csv"
call 0 run -q "$directory/push.yaml" -o "$directory/plain.csv"
cmp "$directory/base.csv" "$directory/plain.csv" || problem "\`base\` is not the file as it stands"
"$HALFARROW" compare -q - --variant heavy -o "$table" <"$directory/push.yaml" ||
    problem "a model from standard input is not compared"
differ heavy b.x 0.25 1 0.11180339887 -0.25

call 0 compare "$directory/push.yaml" --variant base --variant heavy --json
keys status runs comparisons
within b.x end -0.25 1e-6
near multipliers 0 0
has out '"equations_only_in_other": ['
has out 'b.x = 2'

# --- causality: a source of flow in the place of one of effort makes the inertia depend ----------
cat >"$directory/source.yaml" <<'END'
halfarrow: 1
bondgraph:
  elements:
    {S: {type: Se, value: 2}, 1a: {type: "1"}, R: {type: R, value: 3}, I: {type: I, value: 1}}
  bonds: [S > 1a, 1a > R, 1a > I]
simulate: {t_end: 1 s, step: 1 ms, rtol: 1e-9, atol: 1e-9}
variants:
  flow: {bondgraph: {elements: {S: {type: Sf}}}}
END
call 0 compare "$directory/source.yaml"
has out 'only in base, storage in integral causality: I'
has out 'only in flow, storage in derivative causality: I'
has out 'strokes: 2 of 3 common bonds have them at the other end: S > 1a, 1a > I'
# f = 2 (1 - exp(-3 t)) / 3 in R dissipates the integral of 3 f^2, 0.710371 J; at a flow of 2 it is
# 12 J
call 0 compare "$directory/source.yaml" --json
near dissipated 11.289629 1e-5
grep -A3 '"dissipated_in"' "$directory/out" | grep -q '"R"' || problem "no dissipation of R"
call 0 compare "$directory/source.yaml" --json --set bondgraph.elements.R.type=MR
near dissipated 11.289629 1e-5
grep -A3 '"dissipated_in"' "$directory/out" | grep -q '"R"' || problem "no dissipation of MR"

# --- sweeps -------------------------------------------------------------------------------------
# a force is a difference in proportion to it; what lacks it is run once
sweep=(--variant base --variant pushed --sweep 'forces.more.value.0=1e-3 N:1 N:4' --y b.x)
call 0 compare "$directory/push.yaml" "${sweep[@]}" --json
within orders b.x 1 1e-6
[ "$(grep -c '"steps"' "$directory/out")" -eq 5 ] || problem "not one run and four"
call 0 compare -q "$directory/push.yaml" "${sweep[@]}" -o "$table"
awk -F, 'NR > 1 && $5 == "b.x" { n++; d = $7 - $3 / 2; if (d > 1e-8 || d < -1e-8) exit 1 }
    END { if (n != 4) exit 1 }' "$table" || problem "the differences are not half of the force"
call 0 compare "$directory/push.yaml" "${sweep[@]}" -o "$directory/sweep.html"
has out "order, fitted"
# a star stands for every entry that has the rest
call 0 compare "$directory/push.yaml" --variant base --variant pushed --y b.x --json \
    --sweep 'forces.*.value.0=2 N:4 N:2'
[ "$(grep -c '"steps"' "$directory/out")" -eq 4 ] || problem "not two runs of each"
within b.x largest 1 1e-6 # all forces are set to 2 N: 2 and 4 N make t^2 and 2 t^2
# a parameter that both have is set in both; they are compared at each value
call 0 compare -q "$directory/push.yaml" --variant base --variant shared \
    --sweep parameters.f=0.1:10:3 --y b.x -o "$table"
awk -F, '$1 == "shared" && $5 == "b.x" { n++; d = $7 - $3 / 2; if (d > 1e-7 || d < -1e-7) exit 1 }
    END { if (n != 3) exit 1 }' "$table" || problem "variants are not compared at each value"
# one model alone is compared with itself as it stands: m = 1 kg and 4 kg are 3/8 m apart
call 0 compare -q "$directory/push.yaml" --variant base --sweep 'bodies.b.mass=1 kg:4 kg:2' \
    -o "$table"
awk -F, '$5 == "b.x" && $3 == 4 { d = $7 - 0.375; exit !(d < 1e-7 && d > -1e-7) }' "$table" ||
    problem "a model is not compared with itself"
call 2 compare "$directory/push.yaml" --variant base --variant heavy \
    --sweep 'joints.*.stiffness=1:2:2'
has err 'no variant has a value at `joints.*.stiffness`'
call 2 compare "$directory/push.yaml" --variant base --variant heavy --sweep 'nothing.here=1:2:2'
has err 'nothing'

# a run that fails has its row, and the others are done
call 1 compare "$examples/slider_crank.yaml" --sweep 'parameters.r=20 mm:2000 mm:2' --t-end 0.01
has err 'base at 2000 mm: joint'
grep -qE '^  base +20 done' "$directory/out" || problem "the good run is missing"
grep -qE '^  base +2000 failed' "$directory/out" || problem "the failed run has no row"
grep -qE '^  base at 2000 mm: .+' "$directory/out" ||
    problem "the table does not say why a run failed"
call 1 compare "$examples/slider_crank.yaml" --sweep 'parameters.r=20 mm:2000 mm:2' --t-end 0.01 \
    -q -o "$table"
grep -q '^base,base,2000,failed,' "$table" || problem "the failed run has no row in the CSV file"

# --- wrong variants -----------------------------------------------------------------------------
call 2 compare "$directory/push.yaml" --variant base --variant nosuch
has err 'the variant `nosuch` is not known; use one of `heavy`, `pushed`, `shared`, or `base`'
call 2 compare "$examples/rlc.bgl" --variant a --variant b --t-end 1
has err "has no variants"
call 2 compare "$directory/push.yaml" --variant heavy --y b.nosuch
has err 'there is no output `b.nosuch`'

# --- the page: complete in itself ---------------------------------------------------------------
page=$directory/page.html
sed 's/^  heavy:/  "<heavy> \& \\"co\\"":/' "$directory/push.yaml" >"$directory/names.yaml"
call 0 compare "$directory/names.yaml" --variant base --variant '<heavy> & "co"' -o "$page"
grep -q "Content-Security-Policy" "$page" || problem "the page has no content policy"
sed '/<style>/,/<\/style>/d; /^<script>/,/<\/script>/d' "$page" |
    grep -iE '<link|<img|src=|href=|url\(|@import|https?:' &&
    problem "the page wants something from outside"
grep -q '&lt;heavy&gt; &amp; &quot;co&quot;' "$page" || problem "names are not escaped in the page"
[ "$(grep -c 'data-panel=' "$page")" -ge 4 ] || problem "there are no plots"
grep -q '"panels":\[{"' "$page" || problem "the plots have no data"
if command -v python3 >/dev/null; then
    python3 - "$page" <<'END' || problem "the page is not well-formed"
import base64, html.parser, json, re, struct, sys

text = open(sys.argv[1], encoding="utf-8").read()

class Checker(html.parser.HTMLParser):
    stack = []
    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "input") and not self.get_starttag_text().endswith("/>"):
            self.stack.append(tag)
    def handle_endtag(self, tag):
        assert self.stack.pop() == tag, (tag, self.getpos())

checker = Checker()
checker.feed(text)
checker.close()
assert not checker.stack, checker.stack
panels = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text,
                              re.S).group(1))["panels"]
assert len(panels) == text.count("data-panel="), len(panels)
# the curves are those of the runs: both begin at the same time and have as many numbers
for panel in panels:
    for title, dash, look, colour, rows, x, y in panel["curves"]:
        values = [struct.unpack("<%df" % rows, base64.b64decode(part[1])) for part in (x, y)]
        assert list(values[0]) == sorted(values[0]) and values[0][0] == 0.0, (title, values[0][:3])
END
fi
call 0 compare "$directory/push.yaml" --variant heavy -o "$directory/table.txt"
grep -q "heavy against base" "$directory/table.txt" || problem "no table in the text file"
has out "heavy against base"
# A mass of 1 kg meets a spring at 1 m/s: F = sqrt(k m) v after pi/2 sqrt(m/k), between two rows;
# from 10 N on the peak grows by 990 and 9990 N.
cat >"$directory/impact.yaml" <<'END'
halfarrow: 1
parameters: {k: 100}
bondgraph:
  elements:
    "1m": {type: "1"}
    I: {type: I, value: 1, p: 1}
    q: {type: Df, q: -0.01}
    F: {type: MSe, value: "-k*max(q.q, 0)"}
  bonds: [1m > I, 1m > q, F > 1m]
simulate: {t_end: 0.5 s, step: 0.1 s, rtol: 1e-9}
END
call 0 compare --json "$directory/impact.yaml" --sweep parameters.k=1e6:1e8:2 --y F.e
for change in 990 9990; do
    grep -o '"peak_change": *[-0-9.e+]*' "$directory/out" | awk -v want="$change" '
        { d = $2 / want - 1; n += d * d < 1e-12 } END { exit n == 0 }' ||
        problem "the peak between rows does not change by $change: $(grep peak "$directory/out")"
done
grep -A 3 '"peak_orders"' "$directory/out" | grep -q '"F.e": 0.50' ||
    problem "order of the peaks: $(grep -A 3 '"peak_orders"' "$directory/out")"
# results of one row are dots
call 0 compare "$examples/rapson.yaml" --variant rigid --variant compliant --t-end 0 \
    -o "$directory/dots.html"
grep -q '"curves":\[\["[^]]*",0,0,0,1,\["f"' "$directory/dots.html" ||
    problem "one row leaves no dot"
finish
