#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Replays the corpus of each fuzz target: tests/fuzz/fuzz_X over the files of tests/fuzz/corpus/X.
set -euo pipefail

: "${top_srcdir:=.}" "${top_builddir:=.}" "${FUZZ_TARGETS:=}"
shopt -s nullglob
for target in $FUZZ_TARGETS; do
    name=${target##*/fuzz_}
    files=("$top_srcdir/tests/fuzz/corpus/$name"/*)
    if [ ${#files[@]} -eq 0 ]; then
        echo "$target has no corpus in tests/fuzz/corpus/$name"
        exit 1
    fi
    echo "$target: ${#files[@]} files"
    "$top_builddir/$target" "${files[@]}"
done
