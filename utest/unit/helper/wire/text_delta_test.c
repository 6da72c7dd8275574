// SPDX-License-Identifier: GPL-2.0
/*
 * text_delta_test.c - texts as differences, there and back
 *
 * What comes out is compared with what went in, byte by byte, over real hist
 * files and over texts made by chance; what is sent is held against a bound.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "helper/wire/text_delta.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

struct line {
	struct text_delta_encoder *e;
	struct text_delta_decoder *d;
	char *ops;
	size_t len, room;
	int fail; /* emit() gives that */
};

static int emit(void *arg, const void *data, size_t len)
{
	struct line *l = arg;

	if (l->fail)
		return l->fail;
	while (l->room < l->len + len) {
		l->room = l->room ? l->room * 2 : 1024;
		l->ops = realloc(l->ops, l->room);
	}
	memcpy(l->ops + l->len, data, len);
	l->len += len;
	return 0;
}

static void line_open(struct line *l)
{
	memset(l, 0, sizeof(*l));
	l->e = text_delta_encoder_new(42);
	l->d = text_delta_decoder_new();
	CU_ASSERT_PTR_NOT_NULL_FATAL(l->e);
	CU_ASSERT_PTR_NOT_NULL_FATAL(l->d);
}

static void line_close(struct line *l)
{
	text_delta_encoder_free(l->e);
	text_delta_decoder_free(l->d);
	free(l->ops);
}

/* Encodes @text in chunks of @chunk bytes into l->ops. */
static int encode(struct line *l, const char *text, size_t len, size_t chunk, int whole)
{
	size_t at, n;
	int ret = 0;

	l->len = 0;
	text_delta_encoder_begin(l->e, whole);
	for (at = 0; at < len && !ret; at += n) {
		n = len - at < chunk ? len - at : chunk;
		ret = text_delta_encoder_add(l->e, text + at, n, emit, l);
	}
	return ret ? ret : text_delta_encoder_end(l->e, emit, l);
}

/* Sends @text; returns the bytes that took. */
static size_t send_text(struct line *l, const char *text, size_t len, size_t chunk)
{
	const char *got = NULL;
	size_t got_len = 0;

	CU_ASSERT_EQUAL_FATAL(encode(l, text, len, chunk, 0), 0);
	CU_ASSERT_EQUAL_FATAL(text_delta_decoder_apply(l->d, l->ops, l->len, len, &got, &got_len),
			      0);
	CU_ASSERT_EQUAL_FATAL(got_len, len);
	CU_ASSERT_EQUAL_FATAL(memcmp(got, text, len), 0);
	CU_ASSERT_EQUAL(got[len], '\0');
	return l->len;
}

static void test_real(void)
{
	static const char *const names[] = { "hist/01-basic.txt", "hist/12-stacktrace.txt",
					     "hist/02-multi-hist.txt", "hist/01-basic.txt" };
	static const size_t chunks[] = { 1, 7, 4096, 1 << 20 };
	struct line l;
	unsigned int i, c;
	size_t len, first;
	char *text;

	for (c = 0; c < 4; c++) {
		line_open(&l);
		for (i = 0; i < 4; i++) {
			text = test_read_file(test_data_path(names[i]), &len);
			first = send_text(&l, text, len, chunks[c]);
			CU_ASSERT(first <= len + len / 16 + 16);
			/* the same again is one run: two small numbers */
			CU_ASSERT(send_text(&l, text, len, chunks[c]) <= 5);
			free(text);
		}
		/* nothing at all, and out of nothing */
		CU_ASSERT_EQUAL(send_text(&l, "", 0, 1), 0);
		send_text(&l, "no end", 6, 1);
		line_close(&l);
	}
}

/* A histogram with one row in 20 counted up, and sorted as the kernel does. */
struct row {
	unsigned int key, count;
};

static int by_count(const void *a, const void *b)
{
	const struct row *r = a, *s = b;

	if (r->count != s->count)
		return r->count < s->count ? -1 : 1;
	return r->key < s->key ? -1 : 1;
}

#define ROWS 4096

static size_t print_rows(char *text, struct row *rows)
{
	size_t len = 0;
	unsigned int i;

	qsort(rows, ROWS, sizeof(*rows), by_count);
	for (i = 0; i < ROWS; i++)
		len += sprintf(text + len,
			       "{ call_site: [ffffffff81%06x] some_function_%-32x } hitcount: %10u"
			       "  bytes_req: %10u\n",
			       rows[i].key, rows[i].key, rows[i].count, rows[i].count * 64);
	return len + sprintf(text + len, "\nTotals:\n    Hits: 5\n");
}

static void test_growth(void)
{
	struct row *rows = calloc(ROWS, sizeof(*rows));
	uint64_t state = 7, sent = 0, all = 0;
	char *text = malloc(ROWS * 160);
	unsigned int i, round;
	struct line l;
	size_t len;

	line_open(&l);
	for (i = 0; i < ROWS; i++)
		rows[i] = (struct row){ i, test_random(&state) % 1000 };
	for (round = 0; round < 20; round++) {
		len = print_rows(text, rows);
		i = send_text(&l, text, len, 65536);
		if (round) {
			sent += i;
			all += len;
		}
		for (i = 0; i < ROWS / 20; i++)
			rows[test_random(&state) % ROWS].count += test_random(&state) % 100;
	}
	/* 130 bytes a row, of which one in 20 sends 32 and two runs */
	CU_ASSERT(sent * 40 < all);
	line_close(&l);
	free(text);
	free(rows);
}

/* Every row is counted up: its key and the blanks before the number do not go again. */
static void test_all_grow(void)
{
	char *text = malloc(ROWS * 128);
	unsigned int i, round;
	struct line l;
	size_t len, sent;

	line_open(&l);
	for (round = 0; round < 5; round++) {
		for (i = 0, len = 0; i < ROWS; i++)
			len += sprintf(text + len, "{ common_pid: bench-load      [%10u], id: %-28u"
				       "[%5u] } hitcount: %10u\n", 123, i, i, i + round);
		sent = send_text(&l, text, len, 65536);
		/* of 107 bytes a row 12 */
		CU_ASSERT(!round || sent < ROWS * 13);
	}
	line_close(&l);
	free(text);
}

static void test_random_texts(void)
{
	static const char alphabet[] = "ab} :  \n\n";
	uint64_t state = 99;
	char text[20000];
	struct line l;
	size_t len = 0, i, n;
	unsigned int round;

	line_open(&l);
	for (round = 0; round < 2000; round++) {
		/* change a part, cut or grow */
		n = test_random(&state) % 300;
		i = len ? test_random(&state) % len : 0;
		for (; n-- && i < sizeof(text); i++) {
			text[i] = test_random(&state) % 50 ?
				  alphabet[test_random(&state) % (sizeof(alphabet) - 1)] : '\0';
			if (i >= len)
				len = i + 1;
		}
		if (!(test_random(&state) % 20))
			len = test_random(&state) % (len + 1);
		send_text(&l, text, len, 1 + test_random(&state) % 5000);
	}
	/* one piece that is far longer than a piece can be */
	memset(text, 'x', sizeof(text));
	send_text(&l, text, sizeof(text), 999);
	CU_ASSERT(send_text(&l, text, sizeof(text), 5000) <= 8);
	line_close(&l);
}

/* What a sender would never make is an error, and a whole text heals it. */
static void test_hostile(void)
{
	static const struct {
		const char *ops;
		size_t len;
	} bad[] = {
		{ "\x02", 1 },				 /* a run without a start */
		{ "\x02\x00", 2 },			 /* of a text that has no pieces */
		{ "\x07" "ab", 3 },			 /* three bytes that are two */
		{ "\x00\x00", 2 },			 /* a run of nothing */
		{ "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11 },
		{ "\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01", 11 },
		{ "\x80", 1 },
	};
	const char *text;
	unsigned int i;
	struct line l;
	size_t len;

	line_open(&l);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		text_delta_decoder_forget(l.d);
		CU_ASSERT_EQUAL(text_delta_decoder_apply(l.d, bad[i].ops, bad[i].len, 1000, &text,
							 &len),
				-EBADMSG);
		CU_ASSERT_EQUAL_FATAL(encode(&l, "one\ntwo\n", 8, 99, 1), 0);
		CU_ASSERT_EQUAL(text_delta_decoder_apply(l.d, l.ops, l.len, 1000, &text, &len), 0);
		CU_ASSERT_EQUAL(len, 8);
	}
	/* two pieces are there, three are asked for; and from before the first */
	CU_ASSERT_EQUAL(text_delta_decoder_apply(l.d, "\x06\x00", 2, 1000, &text, &len), -EBADMSG);
	CU_ASSERT_EQUAL_FATAL(encode(&l, "one\ntwo\n", 8, 99, 1), 0);
	CU_ASSERT_EQUAL(text_delta_decoder_apply(l.d, l.ops, l.len, 1000, &text, &len), 0);
	CU_ASSERT_EQUAL(text_delta_decoder_apply(l.d, "\x02\x01", 2, 1000, &text, &len), -EBADMSG);
	/* a small message must not become an endless text */
	CU_ASSERT_EQUAL_FATAL(encode(&l, "one\ntwo\n", 8, 99, 1), 0);
	CU_ASSERT_EQUAL(text_delta_decoder_apply(l.d, l.ops, l.len, 7, &text, &len), -EFBIG);
	/* what emit() says is passed on */
	l.fail = -EPIPE;
	CU_ASSERT_EQUAL(encode(&l, "one\ntwo\n", 8, 99, 1), -EPIPE);
	l.fail = 0;
	CU_ASSERT_EQUAL_FATAL(encode(&l, "one\ntwo\n", 8, 99, 1), 0);
	CU_ASSERT_EQUAL(text_delta_decoder_apply(l.d, l.ops, l.len, 8, &text, &len), 0);
	line_close(&l);
}

UNIT_TESTS(
	{ "real hist files arrive unchanged, and an unchanged file takes at most 5 bytes",
	  test_real },
	{ "a histogram with one changed row in 20 is sent in less than 1/40 of its bytes",
	  test_growth },
	{ "a histogram with a change in every row is sent in less than 13 bytes per row",
	  test_all_grow },
	{ "a randomly changed text arrives byte for byte", test_random_texts },
	{ "the decoder refuses invalid operations and recovers with the next whole text",
	  test_hostile });
