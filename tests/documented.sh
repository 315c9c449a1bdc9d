#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Everything that an installed header declares has a doc comment.
set -euo pipefail

: "${top_srcdir:=.}" "${PUBLIC_HEADERS:=}"
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT

undocumented() {
    awk -f "$top_srcdir/tests/util/documented.awk" "$1"
}

# Does the check see a fault? A header in which all is documented ...
cat >"$directory/good.h" <<'END'
/* licence */
/**
 * @file
 * What it is for.
 */
#ifndef DIR_GOOD_H
#define DIR_GOOD_H

#include "lib/status.h"

/** A pair for both languages. */
#ifdef __cplusplus
#define T_BEGIN extern "C" {
#define T_END }
#else
#define T_BEGIN
#define T_END
#endif

/** A value. */
#define T_VALUE 1
#define T_AFTER 2 /**< another value,
                       in two lines */

HA_BEGIN_DECLS

/** Opaque. */
typedef struct t_opaque t_opaque;

struct t_forward;

/** Kinds. */
typedef enum t_kind {
    T_ONE,             /**< the first; with { and ; in it */
    T_TWO = T_AT(1, 2), /**< the second */
    /** The third. */
    T_THREE
} t_kind;

/** From a list. */
typedef enum t_list {
#define X(name, text) name, /**< see the list */
#include "lib/list.def"
#undef X
} t_list;

/** A struct. */
typedef struct t_struct {
    int a, b;          /**< a pair */
    double c[3];       /**< a vector */
    const char *text;  /**< "a; {string}" */
    /** Called back. */
    int (*call)(void *user, int (*inner)(int, int), int n);
    union {
        int i;         /**< as a number */
        double d;      /**< as a real */
    };
    struct {
        int inside;    /**< inside */
    } nested;          /**< a nested one */
} t_struct;

/** A plain struct. */
struct t_plain {
    int x; /**< x */
};

/** Called now and then. */
typedef void (*t_callback)(void *user, double done);

/** A function. */
HA_MUST_CHECK ha_status t_do(t_struct *self, int (*call)(int), const char *format, ...)
    HA_PRINTF(2, 3);

/** A constant. */
extern const char *const t_names[T_VALUE];

/** An inline function. */
static inline int t_inline(int a)
{
    if (a) {
        return 1;
    }
    return 0;
}

/** After it. */
int t_after(void);

HA_END_DECLS

#endif
END
if ! undocumented "$directory/good.h"; then
    echo "self-test: found fault with a header that has none"
    exit 1
fi

# ... and the same with one comment less, for each of them. A comment is made an ordinary one, so
# that all else stays in its place. The one of @file is not counted, the first one of it is.
n=$(grep -c '/\*\*' "$directory/good.h")
for ((i = 2; i <= n; i++)); do
    awk -v i="$i" '/\/\*\*/ && ++k == i { sub(/\/\*\*<?/, "/*") } { print }' \
        "$directory/good.h" >"$directory/bad.h"
    # the comment of the row of an X macro explains the list, not a declaration of this file
    if grep -q '/\* see the list' "$directory/bad.h"; then
        continue
    fi
    if found=$(undocumented "$directory/bad.h"); then
        echo "self-test: did not miss this comment:"
        diff "$directory/good.h" "$directory/bad.h" || true
        exit 1
    fi
    grep -q '^[^:]*:[0-9]*: [a-z ]* [tT]_' <<<"$found" ||
        grep -q 't_struct\.' <<<"$found" || { echo "self-test: unclear message: $found" && exit 1; }
done

failed=0
for header in $PUBLIC_HEADERS; do
    [[ $header == *.h ]] || continue
    undocumented "$top_srcdir/$header" || failed=$((failed + 1))
done
echo "$failed of $(wc -w <<<"$PUBLIC_HEADERS") installed files with faults"
[ $failed -eq 0 ]
