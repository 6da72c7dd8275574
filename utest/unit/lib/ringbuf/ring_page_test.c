// SPDX-License-Identifier: GPL-2.0
/*
 * ring_page_test.c - pages of a ring buffer, of all four kinds of machines: times and contents
 * of events, what is between them, what was lost; and damaged ones
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/ringbuf/ring_page.h"
#include "utest/unit/lib/ringbuf/page_make.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

/* Each test for both byte orders and both sizes of a long. */
static const struct {
	bool big_endian;
	unsigned int long_size;
} machines[] = { { false, 8 }, { false, 4 }, { true, 8 }, { true, 4 } };

#define MACHINES (sizeof(machines) / sizeof(machines[0]))

static struct hist_ring_page_layout layout_of(const struct page_make *made)
{
	return hist_ring_page_layout(made->big_endian, made->long_size);
}

static int begin(struct hist_ring_page *page, const struct page_make *made)
{
	struct hist_ring_page_layout layout = layout_of(made);

	return hist_ring_page_begin(page, &layout, made->data, sizeof(made->data));
}

static void expect(struct hist_ring_page *page, uint64_t time, unsigned char fill, uint32_t len)
{
	const unsigned char *data = NULL;
	uint32_t got = 0, i;

	CU_ASSERT_FATAL(hist_ring_page_next(page, &data, &got));
	CU_ASSERT_EQUAL(page->time, time);
	CU_ASSERT_EQUAL_FATAL(got, len);
	for (i = 0; i < got; i++)
		CU_ASSERT_EQUAL(data[i], fill);
}

static void expect_end(struct hist_ring_page *page, bool damaged)
{
	const unsigned char *data;
	uint32_t len;

	CU_ASSERT_FALSE(hist_ring_page_next(page, &data, &len));
	CU_ASSERT_EQUAL(page->damaged, damaged);
	CU_ASSERT_FALSE(hist_ring_page_next(page, &data, &len));
}

/* What stood in a page of a 6.12 kernel on x86-64: page_make.c is not asked. */
static void test_real_bytes(void)
{
	static const unsigned char bytes[] = {
		0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0x0e, /* time */
		0x24, 0, 0, 0, 0, 0, 0, 0,			/* 36 bytes of events */
		0x02, 0x01, 0, 0, /* 2 words, 8 later */
		1, 2, 3, 4, 5, 6, 7, 8,
		0xfe, 0xff, 0xff, 0xff, 1, 0, 0, 0, /* 2^28 - 1 later */
		0x40, 0, 0, 0, 12, 0, 0, 0, 9, 9, 9, 9, 9, 9, 9, 9, /* 8 bytes, 2 later */
	};
	struct hist_ring_page_layout layout = hist_ring_page_layout(false, 8);
	const unsigned char *data;
	struct hist_ring_page page;
	uint32_t len;

	CU_ASSERT_EQUAL_FATAL(hist_ring_page_begin(&page, &layout, bytes, sizeof(bytes)), 0);
	CU_ASSERT_EQUAL(page.time, 0x0edcba9876543210);
	CU_ASSERT_FATAL(hist_ring_page_next(&page, &data, &len));
	CU_ASSERT_EQUAL(page.time, 0x0edcba9876543218);
	CU_ASSERT_EQUAL(len, 8);
	CU_ASSERT_EQUAL(data - bytes, 20);
	CU_ASSERT_FATAL(hist_ring_page_next(&page, &data, &len));
	CU_ASSERT_EQUAL(page.time, 0x0edcba9876543218 + (1 << 28) - 1 + 2);
	CU_ASSERT_EQUAL(len, 8);
	CU_ASSERT_EQUAL(data - bytes, 44);
	expect_end(&page, false);
}

static void test_kinds(void)
{
	const uint64_t start = 0x123456789abcde;
	struct page_make made;
	struct hist_ring_page page;
	unsigned int m;
	uint64_t t;

	for (m = 0; m < MACHINES; m++) {
		page_make_begin(&made, machines[m].big_endian, machines[m].long_size, start);
		page_make_event(&made, 0, 1, 4);
		page_make_event(&made, 5, 2, 112);
		page_make_long_event(&made, 7, 3, 116);
		page_make_long_event(&made, 0x7ffffff, 4, 8);
		page_make_extend(&made, UINT64_C(0x6ffffffffffffff));
		page_make_event(&made, 3, 5, 12);
		page_make_stamp(&made, 0x7777777777777);
		page_make_event(&made, 1, 6, 16);
		page_make_extend(&made, 10);
		page_make_extend(&made, 20);
		page_make_event(&made, 2, 7, 20);
		page_make_end(&made, 0);

		CU_ASSERT_EQUAL_FATAL(begin(&page, &made), 0);
		CU_ASSERT_EQUAL(page.time, start);
		CU_ASSERT_EQUAL(page.lost, 0);
		t = start;
		expect(&page, t, 1, 4);
		expect(&page, t += 5, 2, 112);
		expect(&page, t += 7, 3, 116);
		expect(&page, t += 0x7ffffff, 4, 8);
		expect(&page, t += UINT64_C(0x6ffffffffffffff) + 3, 5, 12);
		/* the time before has upper bits set: 2^59 is 0x8 and 14 zeros */
		CU_ASSERT_EQUAL(t >> 59, 0);
		expect(&page, t = 0x7777777777777 + 1, 6, 16);
		expect(&page, t += 32, 7, 20);
		expect_end(&page, false);
	}
}

/* A whole time has 59 bits: the upper five are those of the time before. */
static void test_upper_bits(void)
{
	const uint64_t top = UINT64_C(0xf8) << 56, one = UINT64_C(1) << 59;
	struct page_make made;
	struct hist_ring_page page;
	unsigned int m;

	for (m = 0; m < MACHINES; m++) {
		page_make_begin(&made, machines[m].big_endian, machines[m].long_size,
				3 * one + 100);
		page_make_stamp(&made, 200);
		page_make_event(&made, 5, 1, 4);
		/* and one more, where the lower bits have begun anew */
		page_make_stamp(&made, 50);
		page_make_event(&made, 0, 2, 4);
		page_make_stamp(&made, ~top);
		page_make_event(&made, 1, 3, 4);
		page_make_end(&made, 0);
		CU_ASSERT_EQUAL_FATAL(begin(&page, &made), 0);
		expect(&page, 3 * one + 205, 1, 4);
		expect(&page, 4 * one + 50, 2, 4);
		expect(&page, 5 * one, 3, 4);
		expect_end(&page, false);

		/* a clock that goes back within the 59 bits is believed, as in the kernel */
		page_make_begin(&made, machines[m].big_endian, machines[m].long_size, 1000);
		page_make_stamp(&made, 900);
		page_make_event(&made, 0, 1, 4);
		page_make_end(&made, 0);
		CU_ASSERT_EQUAL_FATAL(begin(&page, &made), 0);
		expect(&page, 900, 1, 4);
		expect_end(&page, false);
	}
}

static void test_padding(void)
{
	struct page_make made;
	struct hist_ring_page page;
	unsigned int m;

	for (m = 0; m < MACHINES; m++) {
		page_make_begin(&made, machines[m].big_endian, machines[m].long_size, 1000);
		page_make_event(&made, 10, 1, 8);
		/* its time counts for the next one, but for the 1 that stands for 0 */
		page_make_discarded(&made, 20, 40);
		page_make_event(&made, 1, 2, 8);
		page_make_discarded(&made, 0, 4);
		page_make_event(&made, 4, 3, 8);
		page_make_extend(&made, 100);
		page_make_discarded(&made, 30, 300);
		page_make_event(&made, 5, 4, 8);
		/* nothing more: what follows is no event */
		page_make_head(&made, 29, 0);
		page_make_event(&made, 5, 5, 8);
		page_make_end(&made, 0);
		CU_ASSERT_EQUAL_FATAL(begin(&page, &made), 0);
		expect(&page, 1010, 1, 8);
		expect(&page, 1031, 2, 8);
		expect(&page, 1035, 3, 8);
		expect(&page, 1170, 4, 8);
		expect_end(&page, false);

		/* also where only one word is left */
		page_make_begin(&made, machines[m].big_endian, machines[m].long_size, 1);
		page_make_event(&made, 1, 1, 4);
		page_make_head(&made, 29, 0);
		page_make_end(&made, 0);
		CU_ASSERT_EQUAL_FATAL(begin(&page, &made), 0);
		expect(&page, 2, 1, 4);
		expect_end(&page, false);
	}
}

static void test_lost(void)
{
	struct page_make made;
	struct hist_ring_page page;
	unsigned int m;

	for (m = 0; m < MACHINES; m++) {
		page_make_begin(&made, machines[m].big_endian, machines[m].long_size, 1);
		page_make_event(&made, 1, 1, 4);
		page_make_end_lost(&made, 18229);
		CU_ASSERT_EQUAL_FATAL(begin(&page, &made), 0);
		CU_ASSERT_EQUAL(page.lost, 18229);
		expect(&page, 2, 1, 4);
		expect_end(&page, false);

		/* some, as there was no room for how many */
		page_make_end(&made, 0x80000000);
		CU_ASSERT_EQUAL_FATAL(begin(&page, &made), 0);
		CU_ASSERT_EQUAL(page.lost, HIST_RING_PAGE_LOST_SOME);
		expect(&page, 2, 1, 4);

		/* as before, though it says so: the page ends with the last event */
		page_make_begin(&made, machines[m].big_endian, machines[m].long_size, 1);
		page_make_event(&made, 1, 1, PAGE_MAKE_SIZE - made.len - 8);
		page_make_end(&made, 0xc0000000);
		CU_ASSERT_EQUAL_FATAL(begin(&page, &made), 0);
		CU_ASSERT_EQUAL(page.lost, HIST_RING_PAGE_LOST_SOME);
		expect(&page, 2, 1, PAGE_MAKE_SIZE - 8 - machines[m].long_size - 8);

		/* how many, but not that any: nothing is lost */
		page_make_end(&made, 0x40000000);
		CU_ASSERT_EQUAL_FATAL(begin(&page, &made), 0);
		CU_ASSERT_EQUAL(page.lost, 0);
	}
	/* a flag that was added as a signed number of the kernel's long */
	page_make_begin(&made, false, 8, 1);
	page_make_event(&made, 1, 1, 4);
	page_make_end(&made, 0x80000000);
	memset(made.data + 12, 0xff, 4);
	CU_ASSERT_EQUAL_FATAL(begin(&page, &made), 0);
	CU_ASSERT_EQUAL(page.lost, HIST_RING_PAGE_LOST_SOME);
	expect(&page, 2, 1, 4);
	expect_end(&page, false);
}

/* Of random events and times: what was put in comes out. */
static void test_random_pages(void)
{
	struct {
		uint64_t time;
		uint32_t len;
		unsigned char fill;
	} events[512];
	unsigned int round, n, i;
	struct page_make made;
	struct hist_ring_page page;
	uint64_t seed = 42, t, r;

	for (round = 0; round < 2000; round++) {
		t = test_random(&seed) >> 6;
		page_make_begin(&made, round & 1, round & 2 ? 4 : 8, t);
		for (n = 0; made.len < PAGE_MAKE_SIZE - 320;) {
			r = test_random(&seed);
			switch (r % 8) {
			case 0:
				page_make_extend(&made, r >> 20);
				t += r >> 20;
				break;
			case 1:
				t += (r >> 40) + 2;
				page_make_discarded(&made, (r >> 40) + 2, 4 + r % 60 * 4);
				break;
			default:
				events[n].len = 4 + (r >> 8) % 70 * 4;
				events[n].fill = r >> 16;
				events[n].time = t += r >> 40;
				page_make_event(&made, r >> 40, events[n].fill, events[n].len);
				n++;
			}
		}
		page_make_end(&made, 0);
		CU_ASSERT_EQUAL_FATAL(begin(&page, &made), 0);
		for (i = 0; i < n; i++)
			expect(&page, events[i].time, events[i].fill, events[i].len);
		expect_end(&page, false);
	}
}

/* An end that is not where an event ends, or a length beyond it. */
static void test_damaged(void)
{
	static const uint32_t lengths[] = { 0, 3, 4, 5, 7, 0xffffffff, 0xfffffffc, 0xfffffff9,
					    0x80000000, 4096 };
	struct page_make made;
	struct hist_ring_page page;
	unsigned int m, i;

	for (m = 0; m < MACHINES; m++) {
		/* a short one of 3 words where there are 2 */
		page_make_begin(&made, machines[m].big_endian, machines[m].long_size, 1);
		page_make_event(&made, 1, 1, 4);
		page_make_head(&made, 3, 1);
		page_make_word(&made, 0);
		page_make_word(&made, 0);
		page_make_end(&made, 0);
		CU_ASSERT_EQUAL_FATAL(begin(&page, &made), 0);
		expect(&page, 2, 1, 4);
		expect_end(&page, true);

		for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
			page_make_begin(&made, machines[m].big_endian, machines[m].long_size, 1);
			page_make_head(&made, 0, 1);
			page_make_word(&made, lengths[i]);
			page_make_word(&made, 0);
			page_make_end(&made, 0);
			CU_ASSERT_EQUAL_FATAL(begin(&page, &made), 0);
			expect_end(&page, true);
		}
		/* the second word of an event is missing */
		for (i = 29; i < 33; i++) {
			page_make_begin(&made, machines[m].big_endian, machines[m].long_size, 1);
			page_make_head(&made, i & 31, 5);
			page_make_end(&made, 0);
			CU_ASSERT_EQUAL_FATAL(begin(&page, &made), 0);
			expect_end(&page, true);
		}
		/* padding over the end */
		page_make_begin(&made, machines[m].big_endian, machines[m].long_size, 1);
		page_make_head(&made, 29, 5);
		page_make_word(&made, 12);
		page_make_word(&made, 0);
		page_make_end(&made, 0);
		CU_ASSERT_EQUAL_FATAL(begin(&page, &made), 0);
		expect_end(&page, true);
	}
}

static void test_no_page(void)
{
	struct page_make made;
	struct hist_ring_page page = { .time = 77 };
	unsigned int m;
	size_t len;

	for (m = 0; m < MACHINES; m++) {
		struct hist_ring_page_layout layout;

		page_make_begin(&made, machines[m].big_endian, machines[m].long_size, 1);
		layout = layout_of(&made);
		page_make_event(&made, 1, 1, 8);
		page_make_end(&made, 0);
		/* cut before the end of what it says it has */
		for (len = 0; len < made.len; len++)
			CU_ASSERT_EQUAL(hist_ring_page_begin(&page, &layout, made.data, len),
					-EBADMSG);
		CU_ASSERT_EQUAL(page.time, 77);
		CU_ASSERT_EQUAL(hist_ring_page_begin(&page, &layout, made.data, made.len), 0);
		CU_ASSERT_EQUAL(page.time, 1);
		page.time = 77;
		/* no whole words; more than a page */
		made.len++;
		page_make_end(&made, 0);
		CU_ASSERT_EQUAL(begin(&page, &made), -EBADMSG);
		made.len = PAGE_MAKE_SIZE + 4;
		page_make_end(&made, 0);
		CU_ASSERT_EQUAL(begin(&page, &made), -EBADMSG);
		/* nothing in it */
		made.len = 8 + machines[m].long_size;
		page_make_end(&made, 0);
		CU_ASSERT_EQUAL(begin(&page, &made), 0);
		expect_end(&page, false);
		page.time = 77;
	}
}

/* Any bytes, in memory of just their size: valgrind and ASan see a read beyond. */
static void test_any_bytes(void)
{
	unsigned int round, i, events;
	struct hist_ring_page_layout layout;
	const unsigned char *event;
	struct hist_ring_page page;
	unsigned char *data;
	uint64_t seed = 4711;
	uint32_t len, sum = 0;
	size_t size;

	for (round = 0; round < 20000; round++) {
		size = 16 + test_random(&seed) % 200;
		data = malloc(size);
		for (i = 0; i < size; i++)
			data[i] = test_random(&seed) >> 32;
		layout = hist_ring_page_layout(round & 1, round & 2 ? 4 : 8);
		/* a commit that may be right */
		memset(data + 8, 0, 8);
		data[round & 1 ? 7 + layout.long_size : 8] = test_random(&seed) % 50 * 4;
		events = 0;
		if (!hist_ring_page_begin(&page, &layout, data, size))
			for (; hist_ring_page_next(&page, &event, &len); events++)
				for (i = 0; i < len; i++)
					sum += event[i];
		/* each takes two words at least */
		CU_ASSERT(events <= size / 8);
		free(data);
	}
	CU_ASSERT(sum > 0);
}

UNIT_TESTS(
	{ "the bytes of a real x86-64 page yield the right events and times", test_real_bytes },
	{ "all kinds of events and times are decoded for both byte orders and sizes of long",
	  test_kinds },
	{ "a 59-bit timestamp takes its upper five bits from the previous time", test_upper_bits },
	{ "discarded events and padding are skipped, and the time of a discarded event counts",
	  test_padding },
	{ "lost events before a page are counted, or marked if their number is unknown",
	  test_lost },
	{ "random events of a page are read back with the same times and contents",
	  test_random_pages },
	{ "an event that exceeds its page marks the page as damaged", test_damaged },
	{ "a page with an impossible length is refused, and an empty page contains no events",
	  test_no_page },
	{ "random bytes are read as a page without an access outside the data", test_any_bytes });
