#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What shells offer while a command line is typed.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh"

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

# bash itself
call 0 --version
offered=$(PATH=$directory/bin:$PATH bash -c '
    halfarrow() { "$HALFARROW" "$@"; }
    . "$top_srcdir/tools/completion/halfarrow"
    COMP_WORDS=(halfarrow run --dri) COMP_CWORD=2
    _halfarrow
    echo "${COMPREPLY[*]}"')
[ "$offered" = --driver ] || problem "bash offers \`$offered\` for --dri"

# zsh and fish, where they are
if command -v zsh >/dev/null; then
    zsh -n "$top_srcdir/tools/completion/_halfarrow" || problem "zsh does not read its script"
    offered=$(PATH=$directory/bin:$PATH zsh -f -c '
        halfarrow() { "$HALFARROW" "$@"; }
        _describe() { print -l -- "${(@P)2}"; }
        _files() { print files; }
        words=(halfarrow run --dri) CURRENT=3
        . "$top_srcdir/tools/completion/_halfarrow"')
    grep -q '^--driver:' <<<"$offered" || problem "zsh offers \`$offered\` for --dri"
fi
if command -v fish >/dev/null; then
    offered=$(HOME=$directory fish --no-config -c '
        function halfarrow; $HALFARROW $argv; end
        source $top_srcdir/tools/completion/halfarrow.fish
        complete -C "halfarrow run --dri"')
    grep -q '^--driver' <<<"$offered" || problem "fish offers \`$offered\` for --dri"
fi
finish
