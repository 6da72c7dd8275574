// SPDX-License-Identifier: GPL-2.0
/*
 * report_fixture.c - trace.dat files with histograms, made from the text that
 * a kernel would have printed
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/event/event.h"
#include "lib/expr/expr.h"
#include "lib/histfile/hist_text.h"
#include "utest/unit/lib/tracedat/tracedat_fixture.h"
#include "utest/unit/tracecmd/report/report_fixture.h"

#define HISTS_MAX 8

struct fixture_hist {
	struct hist_table *table;
	struct hist_text_parser *parser;
	struct hist_snapshot snap;
};

struct report_fixture {
	int fd;
	struct tracedat_writer *dat;
	struct hist_series_writer *series;
	const char *host;
	struct fixture_hist hists[HISTS_MAX];
};

static int fail(const char *what, int error)
{
	fprintf(stderr, "report_fixture: %s: %s\n", what, strerror(-error));
	return -1;
}

struct report_fixture *report_fixture_new(const char *path, enum hist_compression compression)
{
	struct tracedat_contents contents = fixture_contents(compression);

	return report_fixture_new_with(path, &contents);
}

struct report_fixture *report_fixture_new_with(const char *path,
					       const struct tracedat_contents *contents)
{
	struct report_fixture *f = calloc(1, sizeof(*f));
	int ret;

	if (!f)
		return NULL;
	f->host = "box";
	f->fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
	ret = f->fd < 0 ? -errno : tracedat_create(&f->dat, f->fd, contents);
	if (!ret)
		ret = hist_series_writer_new(&f->series, f->dat);
	if (!ret)
		return f;
	fail(path, ret);
	report_fixture_close(f, 0);
	return NULL;
}

struct tracedat_writer *report_fixture_dat(struct report_fixture *f)
{
	return f->dat;
}

void report_fixture_host(struct report_fixture *f, const char *host)
{
	f->host = host;
}

int report_fixture_define(struct report_fixture *f, const char *event, const char *trigger,
			  const char *clock, const char *format)
{
	struct hist_definition def = {
		.event = event, .trigger = trigger, .engine = "kernel", .clock = clock,
		.instance = "hist.1", .uname = FIXTURE_UNAME, .host = f->host,
	};
	struct hist_schema *schema = NULL;
	struct hist_event *ev = NULL;
	struct hist_expr *expr = NULL;
	struct fixture_hist *h;
	int ret, hist = -1;

	ret = hist_expr_parse(&expr, trigger, NULL);
	if (!ret && format)
		ret = hist_event_parse(&ev, "test", format, strlen(format));
	if (!ret)
		ret = hist_schema_make(&schema, expr, ev);
	if (ret)
		goto out;
	for (hist = 0; f->hists[hist].table; hist++)
		;
	h = &f->hists[hist];
	ret = -ENOMEM;
	h->table = hist_table_new(schema);
	h->parser = h->table ? hist_text_parser_new(h->table) : NULL;
	if (h->parser) {
		hist = hist_series_define(f->series, &def, h->table);
		ret = hist < 0 ? hist : 0;
	}
out:
	hist_schema_free(schema);
	hist_event_free(ev);
	hist_expr_free(expr);
	return ret ? fail(trigger, ret) : hist;
}

int report_fixture_add(struct report_fixture *f, int hist, const struct hist_snapshot *snap,
		       const char *text, size_t len)
{
	struct hist_error error = { 0 };
	struct fixture_hist *h = &f->hists[hist];
	struct hist_text_block block;
	size_t pos = 0;
	int ret;

	if (snap->flags & HIST_SNAP_RESET) {
		hist_table_clear(h->table);
		hist_snapshot_clear(&h->snap);
	}
	ret = hist_text_next_block(text, len, &pos, &block);
	if (ret != 1)
		return fail("no block in the text", ret ? ret : -ENODATA);
	ret = hist_text_parse(h->parser, &block, &h->snap, &error);
	if (ret)
		return fail(hist_error_what(&error, ret), ret);
	h->snap.seq = snap->seq;
	h->snap.time = snap->time;
	h->snap.wall = snap->wall;
	h->snap.read_ns = snap->read_ns;
	h->snap.missed = snap->missed;
	h->snap.flags &= ~HIST_SNAP_RESET;
	h->snap.flags |= snap->flags & HIST_SNAP_RESET;
	ret = hist_series_add(f->series, hist, &h->snap);
	return ret ? fail("add", ret) : 0;
}

int report_fixture_close(struct report_fixture *f, int end)
{
	int i, ret = 0;

	if (end && f->series)
		ret = hist_series_finish(f->series);
	hist_series_writer_free(f->series);
	tracedat_writer_free(f->dat);
	if (f->fd >= 0 && close(f->fd) && !ret)
		ret = -errno;
	for (i = 0; i < HISTS_MAX; i++) {
		hist_text_parser_free(f->hists[i].parser);
		hist_table_free(f->hists[i].table);
		hist_snapshot_clear(&f->hists[i].snap);
	}
	free(f);
	return ret ? fail("finish", ret) : 0;
}
