#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# In a build with sanitizers: a fault put into a tiny program, built with the same flags, makes it
# fail. Some combinations of compiler and flags print the fault and exit 0, or see nothing at all;
# the other tests would prove nothing then.
set -euo pipefail

if [ -z "${SANITIZER_FLAGS:-}" ]; then
    echo "skipped: built without a sanitizer"
    exit 77
fi

directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
read -ra compiler <<<"${CC:-cc}"
read -ra flags <<<"${CFLAGS:-}"

# volatile keeps the compiler from seeing the fault first
cat >"$directory/none.c" <<'END'
int main(void) { volatile int one = 1; return one - 1; }
END
cat >"$directory/address.c" <<'END'
#include <stdlib.h>
int main(void)
{
    volatile int n = 4;
    volatile char *bytes = malloc(4);
    bytes[n] = 1;
    free((void *) bytes);
    return 0;
}
END
cat >"$directory/leak.c" <<'END'
#include <stdlib.h>
void *volatile place;
int main(void) { place = malloc(4); place = NULL; return 0; }
END
cat >"$directory/undefined.c" <<'END'
#include <limits.h>
int main(void) { volatile int n = INT_MAX; n = n + 1; return 0; }
END
# a read one past the end of an array of a constant size is undefined, too
cat >"$directory/bounds.c" <<'END'
int main(void) { volatile int n = 3; int a[3] = { 0, 0, 0 }; volatile int x = a[n]; return x * 0; }
END

exit_status() {
    "${compiler[@]}" "${flags[@]}" -w "$directory/$1.c" -o "$directory/$1" || exit 99
    "$directory/$1" >"$directory/output" 2>&1 && echo 0 || echo $?
}

expect_fault() {
    local status
    status=$(exit_status "$1")
    echo "$1: exit status $status"
    if [ "$status" -eq 0 ] || ! grep -qE 'ERROR:|runtime error' "$directory/output"; then
        echo "the fault was not seen"
        exit 1
    fi
}

[ "$(exit_status none)" -eq 0 ] || { echo "a program without a fault fails" && exit 1; }
case $SANITIZER_FLAGS in *address*) expect_fault address ;; esac
case $SANITIZER_FLAGS,${ASAN_OPTIONS:-} in
    *detect_leaks=0*) ;;
    *address*) expect_fault leak ;;
esac
case $SANITIZER_FLAGS in
    *undefined*)
        expect_fault undefined
        expect_fault bounds
        ;;
esac
