/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the allocator needs of the context. Not installed. */
#ifndef LIB_CONTEXT_PRIV_H
#define LIB_CONTEXT_PRIV_H

#include "lib/context.h"

#include <stdbool.h>

/* Counts an allocation; false when the test hook wants it to fail. */
bool ha__ctx_may_allocate(ha_ctx *ctx);

/* Adds the out-of-memory diagnostic once; needs no memory. */
void ha__ctx_out_of_memory(ha_ctx *ctx);

#endif
