#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every source file names its licence in the first five lines.
set -euo pipefail

cd "${top_srcdir:-.}"
sources=(configure.ac Makefile.am)
mapfile -t -O 2 sources < <(
    # what is in tools/page/uplot is foreign and has a licence of its own
    find lib bondgraph mech2d tools tests bench examples m4 .ci -type f \
        -not -path 'tools/page/uplot/*' \
        \( -name '*.[ch]' -o -name '*.def' -o -name '*.inc' -o -name '*.cpp' -o -name '*.sh' \
        -o -name '*.awk' -o -name '*.js' -o -name '*.css' -o -name '*.html' \
        -o -name 'ha_*.m4' -o -path tools/quickstart -o -path .ci/run \) 2>/dev/null | sort
)
failed=0
for file in "${sources[@]}"; do
    if ! head -n 5 "$file" | grep -qF 'SPDX-License-Identifier: GPL-3.0-or-later'; then
        echo "$file: no line SPDX-License-Identifier: GPL-3.0-or-later"
        failed=$((failed + 1))
    fi
done
echo "${#sources[@]} files, $failed without a licence"
[ $failed -eq 0 ]
