/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The laws of friction of a mechanism. Most of them have no force at rest, so that what they hold
 * creeps, about at the speed v_f that regularises them (tanh 1 = 0.76 of the friction at v_f);
 * karnopp in a contact, which others may share, at v_f / 1000.
 */
#include <config.h>

#include "tools/shared/friction.h"

#include "lib/core/number.h"
#include "mech2d/forces/contact.h"
#include "tools/shared/name_list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double SHARED = 1e-3; /* of v_f, at which what is shared creeps at most */

/* What rubs. */
typedef struct {
    const char *name, *law;
    double creep; /* the speed at which it creeps; 0: it holds */
} rubbing;

/* The number of the key in a table from which on the settings of friction stand, -1: it has none.
 */
static int find_keys(const m2d__key *keys, int n)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(keys[i].name, "friction_law") == 0) {
            return i;
        }
    }
    return -1;
}

static double creep_of(const m2d__friction *f, bool is_shared)
{
    if (f->law->rate != NULL) {
        return 0.0;
    }
    return f->law->limit == NULL ? f->v : is_shared ? SHARED * f->v : 0.0;
}

/* Settings of friction; false where they have none. Only the friction of a joint is its own. */
static bool read_friction(const m2d__connection *c, const double *settings, rubbing *out)
{
    m2d__friction f;
    const bool is_shared = c->force != &m2d__force_friction;

    if (m2d__friction_of(settings, &f) != NULL || !(f.mu > 0.0)) {
        return false;
    }
    *out = (rubbing){ c->name, f.law->name, creep_of(&f, is_shared) };
    return true;
}

static bool of_joint(const m2d_mechanism *m, const m2d__connection *joint, rubbing *out)
{
    double settings[M2D__N_FRICTION_KEYS];
    int first = joint->model == NULL ? -1 : find_keys(joint->model->keys, joint->model->n_keys);

    if (first < 0) {
        return false;
    }
    m2d__model_numbers(m->dag, joint, first, M2D__N_FRICTION_KEYS, settings);
    return read_friction(joint, settings, out);
}

static bool of_force(const m2d_mechanism *m, const m2d__connection *force, rubbing *out)
{
    double settings[M2D__N_FRICTION_KEYS];
    const m2d__force_keys *keys = &force->force->on[force->target];
    int first = find_keys(keys->items, keys->count);

    if (first < 0) {
        return false;
    }
    m2d__contact_numbers(m->dag, force, first, M2D__N_FRICTION_KEYS, settings);
    return read_friction(force, settings, out);
}

/* What rubs next, from `*i` on; false behind the last. */
static bool next(const cli_model *model, size_t *i, rubbing *out)
{
    const m2d_mechanism *m = model->file == NULL ? NULL : m2d_model_mechanism(model->file);
    const size_t n_joints = m == NULL ? 0 : m->joints.count;
    const size_t n = m == NULL ? 0 : n_joints + m->forces.count;
    bool is_found = false;

    for (; *i < n && !is_found; ++*i) {
        is_found = *i < n_joints ? of_joint(m, &m->joints.items[*i], out)
                                 : of_force(m, &m->forces.items[*i - n_joints], out);
    }
    return is_found;
}

static bool is_alike(const rubbing *a, const rubbing *b)
{
    return strcmp(a->law, b->law) == 0 && a->creep == b->creep;
}

/* Whether one before this has the same law. */
static bool is_told(const cli_model *model, const rubbing *this, size_t end)
{
    rubbing other;

    for (size_t i = 0; next(model, &i, &other) && i < end;) {
        if (is_alike(this, &other)) {
            return true;
        }
    }
    return false;
}

/* The line of all with the law of this one. */
static void print_law(const cli_model *model, const char *label, const rubbing *this)
{
    char speed[HA__NUMBER_SIZE];
    name_list list = { .column = name_list_label(label) };
    rubbing other;
    int n = 0;

    list.column += this->creep > 0.0 ? printf(" %s, creeps under load at about %s m/s:", this->law,
                                              ha__print_rounded_number(speed, this->creep, 3))
                                     : printf(" %s, holds:", this->law);
    for (size_t i = 0; next(model, &i, &other);) {
        if (is_alike(this, &other) && n++ < NAME_LIST_MOST) {
            name_list_add(&list, other.name);
        }
    }
    name_list_rest(n);
}

void friction_print(const cli_model *model)
{
    const char *label = "friction";
    rubbing this;

    for (size_t i = 0; next(model, &i, &this);) {
        if (!is_told(model, &this, i)) {
            print_law(model, label, &this);
            label = "";
        }
    }
}

void friction_print_advice(const cli_model *model)
{
    bool creeps = false;
    rubbing this;

    for (size_t i = 0; next(model, &i, &this);) {
        creeps = creeps || (this.creep > 0.0 && strcmp(this.law, "karnopp") != 0);
    }
    if (creeps) {
        printf(
            "\nFriction that creeps has no force at rest: what it should hold slides on, slowly, "
            "at about the\n`friction_speed`. Where something is to stand still, write "
            "`friction_law: karnopp`, or `lugre`\nwith a `bristle_stiffness`.\n");
    }
}

void friction_to_json(const cli_model *model, cli_json *json)
{
    json_t *all = json_array();
    rubbing this;

    for (size_t i = 0; next(model, &i, &this);) {
        json_t *creep = this.creep > 0.0 ? json_real(this.creep) : json_null();
        json->has_failed |= !cli_json_append(
            all, json_pack("{s:s, s:s, s:o?}", "name", this.name, "law", this.law, "creep", creep));
    }
    cli_json_put(json, "friction", all);
}
