/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A frequency response on a page. */
#ifndef TOOLS_PAGE_FREQUENCY_H
#define TOOLS_PAGE_FREQUENCY_H

#include "bondgraph/frequency.h"
#include "tools/page/page_panels.h"

/* Adds the section: Bode plot, poles, zeros and margins. */
HA_MUST_CHECK ha_status page_add_frequency(const bg_response *response, page_panels *panels,
                                           ha__strbuf *out);

#endif
