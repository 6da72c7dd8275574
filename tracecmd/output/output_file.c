// SPDX-License-Identifier: GPL-2.0
/*
 * output_file.c - sink that writes the recording to a trace.dat file
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tracecmd/base/message.h"
#include "tracecmd/output/output_file.h"

/* Copy all snapshots of histogram @hist from @from to @to. */
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

int output_join(struct output *o, int dir, const char *events_file, const char *buffer)
{
	struct hist_series_writer *to = NULL;
	struct tracedat_writer *dat = NULL;
	struct hist_cursor **cursors = NULL;
	struct hist_series *from = NULL;
	unsigned int i, n = 0;
	struct hist_error error = { 0 };
	int fd, ret;

	fd = outfile_reopen_in(dir, events_file);
	if (fd < 0)
		return fd;
	ret = hist_series_open_fd(&from, o->file.fd, o->file.path, &error);
	if (ret) {
		message_report_of(ret, &error, "%s", o->file.path);
		goto out;
	}
	ret = tracedat_attach(&dat, fd);
	/* link first, so that each section is valid as soon as it is written */
	if (!ret)
		ret = buffer ? tracedat_link_top(dat, buffer) : -ENOENT;
	/* other versions of stock trace-cmd may have a different file layout */
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
	if (ret)
		message_error_errno(events_file, ret);
	else
		ret = outfile_replace(&o->file, dir, events_file, fd);
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

static struct output *output_from_sink(struct sink *s)
{
	return (struct output *)s;
}

static int output_look(struct sink *s)
{
	return outfile_check_path(s->name);
}

static int output_open(struct sink *s)
{
	return outfile_open(&output_from_sink(s)->file, s->name, false);
}

static int output_publish(struct sink *s)
{
	return outfile_publish(&output_from_sink(s)->file);
}

static int output_begin(struct sink *s, const struct tracedat_contents *contents)
{
	int ret = tracedat_create(&s->dat, output_from_sink(s)->file.fd, contents);

	if (!ret)
		ret = hist_series_writer_new(&s->series, s->dat);
	return ret ? message_error_errno(s->name, ret) : 0;
}

static int output_end(struct sink *s)
{
	int ret = sink_finish(s);

	return ret ? ret : outfile_check(&output_from_sink(s)->file);
}

static void output_clear(struct sink *s)
{
	hist_series_writer_free(s->series);
	tracedat_writer_free(s->dat);
	outfile_close(&output_from_sink(s)->file);
	memset(output_from_sink(s), 0, sizeof(struct output));
}

void output_sink_init(struct output *o, const char *path)
{
	static const struct sink_ops ops = {
		.phase = {
			[SINK_CHECK] = output_look,
			[SINK_OPEN] = output_open,
			[SINK_PUBLISH] = output_publish,
		},
		.begin = output_begin,
		.define = sink_define,
		.add = sink_add,
		.end = output_end,
		.clear = output_clear,
	};

	o->sink.ops = &ops;
	o->sink.name = path;
}
