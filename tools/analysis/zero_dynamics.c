/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Zero dynamics: what moves while inverse signals keep their inputs at 0.
 *
 * They are the states that the linear model has left, and its eigenvalues are the zeros of the
 * model without the inverse. Where one grows the inputs are kept at 0 by efforts that grow, too: a
 * pole that is to be moved the other way first.
 */
#include <config.h>

#include "tools/analysis/zero_dynamics.h"

#include "lib/core/number.h"
#include "lib/core/strbuf.h"
#include "lib/linalg/eigen.h"
#include "tools/analysis/operating.h"

#include <math.h>
#include <stdio.h>

static const double GROWS = 1e-7;      /* real part beside the largest eigenvalue */
static const double TAKES_PART = 0.01; /* of the largest component of an eigenvector */

/* The eigenvalue that grows fastest; -1: none grows. */
static int find_growing(const bg_linear *linear)
{
    double largest = 0.0;
    int worst = -1;

    for (int k = 0; k < linear->n_states; k++) {
        largest = fmax(largest, hypot(linear->eigenvalues[2 * k], linear->eigenvalues[2 * k + 1]));
    }
    for (int k = 0; k < linear->n_states; k++) {
        double growth = linear->eigenvalues[2 * k];
        bool is_worse = worst < 0 || growth > linear->eigenvalues[2 * worst];
        worst = growth > GROWS * largest && is_worse ? k : worst;
    }
    return worst;
}

/* The states that grow with an eigenvalue. */
static ha_status name_states(cli_call *cli, const bg_linear *linear, int growing, ha__strbuf *out)
{
    size_t n = (size_t) linear->n_states;
    double *room = ha__alloc(cli->ctx, 2 * n + 2 * n * n, sizeof *room), largest = 0.0;
    const double *vectors = room + 2 * n;

    HA_TRY_MEMORY(room);
    ha_status status = ha__eigenvalues(cli->ctx, (int) n, linear->a, room, room + 2 * n);
    for (int pass = 0; pass < 2 && status == HA_OK; pass++) {
        for (size_t i = 0; i < n; i++) {
            const double *z = vectors + 2 * (i * n + (size_t) growing);
            double size = hypot(z[0], z[1]);
            largest = pass == 0 ? fmax(largest, size) : largest;
            if (pass == 1 && size >= TAKES_PART * largest) {
                ha__strbuf_addf(out, "%s%s", out->length > 0 ? ", " : "", linear->states[i]);
            }
        }
    }
    ha__free(room);
    return status == HA_OK ? out->status : status;
}

static ha_status tell(cli_call *cli, const bg_linear *linear, bool shows)
{
    ha__strbuf names = HA_STRBUF(cli->ctx);
    char rate[HA__NUMBER_SIZE];

    if (linear->eigenvalues == NULL) {
        return HA_OK; /* too many states to be asked */
    }
    int growing = find_growing(linear);
    if (growing < 0) {
        if (shows && linear->n_states == 0) {
            printf("  zero dynamics        none: nothing is left free\n");
        } else if (shows) {
            printf("  zero dynamics        %d state%s, and none grows at the start\n",
                   linear->n_states, linear->n_states == 1 ? "" : "s");
        }
        return HA_OK;
    }
    ha_status status = name_states(cli, linear, growing, &names);
    if (status == HA_OK) {
        ha_warn(cli->ctx, HA_NOWHERE,
                "the zero dynamics are unstable: what the inverse signals leave free, %s, grows by "
                "%s 1/s at the start; start it where it does not, prescribe an output that it "
                "is part of, or let it be held by a controller",
                ha__strbuf_text(&names),
                ha__print_rounded_number(rate, linear->eigenvalues[2 * growing], 4));
    }
    return ha__strbuf_drop(&names, status);
}

ha_status zero_dynamics_tell(cli_call *cli, bool shows)
{
    operating op = operating_new();
    bg_linear linear = { 0 };
    cli_call start = *cli;

    start.given[CLI_AT] = start.given[CLI_U] = start.given[CLI_Y] = false;
    ha_status status = operating_prepare(&start, false, &op);
    op.point.force = true; /* a side of a switch is as good as the other here */
    HA_THEN(status, bg_linearise(cli->ctx, op.run.model.compiled, &op.point, &linear));
    HA_THEN(status, tell(cli, &linear, shows));
    bg_linear_clear(&linear);
    operating_clear(&op);
    return status;
}
