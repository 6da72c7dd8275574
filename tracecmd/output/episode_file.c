// SPDX-License-Identifier: GPL-2.0
/*
 * episode_file.c - side files with captured episodes, next to the file of a recording
 *
 * The numbers of the side files of a recording have no gap, so the search ends at the first number
 * without a file.
 * Invariant: a side file is removed only after its episode is visible in the file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/strbuf.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/outfile.h"
#include "tracecmd/output/episode_file.h"

/* A side file that belongs to a recording. */
struct side_file {
	char *name;
	struct tracedat_reader *dat;
	struct hist_episode *episode; /* an array of one */
	unsigned int nepisodes;
};

struct side_files {
	struct tracedat_pool *pool;
	struct side_file *list;
	unsigned int n;
};

/* The name of a side file: malloc'ed, or NULL without memory. */
static char *episode_file_name(const char *output, unsigned int number)
{
	char *name;

	return asprintf(&name, "%s.episode-%u", output, number) < 0 ? NULL : name;
}

int episode_file_write(const char *output, unsigned int number,
		       const struct tracedat_contents *contents, const struct hist_episode *episode,
		       const char *clock, const struct tracedat_pages *cpus, unsigned int n)
{
	char *name = episode_file_name(output, number);
	struct tracedat_writer *dat = NULL;
	struct outfile file = { 0 };
	int ret;

	if (!name)
		return message_error_memory();
	ret = outfile_open(&file, name, false);
	if (ret)
		goto out;
	ret = tracedat_create(&dat, file.fd, contents);
	if (!ret)
		ret = tracedat_append_buffer(dat, episode->buffer, clock,
					     contents->machine.page_size, cpus, n);
	if (!ret)
		ret = tracedat_link_buffers(dat);
	if (!ret)
		ret = hist_episode_append(dat, episode);
	if (ret)
		message_error_errno(name, ret);
	else
		ret = outfile_publish(&file);
out:
	tracedat_writer_free(dat);
	outfile_close(&file);
	free(name);
	return ret;
}

static void side_file_clear(struct side_file *f)
{
	hist_episodes_free(f->episode, f->nepisodes);
	tracedat_reader_free(f->dat);
	free(f->name);
}

static void side_files_clear(struct side_files *files)
{
	while (files->n)
		side_file_clear(&files->list[--files->n]);
	free(files->list);
	tracedat_pool_free(files->pool);
}

/* 1: it exists and belongs to the recording; 0: it exists; -ENOENT, -ENOMEM... */
static int side_file_open(struct side_file *f, struct tracedat_pool *pool, const char *output,
			  unsigned int number, uint64_t origin)
{
	const char *why;
	int ret;

	*f = (struct side_file){ .name = episode_file_name(output, number) };
	if (!f->name)
		return -ENOMEM;
	ret = tracedat_open_in(pool, &f->dat, f->name, &why);
	if (ret)
		return ret == -EINVAL || ret == -EBADMSG || ret == -ENOTSUP ? 0 : ret;
	ret = hist_episodes_read(&f->episode, &f->nepisodes, f->dat);
	return ret ? ret : f->nepisodes == 1 && f->episode->origin == origin;
}

/* The worst first; if equal, the earlier one. */
static int side_file_compare(const void *a, const void *b)
{
	const struct hist_episode *x = ((const struct side_file *)a)->episode;
	const struct hist_episode *y = ((const struct side_file *)b)->episode;

	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return x->end > y->end ? 1 : x->end < y->end ? -1 : 0;
}

/* 0 or -errno, without a message. */
static int side_files_open(struct side_files *files, const char *output, uint64_t origin)
{
	struct side_file f;
	unsigned int i;
	int ret;

	*files = (struct side_files){ .pool = tracedat_pool_new() };
	if (!files->pool)
		return -ENOMEM;
	for (i = 1;; i++) {
		ret = side_file_open(&f, files->pool, output, i, origin);
		if (ret == 1 && !array_add(&files->list, files->n, sizeof(f))) {
			files->list[files->n++] = f;
			continue;
		}
		side_file_clear(&f);
		if (ret == 1)
			return -ENOMEM;
		if (ret)
			break;
	}
	if (files->n)
		qsort(files->list, files->n, sizeof(*files->list), side_file_compare);
	return ret == -ENOENT ? 0 : ret;
}

/* Append to @names those lines "PID NAME" of @text whose PID it lacks. */
static void add_names(struct hist_strbuf *names, const char *text)
{
	char start[16];
	size_t len, n;

	for (; *text; text += len) {
		len = strcspn(text, "\n");
		len += text[len] == '\n';
		n = snprintf(start, sizeof(start), "\n%.*s ", (int)strcspn(text, " \n"), text);
		if (names->error || n >= sizeof(start) || memmem(names->data, names->len, start, n))
			continue;
		/* the first newline is not part of the text */
		if (!names->len)
			hist_strbuf_char(names, '\n');
		hist_strbuf_add(names, text, len);
	}
}

/* The names of the worst episode come first, because the ID of a task can be used again. */
static int append_names(struct tracedat_writer *dat, const struct side_files *files, const char *more)
{
	struct hist_strbuf names = { 0 };
	unsigned int i;
	char *text;
	int ret = 0;

	for (i = 0; !ret && i < files->n; i++) {
		ret = tracedat_read_names(files->list[i].dat, &text);
		if (ret)
			break;
		add_names(&names, text);
		free(text);
		ret = names.error;
	}
	if (files->n && more)
		add_names(&names, more);
	if (!ret && names.len)
		ret = tracedat_append_names(dat, names.data + 1, names.len - 1);
	hist_strbuf_free(&names);
	return ret;
}

/* The lines of all files; each file has the symbols of the stacks in all earlier ones, too. */
static int append_symbols(struct tracedat_writer *dat, const struct side_files *files)
{
	char *text, *longest = NULL;
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < files->n; i++) {
		ret = tracedat_read_symbols(files->list[i].dat, &text);
		if (ret)
			break;
		if (!longest || strlen(text) > strlen(longest)) {
			free(longest);
			longest = text;
		} else {
			free(text);
		}
	}
	if (!ret && longest && *longest)
		ret = tracedat_append_symbols(dat, longest, strlen(longest));
	free(longest);
	return ret;
}

int episode_files_join(const char *output, struct tracedat_writer *dat, uint64_t origin,
		       const char *names)
{
	struct side_files files;
	char buffer[32];
	unsigned int i;
	int ret = side_files_open(&files, output, origin);

	for (i = 0; !ret && i < files.n; i++) {
		struct hist_episode e = *files.list[i].episode;

		snprintf(buffer, sizeof(buffer), "episode-%u", i + 1);
		e.buffer = buffer;
		ret = tracedat_copy_buffer(dat, files.list[i].dat, buffer);
		if (!ret)
			ret = hist_episode_append(dat, &e);
	}
	if (!ret)
		ret = append_names(dat, &files, names);
	if (!ret)
		ret = append_symbols(dat, &files);
	if (!ret)
		ret = tracedat_link_buffers(dat);
	if (ret)
		message_error("%s: cannot append the episodes: %s\n"
			      "%srun 'trace-cmd hist cleanup %s' to append %s.episode-1 and later "
			      "files", output, strerror(-ret), ret == -ENOSPC || ret == -EDQUOT ?
			      "free disk space, then " : "", output, output);
	for (i = 0; !ret && i < files.n; i++)
		unlink(files.list[i].name);
	if (!ret)
		ret = files.n;
	side_files_clear(&files);
	return ret;
}

/* The time of the first snapshot of a file; the recorder has no earlier one. */
static uint64_t find_origin(const struct hist_series *series)
{
	return hist_series_count(series) ? hist_series_info(series, 0)->first_time : 0;
}

unsigned int episode_files_count(const char *output, const struct hist_series *series)
{
	struct side_files files;
	unsigned int n;

	side_files_open(&files, output, find_origin(series));
	n = files.n;
	side_files_clear(&files);
	return n;
}

static int restore(const char *output, const struct hist_series *series)
{
	struct tracedat_writer *dat = NULL;
	int fd = open(output, O_RDWR | O_CLOEXEC | O_NONBLOCK), ret;

	if (fd < 0)
		return message_error_errno(output, -errno);
	ret = outfile_lock(output, fd);
	if (!ret) {
		ret = tracedat_resume(&dat, fd);
		if (ret)
			message_error_errno(output, ret);
	}
	if (!ret)
		ret = episode_files_join(output, dat, find_origin(series), NULL);
	tracedat_writer_free(dat);
	close(fd);
	return ret;
}

int episode_files_restore(const char *output, bool dry_run)
{
	struct hist_series *series;
	char why[256];
	int ret;

	ret = hist_series_open(&series, output, why, sizeof(why));
	if (ret)
		return message_refuse_why(ret, "", output, why);
	ret = episode_files_count(output, series);
	if (ret && !dry_run)
		ret = restore(output, series);
	hist_series_free(series);
	return ret;
}
