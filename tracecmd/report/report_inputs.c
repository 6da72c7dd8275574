// SPDX-License-Identifier: GPL-2.0
/*
 * report_inputs.c - the files of a report: their labels, and the common time of several
 * files
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/file_place.h"
#include "lib/base/strbuf.h"
#include "lib/replay/replay.h"
#include "lib/series/snapshot_heads.h"
#include "tracecmd/base/message.h"
#include "tracecmd/output/episode_file.h"
#include "tracecmd/report/report_inputs.h"

/* A recorder that was killed left the episodes of one file, which may be any of those given. */
static void report_inputs_warn_of_episodes(const char *path, const struct hist_series *series)
{
	unsigned int episodes = episode_files_count(path, series);

	if (episodes)
		message_warning("%s: the recording is still running or was interrupted: %u "
				"episode%s in the files %s.episode-*\n"
				"run 'trace-cmd hist cleanup %s' after the recording has ended",
				path, episodes, episodes == 1 ? " is" : "s are", path, path);
}

/* Append @path as one word of a shell. */
static void report_inputs_put_word(struct hist_strbuf *to, const char *path)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-+,./:@%=";

	if (*path == '-')
		hist_strbuf_str(to, "./");
	if (!path[strspn(path, plain)]) {
		hist_strbuf_str(to, path);
		return;
	}
	hist_strbuf_char(to, '\'');
	for (; *path; path++) {
		/* not a backslash, which a message would double */
		if (*path == '\'')
			hist_strbuf_str(to, "'\"'\"'");
		else
			hist_strbuf_char(to, *path);
	}
	hist_strbuf_char(to, '\'');
}

/* The file has no histograms: if it has events, say how they are counted.  False: it has none. */
static bool report_inputs_offer_replay(const char *path, const struct hist_error *error)
{
	struct hist_strbuf words = { 0 };
	struct hist_events *events;
	bool offers;

	if (hist_events_open(&events, path, NULL))
		return false;
	offers = !hist_replay_suggest(&words, events) && words.len;
	hist_events_free(events);
	if (offers) {
		hist_strbuf_char(&words, ' ');
		report_inputs_put_word(&words, path);
	}
	hist_strbuf_char(&words, '\0');
	offers = offers && !words.error;
	if (offers)
		message_error("%s: %s\ncount its events: trace-cmd hist replay %s", path,
			      error->what, words.data);
	hist_strbuf_free(&words);
	return offers;
}

static int report_inputs_open_file(struct tracedat_pool *pool, struct report_input *input,
				   const char *path)
{
	struct hist_error error = { 0 };
	int ret;

	ret = hist_series_open_in(pool, &input->series, path, &error);
	/* a file of version 6 has only events */
	if ((ret == -ENODATA || ret == -EINVAL) && report_inputs_offer_replay(path, &error))
		return ret;
	if (ret)
		return message_report_of(ret, &error, "%s", path);
	report_inputs_warn_of_episodes(path, input->series);
	return 0;
}

static int report_inputs_open_fd(struct report_input *input, int fd, const char *name)
{
	struct hist_error error = { 0 };
	int ret = hist_series_open_fd(&input->series, fd, name, &error);

	return ret ? message_report_of(ret, &error, "%s", name) : 0;
}

/* Verify all checksums, to report damage even in parts that are not shown. */
static int report_inputs_check_file(struct report_input *input, bool raw_names)
{
	int ret;

	input->path = hist_series_path(input->series);
	if (raw_names)
		hist_series_show_numbers(input->series);
	ret = hist_series_visit_heads(input->series, NULL, NULL);
	return ret ? message_error_errno(input->path, ret) : 0;
}

/* The host of the first histogram: all histograms of a file are from one machine. */
static const char *report_inputs_get_host(const struct report_input *input)
{
	const struct hist_series_info *info = hist_series_info(input->series, 0);

	return info && info->def.host ? info->def.host : "";
}

static int report_inputs_compare_words(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* True if @word is more than once in the sorted list. */
static bool report_inputs_is_repeated(const char **words, unsigned int n, const char *word)
{
	const char **found = bsearch(&word, words, n, sizeof(*words), report_inputs_compare_words);

	return (found > words && !strcmp(found[-1], word)) ||
	       (found + 1 < words + n && !strcmp(found[1], word));
}

/* Label each file with its host, or with its path if several files have this host. */
static int report_inputs_set_labels(struct report_inputs *in)
{
	const char **hosts = calloc(in->n, sizeof(*hosts)), *host;
	struct report_input *input;
	unsigned int i;

	for (i = 0; hosts && i < in->n; i++)
		hosts[i] = report_inputs_get_host(&in->files[i]);
	if (hosts)
		qsort(hosts, in->n, sizeof(*hosts), report_inputs_compare_words);
	for (i = 0; hosts && i < in->n; i++) {
		input = &in->files[i];
		host = report_inputs_get_host(input);
		input->label = strdup(*host && !report_inputs_is_repeated(hosts, in->n, host) ?
				      host : input->path);
		if (!input->label)
			break;
	}
	free(hosts);
	return hosts && i == in->n ? 0 : message_error_memory();
}

/* Find the last snapshot from @seq on with both times.  Returns 1, 0 if none has, or -errno. */
static int last_times(const struct report_input *input, unsigned int hist, uint32_t seq,
		      int64_t *offset)
{
	const struct hist_snapshot *snap;
	struct hist_cursor *cursor;
	int ret, found = 0;

	ret = hist_cursor_open(&cursor, input->series, hist, seq);
	if (ret)
		return ret;
	while ((ret = hist_cursor_next(cursor, &snap)) == 1) {
		if (!snap->wall)
			continue;
		*offset = snap->wall - snap->time;
		found = 1;
	}
	hist_cursor_free(cursor);
	return ret < 0 ? ret : found;
}

int report_inputs_find_offset(const struct report_input *input, unsigned int hist, int64_t *offset)
{
	const struct hist_series_info *info = hist_series_info(input->series, hist);
	int ret;

	if (!hist_clock_is_ns(info->def.clock) || !info->snapshots)
		return 0;
	ret = last_times(input, hist, info->last_seq, offset);
	/* the end may be damaged: search from the first snapshot */
	return ret ? ret : last_times(input, hist, info->first_seq, offset);
}

/* Find the origin of the line, and print a message for each file without wall-clock time. */
static int make_line(struct report_inputs *in)
{
	const struct hist_series_info *info;
	unsigned int i, h, off;
	int64_t offset;
	int ret;

	in->origin = UINT64_MAX;
	for (i = 0; i < in->n; i++) {
		for (h = off = 0; h < hist_series_count(in->files[i].series); h++) {
			ret = report_inputs_find_offset(&in->files[i], h, &offset);
			if (ret < 0)
				return message_error_errno(in->files[i].path, ret);
			off += !ret;
			info = hist_series_info(in->files[i].series, h);
			if (ret && info->first_time + offset < in->origin)
				in->origin = info->first_time + offset;
		}
		if (off)
			message_warning(
				"%s: the times of this file cannot be aligned with those of "
				"the other files, because the file has no wall-clock time, "
				"or its trace clock is not in nanoseconds",
				in->files[i].path);
	}
	return 0;
}

/* Check that no file is given twice. */
static int report_inputs_check_paths(const struct option_words *paths)
{
	const char **sorted = calloc(paths->n + 1, sizeof(*sorted));
	unsigned int i;
	int ret = 0;

	if (!sorted)
		return message_error_memory();
	for (i = 0; i < paths->n; i++)
		sorted[i] = paths->words[i];
	qsort(sorted, paths->n, sizeof(*sorted), report_inputs_compare_words);
	for (i = 1; i < paths->n && !ret; i++)
		if (!strcmp(sorted[i - 1], sorted[i]))
			ret = message_refuse(-EINVAL, "%s: the file is given twice", sorted[i]);
	free(sorted);
	return ret;
}

/* Join the files of each rotated recording. */
static int report_inputs_join_files(struct report_inputs *in)
{
	struct hist_series **files = calloc(in->n, sizeof(struct hist_series *));
	unsigned int i, left;
	int ret;

	if (!files)
		return message_error_memory();
	for (i = 0; i < in->n; i++)
		files[i] = in->files[i].series;
	ret = hist_series_join(files, in->n, &left);
	for (i = 0; i < in->n; i++)
		in->files[i].series = files[i];
	in->n = left;
	free(files);
	return ret ? message_error_errno("cannot join the files of a recording", ret) : 0;
}

/* The number of a file of --rotate, and the length of its path before; 0: it has none. */
static uint64_t report_inputs_file_number(const char *path, size_t *stem)
{
	const char *suffix = file_place_suffix(path);
	size_t digits = 0;

	while (suffix - digits > path && suffix[-1 - (ptrdiff_t)digits] >= '0' &&
	       suffix[-1 - (ptrdiff_t)digits] <= '9')
		digits++;
	*stem = suffix - digits - path;
	return digits ? strtoull(suffix - digits, NULL, 10) : 0;
}

/* True if @a and @b are recordings of --rotate with files of one name, and @b is the later one. */
static bool report_inputs_is_restarted(const struct report_input *a, const struct report_input *b)
{
	const char *x = hist_series_file_path(a->series, 0),
		   *y = hist_series_file_path(b->series, 0);
	size_t xlen, ylen;
	uint64_t first = report_inputs_file_number(x, &xlen);
	uint64_t second = report_inputs_file_number(y, &ylen);

	return tracedat_trace_id(hist_series_file(a->series)) &&
	       tracedat_trace_id(hist_series_file(b->series)) &&
	       tracedat_trace_id(hist_series_file(a->series)) !=
	       tracedat_trace_id(hist_series_file(b->series)) &&
	       xlen == ylen && !strncmp(x, y, xlen) && first < second;
}

/*
 * One sample of a counter has no place for an earlier recording: the counter begins again at 0 if
 * a recording is started again with files of the same name.
 */
static void report_inputs_drop_earlier(struct report_inputs *in)
{
	unsigned int i, j, n = 0;

	for (i = 0; i < in->n; i++) {
		for (j = 0; j < in->n; j++)
			if (in->files[j].series && j != i &&
			    report_inputs_is_restarted(&in->files[i], &in->files[j]))
				break;
		if (j == in->n)
			continue;
		hist_series_free(in->files[i].series);
		in->files[i].series = NULL;
	}
	for (i = 0; i < in->n; i++)
		if (in->files[i].series)
			in->files[n++].series = in->files[i].series;
	for (i = n; i < in->n; i++)
		in->files[i].series = NULL;
	in->n = n;
}

int report_inputs_open(struct report_inputs *in, const struct report_options *options)
{
	unsigned int i;
	int ret;

	memset(in, 0, sizeof(*in));
	in->files = calloc(options->files.n, sizeof(*in->files));
	in->pool = tracedat_pool_new();
	if (!in->files || !in->pool)
		ret = message_error_memory();
	else if (options->fd >= 0)
		ret = report_inputs_open_fd(&in->files[in->n++], options->fd,
					    options->files.words[0]);
	else
		ret = report_inputs_check_paths(&options->files);
	for (; in->n < options->files.n && !ret; in->n++)
		ret = report_inputs_open_file(in->pool, &in->files[in->n],
					      options->files.words[in->n]);
	if (!ret)
		ret = report_inputs_join_files(in);
	if (!ret && options->needs & REPORT_COUNTERS && options->span == REPORT_RECORDED)
		report_inputs_drop_earlier(in);
	for (i = 0; i < in->n && !ret; i++)
		ret = report_inputs_check_file(&in->files[i], options->raw_names);
	if (!ret && in->n > 1)
		ret = report_inputs_set_labels(in);
	if (!ret && in->n > 1)
		ret = make_line(in);
	if (ret)
		report_inputs_close(in);
	return ret;
}

void report_inputs_close(struct report_inputs *in)
{
	const char *lost = in->pool ? tracedat_pool_lost(in->pool) : NULL;
	unsigned int i;

	if (lost)
		message_error("%s: the file was removed or replaced while it was read", lost);
	for (i = 0; i < in->n; i++) {
		hist_series_free(in->files[i].series);
		free(in->files[i].label);
	}
	free(in->files);
	tracedat_pool_free(in->pool);
	memset(in, 0, sizeof(*in));
}
