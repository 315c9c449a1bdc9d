#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every source, header, test and example of the tree is listed in the Makefile.inc of its part:
# one that is not is never compiled, never run and missing in the release.
set -euo pipefail

cd "${top_srcdir:-.}"
problems=0

# listed MAKEFILE: the words of a makefile, with its own directory for %reldir%.
listed() {
    sed -e '/^#/d' -e "s,%reldir%,$(dirname "$1"),g" "$1" |
        tr -s ' \t' '\n'
}

for part in lib bondgraph mech2d tools tests bench examples; do
    words=$(listed $part/Makefile.inc)
    while read -r file; do
        # a Check program is listed without its suffix; test data may be listed by directory
        covered=no
        for name in "$file" "${file%.c}" "$(dirname "$file")" "$(dirname "$(dirname "$file")")"; do
            case $name in
                lib | bondgraph | mech2d | tools | tests | bench | examples | .) continue ;;
            esac
            if grep -qxF "$name" <<<"$words"; then
                covered=yes
                break
            fi
        done
        if [ $covered = no ]; then
            echo "$file is not in $part/Makefile.inc"
            problems=$((problems + 1))
        fi
    done < <(find $part -type f \( -name '*.[ch]' -o -name '*.def' -o -name '*.sh' \
        -o -name '*.yaml' -o -name '*.bgl' -o -name '*.json' -o -name '*.csv' -o -name '*.js' \
        -o -name '*.css' -o -name '*.html' -o -name '*.cpp' \) | sort)
done

[ $problems -eq 0 ]
