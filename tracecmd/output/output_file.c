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
