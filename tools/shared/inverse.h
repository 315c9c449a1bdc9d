/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is told of inverse signals: how they act on their inputs. */
#ifndef TOOLS_INVERSE_H
#define TOOLS_INVERSE_H

#include "tools/shared/json.h"
#include "tools/shared/load.h"

/* A line for each signal: the derivatives that it needs and the path on which it acts. */
HA_MUST_CHECK ha_status inverse_print(const cli_model *model);

/* The same as the list `inverses`. */
HA_MUST_CHECK ha_status inverse_to_json(const cli_model *model, cli_json *json);

#endif
