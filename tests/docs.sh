#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the pages of doc/ show is true: tests/util/pages.sh runs their commands, here their lists are
# found complete. The pages that teach, in doc/learn, have scripts of their own.
# shellcheck source=tests/util/pages.sh
. "${top_srcdir:-.}/tests/util/pages.sh" || exit

# --- lists ------------------------------------------------------------------------------------

# known MODEL: the keys that the message about the unknown key `zzz` of a model lists.
known() {
    { printf '%s\n' "$1" | halfarrow check - 2>&1 || true; } |
        sed -n 's/.*unknown key `zzz`.*known are //p' | tr -d ',' | tr ' ' '\n'
}

# types MODEL: the types that the message about the unknown type `zzz` lists.
types() {
    { printf '%s\n' "$1" | halfarrow check - 2>&1 || true; } |
        sed -n 's/.*type `zzz`, which is not known; use one of //p' | tr -d '`,' | tr ' ' '\n'
}

# All keys and types that the reader of model files knows, one per line.
keys_of_models() {
    local head='halfarrow: 1' bodies='bodies: {b: {mass: 1, inertia: 1, points: {P: [0, 0]}}}'
    local ground='ground: {points: {O: [0, 0]}}' between='between: [ground.O, b.P]' frame type
    frame="$head"$'\n'"$bodies"$'\n'"$ground"
    known "{halfarrow: 1, bodies: {}, zzz: 1}"
    known "$head"$'\n''bodies: {b: {mass: 1, inertia: 1, zzz: 1}}'
    known "$head"$'\n''bodies: {b: {mass: 1, inertia: 1, start: {zzz: 1}}}'
    known "$head"$'\n''bodies: {b: {mass: 1, inertia: 1, points: {P: {at: [0, 0], zzz: 1}}}}'
    known "$head"$'\n'"$bodies"$'\n''ground: {zzz: 1}'
    known "$head"$'\n'"$bodies"$'\n''simulate: {zzz: 1}'
    for type in $(types "$frame"$'\n'"joints: {J: {type: zzz, $between}}"); do
        echo "$type"
        known "$frame"$'\n'"joints: {J: {type: $type, $between, zzz: 1}}"
    done
    for type in $(types "$frame"$'\n'"forces: {F: {type: zzz, $between}}"); do
        echo "$type"
        known "$frame"$'\n'"forces: {F: {type: $type, zzz: 1}}"
    done
    for type in revolute translational; do
        known "$frame"$'\n'"joints: {J: {type: $type, $between}}
forces: {F: {type: spring-damper, on: J, zzz: 1}}"
    done
    known "$head"$'\n'"$bodies"$'\n''bondgraph: {zzz: 1}'
    known "$head"$'\n'"$bodies"$'\n''bondgraph: {elements: {E: {type: R, zzz: 1}}}'
}

# described FILE: reads keys, reports those that the file does not have in backquotes, `key` or
# `key: value`.
described() {
    local key n=0
    while read -r key; do
        n=$((n + 1))
        grep -qE "\`$key(: [^\`]*)?\`" "$1" || problem "$1: \`$key\` is not described"
    done < <(sort -u)
    echo "$n keys and types of model files"
    [ $n -ge 40 ] ||
        problem "only $n keys and types were found: the messages that list them changed"
}

# described_options FILE: all commands and their options are in the manual page, and no others.
described_options() {
    local page=$1 name plain
    plain=$(sed 's/\\-/-/g' "$page")
    for name in $(
        halfarrow --help |
            awk '/^Commands:/ { on = 1; next } on && NF == 0 { exit } on { print $1 }'
    ); do
        grep -q "^\\.SS $name\$" <<<"$plain" || problem "$page: no command $name"
        halfarrow "$name" --help >>"$directory/help"
    done
    sed -nE 's/^ +(-., )? *(--[a-z-]+).*/\2/p' "$directory/help" | sort -u >"$directory/options"
    grep -oE '^\.(BR?|BI) (-., )?.*--[a-z-]+' <<<"$plain" | grep -oE -- '--[a-z-]+' | sort -u \
        >"$directory/described"
    diff "$directory/options" "$directory/described" >"$directory/diff" ||
        problem "$page: options of the program (<) and of the page (>): $(
            grep '^[<>]' "$directory/diff" | tr '\n' ' '
        )"
    echo "$(wc -l <"$directory/options") options"
    [ "$(wc -l <"$directory/options")" -ge 10 ] ||
        problem "the help of the commands lists no options"
}

# --- does the test see a fault? ---------------------------------------------------------------

# sees TEXT...: the page with these lines must be found wrong.
sees() {
    printf '%s\n' "$@" >"$directory/bad.md"
    problems=0
    check_page "$directory/bad.md" >/dev/null
    if [ $problems -eq 0 ]; then
        echo "self-test: not seen:"
        cat "$directory/bad.md"
        exit 1
    fi
}

self_test() {
    local fence='```' graph="--graph 'Se{2}>1>R{4}'"
    printf '%s\n' 'a page' "${fence}bgl a.bgl" 'Se{2}>1>R{4}' "$fence" "${fence}sh" \
        "\$ halfarrow run a.bgl --t-end 1" 'at 1 s:' ' Se.e ...' ' R.f   0.50001' \
        "\$ halfarrow check b.bgl  # exit status 2" "$fence" "$fence" '$ false' "$fence" \
        >"$directory/good.md"
    check_page "$directory/good.md"
    if [ $problems -ne 0 ] || [ $n_commands -ne 2 ] || [ $n_files -ne 1 ]; then
        echo "self-test: a good page is found wrong, or its commands are not run"
        exit 1
    fi
    sees "${fence}sh" "\$ halfarrow run $graph --t-end 1" ' R.f 0.51' "$fence"
    sees "${fence}sh" "\$ halfarrow run $graph --t-end 1" ' R.f 0.50002' "$fence"
    sees "${fence}sh" "\$ halfarrow run $graph --t-end 1" ' R.f 0.50000001' ' R.f 0.6' "$fence"
    sees "${fence}sh" '$ echo 6' '5' "$fence"
    sees "${fence}sh" "\$ halfarrow run $graph --t-end 1" ' R.f 0.5' ' Se.e 2' "$fence"
    sees "${fence}sh" "\$ halfarrow run $graph --t-end 1" 'nowhere' "$fence"
    sees "${fence}sh" "\$ halfarrow run $graph --t-end 1" 'R.g ...' "$fence"
    sees "${fence}sh" '$ halfarrow check missing.yaml' "$fence"
    sees "${fence}sh" "\$ halfarrow check $graph  # exit status 2" "$fence"
    sees "${fence}sh" 'output' "$fence"
    sees "${fence}sh" "\$ halfarrow check $graph"
    sees "${fence}yaml bad.yaml" 'halfarrow: 1' 'zzz: 2' "$fence"
    sees "${fence}bgl bad.bgl" 'Se>' "$fence"
    sees "${fence}yaml a.yaml + b.yaml" 'halfarrow: 1' "$fence"
    printf '%s\n' '| a | b |' '|---|---|' '| 1 | 2 |' '' 'text' >"$directory/table.md"
    [ -z "$(check_tables "$directory/table.md")" ] || { echo "a good table is refused" && exit 1; }
    printf '%s\n' '| a | b |' '|---|---|' '| 1 | 2 |' '' '| 3 | 4 |' '' >"$directory/table.md"
    [ -n "$(check_tables "$directory/table.md")" ] || { echo "a torn table is not seen" && exit 1; }
    problems=0
    n_commands=0
    n_files=0
}

# --- the whole --------------------------------------------------------------------------------

self_test
for page in "$top_srcdir"/doc/*.md; do
    check_page "$page"
    tables=$(check_tables "$page")
    [ -z "$tables" ] || problem "$tables"
    grep -qF "%reldir%/$(basename "$page")" "$top_srcdir/doc/Makefile.inc" ||
        problem "$page is not in doc/Makefile.inc"
done
echo "$n_commands commands, $n_files files"
[ $n_commands -gt 0 ] && [ $n_files -gt 0 ] || problem "the pages show no commands or no files"
keys_of_models >"$directory/keys"
cat "$top_srcdir"/doc/{model-*,graph-formats,vehicles}.md >"$directory/model-pages.md"
described "$directory/model-pages.md" <"$directory/keys"
described_options "$top_srcdir/doc/halfarrow.1"
if command -v groff >/dev/null; then
    warnings=$(groff -man -Tutf8 -ww -z "$top_srcdir/doc/halfarrow.1" 2>&1)
    [ -z "$warnings" ] || problem "$warnings"
fi
[ $problems -eq 0 ]
