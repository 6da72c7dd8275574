/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * function_names.h - find the kernel functions that match the globs of an option
 *
 * The functions are those that the source lists: available_filter_functions of a machine; in a
 * recording, those with a name.
 *
 * A function of a module is "MODULE:FUNCTION", as in kprobe_events.  set_ftrace_filter has another
 * form for it, and fprobe events have none.  A name without a module is that of all functions with
 * this name: a tracer and an fprobe count each of them, but a kprobe needs a unique name.
 */
#ifndef LIB_QUERY_FUNCTION_NAMES_H
#define LIB_QUERY_FUNCTION_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/strbuf.h"
#include "lib/query/source.h"

#define FUNCTION_GLOBS_MAX 32

/* A pattern of functions, "vfs_*" or "ext4:ext4_*". */
struct function_glob {
	const char *text;   /* as the user wrote it */
	const char *
		module; /* a pattern of modules; NULL: functions of the kernel and of all modules */
	const char *name;
	bool is_name; /* of one function: no pattern */
};

struct function_name {
	const char *name;
	const char *module; /* NULL: of the kernel itself */
	bool is_shared;	    /* another function has the same name */
	bool is_double;	    /* another function of the same module has it */
};

struct function_names {
	char *text; /* copy of the option's value, split into globs */
	char *parts; /* a copy of each glob, split into module and name */
	struct function_glob globs[FUNCTION_GLOBS_MAX];
	unsigned int nglobs;
	size_t globs_len; /* of the globs in the value, without ":UNIT" */
	bool is_all;	  /* a glob is "*" */
	bool has_unit; /* a unit may follow the globs */
	bool usecs; /* the unit of a latency */
	char *list; /* the text with the names, split into strings */
	struct function_name *all; /* of the list, sorted by name and module */
	unsigned int nall;
	struct function_name *names; /* those that match, except ambiguous ones */
	unsigned int n;
	unsigned int nambiguous; /* left out: no probe can name them */
	char **places; /* of function_names_find_places() */
	unsigned int nplaces;
};

/*
 * function_names_parse - parse "GLOB[,GLOB]..." or, with @has_unit, "GLOB[,GLOB]...[:UNIT]"
 * A GLOB is "FUNCTION" or "MODULE:FUNCTION".  0; -EINVAL with @refusal, which begins with @option;
 * -ENOMEM.  Call function_names_clear() in any case.
 */
int function_names_parse(struct function_names *f, const char *option, const char *text,
			 bool has_unit, struct hist_error *refusal);

/*
 * function_names_read - read the list of the source, and find the functions that match
 * Removes globs whose functions all match another glob.  A glob of a recording that matches nothing
 * is a note of @query, if another matches.  @query: NULL for a machine, of which nothing is noted.
 * -EINVAL with @refusal: a glob matches no function.  -errno of the read, with @refusal; -ENOMEM.
 */
int function_names_read(struct function_names *f, const char *option, struct query *query,
			const struct query_source *source, struct hist_error *refusal);

/*
 * function_names_find_places - list what the definitions of probes name: "vfs_*", "ext4:ext4_sync"
 * @fprobes: an fprobe has a pattern, but not a module: the names of the functions stand for a
 * pattern with a module that other modules match too.  Set to false if such a name is not unique,
 * so that kprobes are needed; a kprobe has one function, and can name its module.  0 or -ENOMEM.
 */
int function_names_find_places(struct function_names *f, bool *fprobes);

/* Check that no function matches two globs, as two probes would count it twice. -EINVAL. */
int function_names_check_overlap(const struct function_names *f, const char *option,
				 struct hist_error *refusal);

/*
 * function_names_look_up - is a function or "MODULE:FUNCTION" in the text of
 * available_filter_functions?
 * @list: malloc'ed, taken over.  *@near: if not, the nearest name, malloc'ed; NULL: none.
 */
bool function_names_look_up(char *list, const char *symbol, char **near);

void function_names_clear(struct function_names *f);

#endif
