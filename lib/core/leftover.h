/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unfinished files that a program which was killed has left behind. Not installed. */
#ifndef LIB_LEFTOVER_H
#define LIB_LEFTOVER_H

#include <stdbool.h>

/* Removes the files beside `path`, named as it with more behind, that `is_ours` knows by
   what is behind, and that nobody works on: not changed for `age` seconds and not locked
   (ha__leftover_hold()). What cannot be removed stays. */
void ha__leftover_clean(const char *path, bool (*is_ours)(const char *name), double age);

/* Holds an open file against removal, until it is closed. */
void ha__leftover_hold(int fd);

/* Whether a name ends with `dot`, and behind that `n` letters or digits. */
bool ha__leftover_has_end(const char *name, const char *dot, int n);

#endif
