/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options that are fields of a struct, by table: read, checked and written by their rows. Not
   installed. */
#ifndef LIB_DATA_OPTIONS_H
#define LIB_DATA_OPTIONS_H

#include "lib/context.h"
#include "lib/core/strbuf.h"
#include "lib/data/units.h"

#include <stdbool.h>
#include <stddef.h>

/* A row: see lib/dae_opts.def. */
typedef struct ha__option {
    const char *key;   /* in a model file: "max_step" */
    const char *name;  /* on the command line: "max-step" */
    const char *unit;  /* "s", "1", "SI" */
    const char *words; /* "none auto steps"; NULL: the value is a number */
    const char *sentence;
    size_t offset; /* of the field in the struct */
    bool is_long;  /* else double */
    double value;  /* the default, NAN: chosen */
    double low;
    double least; /* above 0; 0: any */
    double high;
} ha__option;

/* The row of a field of `struct_type`, from HA_OPTION(); `path` leads to it. */
#define HA__OPTION_ROW(struct_type, path, field, value, low, least, high, unit, name, words, what) \
    {                                                                                              \
#field, name, unit, words, what, offsetof(struct_type, path),                              \
            _Generic(((struct_type *) NULL)->path, long                                            \
                     : true, default                                                               \
                     : false),                                                                     \
            (double) (value), (double) (low), (double) (least), (double) (high)                    \
    }

/* The value of a field. */
double ha__option_get(const ha__option *row, const void *options);

/* HA_ERR_VALUE unless a value is in the range of an option. `object` is what it is called where it
   was written, "`t_end` of section `simulate`"; NULL: "option `t-end`". */
HA_MUST_CHECK ha_status ha__option_check(ha_ctx *ctx, const ha__option *row, const char *object,
                                         double value, ha_where where);

/* Sets a field from a number that is checked, or from one of its words. */
HA_MUST_CHECK ha_status ha__option_set(ha_ctx *ctx, const ha__option *row, const char *object,
                                       void *options, double value, ha_where where);
HA_MUST_CHECK ha_status ha__option_set_word(ha_ctx *ctx, const ha__option *row, const char *object,
                                            void *options, const char *word, ha_where where);

/* Sets a field from a text: a word, or a number, which may have a unit. */
HA_MUST_CHECK ha_status ha__option_read(ha_ctx *ctx, const ha__option *row, void *options,
                                        const char *text, ha_where where);

/* The row of a name or of a key, NULL with a diagnostic when there is none. */
const ha__option *ha__option_find(ha_ctx *ctx, const ha__option *rows, size_t n, const char *name,
                                  ha_where where);

/* What an option's numbers are. */
ha__quantity ha__option_quantity(const ha__option *row);

/* Adds the word of a value. */
void ha__option_add_word(ha__strbuf *out, const ha__option *row, double value);

/* Adds a value as a file has it: a number, or its word. */
void ha__option_add_value(ha__strbuf *out, const ha__option *row, double value);

/* Adds "none, auto or steps". */
void ha__option_add_words(ha__strbuf *out, const ha__option *row);

/* Adds the range in words: "1 to 5", "0, or 1e-30 to 1e10", "at least 0"; with words nothing. */
void ha__option_add_range(ha__strbuf *out, const ha__option *row);

/* Adds the sentence with the default where it does not say it itself. */
void ha__option_add_sentence(ha__strbuf *out, const ha__option *row);

/* What stands for the argument in a help text: "TIME", "WORD", "COUNT", "NUMBER". */
const char *ha__option_argument(const ha__option *row);

#endif
