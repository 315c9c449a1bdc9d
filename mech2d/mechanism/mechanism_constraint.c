/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joints whose constraints the user writes: the names they are written with, and their checks. */
#include <config.h>

#include "mech2d/mechanism/mechanism_priv.h"

#include <stdlib.h>
#include <string.h>

/* --- names ---------------------------------------------------------------------------------- */

/* The vector of a name of this length, velocities (`rates`, NULL: none) included; false when there
   is none. */
static bool find_vector(const m2d__frame *f, const ha_expr *rates, const char *name, size_t length,
                        m2d__vector *out)
{
    const m2d__vector none = { 0 };
    const m2d__vector vM = rates == NULL ? none : (m2d__vector){ rates[0], rates[1] };
    const m2d__vector vN = rates == NULL ? none : (m2d__vector){ rates[3], rates[4] };
    const struct {
        const char *name;
        m2d__vector vector;
    } vectors[] = {
        { "OM", f->OM },    { "ON", f->ON },    { "MN", m2d__from_to(f->dag, f->OM, f->ON) },
        { "x_0", f->x_0 },  { "y_0", f->y_0 },  { "x_i", f->x_il },
        { "y_i", f->y_il }, { "x_j", f->x_jl }, { "y_j", f->y_jl },
        { "vM", vM },       { "vN", vN },       { "vMN", m2d__from_to(f->dag, vM, vN) },
    };
    size_t n = rates == NULL ? HA_COUNT(vectors) - 3 : HA_COUNT(vectors);

    for (size_t i = 0; i < n; i++) {
        if (strlen(vectors[i].name) == length && strncmp(vectors[i].name, name, length) == 0) {
            *out = vectors[i].vector;
            return true;
        }
    }
    return false;
}

static ha_expr look_up(m2d_mechanism *mechanism, const ha_expr *rates, const char *name)
{
    m2d__frame frame = m2d__frame_between(mechanism->dag, mechanism->ends, mechanism->ends + 3);
    m2d__vector a, b;
    const char *dot = strchr(name, '.');

    if (strcmp(name, "theta_i") == 0 || strcmp(name, "theta_j") == 0) {
        return name[6] == 'i' ? frame.theta_i : frame.theta_j;
    }
    if (rates != NULL && (strcmp(name, "omega_i") == 0 || strcmp(name, "omega_j") == 0)) {
        return rates[name[6] == 'i' ? 2 : 5];
    }
    if (dot == NULL) {
        return m2d_mechanism_lookup(mechanism, name);
    }
    if (find_vector(&frame, rates, name, (size_t) (dot - name), &a) &&
        find_vector(&frame, rates, dot + 1, strlen(dot + 1), &b)) {
        return m2d__dot(mechanism->dag, a, b);
    }
    return HA_EXPR_NONE;
}

ha_expr m2d_constraint_lookup(void *user, const char *name)
{
    return look_up(user, NULL, name);
}

ha_expr m2d_rate_lookup(void *user, const char *name)
{
    m2d_mechanism *mechanism = user;

    return look_up(mechanism, mechanism->rates, name);
}

ha_status m2d__is_of_angles(m2d_mechanism *mechanism, ha_expr e, bool *out)
{
    const ha_expr *ends = mechanism->ends;
    ha_expr *symbols = NULL;
    bool has_angle = false, has_other = false;
    size_t n = 0;

    HA_TRY(ha_resolve(mechanism->dag, e, &e));
    HA_TRY(ha_expr_symbols(mechanism->dag, e, &symbols, &n));
    for (size_t i = 0; i < n; i++) {
        bool is_angle = symbols[i] == ends[2] || symbols[i] == ends[5];
        has_angle = has_angle || is_angle;
        has_other = has_other || (!is_angle && symbols[i] != mechanism->time);
    }
    free(symbols);
    *out = has_angle && !has_other;
    return HA_OK;
}

/* --- checks --------------------------------------------------------------------------------- */

/* HA_OK when a resolved row is a function of the positions, and of nothing else but the time. */
static ha_status check_symbols(m2d_mechanism *mechanism, ha_expr e, m2d__owner owner)
{
    ha_expr *symbols = NULL;
    const char *other = NULL;
    bool has_place = false;
    size_t n = 0;

    HA_TRY(ha_expr_symbols(mechanism->dag, e, &symbols, &n));
    for (size_t i = 0; i < n; i++) {
        bool is_place = false;
        for (size_t k = 0; k < HA_COUNT(mechanism->ends); k++) {
            is_place = is_place || symbols[i] == mechanism->ends[k];
        }
        has_place = has_place || is_place;
        if (!is_place && symbols[i] != mechanism->time) {
            other = ha_symbol_name(mechanism->dag, symbols[i]);
        }
    }
    free(symbols);
    if (other != NULL || !has_place) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, owner.where,
                       "`%s` of %s `%s` %s%s%s; write it with the vectors OM, ON, MN, x_0, y_0, "
                       "x_i, y_i, x_j, y_j multiplied like `MN.y_i`, and theta_i, theta_j",
                       owner.key, owner.kind, owner.name,
                       other != NULL ? "depends on `"
                                     : "does not depend on the positions of the "
                                       "points",
                       other != NULL ? other : "", other != NULL ? "`" : "");
    }
    return HA_OK;
}

/* Whether a symbol is a velocity. */
static bool is_rate(const m2d_mechanism *mechanism, ha_expr symbol)
{
    bool found = false;

    for (size_t k = 0; k < HA_COUNT(mechanism->rates); k++) {
        found = found || symbol == mechanism->rates[k];
    }
    return found;
}

/* Whether an expression has velocities in it, and the name of a symbol that is neither that nor a
   position nor the time (NULL: none). */
static ha_status look_at_rates(m2d_mechanism *mechanism, ha_expr e, bool *has_rate,
                               const char **other)
{
    ha_expr *symbols = NULL;
    size_t n = 0;

    *has_rate = false;
    HA_TRY(ha_expr_symbols(mechanism->dag, e, &symbols, &n));
    for (size_t i = 0; i < n; i++) {
        bool is_known = symbols[i] == mechanism->time || is_rate(mechanism, symbols[i]);
        *has_rate = *has_rate || is_rate(mechanism, symbols[i]);
        for (size_t k = 0; k < HA_COUNT(mechanism->ends); k++) {
            is_known = is_known || symbols[i] == mechanism->ends[k];
        }
        *other = is_known ? *other : ha_symbol_name(mechanism->dag, symbols[i]);
    }
    free(symbols);
    return HA_OK;
}

/* HA_OK when a resolved row is a function of positions, velocities and time, linear in these
   velocities. */
static ha_status check_rate_row(m2d_mechanism *mechanism, ha_expr e, m2d__owner owner)
{
    const char *other = NULL;
    bool has_rate = false;

    HA_TRY(look_at_rates(mechanism, e, &has_rate, &other));
    if (other != NULL || !has_rate) {
        return ha_fail(
            mechanism->ctx, HA_ERR_VALUE, owner.where,
            "`%s` of %s `%s` %s%s%s; write it with the velocities vM, vN, vMN multiplied "
            "by axes like `vN.y_j`, with omega_i, omega_j, and what `rows` may have",
            owner.key, owner.kind, owner.name,
            other != NULL ? "depends on `" : "does not depend on a velocity",
            other != NULL ? other : "", other != NULL ? "`" : "");
    }
    for (size_t k = 0; k < HA_COUNT(mechanism->rates); k++) {
        ha_expr slope = ha_partial(mechanism->dag, e, mechanism->rates[k]);
        HA_TRY(ha_dag_status(mechanism->dag));
        HA_TRY(look_at_rates(mechanism, slope, &has_rate, &other));
        if (has_rate) {
            return ha_fail(
                mechanism->ctx, HA_ERR_VALUE, owner.where,
                "`%s` of %s `%s` is not linear in the velocities, and its constraint "
                "force would not be one at right angles to what it allows; write it as a "
                "sum of velocities with coefficients of the positions and the time",
                owner.key, owner.kind, owner.name);
        }
    }
    return HA_OK;
}

/* Takes over one row or direction; `before` (n) are those that have their names already. */
static ha_status take_row(m2d_mechanism *mechanism, const m2d_row_def *def, m2d__owner owner,
                          const m2d__own_row *before, int n, m2d__own_row *out)
{
    ha_expr e = HA_EXPR_NONE;

    owner.key = def->name;
    owner.where = def->where.file == NULL ? owner.where : def->where;
    HA_TRY(m2d__check_name(mechanism->ctx, "constraint", def->name, false, owner.where));
    for (int i = 0; i < n; i++) {
        if (strcmp(before[i].name, def->name) == 0) {
            return ha_fail(mechanism->ctx, HA_ERR_NAME, owner.where,
                           "`%s` of %s `%s` is given twice; rename one", def->name, owner.kind,
                           owner.name);
        }
    }
    HA_TRY(ha_dag_status(mechanism->dag));
    if (def->value == HA_EXPR_NONE) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, owner.where,
                       "`%s` of %s `%s` has no value; give it an expression", def->name, owner.kind,
                       owner.name);
    }
    HA_TRY(ha_resolve(mechanism->dag, def->value, &e));
    HA_TRY(out->is_rate ? check_rate_row(mechanism, e, owner) : check_symbols(mechanism, e, owner));
    HA_TRY(m2d__check_smooth(mechanism, e, owner));
    out->name = ha__arena_text(mechanism->ctx, &mechanism->arena, def->name, strlen(def->name));
    out->value = def->value;
    out->is_angle = def->is_angle;
    return out->name == NULL ? HA_ERR_MEMORY : HA_OK;
}

/* Names of outputs that every joint has: no direction can have them. */
static ha_status check_direction(m2d_mechanism *mechanism, const m2d_row_def *def, m2d__owner owner)
{
    static const char *const taken[] = { "fx", "fy", "torque", "force", "drive", "axis" };

    owner.where = def->where.file == NULL ? owner.where : def->where;
    for (size_t i = 0; i < HA_COUNT(taken); i++) {
        if (strcmp(taken[i], def->name) == 0) {
            return ha_fail(
                mechanism->ctx, HA_ERR_NAME, owner.where,
                "the free direction `%s` of %s `%s` has the name of something that every "
                "joint has; choose another",
                def->name, owner.kind, owner.name);
        }
    }
    return HA_OK;
}

/* The name of a direction's rate: `omega`, `speed`, `speed_x` go with `angle`, `slide`, `slide_x`.
 */
static const char *rate_name(m2d_mechanism *mechanism, const char *name)
{
    if (strcmp(name, "angle") == 0) {
        return "omega";
    }
    return strncmp(name, "slide", 5) == 0
               ? ha__arena_format(mechanism->ctx, &mechanism->arena, "speed%s", name + 5)
               : ha__arena_format(mechanism->ctx, &mechanism->arena, "%s_rate", name);
}

/* Refuses a direction that is called as the rate of one before it, or the other way round. */
static ha_status check_rate(m2d_mechanism *mechanism, const m2d_row_def *def, m2d__owner owner,
                            const m2d__own *own)
{
    const char *rate = rate_name(mechanism, def->name);

    HA_TRY_MEMORY(rate);
    owner.where = def->where.file == NULL ? owner.where : def->where;
    for (int i = 0; i < own->n_free; i++) {
        const char *name = own->free[i].name, *other = rate_name(mechanism, name);
        HA_TRY_MEMORY(other);
        bool is_before = strcmp(other, def->name) == 0;
        if (is_before || strcmp(rate, name) == 0) {
            return ha_fail(
                mechanism->ctx, HA_ERR_NAME, owner.where,
                "the free directions `%s` and `%s` of %s `%s` clash: `%s` is the rate of "
                "`%s`; rename one",
                name, def->name, owner.kind, owner.name, is_before ? other : rate,
                is_before ? name : def->name);
        }
    }
    return HA_OK;
}

static ha_status take_rows(m2d_mechanism *mechanism, const m2d_connection_def *def, m2d__own *own)
{
    const m2d__owner owner = { "joint", def->name, NULL, def->where };

    for (int i = 0; i < def->n_rows; i++) {
        HA_TRY(take_row(mechanism, &def->rows[i], owner, own->rows, i, &own->rows[i]));
        own->n_rows++;
    }
    for (int i = 0; i < def->n_rates; i++) {
        own->rows[own->n_rows].is_rate = true;
        HA_TRY(take_row(mechanism, &def->rates[i], owner, own->rows, own->n_rows,
                        &own->rows[own->n_rows]));
        own->n_rows++;
    }
    for (int i = 0; i < def->n_free; i++) {
        HA_TRY(take_row(mechanism, &def->free[i], owner, own->free, i, &own->free[i]));
        HA_TRY(check_direction(mechanism, &def->free[i], owner));
        HA_TRY(check_rate(mechanism, &def->free[i], owner, own));
        own->n_free++;
    }
    return HA_OK;
}

/* The type that these rows and directions make. */
static ha_status make_type(m2d_mechanism *mechanism, const m2d__own *own, m2d__connection *joint)
{
    m2d__joint_type *type = ha__arena_alloc(mechanism->ctx, &mechanism->arena, 1, sizeof *type);
    m2d__direction *directions =
        ha__arena_alloc(mechanism->ctx, &mechanism->arena, M2D__MAX_DIRECTIONS, sizeof *directions);

    if (type == NULL || directions == NULL) {
        return HA_ERR_MEMORY;
    }
    for (int i = 0; i < own->n_free; i++) {
        directions[i] =
            (m2d__direction){ own->free[i].name, rate_name(mechanism, own->free[i].name),
                              own->free[i].is_angle, NULL };
        HA_TRY_MEMORY(directions[i].rate);
    }
    *type = *joint->joint;
    type->n_rows = own->n_rows;
    type->directions = directions;
    type->n_directions = own->n_free;
    joint->joint = type;
    joint->own = own;
    return HA_OK;
}

ha_status m2d__take_own(m2d_mechanism *mechanism, const m2d_connection_def *def,
                        m2d__connection *joint)
{
    bool takes_rows = joint->joint->is_written;

    if (!takes_rows && (def->n_rows > 0 || def->n_rates > 0 || def->n_free > 0)) {
        return ha_fail(mechanism->ctx, HA_ERR_ARGUMENT, def->where,
                       "joint `%s` of type %s has constraints of its own; use the type "
                       "`constraint`, or leave `rows`, `rates` and `free` out",
                       def->name, joint->joint->name);
    }
    if (!takes_rows) {
        return HA_OK;
    }
    int n = def->n_rows + def->n_rates;
    if (def->n_rows < 0 || def->n_rates < 0 || n > M2D__MAX_DIRECTIONS || def->n_free < 0 ||
        def->n_free > M2D__MAX_DIRECTIONS || n + def->n_free == 0) {
        return ha_fail(mechanism->ctx, HA_ERR_VALUE, def->where,
                       "joint `%s` has %d rows and %d free directions; give at most %d of each, "
                       "and at least one of either",
                       def->name, n, def->n_free, (int) M2D__MAX_DIRECTIONS);
    }

    m2d__own *own = ha__arena_alloc(mechanism->ctx, &mechanism->arena, 1, sizeof *own);
    HA_TRY_MEMORY(own);
    own->ends = mechanism->ends;
    HA_TRY(take_rows(mechanism, def, own));
    return make_type(mechanism, own, joint);
}
