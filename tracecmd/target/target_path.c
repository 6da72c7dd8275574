// SPDX-License-Identifier: GPL-2.0
/*
 * target_path.c - operations on a path that printf() makes
 */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "helper/local/target.h"
#include "tracecmd/target/target_path.h"

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

int target_pagesf(struct hist_target *t, size_t most, struct target_buf *buf, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list args;
	int ret;

	va_start(args, fmt);
	ret = make_path(path, fmt, args);
	va_end(args);
	return ret ? ret : t->ops->pages(t, path, most, buf);
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

int target_writef(struct hist_target *t, const char *text, bool append, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list args;
	int ret;

	va_start(args, fmt);
	ret = make_path(path, fmt, args);
	va_end(args);
	return ret ? ret : target_write_str(t, path, text, append);
}
