/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON objects for --json. Failures to allocate stick and are reported when it is printed. */
#ifndef TOOLS_JSON_H
#define TOOLS_JSON_H

#include "tools/shared/cli.h"

#include <jansson.h>

/* An object being made; its first failure sticks. */
typedef struct cli_json {
    json_t *object;
    bool has_failed;
} cli_json;

/* An empty object. */
cli_json cli_json_new(void);

/* A value and its key. */
typedef struct cli_member {
    const char *key;
    json_t *value; /* NULL: it could not be made */
} cli_member;

cli_member cli_value(const char *key, json_t *value);
cli_member cli_text(const char *key, const char *text); /* null where there is none */
cli_member cli_bool(const char *key, bool value);
cli_member cli_int(const char *key, long long value);
cli_member cli_count(const char *key, long long value); /* null where it is negative: not known */
cli_member cli_real(const char *key, double value);     /* null where it is not finite */

/* Adds members in turn and takes their values. */
void cli_json_put_each(cli_json *json, const cli_member *members, size_t n);

/* The members as an object; NULL when one could not be made. */
json_t *cli_json_object(const cli_member *members, size_t n);

/* Adds a value under a key and takes it; NULL counts as a failure. */
void cli_json_put(cli_json *json, const char *key, json_t *value);

void cli_json_put_text(cli_json *json, const char *key, const char *text);
void cli_json_put_int(cli_json *json, const char *key, long long value);

/* A number; null where it is not finite, which JSON cannot say. */
void cli_json_put_real(cli_json *json, const char *key, double value);

/* The number as a value. */
json_t *cli_json_real(double value);

/* Texts, numbers, rows of numbers (rows x columns) as arrays. */
json_t *cli_json_texts(char *const *texts, int n);
json_t *cli_json_reals(const double *values, int n);
json_t *cli_json_matrix(const double *values, int rows, int columns);

/* Appends to an array and takes the value; false when that fails or the value is NULL. */
bool cli_json_append(json_t *array, json_t *value);

/* Prints the object to standard output and frees it. */
HA_MUST_CHECK ha_status cli_json_print(cli_call *cli, cli_json *json);

/* The same where making it ended with HA_OK; otherwise it is freed, and that is returned. */
HA_MUST_CHECK ha_status cli_json_end(cli_call *cli, cli_json *json, ha_status made);

#endif
