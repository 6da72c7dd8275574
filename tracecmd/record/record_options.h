/* SPDX-License-Identifier: GPL-2.0 */
/*
 * record_options.h - the command line of `trace-cmd hist record`
 */
#ifndef TRACECMD_RECORD_RECORD_OPTIONS_H
#define TRACECMD_RECORD_RECORD_OPTIONS_H

#include "tracecmd/plan/plan.h"

/*
 * record_options_parse - parse the command line into a plan
 * @argv: argv[0] is "record". Strings of the plan point into @argv.
 * 0; 1 if help was printed; -EINVAL after a message on stderr; -ENOMEM.
 * Call plan_clear() in any case.
 */
int record_options_parse(struct plan *plan, int argc, char **argv);

#endif
