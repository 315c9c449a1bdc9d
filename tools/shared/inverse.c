/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inverse signals, for people and for programs. */
#include <config.h>

#include "tools/shared/inverse.h"

#include <stdio.h>

/* Does something with each signal. */
static ha_status each(const cli_model *model, void (*tell)(const bg_inverse *inverse, void *user),
                      void *user)
{
    int n = bg_causality_n_inverses(model->causality);
    ha_status status = HA_OK;

    for (int i = 0; i < n && status == HA_OK; i++) {
        bg_inverse inverse = { 0 };
        status = bg_causality_inverse(model->causality, i, &inverse);
        if (status == HA_OK) {
            tell(&inverse, user);
        }
        bg_inverse_clear(&inverse);
    }
    return status;
}

static void print_one(const bg_inverse *inverse, void *user)
{
    (void) user;
    printf("  %-20s %s: ", "inverse signal", inverse->signal);
    if (inverse->n_derivatives < 0) {
        printf("does not act on its input");
    } else {
        printf("%d derivative%s of its input%s", inverse->n_derivatives,
               inverse->n_derivatives == 1 ? "" : "s", inverse->n_path > 0 ? ", by" : "");
    }
    for (int k = 0; k < inverse->n_path; k++) {
        printf("%s %s", k > 0 ? " >" : "", inverse->path[k]);
    }
    printf("\n");
}

ha_status inverse_print(const cli_model *model)
{
    return each(model, print_one, NULL);
}

static void append_one(const bg_inverse *inverse, void *all)
{
    json_t *path = json_array();

    for (int k = 0; k < inverse->n_path; k++) {
        (void) cli_json_append(path, json_string(inverse->path[k]));
    }
    (void) cli_json_append(all, json_pack("{s:s, s:i, s:o}", "signal", inverse->signal,
                                          "derivatives", inverse->n_derivatives, "path", path));
}

ha_status inverse_to_json(const cli_model *model, cli_json *json)
{
    json_t *all = json_array();
    ha_status status = each(model, append_one, all);

    cli_json_put(json, "inverses", all);
    return status;
}
