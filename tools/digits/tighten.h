/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of which too little would be right: repeated with a tighter tolerance. */
#ifndef TOOLS_TIGHTEN_H
#define TOOLS_TIGHTEN_H

#include "tools/digits/estimate.h"

/*
 * Estimates the digits of a run that was solved. Where these are too few, and the tolerance is the
 * one by default, the run is repeated with a hundredth of it, at most twice. `run` becomes the one
 * with the most digits, and the estimate is of that. Where a repeat fails, also for want of memory
 * or by an interrupt, the run before it stays.
 */
void tighten_run(const cli_call *cli, cli_run *run, estimate *out);

#endif
