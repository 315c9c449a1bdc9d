#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The functions that the library exports, against those of the release before (golden/symbols.txt,
# its -version-info in the first line): by libtool's rules one that went away raises `current` and
# sets `age` to 0, one that came raises both, once the release is out. UPDATE_GOLDEN=yes writes the
# list anew, as `make update-golden` does when a release is made.
set -euo pipefail
export LC_ALL=C

: "${top_srcdir:=.}" "${top_builddir:=.}"
kept=$top_srcdir/tests/golden/symbols.txt
library=$top_builddir/.libs/libhalfarrow.so
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT

if [ ! -e "$library" ]; then
    echo "skipped: this build makes no shared library"
    exit 77
fi
info=$(sed -n 's/.*-version-info \([0-9:]*\).*/\1/p' "$top_srcdir/Makefile.am")

# check LIST INFO NAMES: what the rules say of the NAMES exported now under INFO, against LIST
check() {
    local list=$1 old_current age current revision
    IFS=: read -r old_current _ _ < <(head -n 1 "$list")
    IFS=: read -r current revision age <<<"$2"
    comm -23 <(tail -n +2 "$list" | sort) "$3" >"$directory/gone"
    comm -13 <(tail -n +2 "$list" | sort) "$3" >"$directory/new"
    if [ -s "$directory/gone" ] && { [ "$current" -le "$old_current" ] || [ "$age" -ne 0 ]; }; then
        echo "gone since -version-info $(head -n 1 "$list"), so that programs need to be built" \
            "again: $(paste -sd ' ' "$directory/gone"); keep them, or raise current in" \
            "Makefile.am ($current:$revision:$age), set age to 0 and run make update-golden"
        return 1
    fi
    if [ "$current" -gt "$old_current" ] && [ "$age" -gt 0 ] && [ ! -s "$directory/new" ]; then
        echo "-version-info $2 says that functions came, but none did"
        return 1
    fi
}

nm -D --defined-only "$library" | awk '$2 == "T" { print $3 }' | sort >"$directory/now"
if [ "${UPDATE_GOLDEN-}" = yes ]; then
    { echo "$info" && cat "$directory/now"; } >"$kept"
fi

# does the check see what it is for?
{ echo 3:1:2 && cat "$directory/now" && echo ha_gone; } >"$directory/more"
{ echo 3:1:2 && tail -n +2 "$directory/now"; } >"$directory/fewer"
self=0
check "$directory/more" 3:2:2 "$directory/now" >/dev/null && self=1
check "$directory/more" 4:0:3 "$directory/now" >/dev/null && self=1
check "$directory/more" 4:0:0 "$directory/now" >/dev/null || self=1
check "$directory/fewer" 4:0:3 "$directory/now" >/dev/null || self=1
if [ $self -ne 0 ]; then
    echo "self-test: a rule is not kept"
    exit 1
fi
check "$kept" "$info" "$directory/now"
echo "$(wc -l <"$directory/now") functions, $(wc -l <"$directory/new") more than at" \
    "$(head -n 1 "$kept")"
