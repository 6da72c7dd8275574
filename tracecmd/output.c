// SPDX-License-Identifier: GPL-2.0
/*
 * output.c - make, name and fill the output file
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "output.h"

/* What O_TMPFILE is not to be had for: a name, to be renamed later. */
static int open_named(struct output *o)
{
	mode_t mask = umask(0);

	umask(mask);
	if (asprintf(&o->temporary, "%s.XXXXXX", o->path) < 0) {
		o->temporary = NULL;
		return -ENOMEM;
	}
	o->fd = mkostemp(o->temporary, O_CLOEXEC);
	if (o->fd < 0) {
		free(o->temporary);
		o->temporary = NULL;
		return -errno;
	}
	return fchmod(o->fd, 0666 & ~mask) ? -errno : 0;
}

/* 1: @path is there already, and a file that we may write to. */
static int look(const char *path)
{
	struct stat st;
	char *copy;
	int ret;

	if (!stat(path, &st)) {
		if (!S_ISREG(st.st_mode)) {
			complain("%s: not a regular file", path);
			return -EINVAL;
		}
		return access(path, W_OK) ? complain_errno(path, -errno) : 1;
	}
	copy = strdup(path);
	if (!copy)
		return complain_errno(path, -ENOMEM);
	ret = access(dirname(copy), W_OK | X_OK) ? complain_errno(path, -errno) : 0;
	free(copy);
	return ret;
}

int output_look(const char *path)
{
	int ret = look(path);

	return ret < 0 ? ret : 0;
}

int output_open(struct output *o, const char *path)
{
	char *copy, resolved[PATH_MAX];
	int ret;

	memset(o, 0, sizeof(*o));
	o->fd = -1;
	ret = look(path);
	if (ret < 0)
		return ret;
	if (ret) {
		if (!realpath(path, resolved))
			return complain_errno(path, -errno);
		path = resolved;
	}
	o->path = strdup(path);
	copy = strdup(path);
	if (!o->path || !copy) {
		free(copy);
		return complain_errno(path, -ENOMEM);
	}
	o->fd = open(dirname(copy), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
	free(copy);
	ret = 0;
	if (o->fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
		ret = open_named(o);
	else if (o->fd < 0)
		ret = -errno;
	return ret ? complain_errno(path, ret) : 0;
}

int output_begin(struct output *o, const struct tracedat_contents *contents)
{
	int ret = tracedat_create(&o->dat, o->fd, contents);

	if (!ret)
		ret = hist_series_writer_new(&o->series, o->dat);
	return ret ? complain_errno(o->path, ret) : 0;
}

/*
 * Where there is no older file linkat(2) puts ours in its place; an older one it does not
 * replace, as rename(2) does, so there it takes two steps.
 */
int output_publish(struct output *o)
{
	char proc[64];
	int ret;

	if (o->named)
		return 0;
	if (!o->temporary) {
		snprintf(proc, sizeof(proc), "/proc/self/fd/%d", o->fd);
		if (!linkat(AT_FDCWD, proc, AT_FDCWD, o->path, AT_SYMLINK_FOLLOW)) {
			o->named = true;
			return 0;
		}
		if (asprintf(&o->temporary, "%s.%d", o->path, getpid()) < 0) {
			o->temporary = NULL;
			return complain_errno(o->path, -ENOMEM);
		}
		if (linkat(AT_FDCWD, proc, AT_FDCWD, o->temporary, AT_SYMLINK_FOLLOW)) {
			ret = -errno;
			free(o->temporary);
			o->temporary = NULL;
			return complain_errno(o->path, ret);
		}
	}
	if (rename(o->temporary, o->path))
		return complain_errno(o->path, -errno);
	free(o->temporary);
	o->temporary = NULL;
	o->named = true;
	return 0;
}

/* All snapshots of histogram @hist of @from into @to. */
static int copy_hist(struct hist_series *from, unsigned int hist, struct hist_series_writer *to,
		     struct hist_cursor **cursor)
{
	const struct hist_series_info *info = hist_series_info(from, hist);
	const struct hist_snapshot *snap;
	int ret, number;

	ret = hist_cursor_open(cursor, from, hist, info->first_seq);
	if (ret)
		return ret;
	/* the writer looks at the table, which lives as long as the cursor */
	number = hist_series_define(to, &info->def,
				    (struct hist_table *)hist_cursor_table(*cursor));
	if (number < 0)
		return number;
	while ((ret = hist_cursor_next(*cursor, &snap)) == 1) {
		ret = hist_series_add(to, number, snap);
		if (ret)
			return ret;
	}
	return ret;
}

int output_join(struct output *o, const char *events_file, const char *buffer)
{
	struct hist_series_writer *to = NULL;
	struct tracedat_writer *dat = NULL;
	struct hist_cursor **cursors = NULL;
	struct hist_series *from = NULL;
	unsigned int i, n = 0;
	char why[256];
	int fd, ret;

	fd = open(events_file, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return complain_errno(events_file, -errno);
	ret = hist_series_open(&from, o->path, why, sizeof(why));
	if (ret) {
		complain("%s: %s", o->path, why);
		goto out;
	}
	ret = tracedat_attach(&dat, fd);
	/* linked first, so that each section counts as soon as it is there */
	if (!ret)
		ret = buffer ? tracedat_link_top(dat, buffer) : -ENOENT;
	/* an older or newer stock trace-cmd may arrange its file in another way */
	if (ret == -ENOENT)
		ret = tracedat_link(dat);
	if (!ret)
		ret = hist_series_writer_new(&to, dat);
	if (!ret) {
		n = hist_series_count(from);
		cursors = calloc(n, sizeof(struct hist_cursor *));
		ret = cursors ? 0 : -ENOMEM;
	}
	for (i = 0; i < n && !ret; i++)
		ret = copy_hist(from, i, to, &cursors[i]);
	if (!ret)
		ret = hist_series_finish(to);
	if (!ret && rename(events_file, o->path))
		ret = -errno;
	if (ret)
		complain_errno(events_file, ret);
out:
	hist_series_writer_free(to);
	for (i = 0; i < n && cursors; i++)
		hist_cursor_free(cursors[i]);
	free(cursors);
	tracedat_writer_free(dat);
	hist_series_free(from);
	close(fd);
	return ret;
}

void output_clear(struct output *o)
{
	hist_series_writer_free(o->series);
	tracedat_writer_free(o->dat);
	if (o->fd >= 0)
		close(o->fd);
	if (o->temporary)
		unlink(o->temporary);
	free(o->temporary);
	free(o->path);
	memset(o, 0, sizeof(*o));
	o->fd = -1;
}
