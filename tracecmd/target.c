// SPDX-License-Identifier: GPL-2.0
/*
 * target.c - what is the same for every kind of target
 */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"

/* Small files fit at once; a histogram grows by doubling from here. */
#define FIRST_ROOM 4096

void target_free(struct hist_target *target)
{
	if (target)
		target->ops->free(target);
}

int target_buf_reserve(struct target_buf *buf, size_t room)
{
	size_t want = buf->room ? buf->room : FIRST_ROOM;
	char *data;

	if (room <= buf->room)
		return 0;
	while (want < room) {
		if (want > SIZE_MAX / 2)
			return -ENOMEM;
		want *= 2;
	}
	data = realloc(buf->data, want);
	if (!data)
		return -ENOMEM;
	buf->data = data;
	buf->room = want;
	return 0;
}

bool target_path_ok(const char *path)
{
	const char *part = path;

	if (path[0] == '/' || strlen(path) >= PATH_MAX)
		return false;
	for (;;) {
		size_t len = strcspn(part, "/");

		if (len == 2 && part[0] == '.' && part[1] == '.')
			return false;
		if (!part[len])
			return path[0] != '\0';
		part += len + 1;
	}
}

bool target_truncation_harms(const char *path)
{
	static const char *const names[] = { "trigger", "synthetic_events", "dynamic_events",
					     "kprobe_events", "uprobe_events", NULL };
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	int i;

	for (i = 0; names[i]; i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}

static int make_path(char *path, const char *fmt, va_list args)
{
	int len = vsnprintf(path, PATH_MAX, fmt, args);

	if (len < 0)
		return -EINVAL;
	return len < PATH_MAX ? 0 : -ENAMETOOLONG;
}

int target_readf(struct hist_target *t, struct target_buf *buf, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list args;
	int ret;

	va_start(args, fmt);
	ret = make_path(path, fmt, args);
	va_end(args);
	return ret ? ret : t->ops->read(t, path, buf);
}

int target_existsf(struct hist_target *t, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list args;
	int ret;

	va_start(args, fmt);
	ret = make_path(path, fmt, args);
	va_end(args);
	return ret ? ret : t->ops->exists(t, path);
}

int target_write_str(struct hist_target *t, const char *path, const char *text, bool append)
{
	return t->ops->write(t, path, text, strlen(text), append);
}

char *target_current_clock(const char *trace_clock_text)
{
	const char *open = strchr(trace_clock_text, '[');
	const char *end = open ? strchr(open, ']') : NULL;

	if (!end || end == open + 1)
		return NULL;
	return strndup(open + 1, end - open - 1);
}
