#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What shells offer while a command line is typed.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

# offers PATTERN WORD...: one of the lines for these words matches
offers() {
    local pattern=$1
    shift
    call 0 completion "$@"
    empty err
    grep -q -x -- "$pattern" "$directory/out" || problem "$called: no line \`$pattern\`"
}

offers 'run	.*' ''
offers '--rtol	.*' run --r
offers 'explicit8' run --driver ''
offers 'unlimited' run --rtol 1e-8 "$examples/motor_speed.yaml" --variant u
offers 'rod.angle	rad' compare "$examples/pendulum.yaml" -y ''
offers 'O.fx,rod.angle	rad' compare "$examples/pendulum.yaml" -y O.fx,r
# paths into the model, with the value that stands there, and inputs
offers 'bodies.rod.inertia=	m\*length^2/12' run "$examples/pendulum.yaml" --set bodies.
offers 'joints.O.between.0=	ground.*' compare "$examples/pendulum.yaml" --sweep joints
offers 'bodies.rod.mass,bodies.rod.inertia	.*' \
    sensitivity "$examples/pendulum.yaml" --parameter bodies.rod.mass,bodies.rod.i
offers 'parameters.a=	40 mm' report "$examples/wiper.yaml" --live p
offers 'motor' linearise "$examples/four_bar.yaml" -u ''
offers 'motor,a' linearise "$examples/four_bar.yaml" --u motor,a
call 0 completion run "$examples/pendulum.yaml" --set bodies.rod.mass=
empty out
printf '%s\n' 'halfarrow: 1' 'parameters: {"$(touch ran)": 1, "a b": 1, good: 2}' \
    >"$directory/odd.yaml"
offers 'parameters.good=	2' run "$directory/odd.yaml" --set ''
call 0 completion run "$directory/odd.yaml" --set parameters
[ "$(wc -l <"$directory/out")" -eq 1 ] || problem 'names are offered that a shell would take apart'
# of results, and words of options
"$HALFARROW" run -q "$examples/pendulum.yaml" -o "$directory/a.csv"
offers 'rod.angle	rad' plot "$directory/a.csv" -y ''
offers 'O.fx;O.fy,rod.angle	rad' plot "$directory/a.csv" --panels 'O.fx;O.fy,r'
offers 'rod.omega	rad/s' plot "$directory/a.csv" --x ''
offers 'multibond' draw "$examples/pendulum.yaml" --level ''
offers 'equilibrium' modes "$examples/pendulum.yaml" --at ''
call 0 completion plot "$directory/none.csv" -y ''
empty out
empty err
# nothing, so that the shell offers files: no model yet, one that is wrong, no such command
for words in "run x" "run --variant x" "run $directory/none.yaml --variant x" "nonsense x"; do
    # shellcheck disable=SC2086 # a line of words
    call 0 completion $words
    empty out
    empty err
done

# bash itself, from words as it cuts them
# completes WANTED WORD...: the last word becomes WANTED, or the part of it behind = or :
completes() {
    local wanted=$1 offered
    shift
    offered=$(bash -c '
        halfarrow() { "$HALFARROW" "$@"; }
        . "$top_srcdir/tools/completion/halfarrow"
        COMP_WORDS=(halfarrow "$@") COMP_CWORD=$#
        _halfarrow
        echo "${COMPREPLY[*]}"' bash "$@")
    [ "$offered" = "$wanted" ] || problem "bash offers \`$offered\` for \`$*\`"
}

cp "$examples/four_bar.yaml" "$directory/my model.yaml"
completes --driver run --dri
completes unlimited run "$examples/motor_speed.yaml" --set parameters.u = 3 --variant u
completes bodies.crank.mass= run "'$directory/my model.yaml'" --set bodies.crank.ma
completes bodies.crank.mass= run "${directory// /\\ }/my\\ model.yaml" --set bodies.crank.ma
completes 'O.fx;rod.alpha' plot "$directory/a.csv" --panels "'O.fx;rod.al"
# shellcheck disable=SC2088 # as it is typed
HOME=$directory completes rod.omega plot '~/a.csv' --y rod.o
here=$(cd "$top_srcdir" && pwd)
(cd "$directory" && here=$here bash -c '
    halfarrow() { printf "%s\tx\n" "\$(touch ran)"; }
    . "$here/tools/completion/halfarrow"
    COMP_WORDS=(halfarrow run odd.yaml --variant "") COMP_CWORD=4
    _halfarrow')
[ ! -e "$directory/ran" ] || problem 'bash runs what the name of a variant says'
finish
