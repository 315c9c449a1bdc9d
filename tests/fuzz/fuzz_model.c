/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz target: any bytes are a mechanism or an error, never a crash; a mechanism that is read can
 * be expanded, and assembled or not. What stands behind a byte 0x1E, which no model file may hold,
 * is the name of a variant.
 */
#include <config.h>

#include "mech2d/assemble.h"
#include "mech2d/read.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ENOUGH = 200 }; /* bodies and joints to work on */

static void use(m2d_model *model)
{
    m2d_mechanism *mechanism = m2d_model_mechanism(model);
    m2d_system *system = NULL;
    m2d_assembly *assembly = NULL;
    const char **names = NULL;
    int n = 0;

    if (m2d_mechanism_n_bodies(mechanism) > ENOUGH || m2d_mechanism_n_joints(mechanism) > ENOUGH ||
        m2d_expand(mechanism, &system) != HA_OK) {
        return;
    }
    if (m2d_model_select(model, system, &names, &n) == HA_OK && n > 0 && names[0][0] == '\0') {
        abort();
    }
    if (m2d_assemble(system, &assembly) == HA_OK &&
        m2d_assembly_mobility(assembly) < m2d_assembly_mobility_count(assembly)) {
        abort();
    }
    free(names);
    m2d_assembly_free(assembly);
    m2d_system_free(system);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ha_ctx *ctx = ha_ctx_new();
    char *text = malloc(size + 1);
    m2d_model *model = NULL;

    if (ctx != NULL && text != NULL) {
        if (size > 0) {
            memcpy(text, data, size);
        }
        text[size] = '\0';
        char *variant = memchr(text, 0x1E, size);
        size_t length = variant == NULL ? size : (size_t) (variant - text);
        const m2d_read_def def = { .variant = variant == NULL ? NULL : variant + 1 };
        ha_status status = m2d_read_text(ctx, text, length, "fuzz", &def, &model);
        if ((status == HA_OK) != (ha_ctx_n_errors(ctx) == 0) ||
            (status == HA_OK) != (model != NULL)) {
            abort();
        }
        if (model != NULL) {
            use(model);
        }
    }
    m2d_model_free(model);
    free(text);
    ha_ctx_free(ctx);
    return 0;
}
