/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Models ready to run with other values.
 *
 * The model is made with the values that vary as free symbols. Some may have been read as numbers
 * all the same: as a default that is made of others, in the integral of a law, where a length of 0
 * spares an element. To know, the model is made a second time with each value a little different;
 * the first one, given these values, must then be the second. Where it is not, each set of values
 * is read and compiled for itself.
 *
 * What equations there are may hang on a value being 0, and on its sign. So where signs are others
 * than at first, the model is made once more, with the first values and these signs, and is to
 * agree as well. Values of 0, and such that were 0 at first, are read and compiled for themselves,
 * unless only start values read them.
 *
 * What a run gives then hangs on its values and not on those that the model was compiled with.
 */
#include <config.h>

#include "mech2d/prepared.h"

#include "bondgraph/model/model_agree.h"
#include "lib/core/context_priv.h"
#include "lib/core/need.h"
#include "mech2d/assemble/assemble_priv.h"
#include "mech2d/study/pass_errors.h"
#include "mech2d/study/prepared_priv.h"

#include <math.h>
#include <string.h>

/* --- sources -------------------------------------------------------------------------------- */

static ha_status keep_texts(ha_ctx *ctx, ha__arena *arena, const char *const *from, int n,
                            const char *const **out)
{
    const char **texts = ha__arena_alloc(ctx, arena, (size_t) n, sizeof *texts);

    HA_TRY_MEMORY(texts);
    for (int i = 0; i < n; i++) {
        HA_TRY_GET(texts[i], ha__arena_text(ctx, arena, from[i], strlen(from[i])));
    }
    *out = texts;
    return HA_OK;
}

static ha_status keep_text(ha_ctx *ctx, ha__arena *arena, const char **text)
{
    if (*text != NULL) {
        HA_TRY_GET(*text, ha__arena_text(ctx, arena, *text, strlen(*text)));
    }
    return HA_OK;
}

static ha_status keep_source(ha_ctx *ctx, const m2d_source *source, m2d__shared_model *s)
{
    s->source = *source;
    HA_TRY(keep_text(ctx, &s->arena, &s->source.path));
    HA_TRY(keep_text(ctx, &s->arena, &s->source.graph));
    HA_TRY(keep_text(ctx, &s->arena, &s->source.variant));
    HA_TRY(keep_texts(ctx, &s->arena, source->sets, source->n_sets, &s->source.sets));
    HA_TRY(
        keep_texts(ctx, &s->arena, source->libraries, source->n_libraries, &s->source.libraries));
    if (source->outputs != NULL) {
        HA_TRY(keep_texts(ctx, &s->arena, source->outputs, source->n_outputs, &s->source.outputs));
    }
    s->source.text = NULL; /* it is kept below */
    return m2d__kit_text(ctx, source, &s->text, &s->length);
}

static ha_status keep_variables(ha_ctx *ctx, const m2d_variable *from, int n, m2d__shared_model *s)
{
    HA_TRY_ALLOC_EACH(ctx, n, s->variables, s->is_signed);
    s->n = n;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            if (strcmp(from[k].path, from[i].path) == 0) {
                return ha_fail(ctx, HA_ERR_NAME, from[i].where,
                               "`%s` is given twice; name each value once", from[i].path);
            }
        }
        s->variables[i] = from[i];
        HA_TRY(keep_text(ctx, &s->arena, &s->variables[i].path));
        HA_TRY(keep_text(ctx, &s->arena, &s->variables[i].unit));
        HA_TRY(keep_text(ctx, &s->arena, &s->variables[i].where.file));
    }
    return HA_OK;
}

m2d__kit_def m2d__def_of(const m2d__shared_model *s, const m2d_variable *variables,
                         m2d__kit_use use)
{
    return (m2d__kit_def){ .source = &s->source,
                           .text = s->text,
                           .length = s->length,
                           .variables = variables,
                           .n_variables = s->n,
                           .use = use };
}

static void free_shared(m2d__shared_model *s)
{
    if (s != NULL) {
        m2d__kit_clear(&s->kit);
        ha__arena_clear(&s->arena);
        ha_ctx_free(s->ctx);
        HA_FREE(s->text, s->variables, s->is_signed, s);
    }
}

/* --- values --------------------------------------------------------------------------------- */

static ha_status make_copies(m2d_prepared *p)
{
    const m2d__kit *kit = &p->shared->kit;

    HA_TRY(bg_model_copy(p->ctx, kit->compiled, &p->model));
    HA_TRY_ALLOC(p->ctx, p->start, bg_model_n_unknowns(kit->compiled));
    if (kit->system == NULL) {
        return HA_OK;
    }
    HA_TRY(m2d_system_copy(p->ctx, kit->system, &p->system));
    HA_TRY_ALLOC(p->ctx, p->unknowns, 6 * m2d_system_n_bodies(p->system));
    return m2d__find_motion(p->system, p->model, p->unknowns);
}

static bool have_same_redundant(const m2d_assembly *a, const m2d_assembly *b)
{
    bool same = m2d_assembly_n_redundant(a) == m2d_assembly_n_redundant(b);

    for (int i = 0; i < m2d_assembly_n_redundant(a) && same; i++) {
        same = strcmp(m2d_assembly_redundant(a, i), m2d_assembly_redundant(b, i)) == 0;
    }
    return same;
}

/* Gives the copies the values; `*is_done` is false where other constraints are redundant. */
ha_status m2d__update_copies(m2d_prepared *p, bool *is_done)
{
    for (int i = 0; i < p->shared->n; i++) {
        p->values[i] = p->variables[i].value;
    }
    *is_done = true;
    HA_TRY(bg_model_set(p->model, p->values));
    if (p->system == NULL) {
        bg_model_start(p->model, p->start);
        return HA_OK;
    }
    HA_TRY(m2d_system_set(p->system, p->values));
    HA_TRY(p->assembly == NULL ? m2d_assemble(p->system, &p->assembly)
                               : m2d__assemble_again(p->assembly));
    *is_done = have_same_redundant(p->assembly, p->shared->kit.assembly);
    return *is_done ? m2d__put_motion(p->assembly, p->model, p->unknowns, p->start) : HA_OK;
}

ha_status m2d__prepared_init(m2d_prepared *p)
{
    m2d__shared_model *s = p->shared;

    HA_TRY_ALLOC_EACH(p->ctx, s->n, p->variables, p->values);
    if (s->n > 0) {
        memcpy(p->variables, s->variables, (size_t) s->n * sizeof *p->variables);
    }
    return make_copies(p);
}

/* Frees what it does not share. */
void m2d__prepared_clear(m2d_prepared *p)
{
    m2d__forget_signs(p);
    m2d__kit_clear(&p->own);
    m2d_assembly_free(p->assembly);
    bg_model_free(p->model);
    m2d_system_free(p->system);
    HA_FREE(p->variables, p->values, p->start, p->unknowns);
}

static ha_status compile_own(m2d_prepared *p)
{
    const m2d__kit_def def = m2d__def_of(p->shared, p->variables, M2D__KIT_FIXED);

    m2d__kit_clear(&p->own);
    p->n_compiled++;
    return m2d__kit_make(p->ctx, &def, &p->own);
}

ha_status m2d_prepared_update(m2d_prepared *p)
{
    HA_NEED(NULL, p != NULL);
    bool is_done = false, can_take = false;

    if (p->is_current) {
        return HA_OK;
    }
    p->is_own = false;
    HA_TRY(m2d__can_take_values(p, &can_take));
    if (can_take) {
        HA_TRY(m2d__update_copies(p, &is_done));
    }
    if (!is_done) {
        HA_TRY(compile_own(p));
    }
    p->is_own = !is_done;
    p->is_current = true;
    return HA_OK;
}

/* --- the shared model ----------------------------------------------------------------------- */

static ha_status try_quick(m2d__shared_model *s)
{
    HA_TRY(m2d__agrees_near(s, NULL, &s->is_quick));
    for (int i = 0; i < s->n; i++) {
        s->is_signed[i] = bg__model_reads(s->kit.compiled, i);
    }
    return HA_OK;
}

/* Makes the model with free variables, where that can be. */
static ha_status make_varied(ha_ctx *ctx, m2d__shared_model *s)
{
    const m2d__kit_def def = m2d__def_of(s, s->variables, M2D__KIT_FREE);

    HA_TRY_GET(s->ctx, ha_ctx_new());
    ha_status status = m2d__kit_make(s->ctx, &def, &s->kit);
    uint64_t inputs = ha__ctx_inputs(s->ctx);
    ha__ctx_note_input(ctx, &inputs, sizeof inputs); /* what the kit is read from, too */
    if (status == HA_ERR_NAME) { /* a wrong path is wrong however the model is made */
        return m2d__pass_errors(ctx, s->ctx, status, &(m2d__handed_over){ 0 });
    }
    if (status != HA_OK) {
        return status == HA_ERR_MEMORY ? status : HA_OK;
    }
    return try_quick(s);
}

static ha_status make_shared(ha_ctx *ctx, const m2d_source *source, const m2d_variable *variables,
                             int n, m2d__shared_model *s)
{
    HA_TRY(keep_source(ctx, source, s));
    HA_TRY(keep_variables(ctx, variables, n, s));
    if (n > 0) {
        HA_TRY(make_varied(ctx, s));
    }
    if (!s->is_quick) {
        const m2d__kit_def def = m2d__def_of(s, s->variables, M2D__KIT_FIXED);
        m2d__kit_clear(&s->kit);
        HA_TRY(m2d__kit_make(ctx, &def, &s->kit));
        s->is_quick = n == 0;
    }
    return HA_OK;
}

/* --- the object ----------------------------------------------------------------------------- */

static ha_status new_of(ha_ctx *ctx, m2d__shared_model *s, bool is_owner, m2d_prepared **out)
{
    m2d_prepared *p = ha__alloc(ctx, 1, sizeof *p);

    HA_TRY_MEMORY(p);
    p->ctx = ctx;
    p->shared = s;
    ha_status status = m2d__prepared_init(p);
    HA_THEN(status, m2d_prepared_update(p));
    if (status != HA_OK) {
        m2d_prepared_free(p);
        return status;
    }
    p->is_owner = is_owner;
    *out = p;
    return HA_OK;
}

ha_status m2d_prepare(ha_ctx *ctx, const m2d_source *source, const m2d_variable *variables, int n,
                      m2d_prepared **out)
{
    HA_NEED(ctx, ctx != NULL && source != NULL && out != NULL && n >= 0 &&
                     (n == 0 || variables != NULL));
    HA_NEED(ctx, source->path != NULL || source->graph != NULL);
    m2d__shared_model *s = ha__alloc(ctx, 1, sizeof *s);
    ha_status status = s == NULL ? HA_ERR_MEMORY : make_shared(ctx, source, variables, n, s);

    HA_THEN(status, new_of(ctx, s, true, out));
    if (status != HA_OK) {
        free_shared(s);
    }
    return status;
}

ha_status m2d_prepared_copy(ha_ctx *ctx, const m2d_prepared *prepared, m2d_prepared **out)
{
    HA_NEED(ctx, ctx != NULL && prepared != NULL && out != NULL);
    m2d_prepared *p = NULL;

    HA_TRY(new_of(ctx, prepared->shared, false, &p));
    for (int i = 0; i < p->shared->n; i++) {
        m2d_prepared_set(p, i, prepared->variables[i].value);
    }
    *out = p;
    return HA_OK;
}

void m2d_prepared_free(m2d_prepared *p)
{
    if (p == NULL) {
        return;
    }
    m2d__prepared_clear(p);
    if (p->is_owner) {
        free_shared(p->shared);
    }
    ha__free(p);
}

void m2d_prepared_set(m2d_prepared *p, int i, double value)
{
    HA_NEED_ELSE(p != NULL && HA_IS_INDEX(i, p->shared->n), );
    if (memcmp(&p->variables[i].value, &value, sizeof value) !=
        0) { /* -0 is another value than 0 */
        p->variables[i].value = value;
        p->is_current = false;
    }
}

void m2d__prepared_keep_sides(m2d_prepared *p)
{
    p->keeps_sides = true;
}

int m2d_prepared_n_variables(const m2d_prepared *p)
{
    HA_NEED_ELSE(p != NULL, 0);
    return p->shared->n;
}

double m2d_prepared_value(const m2d_prepared *p, int i)
{
    HA_NEED_ELSE(p != NULL && HA_IS_INDEX(i, p->shared->n), (double) NAN);
    return p->variables[i].value;
}

const bg_run_options *m2d_prepared_options(const m2d_prepared *p)
{
    HA_NEED_ELSE(p != NULL, NULL);
    return p->is_own ? &p->own.options : &p->shared->kit.options;
}

bool m2d_prepared_is_quick(const m2d_prepared *p)
{
    HA_NEED_ELSE(p != NULL, false);
    return p->shared->is_quick;
}

bool m2d_prepared_is_signed(const m2d_prepared *p, int i)
{
    HA_NEED_ELSE(p != NULL && HA_IS_INDEX(i, p->shared->n), false);
    return p->shared->is_signed[i];
}

const bg_model *m2d_prepared_model(const m2d_prepared *p)
{
    HA_NEED_ELSE(p != NULL, NULL);
    return p->is_own ? p->own.compiled : p->model;
}

const double *m2d_prepared_start(const m2d_prepared *p)
{
    HA_NEED_ELSE(p != NULL, NULL);
    return p->is_own ? p->own.start : p->start;
}

long m2d_prepared_n_compiled(const m2d_prepared *p)
{
    HA_NEED_ELSE(p != NULL, 0);
    return p->n_compiled;
}

ha_status m2d_prepared_run(m2d_prepared *p, const bg_run_options *options, ha_result *result,
                           bg_run_report *report)
{
    HA_NEED(NULL, p != NULL);
    HA_NEED(p->ctx, result != NULL && report != NULL);
    HA_TRY(m2d_prepared_update(p));

    bg_run_options own = options != NULL ? *options : *m2d_prepared_options(p);
    own.start = m2d_prepared_start(p);
    return bg_model_run(p->ctx, m2d_prepared_model(p), &own, result, report);
}
