/* SPDX-License-Identifier: GPL-2.0 */
/*
 * preset.h - recipes found by name, and put into a plan
 *
 * A preset is a recipe file NAME.recipe (recipe.h).  Looked for, in this order,
 * in $XDG_CONFIG_HOME/trace-cmd-hist/recipes (~/.config without that), in
 * ../share/trace-cmd-hist/recipes as seen from the program (which is right in
 * the build tree and where it is installed), and in the directory it was
 * configured to be installed in.  The first file of a name is the one.
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
 * Strings are good until @show returns; a result other than 0 ends the list and
 * is returned.  @error: what is wrong with the file, or NULL; then @recipe is
 * NULL.  Directories that are not there are no error.
 */
int preset_list(int (*show)(const char *name, const char *path, const struct recipe *recipe,
			    const char *error, void *data),
		void *data);

/*
 * preset_missing - whether the target lacks what @what, a line of needs:, says
 * @engine: our engine counts, so that the kernel needs no hist triggers and no synthetic events.
 * 1 and the reason in @why; 0: it is there; -errno.
 */
int preset_missing(struct hist_target *t, const char *what, bool engine, char *why, size_t why_len);

/*
 * preset_add - the options of "NAME[:ARG]", or of a file "./FILE[:ARG]", into the plan
 * -EINVAL, -ENOENT or what reading the file gave, after a message on stderr;
 * -ENOMEM.
 */
int preset_add(struct plan *plan, const char *spec);

#endif
