// SPDX-License-Identifier: GPL-2.0
/*
 * rotating_output.c - sink that writes the recording to a sequence of trace.dat files
 *
 * The current file ends before the next one begins, and the next one gets its name before the
 * oldest is removed.  A recorder that is killed in between leaves whole files, at most one more
 * than it should keep; the next recording removes that one.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/base/unique_name.h"
#include "tracecmd/output/rotating_output.h"

/* A name has at least this many digits. */
#define DIGITS 5
#define DIGITS_MAX 18

static struct rotating_output *rotating_output(struct sink *s)
{
	return (struct rotating_output *)s;
}

static char *make_path(const char *path, uint64_t number)
{
	const char *suffix = file_place_suffix(path);
	char *name;

	if (asprintf(&name, "%.*s.%0*llu%s", (int)(suffix - path), path, DIGITS,
		     (unsigned long long)number, suffix) < 0)
		return NULL;
	return name;
}

char *rotating_output_pattern(const char *path)
{
	const char *suffix = file_place_suffix(path);
	char *pattern;

	if (asprintf(&pattern, "%.*s.[0-9]*%s", (int)(suffix - path), path, suffix) < 0)
		return NULL;
	return pattern;
}

/* The number of the file @name of the sequence of @path, which has no directory; 0: none. */
static uint64_t find_number(const char *path, const char *name)
{
	const char *suffix = file_place_suffix(path);
	size_t len = suffix - path, digits;

	if (strncmp(name, path, len) || name[len] != '.')
		return 0;
	name += len + 1;
	digits = strspn(name, "0123456789");
	if (digits < DIGITS || digits > DIGITS_MAX || (digits > DIGITS && *name == '0') ||
	    strcmp(name + digits, suffix))
		return 0;
	return strtoull(name, NULL, 10);
}

/* List the numbers of the existing files in ascending order; *@numbers is malloc'ed. */
static int list_numbers(const char *path, uint64_t **numbers, unsigned int *n)
{
	const char *slash = strrchr(path, '/');
	char *dir = slash ? strndup(path, slash - path + 1) : strdup(".");
	DIR *d = dir ? opendir(dir) : NULL;
	uint64_t *list = NULL, number;
	struct dirent *entry;
	unsigned int found = 0;
	int ret = 0;

	if (!dir || !d)
		ret = dir ? message_error_errno(dir, -errno) : message_error_memory();
	while (!ret && (entry = readdir(d))) {
		number = find_number(slash ? slash + 1 : path, entry->d_name);
		if (!number)
			continue;
		if (array_add(&list, found, sizeof(*list)))
			ret = message_error_memory();
		else
			list[found++] = number;
	}
	if (d)
		closedir(d);
	free(dir);
	if (ret) {
		free(list);
		return ret;
	}
	if (found)
		qsort(list, found, sizeof(*list), array_compare_u64);
	*numbers = list;
	*n = found;
	return 0;
}

/* The path of the next file or, with @back, of the last one, malloc'ed; NULL: no last one. */
static int make_next_path(const struct rotating_output *o, bool back, char **path)
{
	uint64_t *numbers;
	unsigned int n;
	int ret = list_numbers(o->path, &numbers, &n);

	*path = NULL;
	if (ret)
		return ret;
	if (n || !back) {
		*path = make_path(o->path, (n ? numbers[n - 1] : 0) + !back);
		ret = *path ? 0 : message_error_memory();
	}
	free(numbers);
	return ret;
}

/* True if --rotate wrote the file @fd at @path, and no program writes it now. */
static bool is_removable(int fd, const char *path)
{
	struct tracedat_reader *dat = NULL;
	bool ours = !tracedat_open(&dat, path, NULL) && tracedat_trace_id(dat);

	tracedat_reader_free(dat);
	return ours && (!flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK);
}

static void remove_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return;
	if (is_removable(fd, path) && unlink(path) && errno != ENOENT)
		message_warning("%s: cannot remove the old file: %s", path, strerror(errno));
	close(fd);
}

static int remove_oldest(const struct rotating_output *o)
{
	uint64_t *numbers;
	unsigned int n, i;
	char *path;
	int ret;

	if (!o->rotation->keep)
		return 0;
	ret = list_numbers(o->path, &numbers, &n);
	if (ret)
		return ret;
	for (i = 0; i + o->rotation->keep < n && !ret; i++) {
		path = make_path(o->path, numbers[i]);
		if (path)
			remove_file(path);
		else
			ret = message_error_memory();
		free(path);
	}
	free(numbers);
	return ret;
}

static int rotating_check(struct sink *s)
{
	char *path;
	int ret;

	/* the last file is locked while another recorder writes it */
	ret = make_next_path(rotating_output(s), true, &path);
	if (!ret && path)
		ret = outfile_check_path(path);
	free(path);
	if (ret)
		return ret;
	ret = make_next_path(rotating_output(s), false, &path);
	if (!ret)
		ret = outfile_check_path(path);
	free(path);
	return ret;
}

static int rotating_open(struct sink *s)
{
	struct rotating_output *o = rotating_output(s);
	int ret = make_next_path(o, false, &o->name);

	if (!ret)
		ret = outfile_open(&o->file, o->name, false);
	if (!ret)
		s->name = o->name;
	return ret;
}

static int rotating_publish(struct sink *s)
{
	struct rotating_output *o = rotating_output(s);
	int ret = outfile_publish(&o->file);

	return ret ? ret : remove_oldest(o);
}

static int rotating_begin(struct sink *s, const struct tracedat_contents *contents)
{
	struct rotating_output *o = rotating_output(s);
	int ret;

	o->contents = *contents;
	/* 0 means no number */
	o->contents.trace_id = unique_number_64() | 1;
	ret = tracedat_create(&s->dat, o->file.fd, &o->contents);
	if (!ret)
		ret = hist_series_writer_new(&s->series, s->dat);
	if (!ret)
		hist_series_prepare(s->series);
	return ret ? message_error_errno(s->name, ret) : 0;
}

static int rotating_add(struct sink *s, int hist, const struct hist_snapshot *snap)
{
	struct rotating_output *o = rotating_output(s);

	o->added = timer_now();
	if (!o->due)
		o->due = o->added + o->rotation->ns;
	return sink_add(s, hist, snap);
}

static int rotating_end(struct sink *s)
{
	int ret = sink_finish(s);

	return ret ? ret : outfile_check(&rotating_output(s)->file);
}

/* End the current file, and begin the next one with the last snapshots. */
static int begin_next_file(struct rotating_output *o)
{
	struct tracedat_writer *dat = NULL;
	struct outfile file = { 0 };
	struct sink *s = &o->sink;
	char *name = NULL;
	int ret = 0;

	if (o->rotation->end_file)
		ret = o->rotation->end_file(o->rotation->arg, s->dat);
	if (!ret)
		ret = rotating_end(s);
	if (!ret)
		ret = make_next_path(o, false, &name);
	if (!ret)
		ret = outfile_open(&file, name, false);
	if (ret) {
		free(name);
		return ret;
	}
	ret = tracedat_create(&dat, file.fd, &o->contents);
	if (!ret)
		ret = hist_series_continue(s->series, dat);
	if (ret)
		message_error_errno(name, ret);
	else
		ret = outfile_publish(&file);
	/* the series may refer to the new file also after a failure */
	if (dat) {
		tracedat_writer_free(s->dat);
		s->dat = dat;
	}
	outfile_close(&o->file);
	free(o->name);
	o->file = file;
	o->name = name;
	o->file.path = s->name = name;
	if (!ret && o->rotation->next_file)
		ret = o->rotation->next_file(o->rotation->arg, name);
	return ret ? ret : remove_oldest(o);
}

static int rotating_interval(struct sink *s, bool last)
{
	struct rotating_output *o = rotating_output(s);
	const struct rotation *r = o->rotation;
	bool late = r->ns && o->added + r->interval / 2 >= o->due;

	if (!o->due || last || (!late && !(r->bytes && tracedat_size(s->dat) >= r->bytes)))
		return 0;
	while (r->ns && o->due <= o->added + r->interval / 2)
		o->due += r->ns;
	return begin_next_file(o);
}

static void rotating_clear(struct sink *s)
{
	struct rotating_output *o = rotating_output(s);

	hist_series_writer_free(s->series);
	tracedat_writer_free(s->dat);
	outfile_close(&o->file);
	free(o->name);
	memset(o, 0, sizeof(*o));
}

void rotating_output_init(struct rotating_output *o, const char *path,
			  const struct rotation *rotation)
{
	static const struct sink_ops ops = {
		.phase = {
			[SINK_CHECK] = rotating_check,
			[SINK_OPEN] = rotating_open,
			[SINK_PUBLISH] = rotating_publish,
		},
		.begin = rotating_begin,
		.define = sink_define,
		.interval = rotating_interval,
		.add = rotating_add,
		.end = rotating_end,
		.clear = rotating_clear,
	};

	o->sink.ops = &ops;
	o->sink.name = o->path = path;
	o->rotation = rotation;
}
