/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON for --json, through jansson: numbers with 17 significant digits, keys in order. */
#include <config.h>

#include "tools/shared/json.h"

#include "lib/core/number.h"

#include <math.h>
#include <stdio.h>

cli_json cli_json_new(void)
{
    json_t *object = json_object();

    return (cli_json){ object, object == NULL };
}

cli_member cli_value(const char *key, json_t *value)
{
    return (cli_member){ key, value };
}

cli_member cli_text(const char *key, const char *text)
{
    return cli_value(key, text == NULL ? json_null() : json_string(text));
}

cli_member cli_bool(const char *key, bool value)
{
    return cli_value(key, json_boolean(value));
}

cli_member cli_int(const char *key, long long value)
{
    return cli_value(key, json_integer(value));
}

cli_member cli_count(const char *key, long long value)
{
    return cli_value(key, value < 0 ? json_null() : json_integer(value));
}

cli_member cli_real(const char *key, double value)
{
    return cli_value(key, cli_json_real(value));
}

void cli_json_put_each(cli_json *json, const cli_member *members, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        cli_json_put(json, members[i].key, members[i].value);
    }
}

json_t *cli_json_object(const cli_member *members, size_t n)
{
    cli_json json = cli_json_new();

    cli_json_put_each(&json, members, n);
    if (json.has_failed) {
        json_decref(json.object);
    }
    return json.has_failed ? NULL : json.object;
}

void cli_json_put(cli_json *json, const char *key, json_t *value)
{
    if (json_object_set_new(json->object, key, value) != 0) {
        json->has_failed = true;
    }
}

void cli_json_put_text(cli_json *json, const char *key, const char *text)
{
    cli_json_put(json, key, json_string(text));
}

void cli_json_put_int(cli_json *json, const char *key, long long value)
{
    cli_json_put(json, key, json_integer(value));
}

json_t *cli_json_real(double value)
{
    return isfinite(value) ? json_real(ha__plain_sign(value)) : json_null();
}

void cli_json_put_real(cli_json *json, const char *key, double value)
{
    cli_json_put(json, key, cli_json_real(value));
}

json_t *cli_json_texts(char *const *texts, int n)
{
    json_t *all = json_array();

    for (int i = 0; i < n; i++) {
        (void) cli_json_append(all, json_string(texts[i]));
    }
    return all;
}

json_t *cli_json_reals(const double *values, int n)
{
    json_t *all = json_array();

    for (int i = 0; i < n; i++) {
        (void) cli_json_append(all, cli_json_real(values[i]));
    }
    return all;
}

json_t *cli_json_matrix(const double *values, int rows, int columns)
{
    json_t *all = json_array();

    for (int i = 0; i < rows; i++) {
        (void) cli_json_append(all,
                               cli_json_reals(values + (size_t) i * (size_t) columns, columns));
    }
    return all;
}

bool cli_json_append(json_t *array, json_t *value)
{
    return json_array_append_new(array, value) == 0;
}

ha_status cli_json_print(cli_call *cli, cli_json *json)
{
    ha_status status = HA_OK;

    if (json->has_failed) {
        status = ha_fail(cli->ctx, HA_ERR_MEMORY, HA_NOWHERE,
                         "out of memory while the JSON object was made; nothing was printed");
    } else if (json_dumpf(json->object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) != 0 ||
               putchar('\n') == EOF) {
        status = cli_finish_output(cli);
        if (status == HA_OK) {
            status = ha_fail(cli->ctx, HA_ERR_OUTPUT, HA_NOWHERE,
                             "the JSON object cannot be printed; a name in it may not be UTF-8");
        }
    }
    json_decref(json->object);
    json->object = NULL;
    return status;
}

ha_status cli_json_end(cli_call *cli, cli_json *json, ha_status made)
{
    if (made != HA_OK) {
        json_decref(json->object);
        return made;
    }
    return cli_json_print(cli, json);
}
