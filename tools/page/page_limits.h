/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits that outputs are held against on a page. */
#ifndef TOOLS_PAGE_LIMITS_H
#define TOOLS_PAGE_LIMITS_H

#include "lib/core/strbuf.h"
#include "tools/shared/json.h"

#include <jansson.h>

/* A limit; of a negative one the least value counts, else the largest. */
typedef struct page_limit {
    char *name;   /* of an output, or JOINT.force: the size of its force */
    double value; /* in the unit of the output */
    char *unit;
} page_limit;

typedef struct page_limits {
    page_limit *items;
    size_t n;
} page_limits;

struct page;

/* Reads the options --limit of a page whose runs are done; to be freed with page_limits_clear(),
   also on failure. HA_ERR_NAME, HA_ERR_UNIT, HA_ERR_ARGUMENT. */
HA_MUST_CHECK ha_status page_read_limits(struct page *p);

/* Frees what they hold. */
void page_limits_clear(page_limits *limits);

/* Adds a table of the limits and of what the runs come to; the argument is the page. */
HA_MUST_CHECK ha_status page_add_limits(const void *page, ha__strbuf *out);

/* [name, value] of each; NULL without memory. */
json_t *page_limits_data(const page_limits *limits);

#endif
