/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * preset_find.h - find presets by name or alias
 *
 * A preset is a recipe (recipe.h). Its text is part of the program (builtin_recipes), or a file
 * NAME.recipe. The directories of files are searched in this order:
 * $XDG_CONFIG_HOME/trace-cmd-hist/recipes (~/.config if that is unset);
 * ../share/trace-cmd-hist/recipes relative to the program; the configured installation directory.
 * The first file with the name is used, and replaces the preset in the program.
 *
 * Functions return 0 or -errno.
 */
#ifndef LIB_PRESET_PRESET_FIND_H
#define LIB_PRESET_PRESET_FIND_H

#include "lib/preset/recipe.h"
#include "lib/base/error.h"

/* A preset owns its strings.  Begin with all zero. */
struct preset {
	char *name;
	char *path; /* of its file; NULL: the preset is part of the program */
	char *text; /* of the recipe, not terminated; NULL if the file cannot be read */
	size_t len;
	struct recipe *recipe; /* NULL: @error describes what is wrong with the text */
	struct hist_error error;
};

/*
 * preset_list - call @show for each preset, in the order of the names
 * @preset is valid until @show returns. A result other than 0 ends the list and is returned.
 * A missing directory is not an error.
 */
int preset_list(int (*show)(const struct preset *preset, void *data), void *data);

/*
 * preset_open - load the preset with the name or alias @name, or the file @name if it has a slash
 * -ENOENT: there is no such preset. A name is preferred to an alias.
 */
int preset_open(struct preset *p, const char *name);
void preset_close(struct preset *p);

/*
 * Write the sentence for a @name that preset_open() does not know, with a near name or the reason.
 * 512 bytes are enough for a name of usual length.
 */
void preset_refuse_name(const char *name, struct hist_error *error);

/* Tools of bcc and bpftrace that no preset replaces, for one reason. */
struct preset_absent {
	const char *tools; /* names, separated by blanks */
	const char *reason;
	const char *hint;
};

extern const struct preset_absent preset_absents[];
extern const size_t preset_absents_count;

/* The entry that has the tool @name, or NULL. */
const struct preset_absent *preset_find_absent(const char *name);

#endif
