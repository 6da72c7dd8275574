/* SPDX-License-Identifier: GPL-2.0 */
/*
 * record_options.h - the command line of `trace-cmd hist record`
 */
#ifndef TRACECMD_RECORD_RECORD_OPTIONS_H
#define TRACECMD_RECORD_RECORD_OPTIONS_H

#include "tracecmd/plan/plan.h"

/*
 * record_options - a plan from the command line; argv[0] is "record"
 * Strings point into @argv.  0; 1 when help was printed; -EINVAL after a
 * message on stderr; -ENOMEM.  plan_clear() in every case.
 */
int record_options(struct plan *plan, int argc, char **argv);

#endif
