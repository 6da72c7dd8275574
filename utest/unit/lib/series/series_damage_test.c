// SPDX-License-Identifier: GPL-2.0
/*
 * series_damage_test.c - a file that was cut, or whose bytes were changed
 *
 * The promise: a snapshot that is shown is one that was written, to the byte;
 * and whenever one that was written is not shown, an error or the counters of
 * hist_series_damage() say so.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <CUnit/Basic.h>

#include "lib/base/error.h"
#include "lib/series/series_private.h"
#include "utest/unit/lib/series/series_model.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

static char path[] = "/tmp/trace-cmd-hist-damage.XXXXXX";

static int suite_setup(void)
{
	int fd = mkstemp(path);

	return fd < 0 ? 1 : close(fd);
}

static int suite_cleanup(void)
{
	return unlink(path);
}

/* A small file: two histograms, full and delta snapshots, a reset in the middle. */
static struct model *small_file(enum hist_compression compression, bool big_endian)
{
	struct model *m = model_new(path, &(struct model_options){ compression, big_endian, 61, 0 });
	unsigned int i;

	for (i = 0; i < 14; i++) {
		if (i == 5) {
			model_reset(m, 0);
			model_count(m, 0, 2);
		}
		model_count(m, 0, i % 3);
		CU_ASSERT_EQUAL_FATAL(model_snapshot(m, 0), 0);
		model_count(m, 1, i % 2);
		CU_ASSERT_EQUAL_FATAL(model_snapshot(m, 1), 0);
	}
	model_close(m, true);
	return m;
}

static void put_file(const char *data, size_t len)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	CU_ASSERT_EQUAL_FATAL(write(fd, data, len), (ssize_t)len);
	close(fd);
}

struct outcome {
	int error;	    /* of hist_series_open() */
	unsigned int right; /* snapshots shown that are true */
	unsigned int wrong; /* and that are not */
	unsigned int hists;
	struct hist_series_damage damage;
};

/* Is this text among those that were written? With a lost reset it may say so later. */
static bool is_true(const struct truth_hist *truth, const struct hist_snapshot *snap,
		    const char *text)
{
	unsigned int i, blank;
	char *field, *copy;
	bool same;

	for (i = 0; i < truth->n && truth->snaps[i].seq != snap->seq; i++)
		;
	if (i == truth->n)
		return false;
	if (!strcmp(truth->snaps[i].text, text))
		return true;
	copy = strdup(truth->snaps[i].text);
	/* behind the number, the time and the time of day */
	field = copy;
	for (blank = 0; blank < 3; blank++)
		field = strchr(field, ' ') + 1;
	*field = '1';
	same = !strcmp(copy, text);
	free(copy);
	return same && i > 5;
}

static void walk_hist(struct hist_series *series, const struct model *m, unsigned int n,
		      struct outcome *o)
{
	const struct hist_series_info *info = hist_series_info(series, n);
	const struct hist_snapshot *snap;
	struct hist_cursor *cursor;
	bool shown = false, reset = false;
	uint32_t last = 0;
	char *text;
	int hist, ret;

	hist = info->def.event[strlen(info->def.event) - 1] - '0';
	CU_ASSERT_FATAL(hist == 0 || hist == 1);
	CU_ASSERT_EQUAL_FATAL(hist_cursor_open(&cursor, series, n, 0), 0);
	while ((ret = hist_cursor_next(cursor, &snap)) == 1) {
		text = model_render(hist_cursor_table(cursor), snap);
		if (is_true(model_truth(m, hist), snap, text))
			o->right++;
		else
			o->wrong++;
		free(text);
		/* the reset at 5 must show before differences are taken across it */
		reset = snap->flags & HIST_SNAP_RESET;
		if (hist == 0 && shown && last < 5 && snap->seq >= 5)
			o->wrong += !reset;
		shown = true;
		last = snap->seq;
	}
	CU_ASSERT_EQUAL(ret, 0);
	hist_cursor_free(cursor);
}

static struct outcome look(const struct model *m)
{
	struct outcome o = { 0 };
	struct hist_series *series;
	struct hist_error error = { 0 };
	unsigned int n, pass;

	o.error = hist_series_open(&series, path, &error);
	if (o.error) {
		CU_ASSERT_STRING_NOT_EQUAL(hist_error_what(&error, o.error), "");
		CU_ASSERT_PTR_NULL(strchr(error.hint, '\n'));
		return o;
	}
	o.hists = hist_series_count(series);
	for (pass = 0; pass < 2; pass++) {
		o.right = 0;
		for (n = 0; n < o.hists; n++)
			walk_hist(series, m, n, &o);
		/* a second walk counts nothing twice */
		if (pass)
			CU_ASSERT_EQUAL(memcmp(&o.damage, hist_series_damage(series),
					       sizeof(o.damage)), 0);
		memcpy(&o.damage, hist_series_damage(series), sizeof(o.damage));
	}
	hist_series_free(series);
	return o;
}

#define ALL 28

static bool damage_told(const struct outcome *o)
{
	return o->damage.unfinished || o->damage.truncated || o->damage.bad_sections ||
	       o->damage.lost_snapshots;
}

/* Where the sections of a good file end, in order; how many are snapshots. */
static unsigned int section_ends(uint64_t *ends, bool *is_snapshot, unsigned int max)
{
	struct hist_series *series;
	struct record_header h;
	uint64_t offset, body;
	struct hist_error error = { 0 };
	unsigned int n = 0;

	CU_ASSERT_EQUAL_FATAL(hist_series_open(&series, path, &error), 0);
	offset = series->first;
	while (n < max && series_next_record(series, &offset, &h, &body) == 1) {
		is_snapshot[n] = h.type == RECORD_FULL || h.type == RECORD_DELTA;
		ends[n++] = offset;
	}
	hist_series_free(series);
	return n;
}

/* Cut at any byte: every snapshot whose section is whole is there. */
static void test_truncated(void)
{
	struct model *m = small_file(HIST_COMPRESS_NONE, false);
	unsigned int sections, whole, i;
	uint64_t ends[64];
	bool is_snapshot[64], at_end;
	struct outcome o;
	size_t len, cut;
	char *data;

	data = test_read_file(path, &len);
	sections = section_ends(ends, is_snapshot, 64);
	CU_ASSERT_EQUAL(sections, ALL + 3);
	CU_ASSERT_EQUAL(ends[sections - 1], len);
	for (cut = len; cut-- > 0;) {
		CU_ASSERT_EQUAL_FATAL(truncate(path, cut), 0);
		o = look(m);
		at_end = false;
		for (i = whole = 0; i < sections && ends[i] <= cut; i++) {
			whole += is_snapshot[i];
			at_end = ends[i] == cut;
		}
		CU_ASSERT_EQUAL(o.wrong, 0);
		CU_ASSERT_EQUAL(o.right, whole);
		CU_ASSERT_EQUAL(!o.error, whole > 0);
		if (!o.error) {
			CU_ASSERT_EQUAL(o.damage.truncated, !at_end);
			CU_ASSERT_TRUE(o.damage.unfinished);
			CU_ASSERT_EQUAL(o.damage.lost_snapshots, 0);
			CU_ASSERT_EQUAL(o.damage.bad_sections, 0);
		}
		if (o.wrong || o.right != whole) {
			printf("\ncut at %zu: %u right, %u wrong, %u whole\n", cut, o.right, o.wrong,
			       whole);
			break;
		}
	}
	free(data);
	model_free(m);
}

/*
 * One byte of the file is another, at every place.  With @bits one bit of it: each, or without
 * CHECK_LONG one that is drawn.
 */
static void flip_all(struct model *m, bool bits)
{
	const unsigned int each = bits && test_is_long() ? 8 : 1;
	unsigned int n, bit, shown = 0, refused = 0;
	struct outcome o;
	char *data, *copy;
	size_t len, at;
	bool ours;
	uint64_t ends[64];
	bool is_snapshot[64];
	uint64_t random = 71, first;
	char other;
	int fd;

	data = test_read_file(path, &len);
	copy = malloc(len);
	memcpy(copy, data, len);
	section_ends(ends, is_snapshot, 64);
	/* the metadata before our first section: a share of it */
	first = ends[0] > 400 ? ends[0] - 400 : 0;
	fd = open(path, O_WRONLY);
	for (at = 0; at < len; at += at < first ? 1 + test_random(&random) % 23 : 1) {
		ours = at >= first + 400;
		for (n = 0; n < each; n++) {
			bit = each > 1 ? n : test_random(&random) % 8;
			other = data[at] ^ (1 << bit);
			if (!bits)
				other = data[at] + 1 + test_random(&random) % 255;
			CU_ASSERT_EQUAL_FATAL(pwrite(fd, &other, 1, at), 1);
			o = look(m);
			CU_ASSERT_EQUAL(o.wrong, 0);
			if (o.error)
				refused++;
			else
				shown++;
			/* what is missing is told */
			if (!o.error && o.right < ALL)
				CU_ASSERT_TRUE(damage_told(&o));
			/* a single byte of ours never makes the whole file unreadable,
			 * but for the definition of the only histogram */
			if (ours)
				CU_ASSERT_EQUAL(o.error, 0);
			if (o.wrong || (!o.error && o.right < ALL && !damage_told(&o)) ||
			    (ours && o.error)) {
				printf("\nat %zu of %zu (ours from %zu), %02x for %02x: error %d, %u "
				       "right, %u wrong\n", at, len, (size_t)first + 400,
				       (unsigned char)other, (unsigned char)data[at], o.error,
				       o.right, o.wrong);
				at = len;
				break;
			}
		}
		if (at < len)
			CU_ASSERT_EQUAL_FATAL(pwrite(fd, data + at, 1, at), 1);
	}
	close(fd);
	CU_ASSERT_TRUE(shown > 1000);
	CU_ASSERT_TRUE(refused > 10);
	free(data);
	free(copy);
}

static void test_flipped(void)
{
	struct model *m = small_file(HIST_COMPRESS_NONE, false);

	flip_all(m, true);
	model_free(m);
	m = small_file(HIST_COMPRESS_ZSTD, true);
	flip_all(m, false);
	model_free(m);
	m = small_file(HIST_COMPRESS_ZLIB, false);
	flip_all(m, false);
	model_free(m);
}

/* Runs of bytes lost, zeroed or doubled, as a bad disk or copy leaves them. */
static void test_mangled(void)
{
	struct model *m = small_file(HIST_COMPRESS_NONE, false);
	uint64_t random = 81;
	unsigned int round;
	struct outcome o;
	char *data, *copy;
	size_t len, at, n, out;

	data = test_read_file(path, &len);
	copy = malloc(2 * len);
	for (round = 0; round < 600; round++) {
		at = test_random(&random) % len;
		n = 1 + test_random(&random) % (len - at);
		n = n > 700 ? 1 + n % 700 : n;
		memcpy(copy, data, len);
		out = len;
		switch (round % 3) {
		case 0:
			memset(copy + at, 0, n);
			break;
		case 1:
			memmove(copy + at, copy + at + n, len - at - n);
			out = len - n;
			break;
		case 2:
			memmove(copy + at + n, copy + at, len - at);
			out = len + n;
			break;
		}
		put_file(copy, out);
		o = look(m);
		CU_ASSERT_EQUAL(o.wrong, 0);
		if (!o.error && o.right < ALL)
			CU_ASSERT_TRUE(damage_told(&o));
		if (o.wrong || (!o.error && o.right < ALL && !damage_told(&o)))
			printf("\nround %u: %zu bytes at %zu of %zu\n", round, n, at, len);
	}
	free(data);
	free(copy);
	model_free(m);
}

/* The sections of a small file as a newer program may write them. */
struct newer {
	unsigned int first, last; /* sections to change; 0 is the definition of histogram 0 */
	uint8_t version;
	uint32_t flags;
	bool new_kind; /* definitions: the first key has a kind that does not exist yet */
};

/* Gives the first key of a definition another kind, whose number has one byte too. */
static void put_new_kind(struct record_header *h, char *body)
{
	struct varint_reader t = varint_begin(body, h->raw_len);
	struct hist_strbuf b = { 0 };
	struct hist_definition def;

	CU_ASSERT_EQUAL_FATAL(definition_decode(&def, &t), 0);
	((struct hist_schema *)def.schema)->keys[0].kind = (enum hist_key_kind)HIST_KEY_KINDS;
	definition_encode(&b, &def);
	CU_ASSERT_EQUAL_FATAL(b.len, h->raw_len);
	memcpy(body, b.data, b.len);
	h->body_crc = crc32(0, (const unsigned char *)b.data, b.len);
	hist_strbuf_free(&b);
	definition_free(&def);
}

static struct outcome look_at_newer(const struct model *m, const struct newer *newer)
{
	struct hist_series *series;
	struct record_header h;
	uint64_t offset, body;
	unsigned int n = 0;
	struct outcome o;
	struct hist_error error = { 0 };
	char *data, *copy;
	size_t len;

	data = test_read_file(path, &len);
	copy = malloc(len);
	memcpy(copy, data, len);
	CU_ASSERT_EQUAL_FATAL(hist_series_open(&series, path, &error), 0);
	for (offset = series->first; series_next_record(series, &offset, &h, &body) == 1; n++) {
		if (n < newer->first || n > newer->last)
			continue;
		h.version = newer->version;
		h.flags |= newer->flags;
		if (newer->new_kind && h.type == RECORD_DEFINITION)
			put_new_kind(&h, copy + body);
		record_header_encode(&h, false, (unsigned char *)copy + body - RECORD_HEADER_SIZE);
	}
	hist_series_free(series);
	put_file(copy, len);
	o = look(m);
	put_file(data, len);
	free(copy);
	free(data);
	return o;
}

/* The sections: each definition is before the first snapshot of its histogram; then the end mark. */
static void test_newer(void)
{
	struct model *m = small_file(HIST_COMPRESS_NONE, false);
	struct outcome o;
	char words[160];

	/* flags that do not change the body */
	o = look_at_newer(m, &(struct newer){ 0, ALL + 2, RECORD_VERSION, 0x0000fe00, false });
	CU_ASSERT_EQUAL(o.error, 0);
	CU_ASSERT_EQUAL(o.right, ALL);
	CU_ASSERT_EQUAL(o.damage.refused_sections, 0);
	CU_ASSERT_EQUAL(damage_told(&o), false);
	CU_ASSERT_FALSE(hist_series_format_refused(&o.damage, words, sizeof(words)));

	/* each flag that a reader must refuse, in the last snapshot */
	for (uint32_t flag = RECORD_LOSSES << 1; flag < RECORD_COMPRESSED; flag <<= 1) {
		o = look_at_newer(m, &(struct newer){ ALL + 1, ALL + 1, RECORD_VERSION, flag, false });
		CU_ASSERT_EQUAL(o.error, 0);
		CU_ASSERT_EQUAL(o.wrong, 0);
		CU_ASSERT_EQUAL(o.right, ALL - 1);
		CU_ASSERT_EQUAL(o.damage.bad_sections, 1);
		CU_ASSERT_EQUAL(o.damage.refused_sections, 1);
		CU_ASSERT_EQUAL(o.damage.refused_flags, flag);
	}
	CU_ASSERT_TRUE(hist_series_format_refused(&o.damage, words, sizeof(words)));
	CU_ASSERT_STRING_EQUAL(words, "1 section written by a newer trace-cmd hist cannot be read "
			       "(format version 1 with unknown flags 0x40000000)");

	/* a later version; the differences from these snapshots are lost too */
	o = look_at_newer(m, &(struct newer){ 6, 7, RECORD_VERSION + 1, 0, false });
	CU_ASSERT_EQUAL(o.error, 0);
	CU_ASSERT_EQUAL(o.wrong, 0);
	CU_ASSERT_TRUE(o.right < ALL - 2);
	CU_ASSERT_EQUAL(o.damage.refused_sections, 2);
	CU_ASSERT_EQUAL(o.damage.lost_snapshots, ALL - o.right);
	CU_ASSERT_TRUE(hist_series_format_refused(&o.damage, words, sizeof(words)));
	CU_ASSERT_STRING_EQUAL(words, "2 sections written by a newer trace-cmd hist cannot be read "
			       "(format version 2; this program reads version 1)");

	/* a definition with a new kind of key: the other histogram is still shown */
	o = look_at_newer(m, &(struct newer){ 0, 0, RECORD_VERSION, 0, true });
	CU_ASSERT_EQUAL(o.error, 0);
	CU_ASSERT_EQUAL(o.wrong, 0);
	CU_ASSERT_EQUAL(o.right, ALL / 2);
	CU_ASSERT_EQUAL(o.damage.refused_sections, 1 + ALL / 2);
	CU_ASSERT_TRUE(hist_series_format_refused(&o.damage, words, sizeof(words)));
	CU_ASSERT_STRING_EQUAL(words, "15 sections written by a newer trace-cmd hist cannot be read "
			       "(format version 1 with an unknown kind of key or value)");

	/* nothing can be read: look() has seen a sentence */
	o = look_at_newer(m, &(struct newer){ 0, ALL + 2, RECORD_VERSION + 1, 0, false });
	CU_ASSERT_EQUAL(o.error, -EBADMSG);
	model_free(m);
}

UNIT_TESTS_WITH(suite_setup, suite_cleanup,
	{ "a series that is truncated at any byte shows its complete snapshots and no wrong one",
	  test_truncated },
	{ "a changed byte or bit never shows a wrong snapshot, and missing snapshots are reported",
	  test_flipped },
	{ "lost, zeroed or doubled bytes never show a wrong snapshot, and losses are reported",
	  test_mangled },
	{ "sections of a newer format are refused and reported, except for flags that insert nothing",
	  test_newer });
