// SPDX-License-Identifier: GPL-2.0
/*
 * metrics.c - pages of --metrics-listen, of 500 keys with 20 buckets each
 *
 *	bench-metrics protobuf|openmetrics N	write the page N times, for callgrind
 *	bench-metrics protobuf|openmetrics	print its bytes, and the time series of its histograms
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracecmd/output/metrics.h"
#include "utest/bench/bench.h"

#define KEYS 500
#define BUCKETS 20

static void count(struct metrics *m, struct hist_table *table)
{
	const struct hist_schema *schema = hist_table_schema(table);
	struct hist_snapshot snap = { 0 };
	struct hist_cell cells[2] = { { 0 } };
	unsigned int key, bucket;
	uint32_t entry;
	char comm[16];

	/* the first snapshot is the set-up */
	bench_must(metrics_ops.add(&m->sink, 0, &snap), "snapshot");
	for (key = 0; key < KEYS; key++) {
		snprintf(comm, sizeof(comm), "task-%u", key);
		bench_must(hist_table_intern(table, comm, strlen(comm), &cells[0].str), "name");
		for (bucket = 0; bucket < BUCKETS; bucket++) {
			cells[1].num = bucket;
			bench_must(hist_table_add(table, cells, &entry), "row");
			bench_must(hist_snapshot_grow(&snap, schema, entry + 1), "snapshot");
			snap.values[2 * entry] = 1000 + key * bucket;
			snap.values[2 * entry + 1] = snap.values[2 * entry] << bucket;
			snap.hits += snap.values[2 * entry];
		}
	}
	bench_must(metrics_ops.add(&m->sink, 0, &snap), "snapshot");
	hist_snapshot_clear(&snap);
}

/* Time series of the histograms: a message of a native one, or a line of text. */
static unsigned int count_series(const struct hist_strbuf *b, bool messages)
{
	unsigned int n = 0;
	size_t i;

	if (messages)
		return KEYS;
	for (i = 0; i < b->len; i++)
		n += (!i || b->data[i - 1] == '\n') && !strncmp(b->data + i, "trace_sched", 11);
	return n;
}

int main(int argc, char **argv)
{
	const struct hist_definition def = {
		.event = "sched:wait", .trigger = "hist:keys=comm,lat_us.log2:vals=lat_us",
		.engine = "kernel", .clock = "mono", .instance = "", .host = "board",
	};
	const struct hist_schema schema = {
		.nkeys = 2, .nvalues = 2,
		.keys = { { .name = (char *)"comm", .kind = HIST_KEY_STRING },
			  { .name = (char *)"lat_us", .kind = HIST_KEY_LOG2 } },
		.values = { { .name = (char *)"hitcount", .kind = HIST_VALUE_SUM },
			    { .name = (char *)"lat_us", .kind = HIST_VALUE_SUM } },
	};
	bool messages = argc > 1 && !strcmp(argv[1], "protobuf");
	struct hist_table *table = hist_table_new(&schema);
	struct metrics m = { .sink.name = "bench" };
	struct hist_error error = { 0 };
	struct hist_strbuf b = { 0 };
	int i, n = argc > 2 ? atoi(argv[2]) : 1;

	bench_must(metrics_ops.define(&m.sink, &def, table), "histogram");
	count(&m, table);
	for (i = 0; i < n; i++)
		bench_must(metrics_write(&m, messages ? &hist_writer_protobuf :
						    &hist_writer_openmetrics,
					 hist_strbuf_clear(&b), &error), "page");
	if (argc == 2)
		printf("%zu %u\n", b.len, count_series(&b, messages));
	hist_strbuf_free(&b);
	metrics_ops.clear(&m.sink);
	hist_table_free(table);
	return 0;
}
