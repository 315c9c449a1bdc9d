/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow assemble: start positions and velocities alone. */
#include <config.h>

#include "lib/number.h"
#include "tools/json.h"
#include "tools/load.h"

#include <math.h>
#include <stdio.h>

/* What happened to a coordinate. */
static const char *fate_of(const m2d_assembly *a, int body, m2d_coordinate c)
{
    return m2d_assembly_is_fixed(a, body, c)   ? "fixed"
           : m2d_assembly_is_given(a, body, c) ? "guess"
                                               : "free";
}

static json_t *coordinates(const m2d_assembly *a, int body, cli_json *json)
{
    json_t *object = json_object();

    for (int c = 0; c < M2D_N_COORDINATES; c++) {
        m2d_coordinate k = (m2d_coordinate) c;
        double value = m2d_assembly_value(a, body, k), guess = m2d_assembly_guess(a, body, k);
        json_t *one = json_pack("{s:o?, s:o?, s:o?, s:s}", "value", cli_json_real(value), "given",
                                m2d_assembly_is_given(a, body, k) ? cli_json_real(guess)
                                                                  : json_null(),
                                "moved", cli_json_real(value - guess), "fate", fate_of(a, body, k));
        json->has_failed |= json_object_set_new(object, m2d_coordinate_name(k), one) != 0;
    }
    return object;
}

/* Of a failed assembly: where the attempt ended. What it did not get to is null. */
static ha_status print_json(cli_call *cli, const cli_model *model, ha_status found)
{
    const m2d_assembly *a = model->assembly;
    cli_json json = cli_json_new();
    json_t *bodies = json_object(), *constraints = json_array(), *redundant = json_array();

    for (int i = 0; i < m2d_system_n_bodies(model->system); i++) {
        json.has_failed |= json_object_set_new(bodies, m2d_system_body_name(model->system, i),
                                               coordinates(a, i, &json)) != 0;
    }
    for (int i = 0; i < m2d_system_n_rows(model->system); i++) {
        json.has_failed |= !cli_json_append(
            constraints,
            json_pack("{s:s, s:s, s:o?, s:o?, s:s}", "name", m2d_system_row_name(model->system, i),
                      "joint", m2d_system_row_joint(model->system, i), "residual",
                      cli_json_real(m2d_assembly_residual(a, i)), "velocity_residual",
                      cli_json_real(m2d_assembly_rate(a, i)), "unit",
                      m2d_system_row_unit(model->system, i)));
    }
    for (int i = 0; i < m2d_assembly_n_redundant(a); i++) {
        json.has_failed |=
            !cli_json_append(redundant, json_string(m2d_assembly_redundant(a, i)));
    }
    cli_json_put_text(&json, "status", cli_status_word(found));
    cli_json_put_int(&json, "steps", m2d_assembly_n_steps(a));
    cli_json_put_int(&json, "attempts", m2d_assembly_n_attempts(a));
    cli_json_put(&json, "mobility",
                 m2d_assembly_mobility(a) < 0 ? json_null()
                                              : json_integer(m2d_assembly_mobility(a)));
    cli_json_put_int(&json, "mobility_count", m2d_assembly_mobility_count(a));
    cli_json_put(&json, "redundant_constraints", redundant);
    cli_json_put(&json, "bodies", bodies);
    cli_json_put(&json, "constraints", constraints);
    return cli_json_print(cli, &json);
}

static void print_bodies(const cli_model *model)
{
    static const char *const units[M2D_N_COORDINATES] = { "m", "m", "rad", "m/s", "m/s", "rad/s" };
    const m2d_assembly *a = model->assembly;

    printf("  %-24s %-6s %18s %18s  %s\n", "coordinate", "", "given", "assembled", "unit");
    for (int i = 0; i < m2d_system_n_bodies(model->system); i++) {
        for (int c = 0; c < M2D_N_COORDINATES; c++) {
            m2d_coordinate k = (m2d_coordinate) c;
            char name[256], given[32] = "-";
            snprintf(name, sizeof name, "%s.%s", m2d_system_body_name(model->system, i),
                     m2d_coordinate_name(k));
            if (m2d_assembly_is_given(a, i, k)) {
                snprintf(given, sizeof given, "%.10g",
                         ha__plain_zero(m2d_assembly_guess(a, i, k)));
            }
            printf("  %-24s %-6s %18s %18.10g  %s\n", name, fate_of(a, i, k), given,
                   ha__plain_zero(m2d_assembly_value(a, i, k)), units[c]);
        }
    }
}

static void print_residuals(const cli_model *model)
{
    const m2d_assembly *a = model->assembly;

    printf("\n  %-24s %-6s %18s %18s\n", "constraint", "unit", "position", "velocity");
    for (int i = 0; i < m2d_system_n_rows(model->system); i++) {
        printf("  %-24s %-6s %18.3g %18.3g\n", m2d_system_row_name(model->system, i),
               m2d_system_row_unit(model->system, i),
               ha__plain_zero(m2d_assembly_residual(a, i)),
               ha__plain_zero(m2d_assembly_rate(a, i)));
    }
}

static void print_text(const cli_model *model)
{
    const m2d_assembly *a = model->assembly;

    printf("%s: assembled in %d steps, mobility %d (%d by counting)\n\n", model->name,
           m2d_assembly_n_steps(a), m2d_assembly_mobility(a), m2d_assembly_mobility_count(a));
    print_bodies(model);
    print_residuals(model);
    for (int i = 0; i < m2d_assembly_n_redundant(a); i++) {
        printf("%s%s", i == 0 ? "\n  redundant: " : ", ", m2d_assembly_redundant(a, i));
    }
    if (m2d_assembly_n_redundant(a) > 0) {
        putchar('\n');
    }
}

static ha_status assemble(cli_call *cli, cli_model *model)
{
    ha_status found = HA_OK, status = HA_OK;

    HA_TRY(cli_load(cli, model));
    if (model->system == NULL) {
        return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                       "`%s` is a bond graph and has nothing to assemble; `assemble` takes a "
                       "mechanism",
                       model->name);
    }
    found = cli_assemble(model);
    if (cli_has(cli, CLI_JSON) && model->assembly != NULL) {
        status = print_json(cli, model, found);
    } else if (found == HA_OK) {
        print_text(model);
    }
    return found != HA_OK ? found : status;
}

ha_status cmd_assemble(cli_call *cli)
{
    cli_model model = { 0 };
    ha_status status = HA_OK;

    cli_begin_work(cli);
    status = assemble(cli, &model);
    cli_end_work(cli);
    cli_model_clear(&model);
    return status;
}
