// SPDX-License-Identifier: GPL-2.0
/*
 * output_file.c - sink that writes the recording to a trace.dat file
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tracecmd/base/command.h"
#include "tracecmd/output/output_file.h"

int output_begin(struct output *o, const struct tracedat_contents *contents)
{
	int ret = tracedat_create(&o->dat, o->file.fd, contents);

	if (!ret)
		ret = hist_series_writer_new(&o->series, o->dat);
	return ret ? complain_errno(o->file.path, ret) : 0;
}

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

int output_finish(struct output *o)
{
	int ret = hist_series_finish(o->series);

	return ret ? complain_errno(o->file.path, ret) : outfile_check(&o->file);
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

	fd = openat(o->file.place.dir, events_file, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return complain_errno(events_file, -errno);
	ret = hist_series_open(&from, o->file.path, why, sizeof(why));
	if (ret) {
		complain("%s: %s", o->file.path, why);
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
		complain_errno(events_file, ret);
	else
		ret = outfile_replace(&o->file, events_file, fd);
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
	outfile_close(&o->file);
	memset(o, 0, sizeof(*o));
}

static struct output *output_of(struct sink *s)
{
	return (struct output *)s;
}

static int output_sink_look(struct sink *s)
{
	return outfile_look(output_of(s)->path);
}

static int output_sink_open(struct sink *s)
{
	return outfile_open(&output_of(s)->file, output_of(s)->path, false);
}

static int output_sink_publish(struct sink *s)
{
	return outfile_publish(&output_of(s)->file);
}

static int output_sink_begin(struct sink *s, const struct tracedat_contents *contents)
{
	return output_begin(output_of(s), contents);
}

static int output_sink_define(struct sink *s, const struct hist_definition *def, struct hist_table *table)
{
	int number = hist_series_define(output_of(s)->series, def, table);

	return number < 0 ? complain_errno(output_of(s)->path, number) : number;
}

static int output_sink_add(struct sink *s, int hist, const struct hist_snapshot *snap)
{
	int ret = hist_series_add(output_of(s)->series, hist, snap);

	return ret ? complain_errno(output_of(s)->path, ret) : 0;
}

static int output_sink_end(struct sink *s)
{
	return output_finish(output_of(s));
}

static void output_sink_clear(struct sink *s)
{
	output_clear(output_of(s));
}

void output_sink_init(struct output *o, const char *path)
{
	static const struct sink_ops ops = {
		.phase = {
			[SINK_LOOK] = output_sink_look, [SINK_OPEN] = output_sink_open, [SINK_PUBLISH] = output_sink_publish,
		},
		.begin = output_sink_begin,
		.define = output_sink_define,
		.add = output_sink_add,
		.end = output_sink_end,
		.clear = output_sink_clear,
	};

	o->sink.ops = &ops;
	o->path = path;
}
