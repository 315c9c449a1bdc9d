/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting of many keys in linear time. Not installed. */
#ifndef LIB_SORT_H
#define LIB_SORT_H

#include "lib/context.h"

#include <stdint.h>

/* Sorts `values` (n) by `keys` (n), which are moved along; equal keys keep their order. */
HA_MUST_CHECK ha_status ha__sort_by_keys(ha_ctx *ctx, size_t n, uint64_t *keys, int *values);

/* The items of each group, by counting: `list` (n) holds those of group g in their order from
   start[g] to start[g + 1]; `start` (n_groups + 1) is zero before. group[k] is the group of
   item[k], of k itself where `item` is NULL. */
void ha__group(int n, const int *group, const int *item, int n_groups, int *start, int *list);

/* The numbers of names in the order of strcmp(), into `order` (n); equal ones by number. */
HA_MUST_CHECK ha_status ha__sort_names(ha_ctx *ctx, int n, const char *const *names, int *order);

#endif
