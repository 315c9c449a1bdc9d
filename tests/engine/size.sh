#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The engine fits into a page: at most 1.1 MB, packed 400 kB. Without wasm-opt and zopfli it is
# larger, and nobody is told to wait for less.
# shellcheck source=tests/engine/needed.sh
. "${top_srcdir:-.}/tests/engine/needed.sh" || exit
size=$(stat -c %s "$engine")
packed=$(stat -c %s "$engine.gz")
echo "$size bytes, packed $packed"
if ! command -v wasm-opt >/dev/null || ! command -v zopfli >/dev/null; then
    echo "wasm-opt or zopfli is missing (Debian: binaryen zopfli)"
    exit 77
fi
[ "$size" -le 1100000 ] && [ "$packed" -le 400000 ]
gzip -dc "$engine.gz" | cmp - "$engine"

# the program knows an engine of other sources
embedded() {
    bash "$top_srcdir/tools/engine/embed.sh" "$engine.gz" "$top_srcdir/tools/engine/engine.js" \
        "$top_srcdir/tools/engine/NOTICE" "${engine%.wasm}.sum" "$1" 2>/dev/null |
        sed -n 's/^    return \(true\|false\);/\1/p'
}
[ "$(embedded "$(cat "${engine%.wasm}.sum")")" = false ]
[ "$(embedded other)" = true ]

# by all files that the compiler read
list=$(env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$top_builddir" engine-list | sort -u)
source=$(cd "$top_srcdir" && pwd -P)
read_files=$(find "$top_builddir/tools/engine/objects/own" -name '*.d' -exec cat {} + |
    tr ' \\:' '\n\n\n' | grep '\.[ch]$\|\.def$' | sort -u |
    (cd "$top_builddir" && xargs realpath -q -e) |
    sed -n "s,^$source/,,p" | grep '^\(lib\|bondgraph\|mech2d\|tools\)/' | sort -u)
missing=$(comm -23 <(echo "$read_files") <(echo "$list"))
echo "of $(wc -l <<<"$read_files") files, not in its sum: ${missing:-none}"
[ -z "$missing" ] && [ "$(wc -l <<<"$read_files")" -gt 500 ]
