#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every source, header, test and example of the tree is listed in the Makefile.inc of its part:
# one that is not is never compiled, never run and missing in the release.
set -euo pipefail

cd "${top_srcdir:-.}"
problems=0

# What is written down, and what is there: a Check program is listed without its suffix, test data
# may be listed by directory.
for part in lib bondgraph mech2d tools tests bench examples; do
    while read -r file; do
        echo "$file is not in $part/Makefile.inc"
        problems=$((problems + 1))
    done < <(
        find $part -type f \( -name '*.[ch]' -o -name '*.def' -o -name '*.sh' \
            -o -name '*.yaml' -o -name '*.bgl' -o -name '*.json' -o -name '*.csv' -o -name '*.js' \
            -o -name '*.css' -o -name '*.html' -o -name '*.cpp' \) | sort |
            awk -v makefile=$part/Makefile.inc -v part=$part '
                function above(path) { sub("/?[^/]*$", "", path); return path }
                BEGIN {
                    while ((getline line <makefile) > 0) {
                        gsub(/%reldir%/, part, line)
                        n = line ~ /^#/ ? 0 : split(line, words)
                        for (i = 1; i <= n; i++) { is_listed[words[i]] = 1 }
                    }
                    # of these not all is listed at once
                    delete is_listed[part]
                    delete is_listed[""]
                }
                {
                    name = $0
                    sub(/\.c$/, "", name)
                    if (!($0 in is_listed || name in is_listed || above($0) in is_listed ||
                          above(above($0)) in is_listed)) { print }
                }'
    )
done

[ $problems -eq 0 ]
