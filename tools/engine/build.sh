#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build.sh SOURCE DIRECTORY: builds the engine of pages in DIRECTORY by engine.mk, or says what is
# missing. `make wasm` gives the variables:
#   have     yes, or what configure found missing
#   clang    the compiler
#   optimise wasm-opt of binaryen, or nothing
#   pack     the command that packs a file to standard output
#   sources  the directory of sources.sh
#   version  of the program
#   own      the sources of the program's library
#   make     the command make
set -eu
export LC_ALL=C

source=$1
out=$2

fail() {
    echo "error: $1" >&2
    exit 1
}

[ "$have" = yes ] ||
    fail "no compiler for WebAssembly was found; install clang, lld, wasi-libc and \
libclang-rt-dev-wasm32 (Debian 12: clang lld wasi-libc libclang-rt-14-dev-wasm32), then configure \
again"
"$make" --version 2>/dev/null | grep -q 'GNU Make' || fail "the engine needs GNU make"
for part in sundials/include/ida/ida.h suitesparse/KLU/Include/klu.h yaml/include/yaml.h; do
    [ -e "$sources/$part" ] ||
        fail "there is no $sources/$part; get the sources of the libraries by: make engine-sources"
done

mkdir -p "$out"
exec "$make" -f "$source/tools/engine/engine.mk" top="$source" out="$out" own="$own" \
    sundials="$sources/sundials" suitesparse="$sources/suitesparse" yaml="$sources/yaml" \
    CLANG="$clang" VERSION="$version" PACK="$pack" WASM_OPT="$optimise" \
    "$out/engine.wasm.gz"
