/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The largest force of a joint in a part of a run. */
#ifndef TOOLS_PAGE_LOAD_H
#define TOOLS_PAGE_LOAD_H

#include "tools/page/page.h"

typedef struct page_load {
    int joint;
    double size;  /* [N] */
    double time;  /* [s] */
    double angle; /* of the body that turns [rad]; NAN: none does */
} page_load;

/* false: the joint has no force among the outputs, or none that is finite. The run has a scene. */
bool page_find_load(const page_run *run, int joint, const page_window *window, page_load *out);

#endif
