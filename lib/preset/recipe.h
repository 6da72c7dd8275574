/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * recipe.h - parse a recipe, the file of a preset
 *
 * The format is described in trace-cmd-hist-recipe(5). The parser only processes text: it does not
 * access files or the target. The recipe owns all its strings.
 */
#ifndef LIB_PRESET_RECIPE_H
#define LIB_PRESET_RECIPE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/names.h"
#include "lib/base/error.h"

/* "-e sched:sched_switch", "--latency A:k..B:k", as on the command line. */
struct recipe_option {
	char *name;	    /* "-e", "--latency" */
	char *value;	    /* the rest of the line, "$ARG" not yet replaced */
	bool with_argument; /* a line with '?': used only if there is an argument */
	unsigned int line;
};

/* A name by which people know the same measurement from another tool. */
struct recipe_alias {
	char *name;  /* "biolatency" */
	char *tools; /* "bcc, bpftrace"; or NULL */
};

struct recipe {
	char *summary;	   /* the first comment line */
	char *explanation; /* other comment lines of the head, separated by '\n'; or "" */
	size_t explanation_len;
	char *argument;	   /* name of the argument for users: "TASK"; NULL: no argument */
	char *argument_default; /* or NULL */
	char *since;		/* or NULL */
	struct names needs;	/* "event SYS:EVENT", "hist", "synthetic", "kprobes" */
	/* "event SYS:EVENT" or "event SYS:EVENT = TEXT": TEXT is true without the event */
	struct names optional;
	struct names captured;	/* "SYS:EVENT": events of episodes, for --threshold */
	bool unmatched_starts, unmatched_ends; /* they are normal in its latencies */
	struct recipe_alias *aliases;
	unsigned int naliases;
	struct recipe_option *options;
	unsigned int noptions;
};

/*
 * recipe_parse - parse @text
 * 0; -EINVAL with @error (the line number and the problem, perhaps with a hint) if @text is not a
 * recipe; -ENOMEM.
 * *@recipe is set only on success.
 */
int recipe_parse(struct recipe **recipe, const char *text, size_t len, struct hist_error *error);

/*
 * recipe_expand_value - the value of @option with "$ARG" and "$1" replaced
 * @argument: NULL for the default.
 * 0, with the malloc'ed *@value; -E2BIG: it would be longer than HIST_TEXT_MAX (lib/expr/expr.h),
 * which no kernel takes; -ENOMEM.
 */
int recipe_expand_value(char **value, const struct recipe *recipe,
			const struct recipe_option *option, const char *argument);

/* True if the recipe does nothing without an argument: all its lines begin with '?'. */
bool recipe_needs_argument(const struct recipe *recipe);

/*
 * recipe_is_name - true if @name can be the name or alias of a preset
 * Letters, digits, '-' and '_', at most 63, no '-' at the start.
 */
bool recipe_is_name(const char *name);

/* @recipe may be NULL. */
void recipe_free(struct recipe *recipe);

/* A recipe that is part of the program, embedded by scripts/embed.cmake. */
struct builtin_recipe {
	const char *name;	   /* of the preset */
	const unsigned char *text; /* of the file, not terminated */
	size_t len;
};

/* Sorted by name. */
extern const struct builtin_recipe builtin_recipes[];
extern const size_t builtin_recipes_count;

#endif
