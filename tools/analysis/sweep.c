/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --sweep PATH=FROM:TO:COUNT with even steps, as analyses take it. */
#include <config.h>

#include "tools/analysis/sweep.h"

#include "lib/core/context_priv.h"
#include "lib/core/number.h"
#include "lib/data/dimension.h"
#include "lib/data/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COUNT = 10000, BOUND_SIZE = 128 };

static ha_status fail(cli_call *cli, const char *what)
{
    return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                   "--sweep `%s` %s; write PATH=FROM:TO:COUNT, for example "
                   "'parameters.load=0:20 N:11'",
                   cli->text[CLI_SWEEP], what);
}

/* A bound as text, with the unit of the other one where it has none itself. */
static bool copy_bound(const char *from, const char *end, const char *unit, size_t n_unit,
                       char out[BOUND_SIZE])
{
    size_t n = (size_t) (end - from), own = 0;
    char text[BOUND_SIZE];

    if (n == 0 || n >= sizeof text) {
        return false;
    }
    memcpy(text, from, n);
    text[n] = '\0';
    bool has_unit = ha__quantity_unit_in(text, &own) != NULL;
    int length = has_unit || unit == NULL
                     ? snprintf(out, BOUND_SIZE, "%s", text)
                     : snprintf(out, BOUND_SIZE, "%s %.*s", text, (int) n_unit, unit);
    return length > 0 && length < BOUND_SIZE;
}

static ha_status read_bounds(cli_call *cli, const char *first, const char *middle, const char *last,
                             sweep *out)
{
    char texts[2][BOUND_SIZE], whole[BOUND_SIZE];
    size_t n_unit = 0;

    if (!copy_bound(middle + 1, last, NULL, 0, whole)) {
        return fail(cli, "has no second bound");
    }
    const char *unit = ha__quantity_unit_in(whole, &n_unit);
    if (!copy_bound(first, middle, unit, n_unit, texts[0]) ||
        !copy_bound(middle + 1, last, NULL, 0, texts[1])) {
        return fail(cli, "has no first bound");
    }
    HA_TRY(ha__quantity_read(cli->ctx, texts[0], HA__QUANTITY_ANY, HA_NOWHERE, "--sweep FROM",
                             &out->from));
    HA_TRY(ha__quantity_read(cli->ctx, texts[1], HA__QUANTITY_ANY, HA_NOWHERE, "--sweep TO",
                             &out->to));
    size_t first_diag = ha_ctx_n_diags(cli->ctx);
    if (ha__quantity_check_like(cli->ctx, texts[0], texts[1], HA_NOWHERE, "--sweep FROM") !=
        HA_OK) {
        ha__ctx_forget(cli->ctx, first_diag);
        return fail(cli, "has bounds of two dimensions");
    }
    ha__dimension is;
    char words[sizeof out->unit];
    if (ha__dimension_read(texts[0], &is)) {
        snprintf(out->unit, sizeof out->unit, "%s", ha__dimension_unit(is, words, sizeof words));
    }
    size_t room = strlen(out->path) + strlen(texts[0]) + 2;
    HA_TRY_GET(out->set, ha__alloc(cli->ctx, room, 1));
    snprintf(out->set, room, "%s=%s", out->path, texts[0]);
    return out->from == out->to ? fail(cli, "has bounds that are equal") : HA_OK;
}

ha_status sweep_read(cli_call *cli, sweep *out)
{
    const char *text = cli->text[CLI_SWEEP];
    const char *equals = strchr(text, '=');
    const char *middle = equals == NULL ? NULL : strchr(equals, ':');
    const char *last = middle == NULL ? NULL : strchr(middle + 1, ':');
    double count = 0.0;

    *out = (sweep){ 0 };
    if (last == NULL || equals == text) {
        return fail(cli, "is no range");
    }
    if (!ha__read_number(last + 1, strlen(last + 1), 0, &count) || count != floor(count) ||
        !(count >= 2.0 && count <= MOST_COUNT)) {
        return fail(cli, "has a COUNT that is no whole number from 2 to 10000");
    }
    out->count = (int) count;
    HA_TRY_GET(out->path, ha__copy_text(cli->ctx, text, (size_t) (equals - text)));
    HA_TRY(read_bounds(cli, equals + 1, middle, last, out));
    HA_TRY_PUSH(cli->ctx, &cli->sets, out->set);
    return HA_OK;
}

double sweep_value(const sweep *s, int i)
{
    return i == s->count - 1 ? s->to : s->from + (s->to - s->from) * i / (s->count - 1);
}

void sweep_clear(sweep *s)
{
    HA_FREE(s->path, s->set);
    *s = (sweep){ 0 };
}
