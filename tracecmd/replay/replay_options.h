/* SPDX-License-Identifier: GPL-2.0 */
/*
 * replay_options.h - the command line of `trace-cmd hist replay`
 */
#ifndef TRACECMD_REPLAY_REPLAY_OPTIONS_H
#define TRACECMD_REPLAY_REPLAY_OPTIONS_H

#include "tracecmd/plan/plan.h"

struct replay_options {
	struct plan
		plan; /* first, for plan_apply_option(); output NULL: print the report instead */
	const char *file;
	const char *buffer; /* name; NULL: see choose_buffer() in replay.c */
	unsigned int threads; /* 0: one for each CPU of this machine */
};

/* Parse like record_options_parse(). Call plan_clear() in any case. */
int replay_options_parse(struct replay_options *o, int argc, char **argv);

#endif
