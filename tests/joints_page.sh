#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The page of the joints and its pictures are those that the table of the joints makes; in pictures
# numbers may differ by a rounding.
set -euo pipefail

: "${top_srcdir:=.}" "${top_builddir:=.}"
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
problems=0

# same A B: the files are alike, numbers up to 0.15.
same() {
    awk '
        { numbers = text = $0
          gsub(/[^-0-9.]+/, " ", numbers)
          gsub(/-?[0-9]+\.?[0-9]*/, "#", text) }
        NR == FNR { a[FNR] = text; x[FNR] = numbers; n = FNR; next }
        { if (text != a[FNR]) { exit 1 }
          m = split(numbers, u, " "); split(x[FNR], v, " ")
          for (i = 1; i <= m; i++) {
              d = u[i] - v[i]
              if (d > 0.15 || d < -0.15) { exit 1 }
          } }
        END { if (n != FNR) { exit 1 } }' "$1" "$2"
}

"$top_builddir/doc/joints" "$directory"
for file in "$directory"/*; do
    if ! same "$top_srcdir/doc/${file##*/}" "$file"; then
        echo "doc/${file##*/} is not what the joints give; run doc/joints on the directory doc"
        problems=$((problems + 1))
    fi
done
n=$(find "$directory" -type f | wc -l)
echo "$n files"
[ $problems -eq 0 ] && [ "$n" -gt 10 ]
