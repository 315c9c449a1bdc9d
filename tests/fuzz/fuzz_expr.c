/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz target: any bytes are an expression or an error, never a crash; what was read is written as
 * a text that reads back to the same node.
 */
#include <config.h>

#include "lib/expr.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    SHORT = 2000
}; /* texts up to here stay within the limits of the parser when written again */

/* A few names are known, also such as begin with a digit. */
static ha_expr lookup(void *user, const char *name)
{
    static const char *const names[] = { "a", "b", "t", "1a", "0x", "1e", "J.x", "1a.f" };
    ha_expr *symbols = user;

    for (size_t i = 0; i < HA_COUNT(names); i++) {
        if (strcmp(names[i], name) == 0) {
            return symbols[i];
        }
    }
    return HA_EXPR_NONE;
}

static void read_back(ha_ctx *ctx, ha_dag *dag, ha_expr e, const ha_parse_def *def)
{
    ha_expr again = HA_EXPR_NONE;
    char *text = ha_expr_text(dag, e);

    if (text != NULL && strlen(text) < SHORT) {
        ha_status status = ha_expr_parse(dag, text, def, &again);
        if (status != HA_ERR_LIMIT && (status != HA_OK || again != e)) {
            abort();
        }
    }
    ha_ctx_clear(ctx);
    free(text);
}

static void read_text(ha_ctx *ctx, ha_dag *dag, const char *text)
{
    static const char *const names[] = { "a", "b", "t", "1a", "0x", "1e", "J.x", "1a.f" };
    ha_expr symbols[HA_COUNT(names)];
    ha_expr e = HA_EXPR_NONE;
    ha_parse_def def = { .where = { "fuzz", 1, 1 },
                         .lookup = lookup,
                         .lookup_user = symbols,
                         .known = names,
                         .n_known = HA_COUNT(names) };

    for (size_t i = 0; i < HA_COUNT(names); i++) {
        symbols[i] = ha_symbol(dag, names[i]);
    }
    ha_status status = ha_expr_parse(dag, text, &def, &e);
    if ((status == HA_OK) != (e != HA_EXPR_NONE) || ha_ctx_n_errors(ctx) != (status != HA_OK)) {
        abort();
    }
    if (status == HA_OK) {
        read_back(ctx, dag, e, &def);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ha_ctx *ctx = ha_ctx_new();
    ha_dag *dag = ctx == NULL ? NULL : ha_dag_new(ctx);
    char *text = malloc(size + 1);

    if (dag != NULL && text != NULL) {
        memcpy(text, data, size);
        text[size] = '\0';
        read_text(ctx, dag, text);
    }
    free(text);
    ha_dag_free(dag);
    ha_ctx_free(ctx);
    return 0;
}
