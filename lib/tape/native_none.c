/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In place of native.c where there is no compiler and nothing can be loaded. */
#include <config.h>

#include "lib/tape/native.h"

ha_status ha__native_load(ha_ctx *ctx, const char *text, size_t length, ha__native **out,
                          bool *was_cached)
{
    (void) text;
    (void) length;
    (void) out;
    (void) was_cached;
    return ha_fail(ctx, HA_ERR_PROCESS, HA_NOWHERE, "there is no compiler here");
}

void (*ha__native_function(const ha__native *native, const char *name))(void)
{
    (void) native;
    (void) name;
    return NULL;
}

void ha__native_free(ha__native *native)
{
    (void) native;
}
