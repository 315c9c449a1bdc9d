/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Characters of UTF-8 text, after table 3-7 of the Unicode standard (well-formed sequences). */
#include <config.h>

#include "lib/core/utf8.h"

size_t ha__utf8_read(const char *text, size_t length, unsigned *code)
{
    static const struct {
        unsigned mask, lead, lowest; /* of the first byte; the lowest code point of this length */
    } forms[] = {
        { 0x80, 0x00, 0x0 }, { 0xE0, 0xC0, 0x80 }, { 0xF0, 0xE0, 0x800 }, { 0xF8, 0xF0, 0x10000 }
    };
    unsigned first = length > 0 ? (unsigned char) text[0] : 0xFF;

    for (size_t n = 1; n <= 4 && n <= length; n++) {
        if ((first & forms[n - 1].mask) != forms[n - 1].lead) {
            continue;
        }
        unsigned value = first & ~forms[n - 1].mask;
        for (size_t i = 1; i < n; i++) {
            unsigned next = (unsigned char) text[i];
            if ((next & 0xC0) != 0x80) {
                return 0;
            }
            value = value << 6 | (next & 0x3F);
        }
        if (value < forms[n - 1].lowest || value > 0x10FFFF || (value & ~0x7FFu) == 0xD800) {
            return 0;
        }
        *code = value;
        return n;
    }
    return 0;
}

bool ha__utf8_is_letter(unsigned code)
{
    if (code == 0xD7 || code == 0xF7) {
        return false;
    }
    /* Latin to Greek Extended, Kelvin ... Angstrom and Ohm signs, and the scripts from Glagolitic
     */
    return code == 0xAA || code == 0xB5 || code == 0xBA || (code >= 0xC0 && code <= 0x1FFF) ||
           (code >= 0x2126 && code <= 0x212B) || (code >= 0x2C00 && code <= 0xD7FF) ||
           code >= 0xF900;
}

bool ha__utf8_is_control(unsigned code)
{
    static const unsigned ranges[][2] = {
        { 0x00, 0x1F },     { 0x7F, 0x9F },     { 0x61C, 0x61C },
        { 0x200B, 0x200F }, { 0x2028, 0x202E }, { 0x2060, 0x206F },
        { 0xFEFF, 0xFEFF }, { 0xFFF9, 0xFFFB }, { 0xE0000, 0xE007F },
    };

    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (code >= ranges[i][0] && code <= ranges[i][1]) {
            return true;
        }
    }
    return false;
}

int ha__utf8_clip(const char *text, size_t length, size_t most)
{
    size_t n = length < most ? length : most;

    while (n > 0 && n < length && ((unsigned char) text[n] & 0xC0) == 0x80) {
        n--;
    }
    return (int) n;
}
