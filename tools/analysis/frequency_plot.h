/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frequency responses as plots: Bode, Nyquist, poles and zeros. */
#ifndef TOOLS_FREQUENCY_PLOT_H
#define TOOLS_FREQUENCY_PLOT_H

#include "bondgraph/frequency.h"
#include "lib/core/mem.h"
#include "tools/shared/plot.h"

/* What is plotted. */
typedef enum frequency_kind {
    FREQUENCY_BODE,    /* magnitude and phase over the frequency */
    FREQUENCY_NYQUIST, /* the response in the complex plane */
    FREQUENCY_POLES,   /* poles and zeros in the complex plane */
    FREQUENCY_KIND_COUNT
} frequency_kind;

/* Panels with all that they are made of. */
typedef struct frequency_panels {
    HA_ARRAY(plot_panel) panels;
    HA_ARRAY(ha_result *) tables;
    ha__arena arena; /* curves, guides and texts */
} frequency_panels;

/* The kind of --plot, the first one without it. */
HA_MUST_CHECK ha_status frequency_read_kind(const cli_call *cli, frequency_kind *kind);

/* Makes the panels; to be freed with frequency_panels_clear(), also on failure. */
HA_MUST_CHECK ha_status frequency_panels_new(ha_ctx *ctx, const bg_response *response,
                                             frequency_kind kind, frequency_panels *out);

/* Frees what it holds. */
void frequency_panels_clear(frequency_panels *panels);

#endif
