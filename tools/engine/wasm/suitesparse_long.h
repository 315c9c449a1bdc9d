/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SuiteSparse's integers of 64 bits, where a long has 32. */
#ifndef ENGINE_SUITESPARSE_LONG_H
#define ENGINE_SUITESPARSE_LONG_H

#include <stdint.h>

#define SuiteSparse_long long long
#define SuiteSparse_long_max INT64_MAX
#define SuiteSparse_long_idd "lld"
#define SuiteSparse_long_id "%lld"

#endif
