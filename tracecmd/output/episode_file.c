// SPDX-License-Identifier: GPL-2.0
/*
 * episode_file.c - side files with captured episodes, next to the file of a recording
 *
 * A recorder knows the names of its side files, and uses no others.  `cleanup` and `report` look
 * for names in the directory of the recording, and use only files of the recording's owner.
 * Invariant: a side file is removed only after its episode is visible in the file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "helper/local/target.h"
#include "lib/base/array.h"
#include "lib/base/strbuf.h"
#include "tracecmd/base/message.h"
#include "tracecmd/base/outfile.h"
#include "tracecmd/output/episode_file.h"

#define EPISODE_SUFFIX ".episode-"

/* A side file that belongs to a recording. */
struct side_file {
	const char *name; /* of the caller */
	struct tracedat_reader *dat;
	struct hist_episode *episode; /* an array of one */
	unsigned int nepisodes;
};

struct side_files {
	struct tracedat_pool *pool;
	struct side_file *list;
	unsigned int n;
};

/* The name of a side file after that of its recording: malloc'ed, or NULL without memory. */
static char *episode_file_name(const char *output, unsigned int number)
{
	char *name;

	return asprintf(&name, "%s" EPISODE_SUFFIX "%u", output, number) < 0 ? NULL : name;
}

/* True if @name is that of a side file of @output, with or without a number nobody can guess. */
static bool episode_file_is_name(const char *name, const char *output)
{
	static const char suffix[] = EPISODE_SUFFIX, digits[] = "0123456789",
			  hex[] = "0123456789abcdef";
	size_t len = strlen(output);

	if (strncmp(name, output, len) || strncmp(name + len, suffix, strlen(suffix)))
		return false;
	name += len + strlen(suffix);
	len = strspn(name, digits);
	name += len;
	return len && (!*name || (*name == '.' && strspn(name + 1, hex) == 16 && !name[17]));
}

void episode_files_end(struct episode_files *files)
{
	while (files->n)
		free(files->names[--files->n]);
	free(files->names);
	*files = (struct episode_files){ 0 };
}

/* Keep the name of side file @number.  0 or -ENOMEM. */
static int episode_files_keep_name(struct episode_files *files, unsigned int number,
				   const char *name)
{
	char *copy = strdup(name);

	while (copy && files->n < number) {
		if (array_add(&files->names, files->n, sizeof(*files->names))) {
			free(copy);
			return -ENOMEM;
		}
		files->names[files->n++] = NULL;
	}
	if (!copy)
		return -ENOMEM;
	free(files->names[number - 1]);
	files->names[number - 1] = copy;
	return 0;
}

/*
 * Open the side file of a worse episode, which replaces the one that the recording has made before.
 * If others could have seen the name of that one, the new one has another name.
 */
static int episode_file_open(struct outfile *file, const struct episode_files *files,
			     unsigned int number, const char *path)
{
	char *name = episode_file_name(files->place->name, number);
	int ret;

	if (!name)
		return message_error_memory();
	ret = outfile_open_side(file, files->place, name, path);
	free(name);
	return ret;
}

/* Remove the earlier side file @number, unless it had the name @now. */
static void episode_file_remove(const struct episode_files *files, unsigned int number,
				const char *now)
{
	const char *name = number <= files->n ? files->names[number - 1] : NULL;
	struct stat st;

	if (name && strcmp(name, now) &&
	    !fstatat(files->place->dir, name, &st, AT_SYMLINK_NOFOLLOW) && st.st_uid == geteuid())
		unlinkat(files->place->dir, name, 0);
}

int episode_file_write(struct episode_files *files, unsigned int number,
		       const struct tracedat_contents *contents, const struct hist_episode *episode,
		       const char *clock, const struct tracedat_pages *cpus, unsigned int n)
{
	char *path = episode_file_name(files->path, number);
	struct tracedat_writer *dat = NULL;
	struct outfile file = { 0 };
	int ret;

	if (!path)
		return message_error_memory();
	ret = episode_file_open(&file, files, number, path);
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
		message_error_errno(path, ret);
	else
		ret = outfile_publish(&file);
	if (ret)
		goto out;
	episode_file_remove(files, number, file.place.name);
	ret = episode_files_keep_name(files, number, file.place.name);
	if (ret)
		message_error_memory();
out:
	tracedat_writer_free(dat);
	outfile_close(&file);
	free(path);
	return ret;
}

static void side_file_clear(struct side_file *f)
{
	hist_episodes_free(f->episode, f->nepisodes);
	tracedat_reader_free(f->dat);
}

static void side_files_clear(struct side_files *files)
{
	while (files->n)
		side_file_clear(&files->list[--files->n]);
	free(files->list);
	tracedat_pool_free(files->pool);
}

/* 1: the file belongs to the recording; 0: it does not, or there is none; -ENOMEM... */
static int side_file_open(struct side_file *f, struct tracedat_pool *pool,
			  const struct file_place *place, const char *name, uid_t owner,
			  uint64_t origin)
{
	int ret;

	*f = (struct side_file){ .name = name };
	ret = tracedat_open_beside(pool, &f->dat, place, name, owner);
	if (ret == -EPERM || ret == -ENOENT || ret == -ESTALE || ret == -EACCES)
		return 0;
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

/* Open those of the files @names that belong to the recording.  0 or -errno, without a message. */
static int side_files_open(struct side_files *files, const struct episode_files *names, uid_t owner,
			   uint64_t origin)
{
	struct side_file f;
	unsigned int i;
	int ret = 0;

	*files = (struct side_files){ .pool = tracedat_pool_new() };
	if (!files->pool)
		return -ENOMEM;
	for (i = 0; !ret && i < names->n; i++) {
		if (!names->names[i])
			continue;
		ret = side_file_open(&f, files->pool, names->place, names->names[i], owner, origin);
		if (ret == 1 && !array_add(&files->list, files->n, sizeof(f))) {
			files->list[files->n++] = f;
			ret = 0;
			continue;
		}
		side_file_clear(&f);
		ret = ret == 1 ? -ENOMEM : ret;
	}
	if (files->n)
		qsort(files->list, files->n, sizeof(*files->list), side_file_compare);
	return ret;
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
static int append_names(struct tracedat_writer *dat, const struct side_files *files,
			const char *more)
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

/* Append the episodes of @files, the worst first, with the names of tasks and the symbols. */
static int side_files_append(const struct side_files *files, struct tracedat_writer *dat,
			     const char *names)
{
	char buffer[32];
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < files->n; i++) {
		struct hist_episode e = *files->list[i].episode;

		snprintf(buffer, sizeof(buffer), "episode-%u", i + 1);
		e.buffer = buffer;
		ret = tracedat_copy_buffer(dat, files->list[i].dat, buffer);
		if (!ret)
			ret = hist_episode_append(dat, &e);
	}
	if (!ret)
		ret = append_names(dat, files, names);
	if (!ret)
		ret = append_symbols(dat, files);
	return ret ? ret : tracedat_link_buffers(dat);
}

/* A side file that the recording has made is there no more, or another one has its name. */
static void episode_files_report_lost(struct episode_files *from, unsigned int found)
{
	unsigned int i, made = 0;

	for (i = 0; i < from->n; i++)
		made += from->names[i] != NULL;
	from->lost = made - found;
	if (from->lost)
		message_error("%s: %u captured episode%s lost, because another program removed or "
			      "replaced %s",
			      from->path, from->lost, from->lost == 1 ? " is" : "s are",
			      from->lost == 1 ? "its side file" : "their side files");
}

/* The files in @from, which belong to @owner. */
static int episode_files_append(const struct episode_files *from, uid_t owner,
				struct tracedat_writer *dat, uint64_t origin, const char *names)
{
	const char *path = from->path;
	struct side_files files;
	unsigned int i;
	int ret = side_files_open(&files, from, owner, origin);

	if (!ret)
		ret = side_files_append(&files, dat, names);
	if (ret)
		message_error("%s: cannot append the episodes: %s\n"
			      "%srun 'trace-cmd hist cleanup %s' to append the files %s.episode-*",
			      path, strerror(-ret), ret == -ENOSPC || ret == -EDQUOT ?
			      "free disk space, then " : "", path, path);
	for (i = 0; !ret && i < files.n; i++)
		unlinkat(from->place->dir, files.list[i].name, 0);
	if (!ret)
		ret = files.n;
	side_files_clear(&files);
	return ret;
}

int episode_files_join(struct episode_files *files, struct tracedat_writer *dat, uint64_t origin,
		       const char *names)
{
	int ret = episode_files_append(files, geteuid(), dat, origin, names);

	if (ret >= 0)
		episode_files_report_lost(files, ret);
	return ret;
}

/* The time of the first snapshot of a file; the recorder has no earlier one. */
static uint64_t find_origin(const struct hist_series *series)
{
	return hist_series_count(series) ? hist_series_info(series, 0)->first_time : 0;
}

/* Find the names of all side files beside the file @place.  0, or -errno without a message. */
static int episode_files_list(struct episode_files *files, const char *path,
			      const struct file_place *place)
{
	struct target_buf list = { 0 };
	const char *name;
	int ret = target_list_dir(place->dir, ".", &list);

	episode_files_begin(files, path, place);
	for (name = list.data; !ret && name < list.data + list.len; name += strlen(name) + 1) {
		if (episode_file_is_name(name, place->name))
			ret = episode_files_keep_name(files, files->n + 1, name);
	}
	free(list.data);
	if (ret)
		episode_files_end(files);
	return ret;
}

unsigned int episode_files_count(const char *path, const struct hist_series *series)
{
	struct side_files files = { 0 };
	struct episode_files names;
	struct file_place place;
	unsigned int n = 0;

	/* a link of /proc has no directory */
	if (!file_place_find(&place, path) && place.fd >= 0 && place.dir >= 0 &&
	    !episode_files_list(&names, path, &place)) {
		side_files_open(&files, &names, place.file.st_uid, find_origin(series));
		n = files.n;
		side_files_clear(&files);
		episode_files_end(&names);
	}
	file_place_clear(&place);
	return n;
}

static int episode_files_restore_file(const char *path, const struct hist_series *series)
{
	struct tracedat_writer *dat = NULL;
	struct episode_files names = { 0 };
	struct outfile file;
	int ret;

	ret = outfile_reopen(&file, path);
	if (ret)
		return ret;
	ret = tracedat_resume(&dat, file.fd);
	if (!ret)
		ret = episode_files_list(&names, path, &file.place);
	if (ret)
		message_error_errno(path, ret);
	else
		ret = episode_files_append(&names, file.place.file.st_uid, dat,
					   find_origin(series), NULL);
	tracedat_writer_free(dat);
	episode_files_end(&names);
	outfile_close(&file);
	return ret;
}

int episode_files_restore(const char *path, bool dry_run)
{
	struct hist_series *series;
	struct hist_error error = { 0 };
	int ret;

	ret = hist_series_open(&series, path, &error);
	if (ret)
		return message_report_of(ret, &error, "%s", path);
	ret = episode_files_count(path, series);
	if (ret && !dry_run)
		ret = episode_files_restore_file(path, series);
	hist_series_free(series);
	return ret;
}
