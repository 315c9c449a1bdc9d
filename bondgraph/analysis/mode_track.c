/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Modes of one model followed to those of another, by the energy in its storages.
 *
 * The shape z of a mode has a part for each port of a storage: of an inertia sqrt(m) f, of a spring
 * sqrt(k) q with the displacement q = f / lambda, e and f being the amplitudes at the port. Without
 * m and k, which laws need not have, that is
 *
 *     z = f / |f| sqrt(|Re(conj(p) f)|),   p = e / lambda;      z = q / |q| sqrt(|Re(conj(e) q)|).
 *
 * So |z|^2 is twice the energy stored, and what is round-off in e and f is round-off in z. Ports of
 * one field share its energy by |conj(p) f|. In these coordinates a model that loses nothing, and
 * stores all its energy in storages, has z' = S z with S' = -S, gyroscopic or not: its modes are
 * at right angles, conj(z_a)' z_b = 0. Hence the likeness
 *
 *     MAC = |conj(z_a)' z_b|^2 / (|z_a|^2 |z_b|^2),
 *
 * 1 for the same shape, and 0 for two modes of such a model. Weight, whose energy is that of a
 * path, is no storage; in a model that it holds the kinetic part alone is at right angles.
 *
 * Where eigenvalues agree to 1e-7, any vector of the space of their modes is a mode, and round-off
 * says which ones are found. The likeness with such a mode is therefore that with the space: the
 * squared length of the projection P z. The modes are then turned to the P z of those they follow,
 * so that branches which cross just there leave with the shapes they came with.
 *
 * Pairs are taken in the order of MAC less how far the eigenvalues are apart, beside the larger.
 */
#include <config.h>

#include "bondgraph/analysis/modes_priv.h"
#include "bondgraph/causality/causality_priv.h"
#include "lib/core/need.h"
#include "lib/core/strbuf.h"

#include <math.h>
#include <string.h>

static const double SAME = 1e-7;     /* of eigenvalues, relative: they are one */
static const double PARALLEL = 1e-6; /* what is left of a vector of length 1: nothing */

/* The shapes of a model, and the same with orthonormal vectors in spaces of equal eigenvalues. */
typedef struct {
    const bg_mode_shapes *shapes;
    int *space;    /* (n_modes) number of the first mode with this eigenvalue */
    double *basis; /* as the shapes; 0 where the space has fewer vectors than modes */
} spaces;

/* --- shapes --------------------------------------------------------------------------------- */

/* True of an element whose state is energy. */
static bool is_storage(const bg__element *e)
{
    return e->type->book == BG_BOOK_KINETIC || e->type->book == BG_BOOK_POTENTIAL;
}

static ha_status list_parts(const bg__system *s, bg_mode_shapes *out)
{
    ha_ctx *ctx = s->graph->ctx;
    int n = s->port_start[s->graph->elements.count];

    HA_TRY_ALLOC(ctx, out->parts, (size_t) n + 1);
    for (int i = 0; i < (int) s->graph->elements.count; i++) {
        const bg__element *e = &s->graph->elements.items[i];
        for (int k = s->port_start[i]; k < s->port_start[i + 1] && is_storage(e); k++) {
            ha__strbuf name = HA_STRBUF(ctx);
            ha__strbuf_addf(&name, "%s:%d", e->name, k - s->port_start[i] + 1);
            HA_TRY_GET(out->parts[out->n_parts], ha__strbuf_take(&name));
            out->n_parts++;
        }
    }
    return HA_OK;
}

/* a / b */
static void divide(const double *a, const double *b, double *out)
{
    double square = b[0] * b[0] + b[1] * b[1];

    out[0] = (a[0] * b[0] + a[1] * b[1]) / square;
    out[1] = (a[1] * b[0] - a[0] * b[1]) / square;
}

/* The parts `z` (n x 2) of the ports of one storage, of efforts and flows (n x 2 x 2). `way` is
   what z goes along, f of an inertia and q of a spring, `rest` the p or e whose product with it is
   energy. */
static void shape_of(bool is_kinetic, const double *lambda, const double *ef, int n, double *z)
{
    double energy = 0.0, parts = 0.0;

    for (int k = 0; k < n; k++) {
        const double *e = ef + 4 * (size_t) k, *f = e + 2;
        double other[2], rest[2];
        divide(is_kinetic ? e : f, lambda, other);
        const double *way = is_kinetic ? f : other;
        rest[0] = is_kinetic ? other[0] : e[0];
        rest[1] = is_kinetic ? other[1] : e[1];
        double size = hypot(way[0], way[1]), product = size * hypot(rest[0], rest[1]);
        double length = size > 0.0 ? sqrt(product) / size : 0.0;
        z[2 * k] = length * way[0];
        z[2 * k + 1] = length * way[1];
        energy += rest[0] * way[0] + rest[1] * way[1];
        parts += product;
    }
    for (int k = 0; k < 2 * n; k++) {
        z[k] *= parts > 0.0 ? sqrt(fabs(energy) / parts) : 0.0;
    }
}

/* Makes a vector of length 1; false of one without length. */
static bool normalise(double *z, int n)
{
    double largest = 0.0, square = 0.0;

    for (int i = 0; i < 2 * n; i++) {
        largest = fmax(largest, fabs(z[i]));
    }
    for (int i = 0; i < 2 * n && largest > 0.0; i++) {
        z[i] /= largest;
        square += z[i] * z[i];
    }
    for (int i = 0; i < 2 * n && largest > 0.0; i++) {
        z[i] /= sqrt(square);
    }
    return largest > 0.0;
}

/* Effort and flow of the ports of all storages among the outputs: (n_parts x 2) numbers. */
static ha_status find_columns(const bg__system *s, const bg_modal *modal, int *columns)
{
    int part = 0, next = 0;

    for (int i = 0; i < (int) s->graph->elements.count; i++) {
        bool counts = is_storage(&s->graph->elements.items[i]);
        for (int k = s->port_start[i]; k < s->port_start[i + 1] && counts; k++) {
            for (int c = 0; c < 2; c++) {
                HA_TRY(bg__mode_column(s, modal, s->port_bonds[k], "ef"[c], &next,
                                       &columns[2 * part + c]));
            }
            part++;
        }
    }
    return HA_OK;
}

static void fill_shape(const bg__system *s, const bg_mode *mode, const int *columns, double *ef,
                       double *z)
{
    int part = 0;

    for (int i = 0; i < (int) s->graph->elements.count; i++) {
        const bg__element *e = &s->graph->elements.items[i];
        int n = s->port_start[i + 1] - s->port_start[i];
        if (!is_storage(e)) {
            continue;
        }
        for (int k = 0; k < 2 * n; k++) {
            const double *value = mode->outputs + 2 * (size_t) columns[2 * part + k];
            ef[2 * k] = value[0];
            ef[2 * k + 1] = value[1];
        }
        shape_of(e->type->book == BG_BOOK_KINETIC, mode->eigenvalue, ef, n, z + 2 * part);
        part += n;
    }
}

static ha_status find_shapes(const bg__system *s, const bg_modal *modal, int *columns, double *ef,
                             bg_mode_shapes *out)
{
    HA_TRY(find_columns(s, modal, columns));
    for (int k = 0; k < modal->n_modes; k++) {
        const double *lambda = modal->modes[k].eigenvalue;
        double *z = out->shapes + 2 * (size_t) k * (size_t) out->n_parts;
        out->eigenvalues[2 * k] = lambda[0];
        out->eigenvalues[2 * k + 1] = lambda[1];
        if (lambda[0] != 0.0 || lambda[1] != 0.0) {
            fill_shape(s, &modal->modes[k], columns, ef, z);
            (void) normalise(z, out->n_parts);
        }
    }
    return HA_OK;
}

ha_status bg_mode_shapes_find(ha_ctx *ctx, const bg_causality *causality, const bg_modal *modal,
                              bg_mode_shapes *out)
{
    HA_NEED(ctx, ctx != NULL && causality != NULL && modal != NULL && out != NULL);
    *out = (bg_mode_shapes){ .n_modes = modal->n_modes };
    HA_TRY(list_parts(causality->system, out));
    size_t n_parts = (size_t) out->n_parts, n_modes = (size_t) modal->n_modes;
    HA_TRY_ALLOC(ctx, out->eigenvalues, 2 * n_modes + 1, out->shapes, 2 * n_modes * n_parts + 1);
    int *columns = ha__alloc(ctx, 2 * n_parts + 1, sizeof *columns);
    double *ef = ha__alloc(ctx, 4 * n_parts + 1, sizeof *ef);
    ha_status status = columns == NULL || ef == NULL ? HA_ERR_MEMORY : HA_OK;
    HA_THEN(status, find_shapes(causality->system, modal, columns, ef, out));
    HA_FREE(columns, ef);
    return status;
}

void bg_mode_shapes_clear(bg_mode_shapes *shapes)
{
    for (int i = 0; i < shapes->n_parts; i++) {
        ha__free(shapes->parts[i]);
    }
    HA_FREE(shapes->parts, shapes->eigenvalues, shapes->shapes);
    *shapes = (bg_mode_shapes){ 0 };
}

/* --- spaces of equal eigenvalues ------------------------------------------------------------ */

/* How far two eigenvalues are apart beside the larger one. */
static double apart(const double *a, const double *b)
{
    double off = hypot(a[0] - b[0], a[1] - b[1]);
    double size = fmax(hypot(a[0], a[1]), hypot(b[0], b[1]));

    return size > 0.0 ? off / size : 0.0;
}

static bool is_rigid(const bg_mode_shapes *s, int k)
{
    return s->eigenvalues[2 * k] == 0.0 && s->eigenvalues[2 * k + 1] == 0.0;
}

static double *vector(double *all, const bg_mode_shapes *s, int k)
{
    return all + 2 * (size_t) k * (size_t) s->n_parts;
}

/* conj(a)' b */
static void multiply(const double *a, const double *b, int n, double *out)
{
    out[0] = out[1] = 0.0;
    for (int i = 0; i < n; i++) {
        out[0] += a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1];
        out[1] += a[2 * i] * b[2 * i + 1] - a[2 * i + 1] * b[2 * i];
    }
}

/* y <- y + c x */
static void add_times(double *y, const double *c, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        y[2 * i] += c[0] * x[2 * i] - c[1] * x[2 * i + 1];
        y[2 * i + 1] += c[0] * x[2 * i + 1] + c[1] * x[2 * i];
    }
}

/* Takes from vector `k` of the basis its parts along those before it in the space, twice, since
   the first time leaves round-off of a vector that is nearly one of them. */
static void straighten(spaces *s, int k)
{
    int n = s->shapes->n_parts;
    double *z = vector(s->basis, s->shapes, k), along[2], square[2];

    for (int h = 0; h < 2 * k; h++) {
        int other = h % k;
        if (s->space[other] == s->space[k]) {
            multiply(vector(s->basis, s->shapes, other), z, n, along);
            add_times(z, (double[]){ -along[0], -along[1] }, vector(s->basis, s->shapes, other), n);
        }
    }
    multiply(z, z, n, square);
    if (square[0] < PARALLEL * PARALLEL || !normalise(z, n)) {
        memset(z, 0, 2 * (size_t) n * sizeof *z);
    }
}

static ha_status find_spaces(ha_ctx *ctx, const bg_mode_shapes *shapes, spaces *out)
{
    size_t n_values = 2 * (size_t) shapes->n_modes * (size_t) shapes->n_parts;

    out->shapes = shapes;
    HA_TRY_ALLOC(ctx, out->space, shapes->n_modes + 1, out->basis, n_values + 1);
    memcpy(out->basis, shapes->shapes, n_values * sizeof *out->basis);
    for (int k = 0; k < shapes->n_modes; k++) {
        out->space[k] = k;
        for (int h = 0; h < k && out->space[k] == k && !is_rigid(shapes, k); h++) {
            bool is_same = apart(shapes->eigenvalues + 2 * k, shapes->eigenvalues + 2 * h) < SAME;
            out->space[k] = is_same ? out->space[h] : k;
        }
        if (out->space[k] != k) {
            straighten(out, k);
        }
    }
    return HA_OK;
}

/* The projection of `z` on the space of mode k into `out`; its squared length. */
static double project(spaces *s, int k, const double *z, double *out)
{
    int n = s->shapes->n_parts;
    double along[2], square = 0.0;

    memset(out, 0, 2 * (size_t) n * sizeof *out);
    for (int h = s->space[k]; h < s->shapes->n_modes; h++) {
        if (s->space[h] == s->space[k]) {
            const double *u = vector(s->basis, s->shapes, h);
            multiply(u, z, n, along);
            add_times(out, along, u, n);
            square += along[0] * along[0] + along[1] * along[1];
        }
    }
    return square;
}

static bool is_alone(const spaces *s, int k)
{
    int n = 0;

    for (int h = 0; h < s->shapes->n_modes; h++) {
        n += s->space[h] == s->space[k] ? 1 : 0;
    }
    return n == 1;
}

/* --- matching ------------------------------------------------------------------------------- */

/* The work. */
typedef struct {
    spaces before, now;
    double *moved;      /* (before.n_modes x now.n_parts x 2) the shapes before, by parts of now */
    double *room;       /* (now.n_parts x 2) */
    double *single;     /* (now.n_modes x before.n_modes) likeness of the modes */
    double *whole;      /* the same of their spaces */
    bool *is_taken;     /* (before.n_modes) */
    bg_mode_shapes old; /* the shapes before as `moved` has them; borrows the rest */
} matching;

/* Orders the shapes before as the parts of now are: models whose structure changes have others. */
static void move_shapes(matching *m, const bg_mode_shapes *before, const bg_mode_shapes *now)
{
    int n = before->n_parts;

    for (int i = 0, at = 0; i < now->n_parts; i++) {
        int tried = 0;
        while (tried < n && strcmp(before->parts[at % n], now->parts[i]) != 0) {
            at++;
            tried++;
        }
        for (int k = 0; k < before->n_modes && tried < n; k++) {
            const double *from = before->shapes + 2 * ((size_t) k * (size_t) n + (size_t) (at % n));
            double *to = m->moved + 2 * ((size_t) k * (size_t) now->n_parts + (size_t) i);
            to[0] = from[0];
            to[1] = from[1];
        }
        at += tried < n ? 1 : 0;
    }
    m->old = *before;
    m->old.n_parts = now->n_parts;
    m->old.shapes = m->moved;
}

static void compare(matching *m)
{
    int n_old = m->old.n_modes, n = m->old.n_parts;
    double product[2];

    for (int k = 0; k < m->now.shapes->n_modes; k++) {
        double *z = vector(m->now.shapes->shapes, m->now.shapes, k);
        bool is_sole = is_alone(&m->now, k);
        for (int h = 0; h < n_old; h++) {
            double *was = vector(m->moved, &m->old, h);
            double *single = &m->single[k * n_old + h], *whole = &m->whole[k * n_old + h];
            multiply(z, was, n, product);
            *single = product[0] * product[0] + product[1] * product[1];
            *whole =
                is_sole ? project(&m->before, h, z, m->room) : project(&m->now, k, was, m->room);
            /* the members of a space are alike to what comes: its vectors are turned below */
            *single = is_sole ? *single : *whole;
        }
    }
}

/* Turns mode k in its space to the shape of mode h before. */
static void turn(matching *m, int k, int h)
{
    double *z = vector(m->now.shapes->shapes, m->now.shapes, k);

    if (!is_alone(&m->now, k) &&
        project(&m->now, k, vector(m->moved, &m->old, h), m->room) > PARALLEL &&
        normalise(m->room, m->old.n_parts)) {
        memcpy(z, m->room, 2 * (size_t) m->old.n_parts * sizeof *z);
    }
}

static bool has_energy(const bg_mode_shapes *s, int k)
{
    const double *z = s->shapes + 2 * (size_t) k * (size_t) s->n_parts;

    for (int i = 0; i < 2 * s->n_parts; i++) {
        if (z[i] != 0.0) {
            return true;
        }
    }
    return false;
}

/* The best pairs first. */
static void pair_up(matching *m, int *partner, double *likeness)
{
    const bg_mode_shapes *now = m->now.shapes, *old = &m->old;

    for (int k = 0; k < now->n_modes; k++) {
        partner[k] = -1;
        likeness[k] = (double) NAN;
    }
    for (;;) {
        double best = -INFINITY;
        int from = -1, to = -1;
        for (int k = 0; k < now->n_modes; k++) {
            for (int h = 0; h < old->n_modes && partner[k] < 0 && !is_rigid(now, k); h++) {
                double off = apart(now->eigenvalues + 2 * k, old->eigenvalues + 2 * h);
                double score = m->single[k * old->n_modes + h] - off;
                if (!m->is_taken[h] && !is_rigid(old, h) && score > best) {
                    best = score;
                    from = h;
                    to = k;
                }
            }
        }
        if (from < 0) {
            return;
        }
        m->is_taken[from] = true;
        partner[to] = from;
        if (has_energy(now, to) && has_energy(old, from)) {
            likeness[to] = fmin(m->whole[to * old->n_modes + from], 1.0);
        }
    }
}

static ha_status match(ha_ctx *ctx, matching *m, const bg_mode_shapes *before, bg_mode_shapes *now,
                       int *partner, double *likeness)
{
    size_t n_old = (size_t) before->n_modes, n_pairs = n_old * (size_t) now->n_modes;

    HA_TRY_ALLOC(ctx, m->moved, 2 * n_old * (size_t) now->n_parts + 1);
    HA_TRY_ALLOC(ctx, m->room, 2 * (size_t) now->n_parts + 1, m->is_taken, n_old + 1);
    HA_TRY_ALLOC_EACH(ctx, n_pairs + 1, m->single, m->whole);
    move_shapes(m, before, now);
    HA_TRY(find_spaces(ctx, &m->old, &m->before));
    HA_TRY(find_spaces(ctx, now, &m->now));
    compare(m);
    pair_up(m, partner, likeness);
    for (int k = 0; k < now->n_modes; k++) {
        if (partner[k] >= 0) {
            turn(m, k, partner[k]);
        }
    }
    return HA_OK;
}

ha_status bg_mode_shapes_match(ha_ctx *ctx, const bg_mode_shapes *before, bg_mode_shapes *now,
                               int *partner, double *likeness)
{
    HA_NEED(ctx,
            ctx != NULL && before != NULL && now != NULL && partner != NULL && likeness != NULL);
    matching m = { 0 };
    ha_status status = match(ctx, &m, before, now, partner, likeness);

    HA_FREE(m.moved, m.room, m.single, m.whole, m.is_taken, m.before.space, m.before.basis,
            m.now.space, m.now.basis);
    return status;
}
