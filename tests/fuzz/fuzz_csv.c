/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any bytes are a table of results in CSV or an error, never a crash. */
#include <config.h>

#include "tests/fuzz/fuzz_result.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_result(ha__result_parse_csv, data, size);
}
