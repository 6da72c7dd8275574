// SPDX-License-Identifier: GPL-2.0
/*
 * event_suggest.c - suggest an event for a mistyped name
 *
 * An unknown system is reported before an unknown event, because events of another system would not
 * help.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/suggest.h"
#include "lib/check/check.h"
#include "tracecmd/kernel/event_suggest.h"
#include "tracecmd/target/target_path.h"

const char **kernel_list_entries(struct hist_target *t, const char *dir, struct target_buf *buf,
				 size_t *n)
{
	const char **names = NULL, *c;

	*n = 0;
	if (t->ops->list(t, dir, buf))
		return NULL;
	for (c = buf->data; c < buf->data + buf->len; c += strlen(c) + 1) {
		if (array_add(&names, *n, sizeof(*names)))
			break;
		names[(*n)++] = c;
	}
	return names;
}

bool event_suggest_nearest(struct hist_target *t, const char *system, const char *name, char *near,
			   size_t size)
{
	struct target_buf buf = { 0 };
	const char **names, *found;
	char dir[256] = "events";
	bool has_system;
	size_t n;

	has_system = target_existsf(t, "events/%s/enable", system) > 0;
	if (has_system)
		snprintf(dir, sizeof(dir), "events/%s", system);
	names = kernel_list_entries(t, dir, &buf, &n);
	found = names ? hist_suggest(has_system ? name : system, names, n) : NULL;
	snprintf(near, size, "%s", found ? found : "");
	free(names);
	free(buf.data);
	return has_system;
}
