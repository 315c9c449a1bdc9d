#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# count.sh BUILD: how many test programs the last `make check` in BUILD ran, and how many single
# checks of the Check library were in them.
set -euo pipefail

programs=0 passed=0 skipped=0 failed=0 checks=0
while read -r trs; do
    programs=$((programs + 1))
    case $(sed -n 's/^:test-result: *//p' "$trs" | head -n 1) in
        PASS*) passed=$((passed + 1)) ;;
        SKIP*) skipped=$((skipped + 1)) ;;
        *) failed=$((failed + 1)) ;;
    esac
    log=${trs%.trs}.log
    n=$({ grep -o 'Checks: [0-9]*' "$log" || true; } | awk '{ n += $2 } END { print n + 0 }')
    checks=$((checks + n))
done < <(find "$1/tests" -name '*.trs' | sort)

echo "Test programs: $programs ($passed passed, $skipped skipped, $failed failed)," \
    "with $checks unit tests in them."
