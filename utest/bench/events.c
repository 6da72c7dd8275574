// SPDX-License-Identifier: GPL-2.0
/*
 * events.c - reading the events of a trace.dat, beside the limit and what else people use
 *
 *	bench-events FILE ZSTD		the same events, not compressed and compressed
 *	bench-events keys FEW MANY	replays of two files that bench-reshape made
 *	bench-events count limit|ours|replay|decompress|none FILE	only that, for valgrind
 *	bench-events walk calls|wakeups FILE	only the walk of what is read, of a latency
 *
 * Three queries in one pass, counted in one small hash table: how often each task was switched
 * to, was woken, and made which system call.  The limit is a walk over the pages of a mapping
 * with all that is known when this is compiled, without any check: what a reader and an engine
 * can at most be.  It would die of a file that is cut meanwhile, and it knows no times; so there is
 * another that reads what a replay must read: copies of the pages, as the program has them, and the
 * time of each event besides its fields.  How much more a copy takes than a mapping depends on the
 * machine.  The peers are libtracecmd's iterator in C, and awk behind `report`.
 *
 * events_make.py makes FILE (kind long:MB), of x86-64.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <event-parse.h>
#include <trace-cmd.h>
#include <zstd.h>

#include "lib/replay/replay.h"
#include "lib/ringbuf/events_private.h"
#include "utest/bench/bench.h"
#include "utest/bench/events_walk.h"

/* As large as the windows of lib/ringbuf/events_pages.c. */
#define WINDOW (64u << 10)

/* Fields of its keys, and the same as a trigger. */
struct question {
	const char *system, *name, *key, *key2, *trigger;
};

/* The three queries. */
static const struct question queries[3] = {
	{ "sched", "sched_switch", " next_pid;", NULL, "hist:keys=next_pid:size=5000" },
	{ "sched", "sched_waking", " pid;", NULL, "hist:keys=pid:size=5000" },
	{ "raw_syscalls", "sys_enter", " common_pid;", " id;", "hist:keys=common_pid,id:size=100000" },
};

/* START and END of latencies, by the key that finds START again. */
static const struct question calls[3] = {
	{ "raw_syscalls", "sys_enter", " common_pid;", NULL, NULL },
	{ "raw_syscalls", "sys_exit", " common_pid;", NULL, NULL },
};

static const struct question wakeups[3] = {
	{ "sched", "sched_waking", " pid;", NULL, NULL },
	{ "sched", "sched_switch", " next_pid;", NULL, NULL },
};

/* What a replay has at its end. */
struct replayed {
	struct hist_table *tables[3];
	uint64_t hits;
};

static void clear(struct input *in)
{
	memset(&in->counts, 0, sizeof(in->counts));
}

static void limit(void *arg)
{
	struct input *in = arg;
	const unsigned char *map, *page;
	unsigned int cpu;
	struct stat st;
	int fd;

	clear(in);
	fd = open(in->path, O_RDONLY);
	bench_must(fd < 0 || fstat(fd, &st) ? -2 : 0, in->path);
	map = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	bench_must(map == MAP_FAILED ? -12 : 0, "mmap");
	for (cpu = 0; cpu < in->ncpus; cpu++) {
		page = map + in->places[cpu][0];
		walk_pages(in, page, page + in->places[cpu][1], false);
	}
	munmap((void *)map, st.st_size);
	close(fd);
}

/* What a replay must do at least. */
static void limit_of_reading(void *arg)
{
	unsigned char *window = malloc(WINDOW);
	struct input *in = arg;
	unsigned int cpu;
	uint64_t pos, len;
	int fd;

	clear(in);
	fd = open(in->path, O_RDONLY);
	bench_must(fd < 0 || !window ? -2 : 0, in->path);
	for (cpu = 0; cpu < in->ncpus; cpu++) {
		for (pos = 0; pos < in->places[cpu][1]; pos += len) {
			len = in->places[cpu][1] - pos;
			len = len < WINDOW ? len : WINDOW;
			bench_must(pread(fd, window, len, in->places[cpu][0] + pos) != (ssize_t)len,
				   in->path);
			walk_pages(in, window, window + len, true);
		}
	}
	close(fd);
	free(window);
}

static struct hist_events *opened(const char *path)
{
	struct hist_events *events;
	struct hist_error error = { 0 };

	if (hist_events_open(&events, path, &error)) {
		fprintf(stderr, "bench: %s: %s\n", path, hist_error_what(&error, -EINVAL));
		exit(2);
	}
	return events;
}

static void ours(void *arg)
{
	struct input *in = arg;
	struct hist_events *events = opened(in->path);
	const struct hist_events_buffer *buffer = hist_events_buffer(events, 0);
	const unsigned char *data;
	struct hist_events_pages *pages;
	struct hist_ring_page page;
	unsigned int cpu;
	uint32_t len;

	clear(in);
	for (cpu = 0; cpu < buffer->cpus; cpu++) {
		bench_must(hist_events_pages_open(&pages, events, 0, cpu), in->path);
		while (hist_events_pages_next(pages, &page) == 1)
			while (hist_ring_page_next(&page, &data, &len))
				take(in, data, page.time);
		hist_events_pages_free(pages);
	}
	hist_events_free(events);
}

/* Each chunk once, and nothing else done with it. */
static void decompress(void *arg)
{
	struct input *in = arg;
	unsigned char *packed = malloc(1 << 20), *raw = malloc(1 << 20), head[8];
	struct hist_events *events = opened(in->path);
	ZSTD_DCtx *zstd = ZSTD_createDCtx();
	uint32_t n, sizes[2];
	unsigned int cpu;
	uint64_t at;
	int fd = open(in->path, O_RDONLY);

	for (cpu = 0; cpu < in->ncpus; cpu++) {
		at = in->places[cpu][0];
		bench_must(pread(fd, &n, 4, at) != 4, in->path);
		for (at += 4; n; n--) {
			bench_must(pread(fd, head, 8, at) != 8, in->path);
			memcpy(sizes, head, 8);
			bench_must(pread(fd, packed, sizes[0], at + 8) != (ssize_t)sizes[0], in->path);
			bench_must(ZSTD_decompressDCtx(zstd, raw, 1 << 20, packed, sizes[0]) !=
				   sizes[1], in->path);
			at += 8 + sizes[0];
		}
	}
	ZSTD_freeDCtx(zstd);
	hist_events_free(events);
	free(packed);
	free(raw);
	close(fd);
}

static int take_record(struct tracecmd_input *handle, struct tep_record *record, int cpu, void *data)
{
	(void)handle;
	(void)cpu;
	take(data, record->data, record->ts);
	return 0;
}

static void libtracecmd(void *arg)
{
	struct input *in = arg;
	struct tracecmd_input *handle = tracecmd_open(in->path, TRACECMD_FL_LOAD_NO_PLUGINS);

	bench_must(handle ? 0 : -22, in->path);
	clear(in);
	tracecmd_iterate_events(handle, NULL, 0, take_record, in);
	tracecmd_close(handle);
}

static void report(void *arg)
{
	static const char awk[] =
		"/ sched_switch: / { sub(/.*next_pid=/, \"\"); sub(/ .*/, \"\"); s[$0]++; n++; next } "
		"/ sched_waking: / { sub(/.* pid=/, \"\"); sub(/ .*/, \"\"); w[$0]++; n++; next } "
		"/ sys_enter: / { p = $1; sub(/.*-/, \"\", p); c[p, $5]++; n++; next } "
		"END { print n }";
	struct input *in = arg;
	char command[1200];
	FILE *f;

	snprintf(command, sizeof(command), "/usr/bin/trace-cmd report -N -i '%s' 2>/dev/null | awk '%s'",
		 in->path, awk);
	f = popen(command, "r");
	bench_must(!f || fscanf(f, "%" SCNu64, &in->counts.events) != 1, "report | awk");
	pclose(f);
}

/* "field:pid_t next_pid;\toffset:56;" */
static unsigned int offset_of(const char *text, size_t len, const char *field)
{
	char *copy = strndup(text, len), *at = strstr(copy, field);
	unsigned int offset = 0;

	at = at ? strstr(at, "offset:") : NULL;
	bench_must(at ? 0 : -22, field);
	offset = atoi(at + 7);
	free(copy);
	return offset;
}

/* The snapshot at the end: as many hits as the others count. */
static int take_hits(void *data, const struct hist_replay_moment *moment)
{
	struct replayed *r = data;
	struct hist_snapshot snap = { 0 };
	unsigned int i;

	r->hits = 0;
	for (i = 0; i < 3; i++) {
		bench_must(hist_engine_snapshot(moment->runs, moment->nruns, i, r->tables[i],
						&snap), "snapshot");
		r->hits += snap.hits;
		hist_snapshot_clear(&snap);
	}
	return 0;
}

/* The same three queries as hist expressions, by our engine; a variable makes order matter. */
static void replay_in(struct input *in, unsigned int threads, bool ordered)
{
	struct hist_events *events = opened(in->path);
	struct hist_engine_machine machine = {
		.layout = hist_events_machine(events)->layout,
		.clock_is_ns = true,
	};
	struct hist_event *formats[3];
	struct hist_expr *exprs[3];
	struct replayed replayed = { 0 };
	struct hist_replay replay = { .to = UINT64_MAX, .threads = threads, .snapshot = take_hits,
				      .data = &replayed };
	struct hist_replay_result result;
	struct hist_engine *engine;
	const char *text, *trigger;
	unsigned int i;
	size_t len;

	bench_must(hist_engine_new(&engine, &machine), "engine");
	for (i = 0; i < 3; i++) {
		bench_must(hist_events_format(events, queries[i].system, queries[i].name, &text, &len),
			   queries[i].name);
		bench_must(hist_event_parse(&formats[i], queries[i].system, text, len), "format");
		trigger = bench_text("%s%s", queries[i].trigger, ordered ? ":t=common_timestamp" : "");
		bench_must(hist_expr_parse(&exprs[i], trigger, NULL), trigger);
		bench_must(hist_engine_add(engine, formats[i], exprs[i], NULL) == (int)i ? 0 : -22,
			   queries[i].trigger);
		replayed.tables[i] = hist_table_new(hist_engine_schema(engine, i));
		bench_must(replayed.tables[i] ? 0 : -12, "table");
	}
	bench_must(hist_replay_run(&replay, events, engine, &result), "replay");
	in->counts.events = result.counts.events;
	bench_must(replayed.hits != result.counts.matched ? -74 : 0, "replay has no room");
	hist_engine_free(engine);
	for (i = 0; i < 3; i++) {
		hist_table_free(replayed.tables[i]);
		hist_expr_free(exprs[i]);
		hist_event_free(formats[i]);
	}
	hist_events_free(events);
}

static void replay_one(void *arg)
{
	replay_in(arg, 1, false);
}

/* Each CPU is walked by one thread: two are no faster than the one that has more of the file. */
static double allowed(const struct input *in)
{
	double all = 0, most = 0;
	unsigned int i;

	for (i = 0; i < in->ncpus; i++) {
		all += in->places[i][1];
		most = in->places[i][1] > most ? in->places[i][1] : most;
	}
	return most > all / 2 ? all / most : 2;
}

static double wall(struct input *in, unsigned int threads, bool ordered)
{
	struct timespec from, to;

	clock_gettime(CLOCK_MONOTONIC, &from);
	replay_in(in, threads, ordered);
	clock_gettime(CLOCK_MONOTONIC, &to);
	return to.tv_sec - from.tv_sec + (to.tv_nsec - from.tv_nsec) / 1e9;
}

#define PAIRS 21

static int compare_doubles(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * The clock on the wall: the median of pairs, and half of the spread of the middle ones as noise.
 * If order matters, the second thread only decompresses.
 */
static void two_threads(struct input *in, bool ordered, const char *what, double least)
{
	struct bench_ratio ratio = { .more = true };
	double pairs[PAIRS];
	unsigned int i;

	for (i = 0; i < PAIRS; i++) {
		pairs[i] = wall(in, 1, ordered);
		pairs[i] /= wall(in, 2, ordered);
	}
	qsort(pairs, PAIRS, sizeof(pairs[0]), compare_doubles);
	ratio.value = pairs[PAIRS / 2];
	ratio.noise = (pairs[PAIRS * 3 / 4] - pairs[PAIRS / 4]) / 2 / ratio.value;
	ratio.noise = ratio.noise < 0.01 ? 0.01 : ratio.noise;
	bench_row(what, bench_text("%.2fx", ratio.value),
		  ordered ? "one thread" : bench_text("its CPUs allow %.2fx", allowed(in)), ratio,
		  bench_text("%gx", least), ratio.value >= least);
}

static void prepare(struct input *in, const char *path, const struct question *questions)
{
	struct hist_events *events = opened(path);
	unsigned int i;
	const char *text;
	size_t len;

	memset(in, 0, sizeof(*in));
	in->path = path;
	for (i = 0; i < 3; i++) {
		in->queries[i].type = UINT_MAX; /* of no event */
		if (!questions[i].system)
			continue;
		bench_must(hist_events_format(events, questions[i].system, questions[i].name, &text, &len),
			   questions[i].name);
		in->queries[i].type = atoi(strstr(text, "ID: ") + 4);
		in->queries[i].key = offset_of(text, len, questions[i].key);
		if (questions[i].key2)
			in->queries[i].key2 = offset_of(text, len, questions[i].key2);
	}
	in->ncpus = events->buffers[0].ncpus;
	bench_must(in->ncpus > 16, "too many CPUs");
	for (i = 0; i < in->ncpus; i++) {
		in->places[i][0] = events->buffers[0].cpus[i].at;
		in->places[i][1] = events->buffers[0].cpus[i].size;
	}
	hist_events_free(events);
}

/* Of all keys with their hits, wherever the order of events has put them. */
static uint64_t sum(const struct counts *c)
{
	uint64_t all = 0;
	unsigned int i;

	for (i = 0; i < SLOTS; i++)
		all += c->keys[i] * c->hits[i];
	return all;
}

/* All cases count the same; @times 0: nothing is known about them. */
static void must_count(const struct bench_case *one, uint64_t events, uint64_t all, uint64_t times)
{
	const struct input *in = one->arg;

	one->run(one->arg);
	bench_must(in->counts.events != events || sum(&in->counts) != all ||
		   (times && in->counts.times != times) ? -74 : 0, one->name);
}

/* Events in a second of ours, of the peer, and how many times as fast ours is. */
static void beside(const char *what, const struct bench_case *ours, const char *name,
		   const struct bench_case *peer, double n)
{
	bench_row(what, bench_text("%.1f M/s", n / ours->best / 1e6),
		  bench_text("%s %.1f M/s", name, n / peer->best / 1e6), bench_faster(ours, peer),
		  "", true);
}

static int few_and_many(const char *few, const char *many)
{
	static struct input in[2];
	struct bench_case cases[] = {
		{ "few", replay_one, &in[0], 0, 0 },
		{ "many", replay_one, &in[1], 0, 0 },
	};
	struct bench_ratio ratio;

	prepare(&in[0], few, queries);
	prepare(&in[1], many, queries);
	bench_run(cases, 2, 9);
	ratio = bench_slower(&cases[1], &cases[0]);
	/* Each hit of so large a table reads two lines of memory that are in no cache. */
	bench_row("replay of 77,000 keys", bench_text("%.1f ms", cases[1].best * 1e3),
		  bench_text("200 keys %.1f ms", cases[0].best * 1e3), ratio, "at most 4.5x",
		  ratio.value <= 4.5);
	return bench_status();
}

/* The cases that count all keys come first, the limit before all others. */
enum { LIMIT, OURS, READING, PACKED, COUNTING = PACKED + 1, REPLAY = COUNTING, UNPACKED, PACKED_REPLAY, CASES };

static void print_rows(const struct bench_case *cases, const struct bench_case *slow,
		       const struct bench_case *report, struct input *plain, struct input *packed, double n)
{
	struct bench_ratio ratio;

	beside("events of a trace.dat, three queries", &cases[OURS], "bare walk", &cases[LIMIT], n);
	beside("  the same", &cases[OURS], "walk of what is read", &cases[READING], n);
	beside("  the same", &cases[OURS], "libtracecmd", &slow[0], n);
	beside("  the same", &cases[OURS], "report | awk", report, n);
	beside("  of a zstd file", &cases[PACKED], "decompressing", &cases[UNPACKED], n);
	beside("  the same", &cases[PACKED], "libtracecmd", &slow[1], n);
	beside("replay of them, one thread", &cases[REPLAY], "bare walk", &cases[LIMIT], n);
	ratio = bench_faster(&cases[REPLAY], &cases[READING]);
	bench_row("  the same", bench_text("%.1f M/s", n / cases[REPLAY].best / 1e6),
		  bench_text("walk of what is read %.1f M/s", n / cases[READING].best / 1e6), ratio,
		  "at least 0.6", ratio.value >= 0.6);
	ratio = bench_faster(&cases[REPLAY], report);
	bench_row("  the same", bench_text("%.1f M/s", n / cases[REPLAY].best / 1e6),
		  bench_text("report | awk %.2f M/s", n / report->best / 1e6), ratio,
		  "at least 200x", ratio.value >= 200);
	/* The walk over the pages, which takes what it takes of a file that is not compressed. */
	ratio = bench_slower(&cases[PACKED_REPLAY], &cases[UNPACKED]);
	bench_row("replay of them from a zstd file", bench_text("%.0f ms", cases[PACKED_REPLAY].best * 1e3),
		  bench_text("decompressing %.0f ms", cases[UNPACKED].best * 1e3), ratio, "at most 1.5x",
		  ratio.value <= 1.5);
	two_threads(packed, true, "  the same in order, two threads", 1.5);
	/* 0.65 of the time of one thread */
	two_threads(plain, false, "replay of them, two threads", 1.54);
}

int main(int argc, char **argv)
{
	static struct input plain, packed;
	struct bench_case cases[CASES] = {
		[LIMIT] = { "limit", limit, &plain, 0, 0 },
		[OURS] = { "ours", ours, &plain, 0, 0 },
		[READING] = { "reading", limit_of_reading, &plain, 0, 0 },
		[PACKED] = { "packed", ours, &packed, 0, 0 },
		[REPLAY] = { "replay", replay_one, &plain, 0, 0 },
		[UNPACKED] = { "decompress", decompress, &packed, 0, 0 },
		[PACKED_REPLAY] = { "packed replay", replay_one, &packed, 0, 0 },
	};
	struct bench_case slow[] = {
		{ "libtracecmd", libtracecmd, &plain, 0, 0 },
		{ "packed libtracecmd", libtracecmd, &packed, 0, 0 },
	};
	struct bench_case slowest[] = { { "report | awk", report, &plain, 0, 0 } };
	uint64_t n, all, times;
	unsigned int i;

	if (argc == 4 && !strcmp(argv[1], "count")) {
		prepare(argv[2][0] == 'd' ? &packed : &plain, argv[3], queries);
		for (i = 0; i < CASES && strcmp(argv[2], cases[i].name); i++)
			;
		if (i < CASES)
			cases[i].run(cases[i].arg);
		printf("%" PRIu64 "\n", plain.counts.events);
		return 0;
	}
	if (argc == 4 && !strcmp(argv[1], "walk")) {
		prepare(&plain, argv[3], strcmp(argv[2], "calls") ? wakeups : calls);
		limit_of_reading(&plain);
		printf("%" PRIu64 "\n", plain.counts.events);
		return 0;
	}
	if (argc == 4 && !strcmp(argv[1], "keys"))
		return few_and_many(argv[2], argv[3]);
	if (argc != 3)
		return 2;
	tracecmd_set_loglevel(TEP_LOG_NONE);
	prepare(&plain, argv[1], queries);
	prepare(&packed, argv[2], queries);

	limit(&plain);
	n = plain.counts.events;
	all = sum(&plain.counts);
	/* the times that our reader finds, which the other walks must find, too */
	ours(&plain);
	times = plain.counts.times;
	for (i = OURS; i < COUNTING; i++)
		must_count(&cases[i], n, all, times);
	must_count(&slow[0], n, all, 0);
	replay_one(&plain);
	bench_must(plain.counts.events != n ? -74 : 0, "replay counts others");
	bench_run(cases, CASES, 5);
	bench_run(slow, 2, 1);
	bench_run(slowest, 1, 1);
	bench_must(plain.counts.events != n ? -74 : 0, "report | awk counts others");
	print_rows(cases, slow, slowest, &plain, &packed, n);
	return bench_status();
}
