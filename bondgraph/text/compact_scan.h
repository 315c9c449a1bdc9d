/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files that scan the compact notation share. Not installed. */
#ifndef BONDGRAPH_COMPACT_SCAN_H
#define BONDGRAPH_COMPACT_SCAN_H

#include "bondgraph/text/compact_priv.h"

enum { MAX_DIGITS = 9 }; /* of a dimension or a port */

/* What a part of the braces, or a setting, gives. */
typedef struct {
    char letter;       /* of a start value, '\0': none */
    int port;          /* of a start value: from 1; 0: of the element */
    bg__law_part part; /* of a law; BG__PART_COUNT: no law */
} bg__part_key;

/* Where the scanner is in the text. */
typedef struct bg__scanner {
    bg__compact *out;
    size_t at;         /* next byte */
    size_t line_start; /* first byte of the line */
    ha_where where;    /* file, line, and what to add to columns on the first line */
} bg__scanner;

/* The location of byte `at`, which is in the line of the scanner. */
ha_where bg__scan_place_of(const bg__scanner *s, size_t at);

/* The location of the next byte. */
ha_where bg__scan_place(const bg__scanner *s);

/* True for a blank or a tab. */
bool bg__is_blank(char c);

/* True where an item ends: at the end of the line, of the text, at `;` or a comment. */
bool bg__is_item_end(char c);

/* The piece between two locations of one line, blanks at its ends excluded. */
bg__piece bg__make_piece(const bg__scanner *s, size_t from, size_t to);

/* The meaning of a key of `length` bytes; false when it has none. */
bool bg__read_key(const char *text, size_t length, bg__part_key *out);

/* Takes what stands behind the `=` of a key, or a value. */
HA_MUST_CHECK ha_status bg__take_part(bg__scanner *s, bg__compact_node *node,
                                      const bg__part_key *key, size_t from, size_t end);

/* Goes on at the end of the item, after an error. */
void bg__skip_item(bg__scanner *s);

/* Reads what an element has in braces, which the next byte opens. */
HA_MUST_CHECK ha_status bg__read_braces(bg__scanner *s, int number);

#endif
