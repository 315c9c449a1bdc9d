/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The structure of sparse matrices by BTF. The only file that includes it. */
#include <config.h>

#include "lib/linalg/blocks_btf.h"

#include <btf.h>

int ha__match_rows(int n, int *start, int *row, int *column_of, int *room)
{
    double work = 0.0;

    return btf_maxtrans(n, n, start, row, 0.0, &work, column_of, room);
}

int ha__find_blocks(int n, int *start, int *row, int *bounds, int *n_matched, int *room)
{
    double work = 0.0;

    return btf_order(n, start, row, 0.0, &work, room, room + n, bounds, n_matched, room + 2 * n);
}
