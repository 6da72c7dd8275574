// SPDX-License-Identifier: GPL-2.0
/*
 * events_damage_test.c - recorded files that are damaged or cut, others, and no memory
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "utest/unit/alloc_fail.h"
#include "utest/unit/lib/ringbuf/events_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

/* All that there is to do with a file; how many events. */
static uint64_t use(struct hist_events *events)
{
	const struct hist_events_buffer *b;
	const char *name, *text;
	struct hist_symbol symbol;
	struct hist_events_pages *pages;
	struct hist_ring_page page;
	const unsigned char *data;
	volatile uint64_t seen = 0; /* the reads stay */
	uint64_t n = 0;
	unsigned int i, cpu;
	uint32_t len;
	size_t size;
	int ret;

	for (i = 0; (b = hist_events_buffer(events, i)); i++) {
		for (cpu = 0; cpu < b->cpus && cpu < 8; cpu++) {
			if (hist_events_pages_open(&pages, events, i, cpu))
				continue;
			while ((ret = hist_events_pages_next(pages, &page)) && ret != -ENOMEM)
				while (ret == 1 && hist_ring_page_next(&page, &data, &len))
					n++;
			hist_events_pages_seek(pages, KNOWN_LAST - 1000000);
			hist_events_pages_next(pages, &page);
			hist_events_pages_free(pages);
		}
	}
	/* sanitizers see it if they are not all there */
	for (i = 0; hist_events_format_at(events, i, &name, &text, &size); i++)
		seen += strlen(name) + (size ? text[0] + text[size - 1] : 0);
	hist_events_format(events, "sched", "sched_switch", &text, &size);
	if (!hist_events_symbol(events, KNOWN_ADDRESS, &symbol))
		seen += strlen(symbol.name);
	hist_events_comm(events, KNOWN_PID);
	(void)seen;
	return n;
}

static int open_bytes(struct hist_events **events, const char *data, size_t len)
{
	struct hist_error error = { 0 };
	char path[64];
	int fd = memfd_create("damaged", 0), ret;

	if (fd < 0 || write(fd, data, len) != (ssize_t)len)
		exit(2);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ret = hist_events_open(events, path, &error);
	close(fd);
	CU_ASSERT_EQUAL(!ret, !*test_error(&error));
	return ret;
}

static void damage(const char *name, unsigned int rounds)
{
	struct hist_events *events;
	uint64_t seed = 99, n, whole;
	unsigned int i, j, ok = 0;
	char *data, *copy;
	size_t len, cut;

	data = test_read_file(test_data_path(name), &len);
	copy = malloc(len);
	CU_ASSERT_EQUAL_FATAL(open_bytes(&events, data, len), 0);
	whole = use(events);
	hist_events_free(events);
	CU_ASSERT(whole > 0);
	/* cut */
	for (i = 0; i < rounds; i++) {
		cut = i < 200 ? i : test_random(&seed) % len;
		if (open_bytes(&events, data, cut))
			continue;
		CU_ASSERT(use(events) <= whole);
		hist_events_free(events);
		ok++;
	}
	/* some bytes are others: mostly where sizes and offsets are */
	for (i = 0; i < rounds; i++) {
		memcpy(copy, data, len);
		for (j = 0; j <= i % 3; j++)
			copy[test_random(&seed) % len] = test_random(&seed) % 3
								 ? test_random(&seed) >> 8 : 0xff;
		n = 0;
		if (!open_bytes(&events, copy, len)) {
			n = use(events);
			hist_events_free(events);
			ok++;
		}
		CU_ASSERT(n <= whole * 3 + 1000);
	}
	CU_ASSERT(ok > 0);
	free(copy);
	free(data);
}

static void test_damaged(void)
{
	damage(SEVERAL, 600);
	damage(SIX, 600);
	damage(LOST, 200);
}

/* Cut between two pages: it is said once that there were more. */
static void test_cut(void)
{
	struct hist_events *events;
	struct events_found f;
	char *data;
	size_t len;

	data = test_read_file(test_data_path(SIX), &len);
	CU_ASSERT_EQUAL_FATAL(open_bytes(&events, data, len - 4096), 0);
	events_fixture_walk(events, 1, 0, &f);
	CU_ASSERT_EQUAL(f.bad, 0);
	CU_ASSERT_EQUAL(f.pages, 1);
	events_fixture_walk(events, 1, 1, &f);
	CU_ASSERT_EQUAL(f.bad, 1);
	CU_ASSERT_EQUAL(f.pages, 0);
	hist_events_free(events);
	free(data);
}

static void test_no_such_file(void)
{
	struct hist_events *events;
	struct hist_error error = { 0 };
	char *data;
	size_t len;

	CU_ASSERT_EQUAL(hist_events_open(&events, "/nonexistent/x", &error), -ENOENT);
	CU_ASSERT_STRING_EQUAL(hist_error_what(&error, -ENOENT), "No such file or directory");
	CU_ASSERT_EQUAL(hist_events_open(&events, "/", &error), -EINVAL);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "not a regular file");
	CU_ASSERT_EQUAL(open_bytes(&events, "", 0), -EINVAL);
	CU_ASSERT_EQUAL(open_bytes(&events, "hello, world, and more", 22), -EINVAL);
	data = test_read_file(test_data_path(SIX), &len);
	data[10] = '8';
	CU_ASSERT_EQUAL(open_bytes(&events, data, len), -ENOTSUP);
	free(data);
	data = test_read_file(test_data_path(SEVERAL), &len);
	/* the name of the compression, behind the page size */
	CU_ASSERT_FATAL(!strcmp(data + 18, "zstd"));
	memcpy(data + 18, "zeus", 4);
	CU_ASSERT_EQUAL(open_bytes(&events, data, len), -ENOTSUP);
	free(data);
	/* histograms and no events */
	CU_ASSERT_EQUAL(hist_events_open(&events, test_data_path("recorded.dat"), &error), 0);
	CU_ASSERT_EQUAL(use(events), 0);
	hist_events_free(events);
}

/* Without memory at any one place: an error, or a name less, and nothing is lost. */
static void test_no_memory(void)
{
	static const char *const names[] = { SEVERAL, SIX };
	struct hist_events *events;
	unsigned int i;
	struct hist_error error = { 0 };
	long n, seen;
	int ret;

	for (i = 0; i < 2; i++) {
		/* at first none fails, and they are counted */
		for (n = -1, seen = 0; n < seen; n++) {
			alloc_fail_after(n);
			ret = hist_events_open(&events, test_data_path(names[i]), &error);
			if (!ret)
				use(events);
			if (n < 0)
				seen = alloc_fail_seen();
			alloc_fail_after(-1);
			CU_ASSERT(!ret || ret == -ENOMEM);
			if (!ret)
				hist_events_free(events);
		}
		CU_ASSERT(n > 20);
	}
}

UNIT_TESTS(
	{ "opening a missing, foreign or unsupported recording fails with a reason",
	  test_no_such_file },
	{ "a recording that is truncated between two pages reports the missing pages once",
	  test_cut },
	{ "a recording that is truncated or changed is read or refused without a crash",
	  test_damaged },
	{ "a recording opens or fails with ENOMEM if any one allocation fails", test_no_memory });
