#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The recipes for programs in C and Python: they compile, run and print what the page shows. What a
# user installs is here the build: pkg-config and python3 are stand-ins that know it.
# shellcheck source=tests/util/pages.sh
. "${top_srcdir:-.}/tests/util/pages.sh" || exit

: "${CC:=cc}"
# shellcheck source=tests/util/python.sh
. "$top_srcdir/tests/util/python.sh" || exit
sources=$(cd "$top_srcdir" && pwd)

# stand_in NAME LINE: a program on the path of the page's commands.
stand_in() {
    printf '#!/bin/sh\n%s\n' "$2" >"$directory/bin/$1"
    chmod +x "$directory/bin/$1"
}
stand_in pkg-config "echo '-I$sources -L$builddir/.libs -lhalfarrow -Wl,-rpath,$builddir/.libs'"
stand_in cc "PATH='${PATH#*:}' exec $CC -Wall -Wextra -Werror \"\$@\"" # which may be named cc, too
stand_in python3 "exec '$PYTHON' \"\$@\""

check_page "$top_srcdir/doc/learn/programs.md"
[ "$n_commands" -eq 6 ] || problem "$n_commands commands were found"
[ $problems -eq 0 ]
