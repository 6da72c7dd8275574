// SPDX-License-Identifier: GPL-2.0
/*
 * record_name.c - file names for the recordings of several targets
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracecmd/record/record_name.h"
#include "tracecmd/remote/target_url.h"

/* The name of a target in a form that is valid in a file name. */
static char *name_of(const char *text)
{
	struct target_url url;
	char why[64], *name = NULL, *c;

	if (!target_url_parse(&url, text, why, sizeof(why))) {
		name = url.label;
		url.label = NULL;
		for (c = name; c && *c; c++) {
			if (*c == ':' || *c == '/' || *c == '%')
				*c = '_';
		}
	}
	target_url_clear(&url);
	return name;
}

char *record_name(const struct plan *plan, unsigned int i)
{
	char *name = name_of(plan->targets[i]), *other, *output = NULL, number[16] = "";
	const char *slash = strrchr(plan->output, '/');
	const char *dot = strrchr(slash ? slash + 1 : plan->output, '.');
	unsigned int j, same = 0, before = 0;

	/* ".dat" is a name, not a suffix */
	if (!dot || dot == plan->output || dot[-1] == '/')
		dot = plan->output + strlen(plan->output);
	for (j = 0; name && j < plan->ntargets; j++) {
		other = name_of(plan->targets[j]);
		if (other && !strcmp(other, name)) {
			same++;
			before += j < i;
		}
		free(other);
	}
	if (same > 1)
		snprintf(number, sizeof(number), "-%u", before + 1);
	if (name && asprintf(&output, "%.*s.%s%s%s", (int)(dot - plan->output), plan->output, name,
			     number, dot) < 0)
		output = NULL;
	free(name);
	return output;
}
