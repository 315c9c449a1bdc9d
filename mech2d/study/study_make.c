/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies by a call: nothing is written, the numbers are handed over. */
#include <config.h>

#include "lib/core/context_priv.h"
#include "lib/core/need.h"
#include "mech2d/study/study.h"

#include <string.h>

static ha_status keep_name(ha_ctx *ctx, m2d_study *out, int i, const char *name)
{
    HA_TRY_GET(out->names[i], ha__copy_text(ctx, name, strlen(name)));
    return HA_OK;
}

/* Room for the numbers, and what is known before any run. */
static ha_status make_room(ha_ctx *ctx, const m2d__study *s, m2d_study *out)
{
    const size_t n_values = s->variables.count, n_measures = s->measures.count,
                 n_runs = (size_t) s->n_runs;

    HA_TRY_ALLOC(ctx, out->names, n_values + n_measures);
    out->n_values = (int) n_values;
    out->n_measures = (int) n_measures;
    for (size_t i = 0; i < n_values; i++) {
        HA_TRY(keep_name(ctx, out, (int) i, s->variables.items[i].path));
    }
    for (size_t i = 0; i < n_measures; i++) {
        HA_TRY(keep_name(ctx, out, (int) (n_values + i), s->measures.items[i].name));
    }
    HA_TRY_ALLOC(ctx, out->values, n_runs * n_values, out->measures, n_runs * n_measures);
    HA_TRY_ALLOC(ctx, out->status, n_runs);
    out->n_runs = s->n_runs;
    memcpy(out->values, s->values, n_runs * n_values * sizeof *out->values);
    return HA_OK;
}

ha_status m2d__study_take(m2d_study *out, ha_ctx *ctx, long run, const double *measures,
                          const char *status)
{
    const size_t n = (size_t) out->n_measures;

    memcpy(out->measures + (size_t) run * n, measures, n * sizeof *measures);
    HA_TRY_GET(out->status[run], ha__copy_text(ctx, status, strlen(status)));
    return HA_OK;
}

static ha_status make_runs(ha_ctx *ctx, const m2d_study_def *def, m2d__study *s, m2d_study *out)
{
    const m2d__study_def runs = { .source = def->source,
                                  .jobs = def->jobs,
                                  .shard = 1,
                                  .n_shards = 1,
                                  .options = def->options,
                                  .n_options = def->n_options,
                                  .table = out };
    m2d__study_report report;

    if (s->measures.count == 0) {
        return ha_fail(ctx, HA_ERR_VALUE, HA_NOWHERE,
                       "the study measures nothing; give `vary` and `measure`");
    }
    HA_TRY(make_room(ctx, s, out));
    HA_TRY(m2d__study_run(s, &runs, &report));
    out->n_failed = report.n_failed;
    out->is_quick = report.is_quick;
    out->seconds = report.seconds;
    return HA_OK;
}

ha_status m2d_study_make(ha_ctx *ctx, const m2d_study_def *def, m2d_study *out)
{
    if (out != NULL) {
        *out = (m2d_study){ 0 }; /* to be freed whatever comes */
    }
    HA_NEED(ctx, ctx != NULL && def != NULL && out != NULL && def->source != NULL);
    HA_NEED(ctx, def->text != NULL && def->jobs >= 0 && def->n_options >= 0);
    HA_NEED(ctx, def->n_options == 0 || def->options != NULL);
    HA_NEED(ctx, def->source->path != NULL || def->source->graph != NULL);
    const char *name = def->name != NULL ? def->name : "study";
    m2d__study *s = NULL;

    HA_TRY(m2d__study_read_text(ctx, def->text, strlen(def->text), name, &s));
    ha_status status = make_runs(ctx, def, s, out);
    m2d__study_free(s);
    return status;
}

static void free_texts(char **texts, long n)
{
    for (long i = 0; texts != NULL && i < n; i++) {
        ha__free(texts[i]);
    }
    ha__free(texts);
}

void m2d_study_clear(m2d_study *study)
{
    HA_NEED_ELSE(study != NULL, );
    free_texts(study->names, study->n_values + study->n_measures);
    free_texts(study->status, study->n_runs);
    HA_FREE(study->values, study->measures);
    *study = (m2d_study){ 0 };
}
