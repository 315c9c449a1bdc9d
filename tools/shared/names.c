/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names in the argument of an option. */
#include <config.h>

#include "tools/shared/names.h"

#include "lib/core/mem.h"

#include <string.h>

/* The end of a name in a list: a comma that is not between parentheses, or the end of the text. */
static char *end_of_name(char *text)
{
    int depth = 0;

    for (; *text != '\0' && (*text != ',' || depth > 0); text++) {
        depth += *text == '(' ? 1 : *text == ')' ? -1 : 0;
    }
    return text;
}

ha_status cli_names_read(cli_call *cli, cli_option option, char **copy, cli_names *names)
{
    if (!cli_has(cli, option)) {
        return HA_OK;
    }
    HA_TRY_GET(*copy, ha__copy_text(cli->ctx, cli->text[option], strlen(cli->text[option])));
    for (char *at = *copy, *end = NULL; at != NULL; at = end) {
        end = end_of_name(at);
        bool is_last = *end == '\0';
        at += strspn(at, " ");
        for (char *last = end; last > at && last[-1] == ' '; last--) {
            last[-1] = '\0';
        }
        *end = '\0';
        if (*at == '\0') {
            return ha_fail(cli->ctx, HA_ERR_ARGUMENT, HA_NOWHERE,
                           "--%s `%s` has an empty name; give names separated by commas",
                           cli_option_name(option), cli->text[option]);
        }
        HA_TRY_PUSH(cli->ctx, names, at);
        end = is_last ? NULL : end + 1;
    }
    return HA_OK;
}
