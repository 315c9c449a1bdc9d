#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What zsh makes of a line when TAB is pressed, in a terminal: names of the model, from files and
# words with quotes too.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh" || exit

command -v zsh >/dev/null || {
    echo "skipped: no zsh (Debian: zsh)"
    exit 77
}
mkdir "$directory/functions"
ln -s "$(realpath "$top_srcdir/tools/completion/_halfarrow")" "$directory/functions"
ln -s "$(realpath "$(command -v "$HALFARROW")")" "$directory/functions/halfarrow"
cp "$examples/four_bar.yaml" "$directory/my model.yaml"
cp "$examples/motor_speed.yaml" "$examples/nested_chain.yaml" "$directory"
"$HALFARROW" run -q "$examples/pendulum.yaml" -o "$directory/a.csv"

# each pair: what is typed, and what becomes of it
cat >"$directory/pairs" <<'END'
halfarrow run --dri
halfarrow run --driver >
halfarrow comp
halfarrow compare >
halfarrow run motor_speed.yaml --variant u
halfarrow run motor_speed.yaml --variant unlimited >
halfarrow linearise "my model.yaml" -u mot
halfarrow linearise "my model.yaml" -u motor >
halfarrow run my\ model.yaml --set bodies.crank.ma
halfarrow run my\ model.yaml --set bodies.crank.mass=>
halfarrow plot ~/a.csv --panels 'O.fx;rod.al
halfarrow plot ~/a.csv --panels 'O.fx;rod.alpha' >
halfarrow compare nested_chain.yaml -y strand[0].rope[0].piece[0].link[0].rod.an
halfarrow compare nested_chain.yaml -y strand\[0\].rope\[0\].piece\[0\].link\[0\].rod.angle >
halfarrow run motor_s
halfarrow run motor_speed.yaml >
END
# In the inner shell ^T completes, prints the line between < and > and empties it. Without lists zsh
# asks nothing, so that each answer comes, however long it takes.
cat >"$directory/type" <<'END'
zmodload zsh/zpty
zpty inner zsh -f -i
zpty -w inner "PROMPT=; setopt no_auto_list"
zpty -w inner "fpath=($PWD/functions \$fpath); autoload -Uz compinit; compinit -u -D"
zpty -w inner 'finished() { zle complete-word; print -r -- "<$BUFFER>"; zle kill-buffer }'
zpty -w inner "zle -N finished; bindkey '^T' finished; print 'rea''dy'"
zpty -r inner answer $'*ready\r*'
while IFS= read -r typed; IFS= read -r wanted; do
    zpty -w -n inner "$typed"$'\x14'
    zpty -r inner answer '*<*>*'
    answer=${${answer##*<}%%>*}
    [[ $answer\> == $wanted ]] || print -r -- "zsh makes \`$answer\` of \`$typed\`"
done
zpty -d inner
END
(
    cd "$directory"
    HOME=$directory PATH=$directory/functions:$PATH zsh -f type <pairs
) >"$directory/said" 2>&1 || problem "zsh did not come to an end"
[ ! -s "$directory/said" ] || problem "$(cat "$directory/said")"
finish
