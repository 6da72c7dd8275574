/* SPDX-License-Identifier: GPL-2.0 */
/*
 * top_options.h - parse the command line of `trace-cmd hist top`
 */
#ifndef TRACECMD_TOP_TOP_OPTIONS_H
#define TRACECMD_TOP_TOP_OPTIONS_H

#include "tracecmd/base/options.h"
#include "tracecmd/plan/plan.h"
#include "tracecmd/top/top_model.h"

struct top_options {
	struct plan plan; /* first, for plan_option_rows */
	struct option_words attach; /* "[INSTANCE/]SYS:EVENT"; strings are argv's */
	uint64_t count; /* refreshes; 0: no limit */
	bool raw_names;
	bool batch;
	enum top_view view;
	const char *sort; /* NULL: the default of the keys */
};

/*
 * top_options_parse - parse the command line; argv[0] is "top"
 * 0; 1 after the help was printed; -errno after a message on stderr.
 * Call top_options_clear() in any case.
 */
int top_options_parse(struct top_options *o, int argc, char **argv);
void top_options_clear(struct top_options *o);

#endif
