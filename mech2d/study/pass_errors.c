/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors of a model that was made in a context of its own, told where the user wrote what is wrong.
 */
#include <config.h>

#include "mech2d/study/pass_errors.h"

#include <string.h>

/* Whether a text has a name between quotes; the name may stand elsewhere in it before. */
static bool quotes(const char *text, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = strstr(text, name); at != NULL; at = strstr(at + 1, name)) {
        if (at > text && at[-1] == '`' && at[length] == '`') {
            return true;
        }
    }
    return false;
}

static ha_where place_of(const ha_diag *d, const m2d__handed_over *given)
{
    bool is_override = d->where.file == NULL || strcmp(d->where.file, "--set") == 0;

    for (size_t i = 0; is_override && i < given->n_outputs; i++) {
        if (quotes(d->text, given->outputs[i])) {
            return given->output_wheres != NULL ? given->output_wheres[i] : given->where;
        }
    }
    for (size_t i = 0; is_override && i < given->n_variables; i++) {
        if (quotes(d->text, given->variables[i].path)) {
            return given->variables[i].where;
        }
    }
    return d->where;
}

ha_status m2d__pass_errors(ha_ctx *to, const ha_ctx *from, ha_status status,
                           const m2d__handed_over *given)
{
    for (size_t i = 0; i < ha_ctx_n_diags(from) && status != HA_OK; i++) {
        const ha_diag *d = ha_ctx_diag(from, i);
        if (d->severity == HA_ERROR) {
            (void) ha_fail(to, status, place_of(d, given), "%s", d->text);
        }
    }
    return status;
}
