/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The system's words on an error. Not installed. */
#ifndef LIB_REASON_H
#define LIB_REASON_H

#include <stddef.h>

/* What errno `error` means, safely with threads; `room` (of `size` bytes) may hold it. */
const char *ha__reason(int error, char *room, size_t size);

#endif
