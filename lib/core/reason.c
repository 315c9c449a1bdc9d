/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The system's words on an error; strerror() would not be safe with threads. */
#include <config.h>

#include "lib/core/reason.h"

#include <string.h>

const char *ha__reason(int error, char *room, size_t size)
{
#if defined(__GLIBC__) && defined(_GNU_SOURCE)
    return strerror_r(error, room, size);
#else
    return strerror_r(error, room, size) == 0 ? room : "unknown error";
#endif
}
