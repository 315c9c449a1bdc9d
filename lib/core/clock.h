/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A clock for durations. Not installed. */
#ifndef LIB_CLOCK_H
#define LIB_CLOCK_H

/* Seconds since some moment, on a clock that never goes back; may be called from a signal handler.
 */
double ha__clock(void);

#endif
