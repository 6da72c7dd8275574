// SPDX-License-Identifier: GPL-2.0
/*
 * text.c - the hist text parser beside a naive one and beside only looking at
 * each line
 *
 *	bench-text
 *	bench-text count ours|sscanf ROUNDS	only that, for valgrind
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/expr/expr.h"
#include "lib/histfile/hist_text.h"
#include "utest/bench/bench.h"

/* Readings of one file, with 5 % of the entries changed from one to the next. */
#define READINGS 4

struct input {
	char *texts[READINGS];
	size_t lens[READINGS], most;
	unsigned int turn;
	const char *text; /* the one in turn */
	size_t len;
	struct hist_text_parser *parser;
	struct hist_table *table;
	struct hist_snapshot snap;
	char *scratch;
	uint64_t result;
};

static void open_parser(struct input *in, const char *trigger)
{
	struct hist_schema *schema;
	struct hist_expr *expr;

	bench_must(hist_expr_parse(&expr, trigger, NULL), "expression");
	bench_must(hist_schema_make(&schema, expr, NULL), "schema");
	in->table = hist_table_new(schema);
	in->parser = in->table ? hist_text_parser_new(in->table) : NULL;
	bench_must(in->parser ? 0 : -12, "parser");
	hist_schema_free(schema);
	hist_expr_free(expr);
}

static void next_reading(struct input *in)
{
	in->text = in->texts[in->turn % READINGS];
	in->len = in->lens[in->turn++ % READINGS];
}

/* The second and each later reading of the file, as a recorder does it. */
static void ours_again(void *arg)
{
	struct hist_text_block block;
	struct input *in = arg;
	size_t pos = 0;

	next_reading(in);
	if (hist_text_next_block(in->text, in->len, &pos, &block) != 1)
		bench_must(-74, "block");
	bench_must(hist_text_parse(in->parser, &block, &in->snap, NULL), "text");
}

/* The first: every key and name is new. */
static void ours_first(void *arg)
{
	struct input *in = arg;

	hist_table_clear(in->table);
	hist_snapshot_clear(&in->snap);
	ours_again(arg);
}

static void naive(void *arg)
{
	unsigned long long pid, id, hits, ret;
	struct input *in = arg;
	char comm[64], call[64], *line;

	next_reading(in);
	in->result = 0;
	memcpy(in->scratch, in->text, in->len + 1);
	for (line = strtok(in->scratch, "\n"); line; line = strtok(NULL, "\n")) {
		if (sscanf(line, "{ common_pid: %63[^[][%llu], id: %63[^[][%llu] } hitcount: %llu "
			   "ret: %llu", comm, &pid, call, &id, &hits, &ret) == 6 ||
		    sscanf(line, "{ next_comm: %63s } hitcount: %llu", comm, &hits) == 2)
			in->result += hits;
	}
}

static void scan(void *arg)
{
	struct input *in = arg;
	const char *at, *end;

	next_reading(in);
	at = in->text;
	end = at + in->len;
	in->result = 0;
	while (at < end && (at = memchr(at, '\n', end - at))) {
		in->result++;
		at++;
	}
}

static uint64_t sum(const struct input *in, unsigned int width)
{
	uint64_t total = 0;
	uint32_t e;

	for (e = 0; e < in->snap.nentries; e++)
		total += in->snap.values[(size_t)e * width];
	return total;
}

static void compare(unsigned int n, enum bench_kind kind, double goal)
{
	struct input in = { 0 }, first, peers;
	struct bench_case cases[] = {
		{ "again", ours_again, &in, 0, 0 },
		{ "first", ours_first, &first, 0, 0 },
		{ "naive", naive, &peers, 0, 0 },
		{ "scan", scan, &peers, 0, 0 },
	};
	struct bench_rows rows;
	double speed[4];
	unsigned int i;
	const char *what;

	bench_rows_init(&rows, n, kind);
	for (i = 0; i < READINGS; i++) {
		bench_rows_sort(&rows);
		in.texts[i] = bench_rows_print(&rows, &in.lens[i]);
		in.most = in.lens[i] > in.most ? in.lens[i] : in.most;
		bench_rows_change(&rows, 5);
	}
	first = peers = in;
	peers.scratch = malloc(in.most + 1);
	open_parser(&in, bench_triggers[kind]);
	open_parser(&first, bench_triggers[kind]);

	/* both read the same */
	ours_again(&in);
	naive(&peers);
	bench_must(sum(&in, kind == BENCH_CALLS_RET ? 2 : 1) == peers.result && in.snap.nentries == n ? 0 : -74,
		   "the two parsers do not agree");

	bench_run(cases, 4, n > 10000 ? 8 : 40);
	for (i = 0; i < 4; i++)
		speed[i] = in.most / cases[i].best / 1e6;
	what = bench_text("hist text, %u entries by %s, again", n,
			  bench_labels[kind]);
	bench_row(what, bench_text("%.0f MB/s", speed[0]),
		  bench_text("sscanf %.0f MB/s", speed[2]), bench_faster(&cases[0], &cases[2]),
		  goal ? bench_text("%.0f MB/s", goal) : "", speed[0] >= goal);
	bench_row("  the same beside a memchr() of the lines", bench_text("%.0f MB/s", speed[0]),
		  bench_text("scan %.0f MB/s", speed[3]), bench_faster(&cases[0], &cases[3]), "",
		  true);
	bench_row("  the first reading: all keys are new", bench_text("%.0f MB/s", speed[1]),
		  bench_text("sscanf %.0f MB/s", speed[2]), bench_faster(&cases[1], &cases[2]), "",
		  true);
	hist_text_parser_free(in.parser);
	hist_text_parser_free(first.parser);
	hist_table_free(in.table);
	hist_table_free(first.table);
	hist_snapshot_clear(&in.snap);
	hist_snapshot_clear(&first.snap);
	for (i = 0; i < READINGS; i++)
		free(in.texts[i]);
	free(peers.scratch);
	bench_rows_free(&rows);
}

/* For a program that counts instructions: @what, @rounds times. */
static int count(const char *what, unsigned int rounds)
{
	struct bench_rows rows;
	struct input in = { 0 };
	unsigned int i;

	bench_rows_init(&rows, 2048, BENCH_CALLS_RET);
	for (i = 0; i < READINGS; i++) {
		bench_rows_sort(&rows);
		in.texts[i] = bench_rows_print(&rows, &in.lens[i]);
		in.most = in.lens[i] > in.most ? in.lens[i] : in.most;
		bench_rows_change(&rows, 5);
	}
	in.scratch = malloc(in.most + 1);
	open_parser(&in, bench_triggers[BENCH_CALLS_RET]);
	while (rounds--)
		strcmp(what, "sscanf") ? ours_again(&in) : naive(&in);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "count"))
		return count(argv[2], atoi(argv[3]));
	compare(2048, BENCH_CALLS_RET, 600);
	compare(131072, BENCH_CALLS_RET, 350);
	compare(2048, BENCH_NAMES, 600);
	compare(131072, BENCH_NAMES, 350);
	return bench_status();
}
