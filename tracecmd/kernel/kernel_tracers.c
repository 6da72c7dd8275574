// SPDX-License-Identifier: GPL-2.0
/*
 * target_tracers.c - the tracers of a target, and the files that set them up
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/text.h"
#include "tracecmd/kernel/event_suggest.h"
#include "tracecmd/kernel/kernel_tracers.h"
#include "tracecmd/target/target_path.h"

int kernel_tracer_exists(struct hist_target *t, const char *name, bool *exists)
{
	struct target_buf buf = { 0 };
	char *at, *word;
	int ret = t->ops->read(t, "available_tracers", &buf);

	*exists = false;
	for (at = ret ? NULL : buf.data; at && (word = strsep(&at, " \n"));)
		*exists |= !strcmp(word, name);
	free(buf.data);
	return ret;
}

bool kernel_graph_has_instances(const struct hist_target *t)
{
	unsigned int major, minor;

	/* "Linux HOST 6.12.1 ..." */
	return t->uname && sscanf(t->uname, "%*s %*s %u.%u", &major, &minor) == 2 &&
	       (major > 6 || (major == 6 && minor >= 11));
}

/* These tracers use neither tracing_thresh nor files outside of the instance. */
static bool is_independent(const char *tracer, size_t len)
{
	return !len || text_equals(tracer, len, "nop") || text_equals(tracer, len, "function") ||
	       text_equals(tracer, len, "blk") || text_equals(tracer, len, "mmiotrace");
}

/* *@where and *@tracer are set if the tracer in @dir is not independent. */
static int look_at(struct hist_target *t, const char *dir, const char *name, char **where,
		   char **tracer)
{
	struct target_buf buf = { 0 };
	int ret = target_readf(t, &buf, "%scurrent_tracer", dir);
	size_t len = ret ? 0 : strcspn(buf.data, "\n");

	if (!is_independent(buf.data, len)) {
		*tracer = strndup(buf.data, len);
		if (asprintf(where, *name ? "instance %s" : "the top-level instance%s", name) < 0)
			*where = NULL;
		if (!*where || !*tracer) {
			free(*where);
			free(*tracer);
			*where = *tracer = NULL;
			ret = -ENOMEM;
		}
	}
	free(buf.data);
	/* an instance can disappear */
	return ret == -ENOENT || ret == -ENODEV ? 0 : ret;
}

int kernel_find_tracer_user(struct hist_target *t, char **where, char **tracer)
{
	char dir[TARGET_PATH_MAX];
	struct target_buf buf = { 0 };
	const char **names;
	size_t n = 0, i;
	int ret;

	*where = *tracer = NULL;
	ret = look_at(t, "", "", where, tracer);
	names = ret || *where ? NULL : kernel_list_entries(t, "instances", &buf, &n);
	for (i = 0; names && i < n && !ret && !*where; i++) {
		snprintf(dir, sizeof(dir), "instances/%s/", names[i]);
		ret = look_at(t, dir, names[i], where, tracer);
	}
	free(names);
	free(buf.data);
	return ret;
}

int kernel_setting_is(struct hist_target *t, const char *file, const char *value, bool *is)
{
	struct target_buf buf = { 0 };
	int ret = t->ops->read(t, file, &buf);
	char *chosen = NULL;

	*is = false;
	if (!ret) {
		buf.data[strcspn(buf.data, "\n")] = '\0';
		chosen = target_parse_clock(buf.data);
		*is = !strcmp(chosen ? chosen : buf.data, value);
	}
	free(chosen);
	free(buf.data);
	return ret;
}
