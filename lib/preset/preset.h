/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * preset.h - add presets to a query
 *
 * preset_find.h tells where presets come from.
 */
#ifndef LIB_PRESET_PRESET_H
#define LIB_PRESET_PRESET_H

#include <stddef.h>

#include "lib/query/query.h"
#include "lib/base/error.h"

/*
 * Add an option of a recipe that query_option_apply() does not know.  Returns as that function
 * does.
 */
typedef int preset_option(struct query *query, const char *name, const char *value,
			  struct hist_error *error);

/*
 * preset_add - add the needs and options of preset "NAME[:ARG]" or file "./FILE[:ARG]" to @query
 * @other adds the options of probes; NULL: they are refused, as replay does.  0; -EINVAL, -ENOENT
 * or the error of a read, with a sentence in @error; -ENOMEM.
 */
int preset_add(struct query *query, const char *spec, preset_option *other,
	       struct hist_error *error);

#endif
