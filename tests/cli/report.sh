#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Pages: what is in them without a browser (tests/browser/report.sh opens them), their policy, what
# happens to models that cannot be solved.
# shellcheck disable=SC2016 # backquotes are part of the messages
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit
page=$directory/page.html

# contains TEXT: the page has it.
contains() {
    grep -qF -- "$1" "$page" || problem "$called: the page has no \`$1\`"
}

call 2 report "$examples/pendulum.yaml"
has err "-o FILE.html"
call 2 report --graph 'Se>1a>R;1a>I' -o "$page"
has err "give --t-end"
[ ! -e "$page" ] || problem "a page of a run without end"

if command -v dot >/dev/null; then
    call 0 report "$examples/pendulum.yaml" -o "$page"
    empty out
    empty err
    for text in '<title>pendulum</title>' "default-src 'none'" 'IMPLICIT_CONSTRAINTS' \
        'id="d0-bond' \
        'class="scene"' 'rod.angle' 'energy.kinetic' 'Permission is hereby granted'; do
        contains "$text"
    done
    # nothing comes from elsewhere: no address in an attribute but those that name languages
    grep -oE '(src|href|action)="[^#"][^"]*"|url\([^)]*\)|@import' "$page" &&
        problem "the page refers to something outside"
    # the digests of the policy, by another program
    for part in style script; do
        digest=$(awk -v begin="<$part>" -v end="</$part>" '
            !on && index($0, begin) == 1 { on = 1; next }
            on && index($0, end) > 0 { printf "\n%s", substr($0, 1, index($0, end) - 1); exit }
            on { printf "\n%s", $0 }' "$page" | sha256sum | cut -d ' ' -f 1)
        policy=$(grep -oE "$part-src 'sha256-[^']*" "$page" | sed 's/.*sha256-//' | base64 -d |
            od -An -v -tx1 | tr -d ' \n')
        [ "$digest" = "$policy" ] ||
            problem "the digest of the $part is $digest, its policy $policy"
    done
    # a start that is no equilibrium has no modes, until they are asked for; one that is has them
    grep -q 'id="modes"' "$page" && problem "a page has modes of a pendulum that is let go"
    call 0 report "$examples/pendulum.yaml" --at equilibrium -o "$page"
    contains 'id="modes"'
    contains '0.610521' # sqrt(m g l/(I + m l^2))/2 pi
    contains '"motions":[[["f"'
    call 0 report --graph 'Se{0}>1a>R{50 ohm}; 1a>I{100 mH}; 1a>C{10 uF}' --t-end '20 ms' --u Se \
        --y C.e -o "$page"
    contains 'id="modes"'
    contains 'id="frequency"'
    contains 'data-panel="1"'
    contains '-250 &#177; 968.246i'
    contains '148.9 Hz'
    contains 'id="linear"'
    # of the charge and the momentum: A = [-500 -1e5; 10 0], B = [1; 0], C = [0 1e5]
    contains '<th scope="row">der(I.p)</th><td class="number">-500</td>'
    contains '<th scope="row">C.e</th><td class="number">0</td><td class="number">100000</td>'
    call 2 report --graph 'Se{0}>1a>R{50 ohm}; 1a>I{100 mH}' --t-end '20 ms' --u Se -o "$page"
    has err "needs an input and an output"
    # a page of a graph on standard output
    call 0 report --graph 'Se>1a>R;1a>I' --t-end 1 -o -
    has out '<title>Se&gt;1a&gt;R;1a&gt;I</title>'
    # limits: what is exceeded, in units of their own; names, dimensions, forms
    call 0 report "$examples/slider_crank_driven.yaml" --limit 'O.force=1 kN' \
        --limit 'O.force=2000' --limit 'crank.angle=90 deg' --limit 'piston.vx=-100' -o "$page"
    contains '<th scope="row">O.force</th><td class="number">1000 <small>N</small></td>'
    contains '<td class="number">1644.93 <small>N</small></td>'
    contains '"limits":[["O.force",1000.0],["O.force",2000.0],["crank.angle",1.57079632679],'
    [ "$(grep -c '<strong>exceeded</strong>' "$page")" = 2 ] || problem "limits that are exceeded"
    # its last period is 40 ms of 80; loads of it stand before those of the whole run
    contains '"window":[0.04,0.08,"the last period of the drive"]'
    contains 'The largest joint loads, the last period of the drive'
    call 2 report "$examples/pendulum.yaml" --limit O.force -o "$page"
    has err 'write NAME=VALUE'
    call 2 report "$examples/pendulum.yaml" --limit 'P.force=3 N' -o "$page"
    has err 'there is no output `P.force`'
    call 2 report "$examples/pendulum.yaml" --limit 'O.force=3 J' -o "$page"
    has err 'is an energy, but 1 N is a force'
    call 2 report "$examples/pendulum.yaml" --limit 'O.force=x' -o "$page"
    has err 'does not begin with a number'
    # a chain is drawn in words alone
    call 0 report "$examples/nested_chain.yaml" --t-end '1 ms' -o "$page"
    contains 'class="canvas words"'
    grep -q 'class="canvas bonds"' "$page" && problem "all bonds of a chain are drawn"
    # what is held elastically is no constraint
    call 0 report "$examples/clearance_slider_crank.yaml" --t-end '0.1 ms' -o "$page"
    contains ' joints with 7 constraints and 2 rows held elastically, as a bond graph of '
    # outputs that the file does not ask for are not plotted, but bonds and bodies are there
    call 0 report "$examples/motor_speed.yaml" -o "$page"
    contains '["speed",'
    grep -qF '["winding.e",' "$page" && problem "an output that is not asked for is plotted"
    # an unsound graph has its analysis, one that fails its rows
    call 2 report --graph 'Se1>0a>R;Se2>0a' --t-end 1 -o "$page"
    has err 'both decide the effort'
    contains 'CONFLICT'
    contains '"status":"failed"'
    call 1 report --graph 'I{1,p=1}>0a;0a>C{1};0a>R{1}' --t-end 1e6 --max-steps 20 -o "$page"
    contains '"status":"failed"'
    contains '"time":"'
    # an interrupt ends the runs, and what they gave is a page with its bond graph
    interrupted_report() {
        rm -f "$page"
        "$HALFARROW" report -q "$examples/pendulum.yaml" --t-end 1e5 --step 1 --variant base \
            --variant base -o "$page" >"$directory/out" 2>"$directory/err" &
        interrupt $! "$1" "$2"
        grep -q '"status":"interrupted"' "$page" 2>/dev/null
    }
    patiently interrupted_report INT
    called="an interrupted report"
    [ $status -eq 130 ] || problem "the exit status is $status, not 130"
    contains '"status":"interrupted"'
    contains '"time":"'
    contains 'id="d0-bond'
    [ "$(grep -o '"status":' "$page" | wc -l)" -eq 1 ] || problem "a run after the interrupt"
fi

call 2 report "$examples/motor_speed.yaml" --variant nosuch -o "$directory/none.html"
has err '`nosuch`'
[ ! -e "$directory/none.html" ] || problem "a page of a variant that there is not"
call 1 report "$examples/pendulum.yaml" -o "$directory/nosuch/page.html"

# without Graphviz: what to install, and the page without bond graphs
rm -f "$page"
PATH=/nonexistent "$HALFARROW" report "$examples/pendulum.yaml" -o "$page" 2>"$directory/err"
[ $? -eq 1 ] || problem "a missing Graphviz is not exit status 1"
called="report without Graphviz"
has err graphviz
contains 'class="scene"'
finish
