#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# halfarrow frequency: what it prints and writes, what it refuses.
# shellcheck source=tests/cli/util.sh
. "${top_srcdir:-.}/tests/cli/util.sh"

rlc='Se{0}>1a>R{50 ohm}; 1a>I{100 mH}; 1a>C{10 uF}'
range="--from 10 --to 1000"

# shellcheck disable=SC2086 # two options
call 0 frequency --graph "$rlc" --u Se --y C.e $range --count 20
has out "poles    -250 + 968.2458i, -250 - 968.2458i"
has out "peak"
has out "where the magnitude is 1"
# shellcheck disable=SC2086
call 0 frequency --graph "$rlc" --u Se --y C.e,I.f $range --json
has out '"C.e/Se"'
has out '"margins"'
# shellcheck disable=SC2086
call 0 frequency --graph "$rlc" --u Se --y C.e $range -o "$directory/rlc.csv"
grep -q "^frequency .Hz.,C.e/Se magnitude,C.e/Se phase .deg." "$directory/rlc.csv" ||
    problem "rlc.csv has another header"

call 2 frequency --graph "$rlc" --u Se --y C.e
has err "needs a range"
# shellcheck disable=SC2086
call 2 frequency --graph "$rlc" --y C.e $range
has err "needs an input and an output"
# shellcheck disable=SC2086
call 2 frequency --graph "$rlc" --u Sf --y C.e $range
has err "did you mean \`Se\`"
call 2 frequency --graph "$rlc" --u Se --y C.e --from 10 --to 1
has err "0 < from < to"

finish
