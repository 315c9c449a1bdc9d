/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Status codes: everything that can fail returns one. Zero is success, negative is an error.
 */
#ifndef LIB_STATUS_H
#define LIB_STATUS_H

/** Opens the part of a header that C++ must see with C linkage. */
#ifdef __cplusplus
#define HA_BEGIN_DECLS extern "C" {
#define HA_END_DECLS }
#else
#define HA_BEGIN_DECLS
#define HA_END_DECLS
#endif

/** Marks a function whose result must not be ignored. */
#if defined(__GNUC__)
#define HA_MUST_CHECK __attribute__((warn_unused_result))
#else
#define HA_MUST_CHECK
#endif

/** Marks a printf-like function: `text` and `first` are argument positions from 1. */
#if defined(__GNUC__)
#define HA_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#define HA_PRINTF(text, first)
#endif

/** Number of items of a C array. */
#define HA_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/** Evaluates a status expression and returns it from the calling function unless it is HA_OK. */
#define HA_TRY(expression)                                                                         \
    do {                                                                                           \
        ha_status ha_try_ = (expression);                                                          \
        if (ha_try_ != HA_OK) {                                                                    \
            return ha_try_;                                                                        \
        }                                                                                          \
    } while (0)

/** Goes on with a status expression, unless something failed before: sets the variable `status` to
    its value where that is HA_OK. */
#define HA_THEN(status, expression)                                                                \
    do {                                                                                           \
        if ((status) == HA_OK) {                                                                   \
            (status) = (expression);                                                               \
        }                                                                                          \
    } while (0)

HA_BEGIN_DECLS

/** What came of a call; the list with a sentence for each is lib/status.def. */
typedef enum ha_status {
#define X(name, value, exit_status, sentence) name = value, /**< see lib/status.def */
#include "lib/status.def"
#undef X
} ha_status;

/** The sentence that explains a status; never NULL, static storage. */
const char *ha_status_text(ha_status status);

/** The name of a status ("HA_ERR_NAME"); never NULL, static storage. */
const char *ha_status_name(ha_status status);

/**
 * The exit status of the command line program for this status: 0 done, 1 the work failed, 2 the
 * command line or the model is wrong, 3 a fault of the program, 130 interrupted.
 */
int ha_status_exit(ha_status status);

HA_END_DECLS

#endif
