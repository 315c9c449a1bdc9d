/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Characters of UTF-8 text. Not installed. */
#ifndef LIB_UTF8_H
#define LIB_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the character that `text` (of `length` bytes) starts with, and its code point; 0 when
   it is not well-formed UTF-8 (overlong forms, surrogates and values above 0x10FFFF included). */
size_t ha__utf8_read(const char *text, size_t length, unsigned *code);

/* True for letters beyond ASCII, those that names may be made of; false for the signs (middle dot,
   multiplication and division signs, superscripts ...) that are no letters. */
bool ha__utf8_is_letter(unsigned code);

/* True for what changes how the text around it reads and shows nothing itself: controls, marks of
   direction, separators of lines, tags. */
bool ha__utf8_is_control(unsigned code);

/* Bytes of `text` to show in a message: all `length` or, without cutting a character in two, the
   first `most` of them. */
int ha__utf8_clip(const char *text, size_t length, size_t most);

#endif
