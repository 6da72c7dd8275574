/* SPDX-License-Identifier: GPL-2.0 */
/*
 * function_names.h - find the kernel functions that match the globs of an option
 *
 * The functions are those of available_filter_functions of the target; in a recording, those with
 * a name.
 */
#ifndef TRACECMD_SESSION_FUNCTION_NAMES_H
#define TRACECMD_SESSION_FUNCTION_NAMES_H

#include <stdbool.h>

#include "helper/local/target.h"

#define FUNCTION_GLOBS_MAX 32

struct function_names {
	char *text; /* copy of the option's value, split into globs */
	const char *globs[FUNCTION_GLOBS_MAX];
	unsigned int nglobs;
	bool usecs; /* the unit of a latency */
	struct target_buf list;
	const char **names; /* of the functions that match, in @list */
	unsigned int n;
	unsigned int nambiguous; /* left out of @names: several functions have the name */
};

/*
 * function_names_parse - parse "GLOB[,GLOB]..." or, with @has_unit, "GLOB[,GLOB]...[:UNIT]"
 * 0; -EINVAL after a message, which begins with @option; -ENOMEM.
 * Call function_names_clear() in any case.
 */
int function_names_parse(struct function_names *f, const char *option, const char *text,
			 bool has_unit);

/*
 * function_names_read - read the list of the target, and find the functions that match
 * Removes globs whose functions all match another glob. -EINVAL after a message: a glob matches
 * no function. -errno of the read, after a message; -ENOMEM.
 */
int function_names_read(struct function_names *f, const char *option, struct hist_target *t);

/* Check that no function matches two globs, as two probes would count it twice. -EINVAL. */
int function_names_check_overlap(const struct function_names *f, const char *option);

/* True if a glob is "*". */
bool function_names_are_all(const struct function_names *f);

/* True if @glob is the name of one function. */
bool function_names_is_name(const char *glob);

void function_names_clear(struct function_names *f);

#endif
