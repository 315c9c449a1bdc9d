# SPDX-License-Identifier: GPL-3.0-or-later
# What the documentation shows is true: its files are read and its commands are run. To be sourced
# by scripts that call check_page for pages. HALFARROW names the program, top_srcdir the sources. In
# a page
#
#   ```yaml FILE            the block is a model file: `check` must accept it or a command must fail
#   ```yaml FILE + BASE     likewise, behind the text of BASE, a file of the same page or
#                           FILE itself
#   ```bgl FILE             a bond graph
#   ```text FILE            any other file, for commands to use; so are ```python FILE, ```c FILE
#   ```sh                   a line `$ COMMAND` is run; it must end with 0, or with N where
#                           `# exit status N` stands at its end. The lines up to the next one are
#                           lines of its output, in this order, others may stand between them.
#                           Blanks count as one. A number may differ by one in its last digit
#                           shown, where that is less than a thousandth, else by what rounding
#                           takes; `...` at the end of a line stands for anything.
#
# Commands of a page share a directory, in which examples/ is that of the sources. All other blocks
# are for reading only.
# shellcheck shell=bash
set -euo pipefail

: "${HALFARROW:?names the program}" "${top_srcdir:=.}"
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
n_commands=0
n_files=0
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
        # one in the last digit of a number as shown
        function unit(x,    digits, power) {
            power = match(x, /[eE]/) ? substr(x, RSTART + 1) : 0
            sub(/[eE].*/, "", x)
            digits = index(x, ".") ? length(x) - index(x, ".") : 0
            return 10 ^ (power - digits)
        }
        # rounded where few digits are shown; of many the last one may be off by one
        function near(x, y,    most) {
            most = size(1e-3 * y)
            if (index(y, ".") && unit(y) > most) { most = 0.501 * unit(y) }
            if (most > 1.001 * unit(y)) { most = 1.001 * unit(y) }
            return size(x - y) <= most + (y == 0 ? 1e-9 : 1e-9 * size(y))
        }
        function same(a, b,    n, m, i, u, v) {
            n = split(a, u, " ")
            m = split(b, v, " ")
            if (m > 0 && v[m] == "..." && n >= --m) { n = m }
            if (n != m) { return 0 }
            for (i = 1; i <= n; i++) {
                if (u[i] != v[i] &&
                    !(is_number(u[i]) && is_number(v[i]) && near(u[i], v[i]))) { return 0 }
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
        cat "$page_directory/$base" "$directory/block" >"$directory/joined"
        mv "$directory/joined" "$page_directory/$name"
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
                    'text '* | 'c '* | 'python '*)
                        cp "$directory/block" "$page_directory/${block#* }"
                        ;;
                esac
                block=
                ;;
            'sh,$ '*)
                finish_command
                command=${text#'$ '}
                command_line=$number
                : >"$directory/expected"
                ;;
            sh,*)
                [ -n "$command" ] ||
                    problem "$page:$number: output before a line \`\$ COMMAND\`"
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

# needs_pictures: the pages that teach make pictures, for which Graphviz and gnuplot have to be
# there.
needs_pictures() {
    if ! command -v dot >/dev/null || ! command -v gnuplot >/dev/null; then
        echo "skipped: no Graphviz or no gnuplot"
        exit 77
    fi
}
