#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The command line itself: help, versions, usage errors, exit statuses, what goes where.
# shellcheck disable=SC2016 # backquotes are part of the messages
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

call 0 --help
empty err
commands="check causality equations assemble run linearise modes frequency compare plot draw report"
commands="$commands animate convert"
for command in $commands; do
    has out "  $command"
done
for command in $commands; do
    call 0 $command --help
    empty err
    has out "Usage: halfarrow $command"
    has out "--help"
    has out "--version"
    has out "Example:"
    call 0 $command --version
    has out "halfarrow 0"
done
call 0 help run
has out "--t-end"

call 0 --version
empty err
for library in SUNDIALS SuiteSparse igraph libyaml jansson GPL-3.0-or-later; do
    has out "$library"
done

call 2
has err "a command is missing"
empty out
call 2 chek
has err 'do you mean `check`'
call 2 check
has err "needs a FILE"
call 2 check a b
has err '`b` is too many'
call 2 check --graph 'Se>R' file
has err '`file` is too many'
call 2 check --jsn x
has err 'do you mean `--json`'
call 2 run --graph 'Se>1a>R;1a>I' --s 1
has err 'the option `--s` of `run` may be `--set` or `--step`'
call 0 run -q --graph 'Se>1a>R;1a>I' --ste 1 --t-e 1
call 2 check -x y
has err '`-x`'
call 2 run --graph 'Se>1a>R;1a>I' --t-end 1 --rtol 1e-5 --rtol 1e-7
has err '`--rtol` is given twice, with `1e-5` and with `1e-7`; give it once'
call 2 compare --graph 'Se>1a>R;1a>I' --t-end 1 --sweep R=1:2:3 --sweep I=1:2:3
has err '`--sweep` is given twice'
call 2 check --graph
has err "needs an argument"
call 2 check --trace --graph 'Se>R' # an option of another command
has err "--trace"
call 2 check nosuch.bgl
has err 'nosuch.bgl: error: cannot read the file: No such file'
call 2 check nosuch.yaml
has err 'nosuch.yaml'
call 2 check "$directory"
call 2 run --graph 'Se>1a>R;1a>I'
has err "give --t-end"
call 2 run --graph 'Se>1a>R;1a>I' --t-end x
has err "--t-end"
call 2 run --graph 'Se>1a>R;1a>I' --t-end -1
has err "t-end"
call 2 run --graph 'Se>1a>R;1a>I' --t-end '3 kg'
has err "--t-end"
call 2 run --graph 'Se>1a>R;1a>I' --t-end 1 --rtol 2
has err "rtol"
call 2 run --graph 'Se>1a>R;1a>I' --t-end 1 --alpha -1
has err '`alpha` is -1; give a number of at least 0'
call 2 run --graph 'Se>1a>R;1a>I' --t-end 1 --json -o -
has err "standard output"
call 2 run --graph 'Se>1a>R;1a>I' --t-end 1 -y I.f
has err "choose its outputs with --set outputs='[NAME, ...]'"
call 2 check --variant a --graph 'Se>R'
has err "variants"
call 2 assemble --graph 'Se>R'
has err "nothing to assemble"
call 2 equations --format word --graph 'Se>1a>R;1a>I'
has err '`word`'
call 2 draw --graph 'Se>R'
has err "-o FILE"
call 2 compare --graph 'Se>1a>R;1a>I' --t-end 1
has err "--sweep"
call 2 compare "$examples/pendulum.yaml" -o x.jpg
has err '`x.jpg`'
call 2 compare "$examples/pendulum.yaml" -o x.svg
has err "no variants to compare"
for sweep in x x=1 x=1:2 x=1:2:1 x=0:2:3 x=-1:2:3 'x=1 m:2 s:3' =1:2:3 x=1:2:2.5; do
    call 2 compare "$examples/pendulum.yaml" --sweep "$sweep"
    has err "write PATH=FROM:TO:COUNT"
done
call 2 plot
has err "needs a RESULT"
call 2 plot nosuch.csv
has err 'nosuch.csv: error: cannot read the file: No such file'
call 2 plot nosuch.csv -o x.jpg
has err '`x.jpg`'

# a model from standard input is a model file
"$HALFARROW" check - <"$examples/pendulum.yaml" >"$directory/out" 2>"$directory/err" ||
    problem "a model from standard input is refused"
called="check -"
has out "-: mechanism"
# that is read once, also by what runs it several times
for several in 'run - --digits 5' 'sensitivity - --parameter bodies.rod.mass' \
    'compare - --sweep bodies.rod.mass=1:2:2'; do
    # shellcheck disable=SC2086 # words
    "$HALFARROW" $several <"$examples/pendulum.yaml" >"$directory/out" 2>"$directory/err" ||
        problem "a model from standard input is read once only by $several"
done

# the last option wins; options may follow the file; `--` ends them
call 0 check "$examples/rlc.bgl" --json
keys class
call 0 check -- "$examples/rlc.bgl"
cp "$examples/rlc.bgl" "$directory/-x.bgl"
(cd "$directory" && "$HALFARROW" check -- -x.bgl >/dev/null) ||
    problem "a file after -- is not read"

# no colour in a file, nothing but data on standard output
call 2 check --graph 'Se>'
grep -q $'\033' "$directory/err" && problem "colour in a file"
empty out

# on a terminal there is colour, unless NO_COLOR is set, and after a second a progress line
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    on_terminal() {
        called="halfarrow $1 on a terminal"
        TERM=xterm script -qec "${2-} '$HALFARROW' $1" /dev/null </dev/null >"$directory/out" 2>&1
    }
    on_terminal "check --graph 'Se>'"
    has out $'\033[1;31merror'
    (export NO_COLOR=1 && on_terminal "check --graph 'Se>'")
    grep -q $'\033' "$directory/out" && problem "colour in spite of NO_COLOR"
    long="run --graph 'I>0a;0a>C{1, q=1}' --t-end 1e6 --step 1e5"
    shows_progress() { grep -q '%, 1 s' "$directory/out"; }
    # by its processor time, which is not longer than the time it took: there was a second to show
    has_worked() {
        local fields
        read -ra fields <"/proc/$(cat "$directory/pid")/stat" &&
            [ $((fields[13] + fields[14])) -ge $((2 * $(getconf CLK_TCK))) ]
    }
    # terminal_until CONDITION ARGUMENTS: a run that ends once the condition holds
    terminal_until() {
        local watcher condition=$1
        rm -f "$directory/pid"
        (
            until $condition 2>/dev/null; do
                sleep 0.1
            done
            kill -INT "$(cat "$directory/pid")"
        ) &
        watcher=$!
        on_terminal "$2" "echo \$\$ >'$directory/pid'; exec"
        [ $? -eq 130 ] || problem "$called: it ended before $condition"
        kill $watcher 2>/dev/null
    }
    terminal_until shows_progress "$long"
    has out '%, 1 s'
    terminal_until has_worked "$long -q"
    grep -q '%' "$directory/out" && problem "progress in spite of -q"
fi

# a full disk is an error of the output
if [ -w /dev/full ]; then
    "$HALFARROW" check "$examples/rlc.bgl" >/dev/full 2>"$directory/err"
    [ $? -eq 1 ] || problem "a full standard output is not exit status 1"
    "$HALFARROW" check --json "$examples/rlc.bgl" >/dev/full 2>"$directory/err"
    [ $? -eq 1 ] || problem "a full standard output is not exit status 1 for JSON"
fi
finish
