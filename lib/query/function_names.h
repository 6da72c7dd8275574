/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * function_names.h - find the kernel functions that match the globs of an option
 *
 * The functions are those that the source lists: available_filter_functions of a machine; in a
 * recording, those with a name.
 */
#ifndef LIB_QUERY_FUNCTION_NAMES_H
#define LIB_QUERY_FUNCTION_NAMES_H

#include <stdbool.h>

#include "lib/query/source.h"

#define FUNCTION_GLOBS_MAX 32

struct function_names {
	char *text; /* copy of the option's value, split into globs */
	const char *globs[FUNCTION_GLOBS_MAX];
	unsigned int nglobs;
	bool usecs; /* the unit of a latency */
	char *list; /* a string for each function, one behind the other */
	size_t list_len;
	const char **names; /* of the functions that match, in @list */
	unsigned int n;
	unsigned int nambiguous; /* left out of @names: several functions have the name */
};

/*
 * function_names_parse - parse "GLOB[,GLOB]..." or, with @has_unit, "GLOB[,GLOB]...[:UNIT]"
 * 0; -EINVAL with @refusal, which begins with @option; -ENOMEM.
 * Call function_names_clear() in any case.
 */
int function_names_parse(struct function_names *f, const char *option, const char *text,
			 bool has_unit, struct query_refusal *refusal);

/*
 * function_names_read - read the list of the source, and find the functions that match
 * Removes globs whose functions all match another glob.  A glob of a recording that matches nothing
 * is a note of @query, if another matches.  @query: NULL for a machine, of which nothing is noted.  -EINVAL with @refusal: a glob matches no function.
 * -errno of the read, with @refusal; -ENOMEM.
 */
int function_names_read(struct function_names *f, const char *option, struct query *query,
			const struct query_source *source, struct query_refusal *refusal);

/* Check that no function matches two globs, as two probes would count it twice. -EINVAL. */
int function_names_check_overlap(const struct function_names *f, const char *option,
				 struct query_refusal *refusal);

/* True if a glob is "*". */
bool function_names_are_all(const struct function_names *f);

/* True if @glob is the name of one function. */
bool function_names_is_name(const char *glob);

void function_names_clear(struct function_names *f);

#endif
