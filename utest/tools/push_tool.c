// SPDX-License-Identifier: GPL-2.0
/*
 * push_tool.c - send a recording to a listener, as `record -N` would have, or serve it as
 * `record --metrics-listen` would have
 *
 *	push_tool HOST:PORT FILE
 *	push_tool --metrics|--metrics-fine ADDRESS:PORT FILE
 *
 * Each line of the standard input sends the snapshots of one interval, "all" those
 * that are left.  At its end the recording ends.  "sent N" is printed for each.
 * Exit status 2 when something went wrong, after the message of `record`.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracecmd/output/listener_sink.h"
#include "tracecmd/output/metrics.h"
#include "utest/unit/lib/tracedat/tracedat_fixture.h"

struct replay {
	struct hist_series *series;
	unsigned int n;
	struct hist_cursor **cursors;
	const struct hist_snapshot **next; /* NULL: there are no more */
	struct listener_sink listener;
	struct metrics_server metrics;
	struct sinks sinks;
};

static void add_sink(struct replay *r, const char *how, const char *address)
{
	if (how) {
		r->metrics.metrics.sink = (struct sink){ .ops = &metrics_server_ops, .spare = true,
							 .name = address };
		r->metrics.metrics.fine = !strcmp(how, "--metrics-fine");
		sinks_append(&r->sinks, &r->metrics.metrics.sink);
	} else {
		listener_sink_init(&r->listener, address);
		sinks_append(&r->sinks, &r->listener.sink);
	}
}

static int begin(struct replay *r, const char *path)
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
	ret = r->cursors && r->next ? sinks_run(&r->sinks, SINK_CONNECT) : -ENOMEM;
	if (!ret)
		ret = sinks_run(&r->sinks, SINK_OPEN);
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

/* The next line, and what the sink has to do before it.  False at the end. */
static bool next_line(struct replay *r, char *line, size_t len)
{
	struct pollfd fds[2] = { { .fd = 0, .events = POLLIN } };

	while (r->metrics.metrics.sink.ops) {
		sinks_poll(&r->sinks, fds + 1);
		poll(fds, 2, -1);
		sinks_check(&r->sinks, fds + 1);
		if (fds[0].revents)
			break;
	}
	return fgets(line, (int)len, stdin);
}

static int run(struct replay *r)
{
	char line[16];
	uint32_t seq = 0;
	int ret = 1;

	while (ret == 1 && next_line(r, line, sizeof(line))) {
		do
			ret = send_interval(r, seq++);
		while (ret == 1 && !strcmp(line, "all\n"));
	}
	/* what comes behind the last interval is only time */
	while (ret >= 0 && next_line(r, line, sizeof(line)))
		ret = r->sinks.list[0]->ops->check(r->sinks.list[0]);
	return ret < 0 ? ret : sinks_end(&r->sinks);
}

int main(int argc, char **argv)
{
	struct replay r = { 0 };
	unsigned int i;
	int ret;

	if (argc != 3 && (argc != 4 || strncmp(argv[1], "--metrics", 9))) {
		fprintf(stderr, "usage: push_tool [--metrics|--metrics-fine] HOST:PORT FILE\n");
		return 2;
	}
	setvbuf(stdin, NULL, _IONBF, 0);
	add_sink(&r, argc == 4 ? argv[1] : NULL, argv[argc - 2]);
	ret = begin(&r, argv[argc - 1]);
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
