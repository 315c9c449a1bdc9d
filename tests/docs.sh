#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the documentation shows is true: its files are read, its commands are run, its lists are
# complete. In a page doc/NAME.md
#
#   ```yaml FILE            the block is a model file: `check` must accept it or a command must fail
#   ```yaml FILE + BASE     likewise, behind the text of BASE, a file of the same page
#   ```bgl FILE             a bond graph
#   ```sh                   a line `$ halfarrow ...` is run; it must end with 0, or with N where
#                           `# exit status N` stands at its end. The lines up to the next one are
#                           lines of its output, in this order, others may stand between them.
#                           Blanks count as one, numbers may differ by a thousandth, `...` at
#                           the end of a line stands for anything.
#
# Commands of a page share a directory, in which examples/ is that of the sources. All other blocks
# are for reading only.
set -euo pipefail

: "${HALFARROW:?names the program}" "${top_srcdir:=.}"
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
problems=0

problem() {
    echo "$1"
    problems=$((problems + 1))
}

mkdir "$directory/bin"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$HALFARROW" >"$directory/bin/halfarrow"
chmod +x "$directory/bin/halfarrow"
PATH=$directory/bin:$PATH

# --- pages ------------------------------------------------------------------------------------

# contains OUTPUT EXPECTED: prints the first line of EXPECTED that is not found in OUTPUT behind the
# line before it.
contains() {
    awk '
        function is_number(x) { return x ~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/ }
        function size(x) { return x < 0 ? -x : x }
        function same(a, b,    n, m, i, u, v) {
            n = split(a, u, " ")
            m = split(b, v, " ")
            if (m > 0 && v[m] == "..." && n >= --m) { n = m }
            if (n != m) { return 0 }
            for (i = 1; i <= n; i++) {
                if (u[i] != v[i] &&
                    !(is_number(u[i]) && is_number(v[i]) &&
                      size(u[i] - v[i]) <= 1e-3 * size(v[i]) + 1e-9)) { return 0 }
            }
            return 1
        }
        NR == FNR { found[++n_found] = $0; next }
        NF > 0 {
            for (at++; at <= n_found && !same(found[at], $0); at++) { }
            if (at > n_found) { print; exit }
        }' "$1" "$2"
}

# finish_command: compares the last command of a block with what the page says.
finish_command() {
    local wanted=0 found=0 line
    [ -n "$command" ] || return 0
    if [[ $command =~ \#\ exit\ status\ ([0-9]+)$ ]]; then
        wanted=${BASH_REMATCH[1]}
    fi
    (cd "$page_directory" && eval "$command") >"$directory/out" 2>&1 </dev/null || found=$?
    n_commands=$((n_commands + 1))
    if [ $found -ne "$wanted" ]; then
        problem "$page:$command_line: $command: exit status $found, not $wanted: $(
            head -n 3 "$directory/out"
        )"
    fi
    line=$(contains "$directory/out" "$directory/expected")
    if [ -n "$line" ]; then
        problem "$page:$command_line: $command: no line \`$line\` in its place in the output"
    fi
    command=
}

# finish_file: a block that is a model file ends.
finish_file() {
    local name=${block#* } base=
    if [[ $name == *' + '* ]]; then
        base=${name#* + }
        name=${name%% + *}
    fi
    if [ -n "$base" ] && [ ! -f "$page_directory/$base" ]; then
        problem "$page:$block_line: there is no file $base before this one"
    elif [ -n "$base" ]; then
        cat "$page_directory/$base" "$directory/block" >"$page_directory/$name"
    else
        cp "$directory/block" "$page_directory/$name"
    fi
    files+=("$name")
}

# check_page FILE
check_page() {
    local page=$1 page_directory=$directory/page text number=0 block='' block_line=0 command=''
    local command_line=0 files=() name
    rm -rf "$page_directory"
    mkdir "$page_directory"
    ln -s "$(cd "$top_srcdir" && pwd)/examples" "$page_directory/examples"
    while IFS= read -r text || [ -n "$text" ]; do
        number=$((number + 1))
        case $block,$text in
            ,'```'*)
                block=${text#'```'}
                block=${block:-plain}
                block_line=$number
                : >"$directory/block"
                ;;
            *,'```')
                case $block in
                    sh) finish_command ;;
                    'yaml '* | 'bgl '*) finish_file ;;
                esac
                block=
                ;;
            'sh,$ halfarrow '*)
                finish_command
                command=${text#'$ '}
                command_line=$number
                : >"$directory/expected"
                ;;
            sh,*)
                [ -n "$command" ] ||
                    problem "$page:$number: output before a line \`\$ halfarrow ...\`"
                printf '%s\n' "$text" >>"$directory/expected"
                ;;
            ,*) ;;
            *) printf '%s\n' "$text" >>"$directory/block" ;;
        esac
    done <"$page"
    [ -z "$block" ] || problem "$page:$block_line: the block does not end"
    for name in ${files[@]+"${files[@]}"}; do
        # a file that a command shows to be wrong is wrong on purpose
        if ! grep -qE "^\\$ .*$name.*# exit status" "$page" &&
            ! halfarrow check -q "$page_directory/$name" >/dev/null 2>"$directory/err"; then
            problem "$page: $name: $(head -n 3 "$directory/err")"
        fi
    done
    n_files=$((n_files + ${#files[@]}))
}

# check_tables PAGE: a table, outside of blocks, has a line of dashes as its second and is not torn
# by an empty line.
check_tables() {
    awk '
        /^```/ { in_block = !in_block }
        in_block { n = 0; next }
        !/^\|/ { if (n == 1) { print FILENAME ":" FNR ": a table of one line" }
                 n = 0; next }
        ++n == 2 && !/^\|[-:| ]+\|$/ { print FILENAME ":" FNR - 1 ": a table without a head" }' "$1"
}

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

n_commands=0
n_files=0
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
