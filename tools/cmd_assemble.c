/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halfarrow assemble: start positions and velocities alone. */
#include <config.h>

#include "lib/core/mem.h"
#include "lib/core/number.h"
#include "mech2d/branch.h"
#include "tools/shared/json.h"
#include "tools/shared/load.h"
#include "tools/shared/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double in_line = 1e-9; /* [rad] of a turn: neither to the left nor to the right */

static const char *side_of(double angle)
{
    return fabs(angle) < in_line || fabs(angle) > acos(-1.0) - in_line ? "in line"
           : angle > 0.0                                               ? "left"
                                                                       : "right";
}

/* True where the start angles that were given turn to the other side. */
static bool has_changed(const m2d_turn *turn)
{
    return !isnan(turn->given) && side_of(turn->given)[0] != side_of(turn->angle)[0];
}

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
        json_t *one =
            json_pack("{s:o?, s:o?, s:o?, s:s}", "value", cli_json_real(value), "given",
                      m2d_assembly_is_given(a, body, k) ? cli_json_real(guess) : json_null(),
                      "moved", cli_json_real(value - guess), "fate", fate_of(a, body, k));
        json->has_failed |= json_object_set_new(object, m2d_coordinate_name(k), one) != 0;
    }
    return object;
}

/* Start values given at joints and points. */
static json_t *starts_object(const m2d_assembly *a, cli_json *json)
{
    json_t *object = json_object();

    for (int i = 0; i < m2d_assembly_n_starts(a); i++) {
        m2d_start_value start = m2d_assembly_start(a, i);
        json_t *one =
            json_pack("{s:o?, s:o?, s:o?, s:s, s:s}", "value", cli_json_real(start.value), "given",
                      cli_json_real(start.given), "moved", cli_json_real(start.value - start.given),
                      "fate", start.is_fixed ? "fixed" : "guess", "unit", start.unit);
        json->has_failed |= json_object_set_new(object, start.name, one) != 0;
    }
    return object;
}

static json_t *turn_object(m2d_mechanism *mechanism, const m2d_turn *turn)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:o?, s:o?, s:s}", "joint",
                     m2d_joint_name(mechanism, turn->joint), "from",
                     m2d_point_name(mechanism, turn->points[0]), "over",
                     m2d_point_name(mechanism, turn->points[1]), "to",
                     m2d_point_name(mechanism, turn->points[3]), "turn", cli_json_real(turn->angle),
                     "given", cli_json_real(turn->given), "side", side_of(turn->angle));
}

/* The turns at the hinges of loops. */
static ha_status put_branch(const cli_model *model, cli_json *json)
{
    m2d_mechanism *mechanism = m2d_model_mechanism(model->file);
    json_t *list = json_array();
    m2d_turn *turns = NULL;
    int n = 0;
    ha_status status = m2d_find_turns(mechanism, model->assembly, &turns, &n);

    for (int i = 0; i < n; i++) {
        json->has_failed |= !cli_json_append(list, turn_object(mechanism, &turns[i]));
    }
    free(turns);
    cli_json_put(json, "branch", list);
    return status;
}

/* The coordinates that nothing fixes, as an array to be freed with ha__free(); NULL where the model
   is so large that they are only counted. */
static ha_status find_choices(const cli_model *model, int **choices, int *n)
{
    enum { MOST_BODIES = 300 }; /* to be named within a second */
    int *found = NULL;

    if (m2d_system_n_bodies(model->system) > MOST_BODIES) {
        *choices = NULL;
        return m2d_assembly_choices(model->assembly, NULL, n);
    }
    HA_TRY_ALLOC(bg_graph_ctx(model->graph), found, 3 * m2d_system_n_bodies(model->system));
    ha_status status = m2d_assembly_choices(model->assembly, found, n);
    return HA_GIVE(status, found, ha__free, choices);
}

static ha_status put_choices(const cli_model *model, cli_json *json)
{
    json_t *list = json_array();
    int *choices = NULL, n = -1;
    ha_status status = find_choices(model, &choices, &n);

    for (int i = 0; i < n && choices != NULL; i++) {
        char name[256];
        snprintf(name, sizeof name, "%s.%s", m2d_system_body_name(model->system, choices[i] / 3),
                 m2d_coordinate_name((m2d_coordinate) (choices[i] % 3)));
        json->has_failed |= !cli_json_append(list, json_string(name));
    }
    cli_json_put(json, "not_fixed", choices == NULL ? json_null() : json_incref(list));
    cli_json_put(json, "n_not_fixed", n < 0 ? json_null() : json_integer(n));
    json_decref(list);
    ha__free(choices);
    return status;
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
                      m2d_system_row_is_rate(model->system, i)
                          ? NULL
                          : cli_json_real(m2d_assembly_residual(a, i)),
                      "velocity_residual", cli_json_real(m2d_assembly_rate(a, i)), "unit",
                      m2d_system_row_unit(model->system, i)));
    }
    for (int i = 0; i < m2d_assembly_n_redundant(a); i++) {
        json.has_failed |= !cli_json_append(redundant, json_string(m2d_assembly_redundant(a, i)));
    }
    const cli_member members[] = {
        cli_text("status", cli_status_word(found)),
        cli_int("steps", m2d_assembly_n_steps(a)),
        cli_int("attempts", m2d_assembly_n_attempts(a)),
        cli_count("mobility", m2d_assembly_mobility(a)),
        cli_int("mobility_count", m2d_assembly_mobility_count(a)),
        cli_count("speed_mobility", m2d_assembly_speed_mobility(a)),
        cli_int("speed_mobility_count", m2d_assembly_speed_count(a)),
        cli_value("redundant_constraints", redundant),
        cli_value("bodies", bodies),
        cli_value("starts", starts_object(a, &json)),
        cli_value("constraints", constraints),
        cli_value("unique_reactions", report_reactions(model, &json)),
    };
    cli_json_put_each(&json, members, HA_COUNT(members));
    ha_status status = put_choices(model, &json);
    HA_THEN(status, put_branch(model, &json));
    return cli_json_end(cli, &json, status);
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
                snprintf(given, sizeof given, "%.10g", ha__plain_sign(m2d_assembly_guess(a, i, k)));
            }
            printf("  %-24s %-6s %18s %18.10g  %s\n", name, fate_of(a, i, k), given,
                   ha__plain_sign(m2d_assembly_value(a, i, k)), units[c]);
        }
    }
}

/* Start values given at joints and points. */
static void print_starts(const m2d_assembly *a)
{
    for (int i = 0; i < m2d_assembly_n_starts(a); i++) {
        m2d_start_value start = m2d_assembly_start(a, i);
        printf("  %-24s %-6s %18.10g %18.10g  %s\n", start.name, start.is_fixed ? "fixed" : "guess",
               ha__plain_sign(start.given), ha__plain_sign(start.value), start.unit);
    }
}

static void print_residuals(const cli_model *model)
{
    const m2d_assembly *a = model->assembly;

    printf("\n  %-24s %-6s %18s %18s\n", "constraint", "unit", "position", "velocity");
    for (int i = 0; i < m2d_system_n_rows(model->system); i++) {
        char position[32] = "-";
        if (!m2d_system_row_is_rate(model->system, i)) {
            snprintf(position, sizeof position, "%.3g",
                     ha__plain_sign(m2d_assembly_residual(a, i)));
        }
        printf("  %-24s %-6s %18s %18.3g\n", m2d_system_row_name(model->system, i),
               m2d_system_row_unit(model->system, i), position,
               ha__plain_sign(m2d_assembly_rate(a, i)));
    }
}

/* The guesses that could not be kept. */
static void print_moves(const cli_model *model)
{
    enum { MOST = 12 };
    const m2d_assembly *a = model->assembly;
    int n = 0;

    for (int i = 0; i < 3 * m2d_system_n_bodies(model->system); i++) {
        m2d_coordinate c = (m2d_coordinate) (i % 3);
        double moved = m2d_assembly_value(a, i / 3, c) - m2d_assembly_guess(a, i / 3, c);
        if (m2d_assembly_is_given(a, i / 3, c) && fabs(moved) > in_line && n++ < MOST) {
            printf("%s%s.%s by %.6g %s", n == 1 ? "\n  guesses moved: " : ", ",
                   m2d_system_body_name(model->system, i / 3), m2d_coordinate_name(c), moved,
                   c == M2D_ANGLE ? "rad" : "m");
        }
    }
    if (n > MOST) {
        printf(" and %d more", n - MOST);
    }
    fputs(n > 0 ? "\n" : "", stdout);
}

/* What nothing but the assembly decided. */
static ha_status print_choices(const cli_model *model)
{
    enum { MOST = 12 };
    int *choices = NULL, n = 0;

    HA_TRY(find_choices(model, &choices, &n));
    for (int i = 0; i < n && i < MOST && choices != NULL; i++) {
        printf("%s%s.%s", i == 0 ? "\n  not fixed: " : ", ",
               m2d_system_body_name(model->system, choices[i] / 3),
               m2d_coordinate_name((m2d_coordinate) (choices[i] % 3)));
    }
    if (n > 0) {
        printf("%s%d of %d degrees of freedom are left to guesses. To hold a value, list it in "
               "`fixed`\n  of its body's `start`.\n",
               choices == NULL ? "\n  not fixed: "
               : n > MOST      ? ", ...; "
                               : "; ",
               n, m2d_assembly_mobility(model->assembly));
    }
    ha__free(choices);
    return HA_OK;
}

/* On which branch the loops are. */
static ha_status print_branch(const cli_model *model)
{
    enum { MOST = 40 };
    const double degree = acos(-1.0) / 180.0;
    m2d_mechanism *mechanism = m2d_model_mechanism(model->file);
    m2d_turn *turns = NULL;
    int n = 0;

    HA_TRY(m2d_find_turns(mechanism, model->assembly, &turns, &n));
    if (n > 0) {
        printf("\n  %-24s %-8s %12s  %s\n", "branch: at", "turn", "deg", "from, over, to");
    }
    for (int i = 0; i < n && i < MOST; i++) {
        const m2d_turn *t = &turns[i];
        printf("  %-24s %-8s %12.6g  %s, %s, %s%s\n", m2d_joint_name(mechanism, t->joint),
               side_of(t->angle), ha__plain_sign(t->angle / degree),
               m2d_point_name(mechanism, t->points[0]), m2d_point_name(mechanism, t->points[1]),
               m2d_point_name(mechanism, t->points[3]),
               has_changed(t) ? "; the given angles turn to another side" : "");
    }
    if (n > MOST) {
        printf("  and %d more, see --json\n", n - MOST);
    }
    free(turns);
    return HA_OK;
}

static ha_status print_text(const cli_model *model)
{
    const m2d_assembly *a = model->assembly;

    printf("%s: assembled in %d steps, mobility %d (%d by counting)", model->name,
           m2d_assembly_n_steps(a), m2d_assembly_mobility(a), m2d_assembly_mobility_count(a));
    if (m2d_system_n_rates(model->system) > 0) {
        printf(", of velocities %d (%d)", m2d_assembly_speed_mobility(a),
               m2d_assembly_speed_count(a));
    }
    printf("\n\n");
    print_bodies(model);
    print_starts(a);
    print_residuals(model);
    for (int i = 0; i < m2d_assembly_n_redundant(a); i++) {
        printf("%s%s", i == 0 ? "\n  redundant: " : ", ", m2d_assembly_redundant(a, i));
    }
    if (m2d_assembly_n_redundant(a) > 0) {
        putchar('\n');
    }
    print_moves(model);
    HA_TRY(print_choices(model));
    return print_branch(model);
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
    found = m2d__kit_assemble(model);
    if (cli_has(cli, CLI_JSON) && model->assembly != NULL) {
        status = print_json(cli, model, found);
    } else if (found == HA_OK) {
        status = print_text(model);
    }
    return found != HA_OK ? found : status;
}

ha_status cmd_assemble(cli_call *cli)
{
    cli_begin_work(cli);
    ha_status status = cli_on_model(cli, assemble);
    cli_end_work(cli);
    return status;
}
