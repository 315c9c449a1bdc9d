/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The context: what the objects of one thread share, namely the list of diagnostics, the counter
 * of allocations and the request to stop. Every object remembers the context it was made with and
 * must be freed before it. A context belongs to one thread.
 *
 * All public functions treat nonsense alike. Where a pointer is NULL that is not said to be
 * optional, or a number is outside of the list that it counts, a function with a status returns
 * HA_ERR_ARGUMENT, with an error in the context where there is one; any other does nothing and
 * returns what harms nobody: NULL, 0, false, "", NAN, HA_EXPR_NONE, or -1 for a number in a list.
 * Pointers to what has been freed cannot be told from others.
 */
#ifndef LIB_CONTEXT_H
#define LIB_CONTEXT_H

#include "lib/status.h"

#include <signal.h>
#include <stddef.h>

HA_BEGIN_DECLS

/** What the objects of one thread share. */
typedef struct ha_ctx ha_ctx;

/** A location in a text that the user wrote. */
typedef struct ha_where {
    const char *file; /**< name of the file, "-" for standard input, NULL: no location; borrowed */
    int line;         /**< line from 1, 0: unknown */
    int column;       /**< column from 1, counted in bytes, 0: unknown */
} ha_where;

/** The location of a diagnostic that has none. */
#define HA_NOWHERE ((ha_where){ NULL, 0, 0 })

/** How bad a diagnostic is. */
typedef enum ha_severity {
    HA_ERROR,   /**< the call failed because of this */
    HA_WARNING, /**< the call went on, the user should know */
    HA_NOTE     /**< explains the diagnostic before it */
} ha_severity;

/** One message to the user. All strings live until the diagnostics are cleared. */
typedef struct ha_diag {
    ha_severity severity; /**< how bad it is */
    ha_status status;     /**< the status the failing call returned; HA_OK for warnings and notes */
    ha_where where;       /**< the location in the user's text, if there is one */
    const char *text;     /**< what failed, on which named object, with which numbers, what to do */
} ha_diag;

/** Makes a context; NULL when there is no memory. Free it with ha_ctx_free(). */
ha_ctx *ha_ctx_new(void);

/** Frees a context; NULL is legal. All objects made with it must have been freed before. */
void ha_ctx_free(ha_ctx *ctx);

/** Number of diagnostics collected since the context was made or cleared. */
size_t ha_ctx_n_diags(const ha_ctx *ctx);

/** Diagnostic number `i`, from 0 in order of appearance; borrowed until the next ha_ctx_clear(). */
const ha_diag *ha_ctx_diag(const ha_ctx *ctx, size_t i);

/** Number of errors among the diagnostics. */
size_t ha_ctx_n_errors(const ha_ctx *ctx);

/** Forgets all diagnostics. */
void ha_ctx_clear(ha_ctx *ctx);

/**
 * Adds an error and returns `status`, so that `return ha_fail(...)` reads well. The text says what
 * failed, on which named object, with which numbers, and what to do. Beyond 100 diagnostics, of
 * which the last ten are kept for errors, only the count goes on.
 */
ha_status ha_fail(ha_ctx *ctx, ha_status status, ha_where where, const char *format, ...)
    HA_PRINTF(4, 5);

/** Adds a warning, unless the same was said of the same location before. */
void ha_warn(ha_ctx *ctx, ha_where where, const char *format, ...) HA_PRINTF(3, 4);

/** Adds a note that explains the diagnostic before it. */
void ha_note(ha_ctx *ctx, ha_where where, const char *format, ...) HA_PRINTF(3, 4);

/**
 * Test hook: the n-th allocation from now (1 = the next) fails, and all after it; 0 switches the
 * hook off.
 */
void ha_ctx_fail_allocation(ha_ctx *ctx, size_t n);

/** Number of allocations made through this context so far. */
size_t ha_ctx_n_allocations(const ha_ctx *ctx);

/**
 * Names a flag that asks long work to stop when it becomes non-zero, for example from a signal
 * handler; NULL: none. Borrowed. The interrupted call returns HA_ERR_INTERRUPTED and keeps what it
 * has computed.
 */
void ha_ctx_set_interrupt(ha_ctx *ctx, const volatile sig_atomic_t *flag);

/** True when the interrupt flag is set. */
int ha_ctx_is_interrupted(const ha_ctx *ctx);

/** Told now and then how far long work is: `done` from 0 to 1. */
typedef void (*ha_progress)(void *user, double done);

/** Sets the progress callback and its first argument; NULL: none. */
void ha_ctx_set_progress(ha_ctx *ctx, ha_progress callback, void *user);

/** Reports progress to the callback, if there is one. */
void ha_ctx_report_progress(const ha_ctx *ctx, double done);

HA_END_DECLS

#endif
