// SPDX-License-Identifier: GPL-2.0
/*
 * series_make.c - make trace.dat files with histograms for format_page.sh
 *
 *   series_make tiny FILE                   the example of trace-cmd-hist.dat(5)
 *   series_make many FILE COMPRESSION little|big
 *   series_make renumber FILE COMPRESSION little|big
 *   series_make attach FILE                 "many" into a finished trace.dat
 *   series_make random FILE SEED            as chance makes them (series_random.h)
 *
 * "many" has every kind of key and value, numbers at the ends of their range,
 * names with any byte, full snapshots in between, a clearing, a gap and a
 * missed interval.  "renumber" is the same, with full snapshots that number entries and
 * strings anew.  Always the same bytes, but for the compression's version.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/series/series.h"
#include "utest/format/series_random.h"
#include "utest/unit/lib/series/renumber_fixture.h"
#include "utest/unit/lib/tracedat/tracedat_fixture.h"

#define SNAPSHOTS 36
#define HISTS 3

#define KEY(n, k) { .name = (char *)(n), .kind = HIST_KEY_##k }
#define SIGNED_KEY(n, k, b) { .name = (char *)(n), .kind = HIST_KEY_##k, .is_signed = true, .bucket = b }
#define VALUE(n, k) { .name = (char *)(n), .kind = HIST_VALUE_##k }

static const struct hist_schema tiny = {
	.nkeys = 1, .keys = { KEY("next_comm", STRING) },
	.nvalues = 1, .values = { VALUE("hitcount", SUM) },
};

/* Three keys each, so that all twelve kinds but UNKNOWN are there, most of them signed. */
static const struct hist_schema shapes[HISTS] = {
	{
		.nkeys = 3,
		.keys = { KEY("file", STRING), SIGNED_KEY("common_pid", EXECNAME, 0),
			  SIGNED_KEY("ret", NUM, 0) },
		.nvalues = 4,
		.values = { VALUE("hitcount", SUM), VALUE("len", HEX), VALUE("hitcount", PERCENT),
			    VALUE("saved", SAVED) },
	}, {
		.nkeys = 3,
		.keys = { KEY("common_stacktrace", STACK), SIGNED_KEY("id", SYSCALL, 0),
			  SIGNED_KEY("lat", BUCKETS, 50) },
		.nvalues = 3,
		.values = { VALUE("hitcount", SUM), VALUE("lat", GRAPH),
			    { .name = (char *)"lat", .kind = HIST_VALUE_SUM, .is_signed = true } },
	}, {
		.nkeys = 3,
		.keys = { KEY("call_site", SYM_OFFSET), KEY("size", LOG2), KEY("call_site", SYM) },
		.nvalues = 1, .values = { VALUE("hitcount", SUM) },
	},
};

static int fail(const char *what, int error)
{
	fprintf(stderr, "series_make: %s: %s\n", what, strerror(-error));
	return 2;
}

struct maker {
	struct hist_series_writer *writer;
	struct hist_table *table[HISTS];
	struct hist_snapshot snap[HISTS];
	bool renumbers;
	uint64_t random; /* or the seed of a file that chance makes */
};

static uint64_t chance(struct maker *m, uint64_t n)
{
	m->random = m->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (m->random >> 33) % n;
}

static int define(struct maker *m, int i, const struct hist_schema *schema, const char *event,
		  const char *trigger)
{
	struct hist_definition def = {
		.event = event, .trigger = trigger, .engine = "kernel",
		.clock = i == 2 ? "counter" : "mono", .instance = "i", .uname = "Linux",
		.host = "box",
	};
	int ret;

	m->table[i] = hist_table_new(schema);
	if (!m->table[i])
		return -ENOMEM;
	ret = hist_series_define(m->writer, &def, m->table[i]);
	return ret < 0 ? ret : 0;
}

/*
 * A name with any byte in it; few of them, so that strings come again.  Some stacks have all
 * frames that the kernel keeps, and some one less.
 */
static int name(struct maker *m, int i, const char *lead, bool is_stack, uint32_t *id)
{
	char s[512];
	int n = (int)chance(m, 50), frame;
	int len = snprintf(s, sizeof(s), "%s%d %c\nsecond+0x%x/0x40", lead, n, n * 5, n);

	for (frame = 3; is_stack && n % 5 == 3 && frame <= 15 + (n > 20); frame++)
		len += snprintf(s + len, sizeof(s) - len, "\nf%d+0x%x/0x40", frame, n);
	return hist_table_intern(m->table[i], s, len, id);
}

static int count(struct maker *m, int i)
{
	const struct hist_schema *schema = hist_table_schema(m->table[i]);
	struct hist_cell cells[HIST_KEYS_MAX] = { 0 };
	struct hist_snapshot *snap = &m->snap[i];
	uint32_t entry, id;
	uint64_t *values;
	unsigned int k;
	int ret;

	for (k = 0; k < schema->nkeys; k++) {
		enum hist_key_kind kind = schema->keys[k].kind;

		cells[k].str = HIST_NO_STRING;
		if (kind == HIST_KEY_LOG2)
			cells[k].num = chance(m, 65);
		else if (kind == HIST_KEY_BUCKETS)
			cells[k].num = (chance(m, 9) - 4) * 50;
		else if (!hist_key_is_text(kind))
			cells[k].num = chance(m, 4) ? chance(m, 40) : 0 - chance(m, 3);
		ret = hist_key_has_string(kind) ? name(m, i, schema->keys[k].name,
						       kind == HIST_KEY_STACK, &cells[k].str) : 0;
		if (ret)
			return ret;
	}
	ret = hist_table_add(m->table[i], cells, &entry);
	if (!ret)
		ret = hist_snapshot_grow(snap, schema, hist_table_entries(m->table[i]));
	if (ret)
		return ret;
	values = snap->values + (size_t)entry * schema->nvalues;
	snap->hits++;
	snap->entries = snap->nentries;
	values[0] += chance(m, 200) ? 1 : UINT64_C(1) << 62;
	if (i == 0) {
		ret = name(m, i, "max: ", false, &id);
		values[1] += chance(m, UINT64_C(1) << 31);
		values[2] = chance(m, 10001);
		values[3] = id;
	} else if (i == 1) {
		values[1] = chance(m, 21);
		values[2] += chance(m, 2000) - 1000;
	}
	return ret;
}

static int many(struct maker *m)
{
	static const char *const events[] = { "test:files", "test:calls", "test:files" };
	static const char *const triggers[] = { "hist:keys=a", "hist:keys=b", "hist:keys=c if x" };
	int i, n, changes, ret = 0;

	for (i = 0; i < HISTS && !ret; i++)
		ret = define(m, i, &shapes[i], events[i], triggers[i]);
	for (n = 0; n < SNAPSHOTS && !ret; n++) {
		for (i = 0; i < HISTS && !ret; i++) {
			struct hist_snapshot *snap = &m->snap[i];

			snap->flags = n % 7 == 6 ? HIST_SNAP_AMBIGUOUS : 0;
			if (i == 1 && n == 23) {
				hist_table_clear(m->table[i]);
				hist_snapshot_clear(snap);
				snap->flags = HIST_SNAP_RESET;
			}
			if (m->renumbers && n && n % (3 + i) == 0)
				ret = fixture_renumber(m->writer, i, m->table[i], snap);
			for (changes = n ? 3 : 20; changes && !ret; changes--)
				ret = count(m, i);
			/* a name with a control character */
			if (!ret && i == 2 && n > 3)
				ret = hist_table_intern(m->table[i], n < 9 ? "one\033[1m" : "two",
							n < 9 ? 7 : 3, &snap->taken);
			if (ret)
				break;
			snap->seq = n + (n > 30); /* there is no 31 */
			snap->time = 1000000000 + UINT64_C(500000000) * snap->seq + i;
			snap->read_ns = 1000 + n;
			/* once without, and set back once */
			snap->wall = n == 5 ? 0 : UINT64_C(1792540800000000001) + snap->time -
						  (n > 12 ? UINT64_C(3600000000000) : 0);
			snap->missed = n < 17 ? 0 : 3;
			snap->events_lost = n < 11 ? 0 : 5 * n;
			snap->dropped = n > 20 ? n : 0;
			snap->probe_misses = n < 9 ? 0 : 1000 * n;
			snap->losses[HIST_LOSS_UNMATCHED_ENDS] = i == 1 && n > 14 ? n * n : 0;
			snap->losses[HIST_LOSS_BELOW_ZERO] = i == 1 && n > 18 ? 7 : 0;
			snap->flags |= i == 0 ? HIST_SNAP_MISSES : i == 1 ? HIST_SNAP_MISSES_UNKNOWN : 0;
			snap->flags |= i == 2 && n > 26 && n < 30 ? HIST_SNAP_STOPPED : 0;
			snap->flags |= i == 2 && n > 3 ? HIST_SNAP_TAKEN : 0;
			snap->flags |= n == SNAPSHOTS - 1 ? HIST_SNAP_PAUSED : 0;
			ret = hist_series_add(m->writer, i, snap);
		}
	}
	return ret ? ret : hist_series_finish(m->writer);
}

/* "sh" 3 and "ls" 1; then "sh" 5, "ls" 1 and "cat" 2. */
static int make_tiny(struct maker *m)
{
	static const struct {
		const char *name;
		uint64_t hits[2];
	} rows[] = { { "sh", { 3, 5 } }, { "ls", { 1, 1 } }, { "cat", { 0, 2 } } };
	struct hist_snapshot *snap = &m->snap[0];
	struct hist_cell cell = { 0 };
	uint32_t entry;
	int n, row, ret;

	ret = define(m, 0, &tiny, "sched:sched_switch", "hist:keys=next_comm");
	for (n = 0; n < 2 && !ret; n++) {
		snap->hits = 0;
		for (row = 0; row < 2 + n && !ret; row++) {
			ret = hist_table_intern(m->table[0], rows[row].name, strlen(rows[row].name),
						&cell.str);
			if (!ret)
				ret = hist_table_add(m->table[0], &cell, &entry);
			if (!ret)
				ret = hist_snapshot_grow(snap, &tiny, entry + 1);
			if (ret)
				break;
			snap->values[entry] = rows[row].hits[n];
			snap->hits += rows[row].hits[n];
		}
		snap->seq = n;
		snap->entries = 2 + n;
		snap->time = UINT64_C(1000000000) * (n + 1);
		snap->read_ns = 300;
		if (!ret)
			ret = hist_series_add(m->writer, 0, snap);
	}
	return ret ? ret : hist_series_finish(m->writer);
}

static int renumber(struct maker *m)
{
	m->renumbers = true;
	return many(m);
}

static int by_chance(struct maker *m)
{
	return series_random(m->writer, m->random);
}

static int make(int fd, const struct tracedat_contents *contents, int (*fill)(struct maker *),
		uint64_t random)
{
	struct tracedat_writer *dat = NULL;
	struct maker m = { .random = random };
	int i, ret;

	if (contents)
		ret = tracedat_create(&dat, fd, contents);
	else
		ret = tracedat_attach(&dat, fd);
	if (!ret && !contents)
		ret = tracedat_link(dat);
	if (!ret)
		ret = hist_series_writer_new(&m.writer, dat);
	if (!ret)
		ret = fill(&m);
	hist_series_writer_free(m.writer);
	for (i = 0; i < HISTS; i++) {
		hist_table_free(m.table[i]);
		hist_snapshot_clear(&m.snap[i]);
	}
	tracedat_writer_free(dat);
	return ret;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 2 ? argv[1] : "";
	bool is_attach = !strcmp(verb, "attach") && argc == 3;
	bool renumbers = !strcmp(verb, "renumber");
	bool is_random = !strcmp(verb, "random") && argc == 4;
	bool is_many = (renumbers || !strcmp(verb, "many")) && argc == 5;
	struct tracedat_contents contents = fixture_contents(HIST_COMPRESS_NONE);
	struct series_shape shape;
	uint64_t seed = 1;
	int fd, ret;

	if (!is_attach && !is_many && !is_random && (strcmp(verb, "tiny") || argc != 3)) {
		fprintf(stderr, "usage: series_make tiny FILE\n"
				"       series_make many FILE COMPRESSION little|big\n"
				"       series_make renumber FILE COMPRESSION little|big\n"
				"       series_make attach FILE\n"
				"       series_make random FILE SEED\n");
		return 2;
	}
	if (is_many) {
		ret = hist_compression_from_name(argv[3]);
		if (ret < 0)
			return fail(argv[3], ret);
		contents.compression = ret;
		contents.machine.big_endian = !strcmp(argv[4], "big");
	}
	if (is_random) {
		seed = strtoull(argv[3], NULL, 10);
		shape = series_random_shape(seed);
		contents.compression = shape.compression;
		contents.machine.big_endian = shape.big_endian;
	}
	fd = open(argv[2], is_attach ? O_RDWR : O_RDWR | O_CREAT | O_TRUNC, 0666);
	if (fd < 0)
		return fail(argv[2], -errno);
	ret = make(fd, is_attach ? NULL : &contents,
		   is_random ? by_chance : renumbers ? renumber :
		   is_many || is_attach ? many : make_tiny, seed);
	if (close(fd) && !ret)
		ret = -errno;
	return ret ? fail(argv[2], ret) : 0;
}
