/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scene as a user would write it. */
#ifndef BENCH_MODEL_TEXT_H
#define BENCH_MODEL_TEXT_H

#include "bench/bench_scene.h"

#include <stddef.h>

/* The scene as a model file with units: bodies B0, B1, ..., hinges J0, ..., springs S0, ...; to be
   freed with free(), NULL without memory. */
char *bench_model_text(const scene *s, size_t *length);

#endif
