/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names, sentences and exit statuses of the status codes, all expanded from status.def. */
#include <config.h>

#include "lib/status.h"

typedef struct {
    ha_status status;
    int exit_status;
    const char *name;
    const char *sentence;
} row;

static const row rows[] = {
#define X(name, value, exit_status, sentence) { name, exit_status, #name, sentence },
#include "lib/status.def"
#undef X
};

static const row unknown = { HA_ERR_INTERNAL, 3, "unknown", "an unknown status code" };

static const row *find(ha_status status)
{
    for (unsigned i = 0; i < HA_COUNT(rows); i++) {
        if (rows[i].status == status) {
            return &rows[i];
        }
    }
    return &unknown;
}

const char *ha_status_text(ha_status status)
{
    return find(status)->sentence;
}

const char *ha_status_name(ha_status status)
{
    return find(status)->name;
}

int ha_status_exit(ha_status status)
{
    return find(status)->exit_status;
}
