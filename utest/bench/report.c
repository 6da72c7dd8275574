// SPDX-License-Identifier: GPL-2.0
/*
 * report.c - reading a long series, beside decompressing its bytes only
 *
 *	bench-report			600 snapshots of 16,384 entries, 5 % changing
 *	bench-report calls FILE SEED [N]	write such a file, of N snapshots, and stop
 *	bench-report axis FILE SEED [N]	the same of 512 groups of 32 buckets each
 *	bench-report scan FILE...	only decompress, and look at each byte
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "lib/expr/expr.h"
#include "lib/histfile/hist_text.h"
#include "lib/series/record.h"
#include "lib/series/series.h"
#include "utest/bench/bench.h"
#include "utest/unit/lib/tracedat/tracedat_fixture.h"

#define SNAPSHOTS 600
#define ENTRIES 16384
#define BUCKETS 32

static const char axis_trigger[] = "hist:keys=id,lat_us.log2:size=16384";

/* Counts by system call and bucket of time, in the kernel's notation. */
static char *axis_text(size_t *len)
{
	unsigned int call, bucket;
	char *text;
	FILE *f = open_memstream(&text, len);

	if (!f)
		bench_must(-12, "text");
	fprintf(f, "# event histogram\n#\n# trigger info: %s [active]\n#\n\n", axis_trigger);
	for (call = 0; call < ENTRIES / BUCKETS; call++)
		for (bucket = 0; bucket < BUCKETS; bucket++)
			fprintf(f, "{ id: %10u, lat_us: ~ 2^%-2u } hitcount:          1\n", call,
				bucket);
	fprintf(f, "\nTotals:\n    Hits: %u\n    Entries: %u\n    Dropped: 0\n", ENTRIES, ENTRIES);
	bench_must(fclose(f), "text");
	return text;
}

static void write_file(int fd, bool axis, uint64_t seed, unsigned int snapshots)
{
	struct tracedat_contents contents = fixture_contents(HIST_COMPRESS_ZSTD);
	const char *trigger = axis ? axis_trigger : bench_triggers[BENCH_CALLS];
	struct hist_definition def = { .event = "raw_syscalls:sys_enter", .trigger = trigger,
				       .engine = "kernel", .clock = "mono" };
	struct hist_series_writer *writer;
	struct hist_snapshot snap = { 0 };
	struct hist_text_parser *parser;
	struct hist_text_block block;
	struct tracedat_writer *dat;
	struct hist_schema *schema;
	struct hist_table *table;
	struct bench_rows rows;
	struct hist_expr *expr;
	size_t len, pos = 0;
	unsigned int i, e;
	char *text;

	bench_must(hist_expr_parse(&expr, trigger, NULL), "expression");
	bench_must(hist_schema_make(&schema, expr, NULL), "schema");
	table = hist_table_new(schema);
	parser = hist_text_parser_new(table);
	bench_must(tracedat_create(&dat, fd, &contents), "file");
	bench_must(hist_series_writer_new(&writer, dat), "series");
	bench_must(hist_series_define(writer, &def, table), "histogram");
	bench_rows_init(&rows, ENTRIES, BENCH_CALLS);
	/* through the text once, for the keys; from then on in the order they have got */
	text = axis ? axis_text(&len) : bench_rows_print(&rows, &len);
	rows.random += seed;
	bench_must(hist_text_next_block(text, len, &pos, &block) != 1, "block");
	bench_must(hist_text_parse(parser, &block, &snap, NULL), "text");
	for (i = 0; i < snapshots; i++) {
		snap.seq = i;
		snap.time = 1000000000ull * (i + 1);
		bench_must(hist_series_add(writer, 0, &snap), "snapshot");
		bench_rows_change(&rows, 5);
		snap.hits = 0;
		for (e = 0; e < ENTRIES; e++) {
			snap.values[e] = rows.hitcount[e];
			snap.hits += rows.hitcount[e];
		}
	}
	bench_must(hist_series_finish(writer), "end");
	free(text);
	hist_series_writer_free(writer);
	tracedat_writer_free(dat);
	hist_text_parser_free(parser);
	hist_table_free(table);
	hist_schema_free(schema);
	hist_expr_free(expr);
	hist_snapshot_clear(&snap);
	bench_rows_free(&rows);
}

struct input {
	const char *path;
	uint64_t snapshots, bytes, check;
};

/* Everything that a report of every snapshot reads. */
static void walk(void *arg)
{
	const struct hist_snapshot *snap;
	struct hist_series *series;
	struct hist_cursor *cursor;
	struct input *in = arg;
	struct hist_error error = { 0 };

	in->snapshots = 0;
	bench_must(hist_series_open(&series, in->path, &error), error.what);
	bench_must(hist_cursor_open(&cursor, series, 0, 0), "cursor");
	while (hist_cursor_next(cursor, &snap) == 1) {
		in->snapshots++;
		in->check += snap->values[snap->nentries - 1];
	}
	hist_cursor_free(cursor);
	hist_series_free(series);
}

static void with_sections(struct input *in, bool decompress)
{
	struct hist_compressor *zstd = hist_compressor_new(HIST_COMPRESS_ZSTD);
	struct tracedat_section section;
	struct tracedat_reader *dat;
	struct record_header h;
	const void *data, *raw;
	uint64_t offset;
	size_t i;

	in->bytes = 0;
	bench_must(tracedat_open(&dat, in->path, NULL), in->path);
	bench_must(tracedat_find_hist(dat, &offset) != TRACEDAT_HIST_FOUND, "sections");
	for (; tracedat_read_section(dat, offset, &section) == 1;
	     offset = section.data + section.size) {
		bench_must(tracedat_read(dat, section.data, section.size, &data), "section");
		bench_must(record_header_decode(&h, false, data), "record");
		raw = (const char *)data + RECORD_HEADER_SIZE;
		if (decompress && (h.flags & RECORD_COMPRESSED))
			bench_must(hist_compressor_decompress(zstd, raw, h.stored_len, h.raw_len,
							      &raw),
				   "decompress");
		else if (!decompress)
			h.raw_len = h.stored_len;
		/* the ends of the varints: each byte is looked at, no more */
		for (i = 0; i < h.raw_len; i++)
			in->check += !(((const unsigned char *)raw)[i] & 0x80);
		in->bytes += h.raw_len;
	}
	tracedat_reader_free(dat);
	hist_compressor_free(zstd);
}

static void decompress_and_scan(void *arg)
{
	with_sections(arg, true);
}

static int write_and_stop(const char *path, bool axis, const char *seed, unsigned int snapshots)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);

	bench_must(fd < 0 ? errno : 0, path);
	write_file(fd, axis, strtoull(seed, NULL, 10), snapshots);
	close(fd);
	return 0;
}

static int scan_and_stop(char **paths)
{
	struct input in = { 0 };

	for (; *paths; paths++) {
		in.path = *paths;
		decompress_and_scan(&in);
	}
	printf("%llu\n", (unsigned long long)in.check);
	return 0;
}

int main(int argc, char **argv)
{
	char path[] = "/tmp/trace-cmd-hist-bench.XXXXXX";
	struct input in = { .path = path };
	struct bench_case cases[] = {
		{ "walk", walk, &in, 0, 0 },
		{ "scan", decompress_and_scan, &in, 0, 0 },
	};
	int fd;

	if (argc > 2 && !strcmp(argv[1], "scan"))
		return scan_and_stop(argv + 2);
	if (argc == 4 || argc == 5)
		return write_and_stop(argv[2], !strcmp(argv[1], "axis"), argv[3],
				      argc == 5 ? strtoul(argv[4], NULL, 10) : SNAPSHOTS);
	fd = mkstemp(path);
	bench_must(fd < 0 ? errno : 0, path);
	write_file(fd, false, 0, SNAPSHOTS);
	close(fd);
	bench_run(cases, 2, 5);
	bench_must(in.snapshots != SNAPSHOTS, "not every snapshot was read");
	bench_row("reading 600 snapshots of 16,384 entries",
		  bench_text("%.1f ms", cases[0].best * 1e3),
		  bench_text("decompress %.1f ms", cases[1].best * 1e3),
		  bench_slower(&cases[0], &cases[1]), "at most 2x",
		  cases[0].best <= 2 * cases[1].best);
	unlink(path);
	return bench_status();
}
