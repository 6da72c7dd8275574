// SPDX-License-Identifier: GPL-2.0
/*
 * push_tool.c - send a recording to a listener, as `record -N` would have
 *
 *	push_tool HOST:PORT FILE
 *
 * Each line of the standard input sends the snapshots of one interval, "all" those
 * that are left.  At its end the recording ends.  "sent N" is printed for each.
 * Exit status 2 when something went wrong, after the message of `record`.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracecmd/output/listener_sink.h"
#include "utest/unit/lib/tracedat/tracedat_fixture.h"

struct replay {
	struct hist_series *series;
	unsigned int n;
	struct hist_cursor **cursors;
	const struct hist_snapshot **next; /* NULL: there are no more */
	struct listener_sink listener;
	struct sinks sinks;
};

static int begin(struct replay *r, const char *address, const char *path)
{
	struct tracedat_contents contents = fixture_contents(HIST_COMPRESS_ZSTD);
	struct hist_error error = { 0 };
	unsigned int i;
	int ret;

	ret = hist_series_open(&r->series, path, &error);
	if (ret) {
		fprintf(stderr, "push_tool: %s: %s\n", path, error.what);
		return ret;
	}
	r->n = hist_series_count(r->series);
	r->cursors = calloc(r->n, sizeof(*r->cursors));
	r->next = calloc(r->n, sizeof(*r->next));
	listener_sink_init(&r->listener, address);
	sinks_append(&r->sinks, &r->listener.sink);
	ret = r->cursors && r->next ? sinks_run(&r->sinks, SINK_CONNECT) : -ENOMEM;
	if (!ret)
		ret = sinks_begin(&r->sinks, &contents);
	for (i = 0; i < r->n && !ret; i++) {
		ret = hist_cursor_open(&r->cursors[i], r->series, i, 0);
		if (ret)
			break;
		sinks_define(&r->sinks, &hist_series_info(r->series, i)->def,
			     (struct hist_table *)hist_cursor_table(r->cursors[i]));
		if (hist_cursor_next(r->cursors[i], &r->next[i]) != 1)
			r->next[i] = NULL;
	}
	return ret;
}

/* 1: there are more; 0; -errno. */
static int send_interval(struct replay *r, uint32_t seq)
{
	unsigned int i;
	int ret = 0, more = 0;

	sinks_begin_interval(&r->sinks, false);
	for (i = 0; i < r->n && !ret; i++) {
		if (r->next[i] && r->next[i]->seq == seq) {
			ret = sinks_add(&r->sinks, i, r->next[i]);
			if (hist_cursor_next(r->cursors[i], &r->next[i]) != 1)
				r->next[i] = NULL;
		}
		more |= !!r->next[i];
	}
	if (ret)
		return ret;
	printf("sent %u\n", seq);
	fflush(stdout);
	return more;
}

static int run(struct replay *r)
{
	char line[16];
	uint32_t seq = 0;
	int ret = 1;

	while (ret == 1 && fgets(line, sizeof(line), stdin)) {
		do
			ret = send_interval(r, seq++);
		while (ret == 1 && !strcmp(line, "all\n"));
	}
	/* what comes behind the last interval is only time */
	while (ret >= 0 && fgets(line, sizeof(line), stdin))
		ret = r->listener.sink.ops->check(&r->listener.sink);
	return ret < 0 ? ret : sinks_end(&r->sinks);
}

int main(int argc, char **argv)
{
	struct replay r = { 0 };
	unsigned int i;
	int ret;

	if (argc != 3) {
		fprintf(stderr, "usage: push_tool HOST:PORT FILE\n");
		return 2;
	}
	ret = begin(&r, argv[1], argv[2]);
	if (!ret)
		ret = run(&r);
	if (!ret)
		sinks_finish(&r.sinks, -1);
	sinks_clear(&r.sinks);
	for (i = 0; i < r.n && r.cursors; i++)
		hist_cursor_free(r.cursors[i]);
	free(r.cursors);
	free(r.next);
	hist_series_free(r.series);
	return ret || r.sinks.lost ? 2 : 0;
}
