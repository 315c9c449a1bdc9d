/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the script of a page works on, as one JSON object:
 *
 *   version  of the program; live: whether the page is
 *   view     x, y: the place of the picture's upper left corner [m]; scale: units for a metre
 *   runs     for each: name, status, rows (of the result), time (BASE64 of doubles), series
 *            (page_series.c; others name them by number), columns [name, unit, series],
 *            bonds [number, tail, head, [component, effort, flow] ...],
 *            elements [name, group],
 *            steps [bond, component, "head" or "tail", tail, head, decided, reason, whether it
 *            follows from earlier ones], window [from, to, what it is] of the last cycle,
 *            and of a mechanism bodies [name, x, y, angle], points [name, body, x, y],
 *            joints [name, type, point M, point N, fx, fy, what a tyre is turned by],
 *            forces, and `turning`: the body that turns, -1
 *   limits   [name, value]
 *
 *   modes    page_modes.c; panels  page_panels.c
 *
 * Bonds are called by their number, of the multibond graph; 0 is one inside of an element.
 */
#include <config.h>

#include "tools/page/page.h"

#include "tools/shared/json.h"
#include "tools/shared/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The series of a column, -1 when there is no such column. */
static int want(page_series *s, const char *name, bool is_exact)
{
    return page_series_want(s, ha_result_find(s->result, name), is_exact);
}

static bool is_bond_column(const char *name)
{
    return name[0] == '#';
}

/* True for the outputs that the file asks for, all where it does not. */
static bool is_shown(const cli_model *model, const char *name)
{
    if (model->outputs == NULL) {
        return true;
    }
    for (int i = 0; i < model->n_outputs; i++) {
        if (strcmp(model->outputs[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static json_t *list_columns(const cli_run *run, page_series *s)
{
    json_t *list = json_array();
    bool is_good = list != NULL;

    for (size_t c = 1; c < ha_result_n_columns(run->result) && is_good; c++) {
        const char *name = ha_result_name(run->result, c);
        if (!is_bond_column(name) && is_shown(&run->model, name)) {
            is_good =
                cli_json_append(list, json_pack("[s, s, i]", name, ha_result_unit(run->result, c),
                                                page_series_want(s, (int) c, false)));
        }
    }
    if (!is_good) {
        json_decref(list);
    }
    return is_good ? list : NULL;
}

/* --- bonds ------------------------------------------------------------------------------------ */

/* The name of a component of a bond: what the name of the element at an end that names them adds to
   its own. */
static const char *component_name(const bg_graph *graph, bg_bond bond, int component)
{
    bg_element ends[2] = { bg_bond_tail(graph, bond), bg_bond_head(graph, bond) };
    int first[2] = { bg_bond_tail_first(graph, bond), bg_bond_head_first(graph, bond) };

    for (int k = 0; k < 2; k++) {
        const char *own = bg_element_name(graph, ends[k]), *name = NULL;
        size_t length = strlen(own);
        if (first[k] + component < bg_element_dim(graph, ends[k])) {
            name = bg_element_component(graph, ends[k], first[k] + component);
            if (strncmp(name, own, length) == 0 && name[length] == '.') {
                return name + length + 1;
            }
        }
    }
    return "";
}

/* [component, effort, flow] */
static ha_status add_component(const cli_run *run, page_series *s, bg_bond bond, int c,
                               json_t *list)
{
    const cli_model *model = &run->model;
    int number = 0, series[2];

    HA_TRY(bg_causality_scalar_number(model->causality, bond, c, &number));
    for (int k = 0; k < 2; k++) {
        char name[32];
        snprintf(name, sizeof name, "#%d.%c", number, "ef"[k]);
        series[k] = s == NULL ? -1 : want(s, name, false);
    }
    return cli_json_append(list, json_pack("[s, i, i]", component_name(model->graph, bond, c),
                                           series[0], series[1]))
               ? HA_OK
               : HA_ERR_MEMORY;
}

static ha_status add_bond(const cli_run *run, page_series *s, bg_bond bond, int number,
                          json_t *list)
{
    const bg_graph *graph = run->model.graph;
    json_t *entry =
        json_pack("[i, s, s]", number, bg_element_name(graph, bg_bond_tail(graph, bond)),
                  bg_element_name(graph, bg_bond_head(graph, bond)));
    ha_status status = entry == NULL ? HA_ERR_MEMORY : HA_OK;

    for (int c = 0; c < bg_bond_dim(graph, bond) && status == HA_OK; c++) {
        status = add_component(run, s, bond, c, entry);
    }
    if (status != HA_OK) {
        json_decref(entry);
        return status;
    }
    return cli_json_append(list, entry) ? HA_OK : HA_ERR_MEMORY;
}

static ha_status put_bonds(const cli_run *run, page_series *s, cli_json *json)
{
    json_t *list = json_array();
    bg_bond *bonds = NULL;
    ha_status status = report_bonds(&run->model, &bonds);

    for (int i = 0; i < bg_graph_n_bonds(run->model.graph) && status == HA_OK; i++) {
        status = add_bond(run, s, bonds[i], i + 1, list);
    }
    ha__free(bonds);
    cli_json_put(json, "bonds", list);
    return status;
}

/* --- steps ------------------------------------------------------------------------------------ */

static ha_status add_step(const page_run *run, int i, json_t *list)
{
    const cli_model *model = &run->run.model;
    const char *component = "";
    char *reason = NULL;
    bg_step step;
    int number = 0; /* inside of an element, which is drawn as one */
    ha_status status = HA_OK;

    HA_TRY(bg_causality_step(model->causality, i, &step, &reason));
    if (step.bond >= 0) {
        component = component_name(model->graph, step.bond, step.component);
        status = bg_graph_bond_number(model->graph, step.bond, &number);
    }
    if (status == HA_OK &&
        !cli_json_append(list, json_pack("[i, s, s, s, s, s, s, b]", number, component,
                                         report_stroke(step.stroke), step.tail, step.head,
                                         step.decided, reason, step.follows != 0))) {
        status = HA_ERR_MEMORY;
    }
    free(reason);
    return status;
}

static ha_status put_steps(const page_run *run, cli_json *json)
{
    json_t *list = json_array();
    ha_status status = HA_OK;

    for (int i = 0; i < bg_causality_n_steps(run->run.model.causality) && status == HA_OK; i++) {
        status = add_step(run, i, list);
    }
    cli_json_put(json, "steps", list);
    return status;
}

/* [name, group] of each element */
static void put_elements(const cli_run *run, cli_json *json)
{
    json_t *list = json_array();

    for (int i = 0; i < bg_graph_n_elements(run->model.graph); i++) {
        json->has_failed |=
            !cli_json_append(list, json_pack("[s, s]", bg_element_name(run->model.graph, i),
                                             bg_element_group(run->model.graph, i)));
    }
    cli_json_put(json, "elements", list);
}

/* [from, to, what] of the part of the run that is shown first, and the body that turns. */
static void put_window(const page_window *window, cli_json *json)
{
    if (window->from < window->to) {
        cli_json_put(json, "window",
                     json_pack("[f, f, s]", window->from, window->to, window->what));
    }
    cli_json_put_int(json, "turning", window->body);
}

/* --- mechanism -------------------------------------------------------------------------------- */

static void put_bodies(const scene *sc, page_series *s, cli_json *json)
{
    json_t *list = json_array();

    for (int i = 0; i < m2d_mechanism_n_bodies(sc->mechanism); i++) {
        const int *c = sc->columns[i];
        json_t *body = json_pack("[s, i, i, i]", m2d_body_name(sc->mechanism, i),
                                 page_series_want(s, c[0], true), page_series_want(s, c[1], true),
                                 page_series_want(s, c[2], true));
        json->has_failed |= !cli_json_append(list, body);
    }
    cli_json_put(json, "bodies", list);
}

void page_put_points(const scene *sc, cli_json *json)
{
    json_t *list = json_array();

    for (int i = 0; i < m2d_mechanism_n_points(sc->mechanism); i++) {
        double pose[3];
        m2d_point_pose(sc->mechanism, i, pose);
        json->has_failed |=
            !cli_json_append(list, json_pack("[s, i, f, f]", m2d_point_name(sc->mechanism, i),
                                             m2d_point_body(sc->mechanism, i), pose[0], pose[1]));
    }
    cli_json_put(json, "points", list);
}

static ha_status put_joints(const scene *sc, page_series *s, cli_json *json)
{
    json_t *list = json_array();
    ha__strbuf name = HA_STRBUF(sc->ctx);
    ha_status status = HA_OK;

    for (int i = 0; i < m2d_mechanism_n_joints(sc->mechanism); i++) {
        int force[2];
        for (int k = 0; k < 2; k++) {
            ha__strbuf_clear(&name);
            ha__strbuf_addf(&name, "%s.f%c", m2d_joint_name(sc->mechanism, i), "xy"[k]);
            force[k] = want(s, ha__strbuf_text(&name), false);
        }
        json->has_failed |= !cli_json_append(
            list,
            json_pack("[s, s, i, i, i, i, i]", m2d_joint_name(sc->mechanism, i),
                      m2d_joint_type_name(sc->mechanism, i), m2d_joint_end(sc->mechanism, i, 0),
                      m2d_joint_end(sc->mechanism, i, 1), force[0], force[1],
                      sc->steer[i] < 0 ? -1 : page_series_want(s, sc->steer[i], true)));
    }
    status = name.status;
    ha__strbuf_clear(&name);
    cli_json_put(json, "joints", list);
    return status;
}

/* The names of what acts on it. */
static void put_forces(const scene *sc, cli_json *json)
{
    json_t *list = json_array();

    for (int i = 0; i < m2d_mechanism_n_forces(sc->mechanism); i++) {
        json->has_failed |= !cli_json_append(list, json_string(m2d_force_name(sc->mechanism, i)));
    }
    cli_json_put(json, "forces", list);
}

/* --- the object ------------------------------------------------------------------------------- */

static ha_status put_series(const page_run *run, cli_json *json, page_series *s)
{
    cli_json_put(json, "columns", list_columns(&run->run, s));
    HA_TRY(put_bonds(&run->run, s, json));
    if (run->has_scene) {
        put_bodies(&run->scene, s, json);
        page_put_points(&run->scene, json);
        HA_TRY(put_joints(&run->scene, s, json));
        put_forces(&run->scene, json);
    }
    put_window(&run->window, json);
    page_series_plan(s);
    cli_json_put_int(json, "rows", (long long) ha_result_n_rows(run->run.result));
    cli_json_put(json, "coarse", json_boolean(s->is_coarse));
    cli_json_put(json, "time", page_series_time(s));
    cli_json_put(json, "series", page_series_values(s));
    return HA_OK;
}

static ha_status put_run(const page_run *run, cli_json *json)
{
    page_series series = { 0 };
    ha_status status = HA_OK;

    cli_json_put_text(json, "name", page_run_name(run));
    cli_json_put_text(json, "status", cli_status_word(run->run.status));
    if (run->run.model.causality != NULL) {
        HA_TRY(put_steps(run, json));
        put_elements(&run->run, json);
    }
    if (cli_run_n_rows(&run->run) == 0) {
        return run->run.model.causality == NULL ? HA_OK : put_bonds(&run->run, NULL, json);
    }
    status = page_series_new(bg_graph_ctx(run->run.model.graph), run->run.result, &series);
    HA_THEN(status, put_series(run, json, &series));
    page_series_clear(&series);
    return status;
}

ha_status page_put_graph(const page_run *run, cli_json *json)
{
    HA_TRY(put_steps(run, json));
    put_elements(&run->run, json);
    return put_bonds(&run->run, NULL, json);
}

ha_status page_add_json(json_t *object, ha__strbuf *out)
{
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(12));

    if (text == NULL) {
        return ha_fail(out->ctx, HA_ERR_MEMORY, HA_NOWHERE,
                       "memory does not suffice for the numbers of the page; free some, or choose "
                       "fewer outputs");
    }
    for (const char *at = text; *at != '\0';) {
        size_t n = strcspn(at, "<");
        ha__strbuf_add_bytes(out, at, n);
        at += n;
        if (*at == '<') {
            ha__strbuf_add(out, "\\u003c");
            at++;
        }
    }
    free(text);
    return out->status;
}

ha_status page_add_data(const void *user, ha__strbuf *out)
{
    const page *p = user;
    cli_json all = cli_json_new();
    json_t *runs = json_array();
    ha_status status = HA_OK;

    cli_json_put_text(&all, "version", PACKAGE_VERSION);
    cli_json_put(&all, "live", json_boolean(p->live != NULL));
    cli_json_put(
        &all, "view",
        json_pack("{s:f, s:f, s:f}", "x", p->view.x[0], "y", p->view.y[1], "scale", p->view.scale));
    for (size_t i = 0; i < p->runs.count && status == HA_OK; i++) {
        cli_json one = cli_json_new();
        status = put_run(&p->runs.items[i], &one);
        all.has_failed |= one.has_failed || !cli_json_append(runs, one.object);
    }
    cli_json_put(&all, "runs", runs);
    cli_json_put(&all, "limits", page_limits_data(&p->limits));
    if (p->modes != NULL) {
        cli_json_put(&all, "modes", page_modes_data(p->modes));
    }
    if (p->panels.list != NULL) {
        cli_json_put(&all, "panels", json_incref(p->panels.list));
    }
    if (status == HA_OK && all.has_failed) {
        status = ha_fail(p->cli->ctx, HA_ERR_MEMORY, HA_NOWHERE,
                         "out of memory while the numbers of the page were made");
    }
    HA_THEN(status, page_add_json(all.object, out));
    json_decref(all.object);
    return status;
}
