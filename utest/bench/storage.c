// SPDX-License-Identifier: GPL-2.0
/*
 * storage.c - bytes that a series takes, beside the text and the text compressed
 *
 * 60 snapshots of 2,048 entries, 5 % of them changing from one to the next.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "lib/expr/expr.h"
#include "lib/histfile/hist_text.h"
#include "lib/series/series.h"
#include "lib/tracedat/tracedat_format.h"
#include "utest/bench/bench.h"
#include "utest/unit/lib/tracedat/tracedat_fixture.h"

#define SNAPSHOTS 60
#define ENTRIES 2048

static size_t compressed(const char *text, size_t len)
{
	size_t room = ZSTD_compressBound(len), got;
	char *buf = malloc(room);

	got = buf ? ZSTD_compress(buf, room, text, len, 3) : 0;
	bench_must(!got || ZSTD_isError(got) ? -12 : 0, "zstd");
	free(buf);
	return got;
}

static void measure(enum bench_kind kind)
{
	struct tracedat_contents contents = fixture_contents(HIST_COMPRESS_ZSTD);
	const char *trigger = bench_triggers[kind];
	struct hist_definition def = { .event = "a:b", .trigger = trigger, .engine = "kernel",
				       .clock = "mono" };
	char path[] = "/tmp/trace-cmd-hist-bench.XXXXXX", *text;
	size_t text_bytes = 0, packed = 0, empty, len, pos;
	double cells = (double)SNAPSHOTS * ENTRIES, ours;
	struct hist_text_parser *parser;
	struct hist_series_writer *writer;
	struct hist_snapshot snap = { 0 };
	struct tracedat_writer *dat;
	struct hist_text_block block;
	struct hist_schema *schema;
	struct hist_table *table;
	struct bench_rows rows;
	struct hist_expr *expr;
	unsigned int i;
	int fd;

	fd = mkstemp(path);
	bench_must(fd < 0 ? -1 : 0, path);
	unlink(path);
	bench_must(hist_expr_parse(&expr, trigger, NULL), "expression");
	bench_must(hist_schema_make(&schema, expr, NULL), "schema");
	table = hist_table_new(schema);
	parser = hist_text_parser_new(table);
	bench_must(tracedat_create(&dat, fd, &contents), "file");
	empty = dat->size;
	bench_must(hist_series_writer_new(&writer, dat), "series");
	bench_must(hist_series_define(writer, &def, table), "histogram");
	bench_rows_init(&rows, ENTRIES, kind);
	for (i = 0; i < SNAPSHOTS; i++) {
		if (i)
			bench_rows_change(&rows, 5);
		bench_rows_sort(&rows);
		text = bench_rows_print(&rows, &len);
		text_bytes += len;
		packed += compressed(text, len);
		pos = 0;
		bench_must(hist_text_next_block(text, len, &pos, &block) != 1, "block");
		bench_must(hist_text_parse(parser, &block, &snap, NULL), "text");
		snap.seq = i;
		/* about a second apart, as it comes */
		snap.time = 1000000000ull * i + bench_random(&rows.random) % 1000000;
		snap.read_ns = 3000000 + bench_random(&rows.random) % 100000;
		bench_must(hist_series_add(writer, 0, &snap), "snapshot");
		free(text);
	}
	bench_must(hist_series_finish(writer), "end");
	ours = (dat->size - empty) / cells;
	bench_row(bench_text("bytes an entry and snapshot, by %s", bench_labels[kind]),
		  bench_text("%.3f B", ours), bench_text("text %.0f B", text_bytes / cells),
		  (struct bench_ratio){ text_bytes / cells / ours, 0, true },
		  kind == BENCH_CALLS_RET ? "" : "0.25 B",
		  ours <= 0.25);
	bench_row("  the same beside each text compressed by zstd -3", bench_text("%.3f B", ours),
		  bench_text("zstd %.1f B", packed / cells),
		  (struct bench_ratio){ packed / cells / ours, 0, true }, "", true);
	hist_series_writer_free(writer);
	tracedat_writer_free(dat);
	hist_text_parser_free(parser);
	hist_table_free(table);
	hist_schema_free(schema);
	hist_expr_free(expr);
	hist_snapshot_clear(&snap);
	bench_rows_free(&rows);
	close(fd);
}

int main(void)
{
	measure(BENCH_CALLS);
	measure(BENCH_CALLS_RET);
	measure(BENCH_NAMES);
	return bench_status();
}
