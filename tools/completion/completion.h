/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a shell offers while a command line is typed. */
#ifndef TOOLS_COMPLETION_H
#define TOOLS_COMPLETION_H

#include "tools/shared/cli.h"

/* Prints what the last of the words behind `halfarrow` may be, a line each. */
void completion_print(const cli_command *commands, size_t n, int n_words, char **words);

#endif
