/* SPDX-License-Identifier: GPL-2.0 */
/*
 * diff_options.h - the command line of `trace-cmd hist diff`
 */
#ifndef TRACECMD_DIFF_DIFF_OPTIONS_H
#define TRACECMD_DIFF_DIFF_OPTIONS_H

#include "lib/diff/diff.h"
#include "lib/diff/view_diff.h"
#include "tracecmd/base/options.h"

/* Default of --percentiles. */
#define DIFF_QUANTILES "50,90,99"

struct diff_options {
	struct hist_side base, new_;
	struct hist_compare_options compare;
	const char *thresholds; /* a file, or NULL */
	const char *metric; /* the only metric to judge, or NULL */
	unsigned int format; /* in the order of its names in the help */
	bool strict;
	const char *out; /* NULL: standard output */
	/* private */
	struct option_words files, events;
};

/*
 * diff_options_parse - parse the command line
 * Strings point into @argv.  Returns 0, 1 after -h printed the help, or -errno after a message.
 */
int diff_options_parse(struct diff_options *o, int argc, char **argv);
void diff_options_clear(struct diff_options *o);

#endif
