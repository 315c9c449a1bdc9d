/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the causal analysis says about a model, for people and for programs. */
#include <config.h>

#include "tools/shared/report.h"

#include "lib/core/mem.h"
#include "mech2d/branch.h"
#include "tools/shared/friction.h"
#include "tools/shared/inverse.h"
#include "tools/shared/name_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PATHS = 20 /* causal paths without --paths */ };

const char *report_stroke(bg_stroke stroke)
{
    return stroke == BG_STROKE_HEAD ? "head" : stroke == BG_STROKE_TAIL ? "tail" : "-";
}

bool report_is_uniform(const cli_model *model, bg_bond bond)
{
    for (int c = 1; c < bg_bond_dim(model->graph, bond); c++) {
        if (bg_causality_stroke(model->causality, bond, c) !=
            bg_causality_stroke(model->causality, bond, 0)) {
            return false;
        }
    }
    return true;
}

ha_status report_bonds(const cli_model *model, bg_bond **bonds)
{
    int n = bg_graph_n_bonds(model->graph);
    int number = 0;
    bg_bond *sorted = NULL;

    HA_TRY_ALLOC(bg_graph_ctx(model->graph), sorted, n);
    for (int b = 0; b < n; b++) {
        ha_status status = bg_graph_bond_number(model->graph, b, &number);
        if (status != HA_OK) {
            ha__free(sorted);
            return status;
        }
        sorted[number - 1] = b;
    }
    *bonds = sorted;
    return HA_OK;
}

/* The number of dependent storages whose path is given. */
static int count_paths(const cli_call *cli, const cli_model *model)
{
    int n = bg_causality_count(model->causality, BG_DERIVATIVE);

    return cli_has(cli, CLI_PATHS) || n < MAX_PATHS ? n : MAX_PATHS;
}

/* The class, and the order, -1 when the equations cannot be solved. */
static bg_class class_of(const cli_model *model)
{
    return model->is_singular ? BG_SINGULAR_AT_VALUES : bg_causality_class(model->causality);
}

static const char *class_text_of(const cli_model *model)
{
    return model->is_singular ? bg_class_text(BG_SINGULAR_AT_VALUES)
                              : bg_causality_text(model->causality);
}

static int order_of(const cli_model *model)
{
    int n_redundant = model->assembly == NULL ? 0 : m2d_assembly_n_redundant(model->assembly);

    int order = model->is_singular ? -1 : bg_causality_order(model->causality, n_redundant);

    /* a constraint on velocities takes one start value away, one on positions two */
    return order > 0 && n_redundant > 0 ? order - m2d_assembly_n_redundant_rates(model->assembly)
                                        : order;
}

/* --- JSON ----------------------------------------------------------------------------------- */

static void put_role(cli_json *json, const char *key, const cli_model *model, bg_role role)
{
    json_t *names = json_array();

    for (int i = 0; i < bg_causality_count(model->causality, role); i++) {
        json->has_failed |=
            !cli_json_append(names, json_string(bg_causality_name(model->causality, role, i)));
    }
    cli_json_put(json, key, names);
}

/* The constraints on velocities alone. */
static void put_rates(const cli_model *model, cli_json *json)
{
    json_t *names = json_array();

    for (int i = 0; model->system != NULL && i < m2d_system_n_rows(model->system); i++) {
        if (m2d_system_row_is_rate(model->system, i)) {
            json->has_failed |=
                !cli_json_append(names, json_string(m2d_system_row_name(model->system, i)));
        }
    }
    cli_json_put(json, "velocity_constraints", names);
}

static json_t *stroke_value(bg_stroke stroke)
{
    return stroke == BG_STROKE_NONE ? json_null() : json_string(report_stroke(stroke));
}

static json_t *bond_strokes(const cli_model *model, bg_bond bond)
{
    bool is_good = true;

    if (report_is_uniform(model, bond)) {
        return stroke_value(bg_causality_stroke(model->causality, bond, 0));
    }
    json_t *list = json_array();
    for (int c = 0; c < bg_bond_dim(model->graph, bond); c++) {
        is_good &=
            cli_json_append(list, stroke_value(bg_causality_stroke(model->causality, bond, c)));
    }
    if (!is_good) {
        json_decref(list);
    }
    return is_good ? list : NULL;
}

static ha_status put_strokes(const cli_model *model, cli_json *json)
{
    int n = bg_graph_n_bonds(model->graph);
    bg_bond *bonds = NULL;

    HA_TRY(report_bonds(model, &bonds));
    json_t *strokes = json_array();
    for (int i = 0; i < n; i++) {
        bg_bond b = bonds[i];
        json_t *stroke =
            json_pack("{s:i, s:s, s:s, s:i, s:o?}", "bond", i + 1, "tail",
                      bg_element_name(model->graph, bg_bond_tail(model->graph, b)), "head",
                      bg_element_name(model->graph, bg_bond_head(model->graph, b)), "dim",
                      bg_bond_dim(model->graph, b), "stroke", bond_strokes(model, b));
        json->has_failed |= !cli_json_append(strokes, stroke);
    }
    cli_json_put(json, "strokes", strokes);
    ha__free(bonds);
    return HA_OK;
}

static ha_status put_paths(const cli_call *cli, const cli_model *model, cli_json *json)
{
    json_t *paths = json_array();
    ha_status status = HA_OK;

    for (int i = 0; i < count_paths(cli, model) && status == HA_OK; i++) {
        char *path = NULL;
        status = bg_causality_path(model->causality, i, &path);
        if (status == HA_OK) {
            json->has_failed |= !cli_json_append(
                paths,
                json_pack("{s:s, s:s}", "storage",
                          bg_causality_name(model->causality, BG_DERIVATIVE, i), "path", path));
            free(path);
        }
    }
    cli_json_put(json, "causal_paths", paths);
    return status;
}

static void put_loops(const cli_model *model, cli_json *json)
{
    json_t *loops = json_array(), *variables = json_array();

    for (int i = 0; i < bg_causality_n_loops(model->causality); i++) {
        json->has_failed |=
            !cli_json_append(loops, json_string(bg_causality_loop(model->causality, i)));
    }
    for (int i = 0; i < bg_causality_n_loop_variables(model->causality); i++) {
        json->has_failed |= !cli_json_append(
            variables, json_string(bg_causality_loop_variable(model->causality, i)));
    }
    cli_json_put(json, "loops", loops);
    cli_json_put(json, "loop_variables", variables);
}

static void put_assembly(const m2d_assembly *a, cli_json *json)
{
    json_t *redundant = json_array();

    for (int i = 0; a != NULL && i < m2d_assembly_n_redundant(a); i++) {
        json->has_failed |= !cli_json_append(redundant, json_string(m2d_assembly_redundant(a, i)));
    }
    const cli_member members[] = {
        cli_value("redundant_constraints", redundant),
        cli_count("mobility", a == NULL ? -1 : m2d_assembly_mobility(a)),
        cli_value("mobility_count",
                  a == NULL ? json_null() : json_integer(m2d_assembly_mobility_count(a))),
        cli_count("speed_mobility", a == NULL ? -1 : m2d_assembly_speed_mobility(a)),
        cli_value("speed_mobility_count",
                  a == NULL ? json_null() : json_integer(m2d_assembly_speed_count(a))),
    };
    cli_json_put_each(json, members, HA_COUNT(members));
}

json_t *report_reactions(const cli_model *model, cli_json *json)
{
    json_t *object = json_object();

    for (int i = 0; model->assembly != NULL && i < m2d_system_n_rows(model->system); i++) {
        const char *joint = m2d_system_row_joint(model->system, i);
        bool is_unique = m2d_assembly_is_unique(model->assembly, i) &&
                         !json_is_false(json_object_get(object, joint));
        json->has_failed |= json_object_set_new(object, joint, json_boolean(is_unique)) != 0;
    }
    return object;
}

/* The bodies of each part that does not hang on the ground. */
static ha_status put_parts(const cli_model *model, cli_json *json)
{
    int n_bodies = m2d_system_n_bodies(model->system), n = 0;
    json_t *parts = json_array();
    int *part = NULL;

    HA_TRY_ALLOC(bg_graph_ctx(model->graph), part, n_bodies);
    ha_status status = m2d_find_parts(m2d_model_mechanism(model->file), part, &n);
    for (int k = 1; status == HA_OK && k <= n; k++) {
        json_t *bodies = json_array();
        for (int i = 0; i < n_bodies; i++) {
            json->has_failed |=
                part[i] == k &&
                !cli_json_append(bodies, json_string(m2d_system_body_name(model->system, i)));
        }
        json->has_failed |= !cli_json_append(parts, bodies);
    }
    ha__free(part);
    cli_json_put(json, "floating_parts", parts);
    return status;
}

ha_status report_to_json(cli_call *cli, const cli_model *model, cli_json *json)
{
    bg_class kind = class_of(model);
    int order = order_of(model);

    const cli_member members[] = {
        cli_text("class", bg_class_name(kind)),
        cli_text("class_text", class_text_of(model)),
        cli_int("bonds", bg_causality_n_bonds(model->causality)),
        cli_count("order", order),
        cli_count("index", order < 0 ? -1 : bg_causality_index(model->causality)),
    };
    cli_json_put_each(json, members, HA_COUNT(members));
    HA_TRY(inverse_to_json(model, json));
    put_role(json, "integral", model, BG_INTEGRAL);
    put_role(json, "derivative", model, BG_DERIVATIVE);
    put_role(json, "implicit_constraints", model, BG_IMPLICIT);
    put_role(json, "explicit_constraints", model, BG_EXPLICIT);
    put_rates(model, json);
    put_assembly(model->assembly, json);
    cli_json_put(json, "unique_reactions", report_reactions(model, json));
    HA_TRY(model->system == NULL ? HA_OK : put_parts(model, json));
    put_loops(model, json);
    friction_to_json(model, json);
    HA_TRY(put_paths(cli, model, json));
    return put_strokes(model, json);
}

/* --- text ----------------------------------------------------------------------------------- */

static void print_role(const char *label, const char *words, const cli_model *model, bg_role role)
{
    int n = bg_causality_count(model->causality, role);
    name_list list = { .column = name_list_label(label) };

    list.column += printf(" %d %s%s", n, words, n > 0 ? ":" : "");
    for (int i = 0; i < n && i < NAME_LIST_MOST; i++) {
        name_list_add(&list, bg_causality_name(model->causality, role, i));
        list.n = 1;
    }
    name_list_rest(n);
}

/* The constraints on velocities alone, where there are any. */
static void print_rates(const cli_model *model, name_list *list)
{
    int n = m2d_system_n_rates(model->system), shown = 0;

    list->column += n > 0 ? printf(", %d of velocities alone:", n) : 0;
    for (int i = 0; i < m2d_system_n_rows(model->system) && shown < NAME_LIST_MOST; i++) {
        if (m2d_system_row_is_rate(model->system, i)) {
            name_list_add(list, m2d_system_row_name(model->system, i));
            list->n = ++shown;
        }
    }
    name_list_rest(n);
}

/* A model without bodies is a bond graph, also where a model file holds it. */
static bool is_mechanism(const cli_model *model)
{
    return model->system != NULL && m2d_system_n_bodies(model->system) > 0;
}

static void print_mechanism(const cli_model *model, const m2d_assembly *assembly)
{
    name_list list = { 0 };

    if (!is_mechanism(model)) {
        return;
    }
    name_list_label("bodies");
    printf(" %d\n", m2d_system_n_bodies(model->system));
    list.column = name_list_label("joints");
    int n = m2d_system_n_elastic(model->system);
    list.column += printf(" %d with %d constraints", m2d_system_n_joints(model->system),
                          m2d_system_n_rows(model->system) - n);
    list.column += n > 0 ? printf(" and %d rows held elastically", n) : 0;
    print_rates(model, &list);
    if (assembly == NULL) {
        return;
    }
    name_list_label("mobility");
    printf(" %d by counting", m2d_assembly_mobility_count(assembly));
    if (m2d_assembly_mobility(assembly) < 0) {
        printf("; the rank of the constraints is known when they are assembled\n");
        return;
    }
    printf(", %d by the rank of the constraints\n", m2d_assembly_mobility(assembly));
    if (m2d_system_n_rates(model->system) > 0) {
        name_list_label("mobility of speeds");
        printf(" %d by counting, %d by the rank of the constraints\n",
               m2d_assembly_speed_count(assembly), m2d_assembly_speed_mobility(assembly));
    }
    n = m2d_assembly_n_redundant(assembly);
    list = (name_list){ .column = name_list_label("redundant constraints") };
    list.column += printf(" %d%s", n, n > 0 ? ":" : "");
    for (int i = 0; i < n && i < NAME_LIST_MOST; i++) {
        name_list_add(&list, m2d_assembly_redundant(assembly, i));
        list.n = 1;
    }
    name_list_rest(n);
}

/* True for the first row of a joint of which a row's multiplier is not determined. */
static bool begins_shared_joint(const cli_model *model, int row)
{
    const char *joint = m2d_system_row_joint(model->system, row);
    bool is_shared = false;

    if (row > 0 && strcmp(m2d_system_row_joint(model->system, row - 1), joint) == 0) {
        return false;
    }
    for (int i = row; i < m2d_system_n_rows(model->system) &&
                      strcmp(m2d_system_row_joint(model->system, i), joint) == 0;
         i++) {
        is_shared = is_shared || !m2d_assembly_is_unique(model->assembly, i);
    }
    return is_shared;
}

/* The joints whose reactions rigid bodies do not determine, where there are any. */
static void print_reactions(const cli_model *model)
{
    int n = 0;

    if (model->assembly == NULL || m2d_assembly_n_redundant(model->assembly) == 0) {
        return;
    }
    for (int i = 0; i < m2d_system_n_rows(model->system); i++) {
        n += begins_shared_joint(model, i) ? 1 : 0;
    }
    name_list list = { .column = name_list_label("reactions") };
    list.column += printf(" %d joints not determined:", n);
    for (int i = 0, shown = 0; i < m2d_system_n_rows(model->system) && shown < NAME_LIST_MOST;
         i++) {
        if (begins_shared_joint(model, i)) {
            name_list_add(&list, m2d_system_row_joint(model->system, i));
            list.n = ++shown;
        }
    }
    name_list_rest(n);
}

/* The bodies of a part that does not hang on the ground. */
static void print_part(const cli_model *model, const int *part, int k)
{
    name_list list = { .column = name_list_label(k == 1 ? "not on the ground" : "") };

    for (int i = 0, shown = 0; i < m2d_system_n_bodies(model->system) && shown < NAME_LIST_MOST;
         i++) {
        if (part[i] == k) {
            name_list_add(&list, m2d_system_body_name(model->system, i));
            list.n = ++shown;
        }
    }
    putchar('\n');
}

/* Bodies that nothing joins to the ground; `*n` parts of them. */
static ha_status print_parts(const cli_model *model, int *n)
{
    int *part = NULL;

    *n = 0;
    if (model->system == NULL) {
        return HA_OK;
    }
    HA_TRY_ALLOC(bg_graph_ctx(model->graph), part, m2d_system_n_bodies(model->system));
    ha_status status = m2d_find_parts(m2d_model_mechanism(model->file), part, n);
    for (int k = 1; status == HA_OK && k <= *n && k <= NAME_LIST_MOST; k++) {
        print_part(model, part, k);
    }
    ha__free(part);
    return status;
}

static void print_loops(const cli_model *model)
{
    int n = bg_causality_n_loops(model->causality);
    int n_variables = bg_causality_n_loop_variables(model->causality);
    name_list list = { 0 };

    name_list_label("algebraic loops");
    printf(" %d\n", n);
    for (int i = 0; i < n && i < NAME_LIST_MOST; i++) {
        list = (name_list){ .column = name_list_label("") };
        printf(" through %s\n", bg_causality_loop(model->causality, i));
    }
    if (n_variables > 0) {
        list = (name_list){ .column = name_list_label("loop variables") };
        list.column += printf(" %d:", n_variables);
        for (int i = 0; i < n_variables && i < NAME_LIST_MOST; i++) {
            name_list_add(&list, bg_causality_loop_variable(model->causality, i));
            list.n = 1;
        }
        name_list_rest(n_variables);
    }
}

/* "I2 - 1a - I1" */
static void print_path(const char *label, char *path)
{
    name_list list = { .between = " -", .column = name_list_label(label) };

    for (char *rest = path; rest != NULL;) {
        char *name = rest, *end = rest + strcspn(rest, " ");
        rest = *end == '\0' ? NULL : end + 3;
        *end = '\0';
        name_list_add(&list, name);
    }
    putchar('\n');
}

static ha_status print_paths(const cli_call *cli, const cli_model *model)
{
    int n = bg_causality_count(model->causality, BG_DERIVATIVE);
    int n_shown = count_paths(cli, model);

    for (int i = 0; i < n_shown; i++) {
        char *path = NULL;
        HA_TRY(bg_causality_path(model->causality, i, &path));
        print_path(i == 0 ? "causal paths" : "", path);
        free(path);
    }
    if (n_shown < n) {
        printf("%*s and %d more, see --paths\n", NAME_LIST_LABEL, "", n - n_shown);
    }
    return HA_OK;
}

/* The same of a mechanism: nothing moves, bodies float, loads are shared. */
static void print_advice_on_mechanism(const cli_model *model, int n_parts)
{
    const m2d_assembly *a = model->assembly;

    if (a != NULL && m2d_system_n_bodies(model->system) > 0 && m2d_assembly_mobility(a) == 0 &&
        m2d_mechanism_n_motions(m2d_model_mechanism(model->file)) == 0) {
        printf("\nNothing can move: the joints hold all %d coordinates. If it should move, give a "
               "joint "
               "fewer\nconstraints, or take one out.\n",
               3 * m2d_system_n_bodies(model->system));
    }
    if (n_parts > 0) {
        printf("\nBodies that are not on the ground move freely under gravity and their own "
               "forces. If "
               "they should not,\njoin one of each part to a point of the ground.\n");
    }
    if (a != NULL && m2d_assembly_n_redundant(a) > 0) {
        printf(
            "\nThe joints hold more than rigid bodies need. The motion is determined, but how the "
            "joints named share\nthe load is not: the run gives one way of many. Give joints of "
            "them "
            "fewer constraints, or a compliance,\nto decide it.\n");
    }
}

/* What the user can do about what was found; nothing where nothing needs to be done. */
static void print_advice(const cli_model *model)
{
    const bg_causality *c = model->causality;

    if (bg_causality_count(c, BG_DERIVATIVE) > 0) {
        printf(
            "\nThe storages in derivative causality are no states: they follow from those at "
            "the other end\nof their paths. The solver keeps that dependence exactly. To avoid it, "
            "put a compliance or a\nresistance on the path, or merge the storages: two inertias "
            "m1 and m2 that a transformer with\nf2 = n f1 joins are one of m1 + n^2 m2.\n");
    }
    if (bg_causality_n_loops(c) > 0) {
        printf("\nThe elements of a loop decide each other at the same instant. The loop variables "
               "are "
               "unknowns of\nthe solver, all others follow from them. A storage in the loop would "
               "break it.\n");
    }
    if (bg_causality_count(c, BG_IMPLICIT) > 0) {
        printf("\nEach implicit constraint adds a multiplier (the force or torque of the "
               "constraint) and is kept by\nBaumgarte stabilisation: d f/dt + 2 alpha f + beta^2 "
               "phi = 0.\n");
    }
}

/* Sources of a bond graph that take what positive effort and flow carry. */
static void print_sinks(const cli_model *model)
{
    static const char *const sources[] = { "Se", "Sf", "MSe", "MSf" };

    for (int b = 0; !is_mechanism(model) && b < bg_graph_n_bonds(model->graph); b++) {
        bg_element head = bg_bond_head(model->graph, b);
        const char *name = bg_element_name(model->graph, head);
        for (size_t i = 0; i < HA_COUNT(sources); i++) {
            if (strcmp(bg_element_type_name(model->graph, head), sources[i]) == 0) {
                printf("\nThe half arrow points into the source %s: where its effort and flow are "
                       "positive it takes power.\nIf it should drive, turn the bond: %s > %s.\n",
                       name, name, bg_element_name(model->graph, bg_bond_tail(model->graph, b)));
            }
        }
    }
}

static void print_order(const cli_model *model)
{
    int order = order_of(model);

    if (order >= 0) {
        name_list_label("order");
        printf(" %d: number of start values that can be chosen\n", order);
        name_list_label("index");
        printf(" %d: of the equations before they are differentiated; the solver gets 1\n",
               bg_causality_index(model->causality));
    }
}

ha_status report_print(cli_call *cli, const cli_model *model)
{
    bg_class kind = class_of(model);
    int n_parts = 0;

    printf("%s: %s, %d elements, %d bonds (%d scalar)\n\n", model->name,
           is_mechanism(model) ? "mechanism" : "bond graph", bg_graph_n_elements(model->graph),
           bg_graph_n_bonds(model->graph), bg_causality_n_bonds(model->causality));
    name_list_label("class");
    printf(" %s: %s%s\n", bg_class_name(kind), class_text_of(model),
           model->system != NULL && m2d_system_n_rates(model->system) > 0
               ? ", some of velocities alone"
               : "");
    print_order(model);
    HA_TRY(inverse_print(model));
    print_mechanism(model, model->assembly);
    print_reactions(model);
    HA_TRY(print_parts(model, &n_parts));
    print_role("storages", "integral", model, BG_INTEGRAL);
    print_role("", "derivative", model, BG_DERIVATIVE);
    HA_TRY(print_paths(cli, model));
    print_role("constraints", "implicit", model, BG_IMPLICIT);
    print_role("", "explicit", model, BG_EXPLICIT);
    print_loops(model);
    friction_print(model);
    print_advice(model);
    print_sinks(model);
    print_advice_on_mechanism(model, n_parts);
    friction_print_advice(model);
    return HA_OK;
}
