// SPDX-License-Identifier: GPL-2.0
/*
 * rotating_output.c - sink that writes the recording to a sequence of trace.dat files
 *
 * The current file ends before the next one begins, and the next one gets its name before the
 * oldest is removed.  A recorder that is killed in between leaves whole files, at most one more
 * than it should keep; the next recording removes that one.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "helper/local/target.h"
#include "lib/base/array.h"
#include "lib/base/infile.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/base/unique_name.h"
#include "tracecmd/output/rotating_output.h"

/* A name has at least this many digits. */
#define DIGITS 5
#define DIGITS_MAX 18

/* For a name that no other file has. */
#define TRIES 100

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

/* The names of the sequence in ascending order. */
struct rotating_names {
	uint64_t *own;	 /* files that may be those of earlier recordings */
	uint64_t *other; /* links, and what another user has put there */
	unsigned int n, nother;
};

static void rotating_names_clear(struct rotating_names *names)
{
	free(names->own);
	free(names->other);
}

/* Find the directory, once: a later one of the same path may be that of another user. */
static int rotating_find_dir(struct rotating_output *o)
{
	int ret;

	if (o->place.name)
		return 0;
	ret = file_place_find_dir(&o->place, o->path);
	if (ret && o->place.foreign)
		message_error(
			"%s: the symbolic link in its path is not followed, " FILE_PLACE_WHY_FOREIGN
			"\nuse -o to write to another directory",
			o->path);
	else if (ret)
		message_error_errno(o->path, ret);
	if (ret)
		file_place_clear(&o->place);
	return ret;
}

static int rotating_add_name(const struct rotating_output *o, struct rotating_names *names,
			     const char *name)
{
	uint64_t number = find_number(o->place.name, name);
	struct stat st;
	bool own;

	if (!number || fstatat(o->place.dir, name, &st, AT_SYMLINK_NOFOLLOW))
		return 0;
	own = S_ISREG(st.st_mode) && !file_place_is_foreign(&o->place.in, &st);
	if (own ? array_add(&names->own, names->n, sizeof(*names->own)) :
		  array_add(&names->other, names->nother, sizeof(*names->other)))
		return message_error_memory();
	if (own)
		names->own[names->n++] = number;
	else
		names->other[names->nother++] = number;
	return 0;
}

static int rotating_list_names(struct rotating_output *o, struct rotating_names *names)
{
	struct target_buf list = { 0 };
	const char *name;
	int ret = rotating_find_dir(o);

	*names = (struct rotating_names){ 0 };
	if (ret)
		return ret;
	ret = target_list_dir(o->place.dir, ".", &list);
	if (ret)
		message_error_errno(o->path, ret);
	for (name = list.data; !ret && name < list.data + list.len; name += strlen(name) + 1)
		ret = rotating_add_name(o, names, name);
	free(list.data);
	if (ret)
		rotating_names_clear(names);
	if (names->n && !ret)
		qsort(names->own, names->n, sizeof(*names->own), array_compare_u64);
	if (names->nother && !ret)
		qsort(names->other, names->nother, sizeof(*names->other), array_compare_u64);
	return ret;
}

/* The number of the next file: after the last own one, and not one that is taken. */
static uint64_t rotating_next_number(const struct rotating_names *names)
{
	uint64_t number = (names->n ? names->own[names->n - 1] : 0) + 1;
	unsigned int i;

	for (i = 0; i < names->nother; i++)
		number += names->other[i] == number;
	return number;
}

/* The name of a file in the directory, malloc'ed, and its path for messages; NULL on failure. */
static int rotating_make_names(const struct rotating_output *o, uint64_t number, char **name,
			       char **path)
{
	*name = make_path(o->place.name, number);
	*path = make_path(o->path, number);
	if (*name && *path)
		return 0;
	free(*name);
	free(*path);
	*name = *path = NULL;
	return message_error_memory();
}

/* The same for the next file. */
static int rotating_make_next(struct rotating_output *o, char **name, char **path)
{
	struct rotating_names names;
	int ret = rotating_list_names(o, &names);

	*name = *path = NULL;
	if (ret)
		return ret;
	ret = rotating_make_names(o, rotating_next_number(&names), name, path);
	rotating_names_clear(&names);
	return ret;
}

/* True if --rotate wrote the file @fd. */
static bool rotating_is_ours(int fd)
{
	struct tracedat_reader *dat = NULL;
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	bool ours = copy >= 0 && !tracedat_take_fd(&dat, copy, NULL) && tracedat_trace_id(dat);

	tracedat_reader_free(dat);
	return ours;
}

static void rotating_remove_file(const struct rotating_output *o, const char *name,
				 const char *path)
{
	struct stat st;
	int fd;

	if (fstatat(o->place.dir, name, &st, AT_SYMLINK_NOFOLLOW))
		return;
	/* only its name is removed, and other names of a file remain */
	fd = infile_open_beside(&o->place, name, st.st_uid, true);
	if (fd < 0)
		return;
	if (!rotating_is_ours(fd))
		goto out;
	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		message_warning("%s: the old file is not removed now, because another program is "
				"writing it, or has locked it", path);
	else if (unlinkat(o->place.dir, name, 0) && errno != ENOENT)
		message_warning("%s: cannot remove the old file: %s", path, strerror(errno));
out:
	close(fd);
}

static int remove_oldest(struct rotating_output *o)
{
	struct rotating_names names;
	char *name, *path;
	unsigned int i;
	int ret;

	if (!o->rotation->keep)
		return 0;
	ret = rotating_list_names(o, &names);
	if (ret)
		return ret;
	for (i = 0; i + o->rotation->keep < names.n && !ret; i++) {
		ret = rotating_make_names(o, names.own[i], &name, &path);
		if (ret)
			break;
		rotating_remove_file(o, name, path);
		free(name);
		free(path);
	}
	rotating_names_clear(&names);
	return ret;
}

static int rotating_check_name(const struct rotating_output *o, uint64_t number)
{
	char *name, *path;
	int ret = rotating_make_names(o, number, &name, &path);

	if (ret)
		return ret;
	ret = outfile_check_beside(&o->place, name, path);
	free(name);
	free(path);
	return ret;
}

static int rotating_check(struct sink *s)
{
	struct rotating_output *o = rotating_output(s);
	struct rotating_names names;
	int ret = rotating_list_names(o, &names);

	if (ret)
		return ret;
	/* the last file is locked while another recorder writes it */
	if (names.n)
		ret = rotating_check_name(o, names.own[names.n - 1]);
	if (!ret)
		ret = rotating_check_name(o, rotating_next_number(&names));
	rotating_names_clear(&names);
	return ret;
}

/* Open the next file; *@path is its path, malloc'ed. */
static int rotating_open_next(struct rotating_output *o, struct outfile *file, char **path)
{
	char *name;
	int ret = rotating_make_next(o, &name, path);

	if (ret)
		return ret;
	ret = outfile_open_new(file, &o->place, name, *path);
	free(name);
	if (ret) {
		free(*path);
		*path = NULL;
	}
	return ret;
}

/* Give the file the next name, or the one after: another user may take names as fast as we do. */
static int rotating_publish_next(struct rotating_output *o, struct outfile *file, char **path)
{
	char *name, *next;
	unsigned int i;
	int ret = outfile_publish_new(file);

	for (i = 0; ret == -EEXIST && i < TRIES; i++) {
		ret = rotating_make_next(o, &name, &next);
		if (ret)
			return ret;
		ret = outfile_rename(file, name, next);
		free(name);
		if (ret) {
			free(next);
			return ret;
		}
		free(*path);
		*path = next;
		ret = outfile_publish_new(file);
	}
	return ret == -EEXIST ? message_error_errno(*path, ret) : ret;
}

static int rotating_open(struct sink *s)
{
	struct rotating_output *o = rotating_output(s);
	int ret = rotating_open_next(o, &o->file, &o->name);

	if (!ret)
		s->name = o->name;
	return ret;
}

static int rotating_publish(struct sink *s)
{
	struct rotating_output *o = rotating_output(s);
	int ret = rotating_publish_next(o, &o->file, &o->name);

	s->name = o->name;
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
		ret = rotating_open_next(o, &file, &name);
	if (ret)
		return ret;
	ret = tracedat_create(&dat, file.fd, &o->contents);
	if (!ret)
		ret = hist_series_continue(s->series, dat);
	if (ret)
		message_error_errno(name, ret);
	else
		ret = rotating_publish_next(o, &file, &name);
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
		ret = o->rotation->next_file(o->rotation->arg, &o->file);
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
	if (o->place.name)
		file_place_clear(&o->place);
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
