/* SPDX-License-Identifier: GPL-2.0 */
/*
 * preset.h - find presets by name, and add them to a plan
 *
 * A preset is a recipe file NAME.recipe (recipe.h). The directories are searched in this order:
 * $XDG_CONFIG_HOME/trace-cmd-hist/recipes (~/.config if that is unset);
 * ../share/trace-cmd-hist/recipes relative to the program, which works in the build tree and after
 * installation; the configured installation directory. The first file with the name is used.
 *
 * Functions return 0 or -errno.
 */
#ifndef TRACECMD_PLAN_PRESET_H
#define TRACECMD_PLAN_PRESET_H

#include <stdbool.h>

#include "target/local/target.h"
#include "tracecmd/plan/plan.h"
#include "tracecmd/plan/recipe.h"

/*
 * preset_list - call @show for each preset, in the order of the names
 * Strings are valid until @show returns. A result other than 0 ends the list and is returned.
 * @error describes an invalid file, and @recipe is then NULL; otherwise @error is NULL.
 * A missing directory is not an error.
 */
int preset_list(int (*show)(const char *name, const char *path, const struct recipe *recipe,
			    const char *error, void *data),
		void *data);

/*
 * preset_find_missing - check if the target lacks the feature @what, a line of needs:
 * @engine: true if the user-space engine counts; hist triggers and synthetic events of the kernel
 * are then not needed.
 * 1 with the reason in @why if the feature is missing; 0 if it exists; -errno.
 */
int preset_find_missing(struct hist_target *t, const char *what, bool engine, char *why,
			size_t why_len);

/*
 * preset_add - add the options of preset "NAME[:ARG]" or file "./FILE[:ARG]" to the plan
 * 0; -EINVAL, -ENOENT or the error of a read, after a message on stderr; -ENOMEM.
 */
int preset_add(struct plan *plan, const char *spec);

#endif
