/* SPDX-License-Identifier: GPL-2.0 */
/*
 * replay_options.h - the command line of `trace-cmd hist replay`
 */
#ifndef TRACECMD_REPLAY_REPLAY_OPTIONS_H
#define TRACECMD_REPLAY_REPLAY_OPTIONS_H

#include "tracecmd/plan/plan.h"

struct replay_options {
	struct plan plan; /* output NULL: the report is printed instead */
	const char *file;
	const char *buffer; /* name of one; NULL: the one that has events */
	unsigned int threads; /* 0: one for each CPU here */
};

/* As record_options(); plan_clear() of its plan in every case. */
int replay_options(struct replay_options *o, int argc, char **argv);

#endif
