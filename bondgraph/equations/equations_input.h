/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names that inputs of a linearisation may have. */
#ifndef BONDGRAPH_EQUATIONS_INPUT_H
#define BONDGRAPH_EQUATIONS_INPUT_H

#include "bondgraph/causality.h"

#include <stddef.h>

/* The next of them, `*i` from 0 on: elements, then parameters; NULL: no more. Borrowed. */
const char *bg__input_name(const bg_causality *causality, size_t *i);

#endif
