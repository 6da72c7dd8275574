// SPDX-License-Identifier: GPL-2.0
/*
 * openmetrics_protobuf_test.c - histograms as messages, byte by byte
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/report/openmetrics/openmetrics.h"
#include "utest/unit/tests.h"

#define BIN(bound, hits, power) { .le = bound, .count = hits, .octave = power }

static const struct {
	struct om_bin buckets[6];
	size_t n;
	bool native;
	double sum;
	/* of the message Histogram, after sample_count and sample_sum */
	const char *bytes;
	size_t len;
} cases[] = {
	/* the zero bucket; 1 and 2, a gap, 5; the deltas 1, 3, -2 */
	{ { BIN(0, 7, OM_ZERO_BUCKET), BIN(0, 1, 1), BIN(0, 4, 2), BIN(0, 0, 3), BIN(0, 2, 5) }, 5, true, 0,
	  "\x31\0\0\0\0\0\0\xf0\x3f" "\x38\x07" "\x6a\x03\x02\x06\x03", 16 },
	/* all of them empty: the zero threshold still says native */
	{ { BIN(0, 0, 1), BIN(0, 0, 2) }, 2, true, 0, "\x31\0\0\0\0\0\0\xf0\x3f" "\x38\0" "\x6a\0", 13 },
	/* the highest octave alone */
	{ { BIN(0, 1, 64) }, 1, true, NAN, "\x31\0\0\0\0\0\0\xf0\x3f" "\x38\0" "\x6a\x01\x02", 14 },
	/* cumulative */
	{ { BIN(2, 1, 0), BIN(INFINITY, 1, 0) }, 2, false, 0,
	  "\x1a\x0b\x08\x01\x11\0\0\0\0\0\0\0\x40" "\x1a\x0b\x08\x02\x11\0\0\0\0\0\0\xf0\x7f", 26 },
};

/* The spans of a native one are before the threshold. */
static const char *const spans[] = { "\x62\x04\x08\x02\x10\x02" "\x62\x04\x08\x04\x10\x01", "",
				     "\x62\x05\x08\x80\x01\x10\x01", "" };
static const size_t spans_len[] = { 12, 0, 7, 0 };

static void test_bytes(void)
{
	const unsigned int head = 2 + 9; /* sample_count and sample_sum */
	unsigned int i, k;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct openmetrics o = { .plain = true, .emitter = &openmetrics_protobuf };
		const struct hist_strbuf *value = &o.messages.buffers[OM_VALUE];

		hist_strbuf_char(&o.labels, '{');
		o.emitter->begin(&o, "x", "", "histogram", "", 0);
		o.emitter->add_histogram(&o, cases[i].buckets, cases[i].n, cases[i].native,
						   cases[i].sum);
		CU_ASSERT_EQUAL(value->len, head + spans_len[i] + cases[i].len);
		if (value->len == head + spans_len[i] + cases[i].len) {
			CU_ASSERT(!memcmp(value->data + head, spans[i], spans_len[i]));
			CU_ASSERT(!memcmp(value->data + head + spans_len[i], cases[i].bytes,
					  cases[i].len));
		}
		o.emitter->end(&o);
		CU_ASSERT_EQUAL(o.base.out.error, 0);
		/* the length, the name, the help, the type, and the metric with its histogram */
		CU_ASSERT_EQUAL(o.base.out.len, 1 + 3 + 2 + 2 + 2 + 2 + value->len);
		hist_strbuf_free(&o.base.out);
		hist_strbuf_free(&o.labels);
		for (k = 0; k < OM_BUFFERS; k++)
			hist_strbuf_free(&o.messages.buffers[k]);
	}
}

/* Each series with exemplars is in a message of its own, with the name, the help and the type. */
static void test_repeated(void)
{
	static const struct hist_exemplar exemplar = { 3, 1700000000500000000, "cpu=\"1\"" };
	const struct om_bin with = { .count = 1, .octave = 2, .exemplar = &exemplar };
	const struct om_bin without = BIN(0, 1, 2);
	/* name "x", help "h", type 4 */
	static const char head[] = "\x0a\x01x\x12\x01h\x18\x04";
	struct openmetrics o = { .plain = true, .emitter = &openmetrics_protobuf };
	const char *at, *end;
	unsigned int i, n = 0;

	hist_strbuf_char(&o.labels, '{');
	o.emitter->begin(&o, "x", "", "histogram", "h", 1);
	o.emitter->add_histogram(&o, &with, 1, true, 3);
	o.emitter->add_histogram(&o, &without, 1, true, 3);
	o.emitter->add_histogram(&o, &with, 1, true, 3);
	o.emitter->add_histogram(&o, &with, 1, true, 3);
	o.emitter->end(&o);
	CU_ASSERT_EQUAL_FATAL(o.base.out.error, 0);
	end = o.base.out.data + o.base.out.len;
	/* lengths below 128 are one byte; the first message has two series */
	for (at = o.base.out.data; at < end; n++) {
		unsigned int len = (unsigned char)*at++;

		if (len >= 128)
			len = (len & 127) + 128 * (unsigned char)*at++;
		CU_ASSERT_FATAL(at + len <= end);
		CU_ASSERT(!memcmp(at, head, sizeof(head) - 1));
		at += len;
	}
	CU_ASSERT_EQUAL(n, 3);
	hist_strbuf_free(&o.base.out);
	hist_strbuf_free(&o.labels);
	for (i = 0; i < OM_BUFFERS; i++)
		hist_strbuf_free(&o.messages.buffers[i]);
}

UNIT_TESTS({ "series with exemplars are messages of their own", test_repeated },
	   { "spans, deltas and cumulative buckets of protobuf have the right bytes", test_bytes });
