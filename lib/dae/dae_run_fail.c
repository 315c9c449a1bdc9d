/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the reports of all methods say of a run that stops: the equation that could not be
 * evaluated, what is nearly singular where it stopped, what runs away there.
 */
#include <config.h>

#include "lib/dae/dae_run.h"

#include <math.h>
#include <string.h>

static const double RUNAWAY = 1e6; /* growth in the time so far, relative to the value */

void ha__run_note_not_finite(ha__run *run, int64_t equation, double value, double t,
                             const double *y, const double *yp)
{
    size_t bytes = (size_t) run->dae->n * sizeof(double);

    run->bad_equation = equation;
    run->bad_value = value;
    run->bad_time = t;
    memcpy(run->bad_y, y, bytes);
    memcpy(run->bad_yp, yp, bytes);
}

bool ha__run_add_not_finite(const ha__run *run, ha__strbuf *text)
{
    char number[HA__NUMBER_SIZE];
    char time[HA__NUMBER_SIZE];

    if (run->bad_equation < 0 || run->bad_time < run->stats->t_reached) {
        return false;
    }
    ha__strbuf_addf(text, "; the equation `%s` or a derivative of it was %s at t = %s s with ",
                    run->dae->equations[run->bad_equation], ha__dae_number(number, run->bad_value),
                    ha__dae_number(time, run->bad_time));
    ha__dae_add_values(text, run->dae, run->bad_equation, run->bad_y, run->bad_yp);
    return true;
}

/* Adds the differential unknown that changes fastest, if it runs away. */
static void add_runaway(const ha__run *run, ha__strbuf *text)
{
    const ha_dae *dae = run->dae;
    const double *y = run->y, *yp = run->yp;
    char rate[HA__NUMBER_SIZE], value[HA__NUMBER_SIZE];
    double largest = RUNAWAY;
    int64_t worst = -1;

    for (int j = 0; j < dae->n; j++) {
        double growth = fabs(yp[j]) * run->stats->t_reached / (fabs(y[j]) + dae->unknowns[j].scale);
        if (dae->unknowns[j].kind == HA_DIFFERENTIAL && growth > largest) {
            largest = growth;
            worst = j;
        }
    }
    if (worst >= 0) {
        ha__strbuf_addf(text,
                        "; `%s` runs away, at %s its rate is %s per second by the equation `%s`: a "
                        "force or a rate without bound acts there",
                        dae->unknowns[worst].name, ha__dae_number(value, y[worst]),
                        ha__dae_number(rate, yp[worst]), dae->equations[worst]);
    }
}

ha_status ha__run_add_place(const ha__run *run, ha__strbuf *head, ha__strbuf *text)
{
    char number[HA__NUMBER_SIZE];
    ha__strbuf names = HA_STRBUF(run->ctx);
    double rcond = 1.0;
    ha_status status = ha__dae_condition(run->ctx, run->dae, run->work, run->stats->t_reached,
                                         run->y, run->yp, &rcond, head, &names);

    if (status == HA_OK && names.length > 0) {
        ha__strbuf_addf(text,
                        "; the equations are nearly singular there (reciprocal condition %s): %s",
                        ha__dae_number(number, rcond), ha__strbuf_text(&names));
    } else if (status == HA_OK) {
        add_runaway(run, text);
    }
    return ha__strbuf_drop(&names, status);
}
