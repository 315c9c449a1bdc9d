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

/* Adds a value under a key and takes it; NULL counts as a failure. */
void cli_json_put(cli_json *json, const char *key, json_t *value);

void cli_json_put_text(cli_json *json, const char *key, const char *text);
void cli_json_put_int(cli_json *json, const char *key, long long value);

/* A number; null where it is not finite, which JSON cannot say. */
void cli_json_put_real(cli_json *json, const char *key, double value);

/* The number as a value. */
json_t *cli_json_real(double value);

/* Appends to an array and takes the value; false when that fails or the value is NULL. */
bool cli_json_append(json_t *array, json_t *value);

/* Prints the object to standard output and frees it. */
HA_MUST_CHECK ha_status cli_json_print(cli_call *cli, cli_json *json);

#endif
