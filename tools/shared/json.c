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
    return isfinite(value) ? json_real(ha__plain_zero(value)) : json_null();
}

void cli_json_put_real(cli_json *json, const char *key, double value)
{
    cli_json_put(json, key, cli_json_real(value));
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
