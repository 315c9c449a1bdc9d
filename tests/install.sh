#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make install into a directory of its own; a C and a C++ program find the library through
# pkg-config alone, compile, link and run; the library shows public names only.
set -euo pipefail

: "${top_builddir:=.}" "${PUBLIC_HEADERS:=}" "${CC:=cc}" "${TEST_CXX:=c++}" \
    "${PKG_CONFIG:=pkg-config}"
if [ -n "${SANITIZER_FLAGS:-}" ]; then
    echo "skipped: an instrumented library is not for installation"
    exit 77
fi
if ! grep -q '^build_libtool_libs=yes' "$top_builddir/libtool"; then
    echo "skipped: configured without the shared library"
    exit 77
fi

directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
read -ra c_compiler <<<"$CC"
read -ra cxx_compiler <<<"$TEST_CXX"

# the variables of the make that runs the tests must not reach this one
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL "${MAKE:-make}" -s -C "$top_builddir" install \
    DESTDIR="$directory/root" >"$directory/log" 2>&1 || { cat "$directory/log" && exit 1; }

for page in README.md NEWS COPYING doc/model-file.md doc/learn/tutorial.md \
    examples/pendulum.yaml; do
    [ -n "$(find "$directory/root" -path "*/doc/halfarrow/$page")" ] ||
        { echo "$page is not installed" && exit 1; }
done

# the sysroot stands in front of the paths that pkg-config tells, as the directory does here
pc=$(find "$directory/root" -name halfarrow.pc)
PKG_CONFIG_PATH=$(dirname "$pc")${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
PKG_CONFIG_SYSROOT_DIR=$directory/root
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
version=$("$PKG_CONFIG" --modversion halfarrow)
read -ra cflags <<<"$("$PKG_CONFIG" --cflags halfarrow)"
read -ra libs <<<"$("$PKG_CONFIG" --libs halfarrow)"
echo "version $version, cflags ${cflags[*]}, libs ${libs[*]}"

{
    for header in $PUBLIC_HEADERS; do
        [[ $header != *.h ]] || echo "#include \"$header\""
    done
    cat <<'END'
#include <stdio.h>

int main(void)
{
    ha_ctx *ctx = ha_ctx_new();
    int n = (int) ha_ctx_n_errors(ctx);

    puts(ha_status_text(HA_OK));
    ha_ctx_free(ctx);
    return n;
}
END
} >"$directory/client.c"
cp "$directory/client.c" "$directory/client.cc"
"${c_compiler[@]}" -std=c17 -Wall -Werror "${cflags[@]}" "$directory/client.c" -o "$directory/c" \
    "${libs[@]}"
"${cxx_compiler[@]}" -std=c++17 -Wall -Werror "${cflags[@]}" "$directory/client.cc" \
    -o "$directory/cxx" "${libs[@]}"

library=$(find "$directory/root" -name 'libhalfarrow.so' | head -n 1)
LD_LIBRARY_PATH=$(dirname "$library")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
for client in c cxx; do
    [ "$("$directory/$client")" = "done" ] || { echo "the $client client does not run" && exit 1; }
done

names=$(nm -D --defined-only "$library" | awk '{ print $NF }')
if odd=$(grep -vE '^(ha|bg|m2d)_[a-z]' <<<"$names"); then
    printf 'the library shows names that are not public:\n%s\n' "$odd"
    exit 1
fi
echo "$(wc -l <<<"$names") public names"
