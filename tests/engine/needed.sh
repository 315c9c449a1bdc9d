# SPDX-License-Identifier: GPL-3.0-or-later
# What tests of the engine need; to be sourced. Skipped where there is no node, or no engine in the
# build; CI has both. Sets `engine`, the module, and `directory`.
# shellcheck shell=bash disable=SC2034 # used by those who source it
set -euo pipefail

: "${HALFARROW:?names the program}" "${top_srcdir:=.}" "${top_builddir:=.}"
engine=$top_builddir/tools/engine/engine.wasm
if [ ! -e "$engine" ]; then
    echo "there is no engine; make engine-sources, then make wasm"
    exit 77
fi
if ! command -v node >/dev/null; then
    echo "node is missing (Debian: nodejs)"
    exit 77
fi
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
