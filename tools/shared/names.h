/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names in the argument of an option, NAME,NAME. */
#ifndef TOOLS_NAMES_H
#define TOOLS_NAMES_H

#include "tools/shared/cli.h"

/* Names; zero-initialised is empty. */
typedef HA_ARRAY(const char *) cli_names;

/* Lists the names that an option has; none where it was not given. They are parts of `*copy`, to be
   freed after them, also on failure. A comma between parentheses is part of a name. */
HA_MUST_CHECK ha_status cli_names_read(cli_call *cli, cli_option option, char **copy,
                                       cli_names *names);

#endif
