// SPDX-License-Identifier: GPL-2.0
/*
 * events_names_test.c - names in recorded files: symbols of the kernel, comms of tasks
 */
#include <endian.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <CUnit/Basic.h>

#include "utest/unit/lib/ringbuf/events_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

static void test_names(void)
{
	struct hist_events *events = events_fixture_open(SEVERAL);
	struct hist_symbol symbol;

	CU_ASSERT_STRING_EQUAL(hist_events_comm(events, 0), "<idle>");
	CU_ASSERT_STRING_EQUAL(hist_events_comm(events, KNOWN_PID), KNOWN_COMM);
	CU_ASSERT_PTR_NULL(hist_events_comm(events, 999999));
	CU_ASSERT_PTR_NULL(hist_events_comm(events, UINT32_MAX));

	CU_ASSERT_EQUAL_FATAL(hist_events_symbol(events, KNOWN_ADDRESS + 7, &symbol), 0);
	CU_ASSERT_STRING_EQUAL(symbol.name, KNOWN_SYMBOL);
	CU_ASSERT_EQUAL(symbol.offset, 7);
	CU_ASSERT_EQUAL(symbol.size, KNOWN_SIZE);
	CU_ASSERT_EQUAL_FATAL(hist_events_symbol(events, MODULE_ADDRESS, &symbol), 0);
	CU_ASSERT_STRING_EQUAL(symbol.name, MODULE_SYMBOL);
	CU_ASSERT_EQUAL(symbol.offset, 0);
	/* before all; behind the kernel's end, which is itself no part of it */
	CU_ASSERT_EQUAL(hist_events_symbol(events, 0x1000, &symbol), -ENOENT);
	CU_ASSERT_EQUAL(hist_events_symbol(events, END_ADDRESS, &symbol), -ENOENT);
	CU_ASSERT_EQUAL(hist_events_symbol(events, END_ADDRESS + 100, &symbol), -ENOENT);
	CU_ASSERT_EQUAL(hist_events_symbol(events, END_ADDRESS - 1, &symbol), 0);
	hist_events_free(events);
}

/* A file of version 6 with nothing but these symbols. */
static struct hist_events *with_symbols(const char *text)
{
	static const char start[] = "\x17\x08\x44tracing6\0\0\x08\0\x10\0\0header_page\0",
			  page[] = "field: u64 timestamp; size:8;\nfield: long commit; size:8;\n",
			  next[] = "header_event\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
			  last[] = "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0flyrecord";
	uint64_t page_len = strlen(page);
	uint32_t len = strlen(text);
	struct hist_events *events;
	struct hist_error error = { 0 };
	char path[64];
	FILE *f;
	int fd;

	fd = memfd_create("symbols", 0);
	f = fdopen(fd, "wb");
	fwrite(start, 1, sizeof(start) - 1, f);
	fwrite(&(uint64_t){ htole64(page_len) }, 8, 1, f);
	fwrite(page, 1, page_len, f);
	fwrite(next, 1, 13 + 8 + 8, f);
	fwrite(&(uint32_t){ htole32(len) }, 4, 1, f);
	fwrite(text, 1, len, f);
	fwrite(last, 1, sizeof(last), f);
	fflush(f);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (hist_events_open(&events, path, &error)) {
		fprintf(stderr, "%s\n", test_error(&error));
		exit(2);
	}
	fclose(f);
	return events;
}

static void expect_symbol(struct hist_events *events, uint64_t address, const char *want)
{
	struct hist_symbol symbol;
	char got[200];

	if (!hist_events_symbol(events, address, &symbol))
		snprintf(got, sizeof(got), "%s+%d/%d", symbol.name, (int)symbol.offset,
			 (int)symbol.size);
	else
		strcpy(got, "-");
	CU_ASSERT_STRING_EQUAL(got, want);
	if (strcmp(got, want))
		fprintf(stderr, "%lx: %s, not %s\n", (unsigned long)address, got, want);
}

static void test_symbols(void)
{
	struct hist_events *events;

	events = with_symbols("0000000000000000 A fixed_percpu_data\n"
			      "0000000000005000 a cpu_data\n"
			      "ffffffff81000000 T _stext\n"
			      "ffffffff81000010 T __pfx_first\n"
			      "ffffffff81000020 T first\n"
			      "ffffffff81000020 T alias\n"
			      "ffffffff81000040 t $a\n"
			      "ffffffff81000050 d data\n"
			      "ffffffff81000060 B __brk_limit\n"
			      "ffffffff81000060 B _end\n"
			      "ffffffffc0002000 t later\t[one]\n"
			      "ffffffffc0003000 t there\t[two]\n"
			      "ffffffffc0001000 t earlier\t[one]\n"
			      "ffffffffc0001000 t again\t[one]\n"
			      "not a line\n"
			      "ffffffffc0004000 t cut");
	expect_symbol(events, 0x5000, "-");
	expect_symbol(events, 0xffffffff81000000, "_stext+0/16");
	expect_symbol(events, 0xffffffff81000018, "__pfx_first+8/16");
	expect_symbol(events, 0xffffffff81000021, "first+1/48");
	expect_symbol(events, 0xffffffff81000048, "first+40/48");
	expect_symbol(events, 0xffffffff8100005f, "data+15/16");
	expect_symbol(events, 0xffffffff81000060, "-");
	expect_symbol(events, 0xffffffffc0000fff, "-");
	expect_symbol(events, 0xffffffffc0001001, "earlier [one]+1/4096");
	expect_symbol(events, 0xffffffffc0002010, "later [one]+16/0");
	expect_symbol(events, 0xffffffffc0003000, "there [two]+0/0");
	/* the last line has no end */
	expect_symbol(events, 0xffffffffc0004001, "there [two]+4097/0");
	hist_events_free(events);

	/* of a kernel without data in its list */
	events = with_symbols("80100000 T first\n80200000 T _etext\n80300000 T __init_begin\n"
			      "80300010 t setup\n80400000 T _einittext\n");
	expect_symbol(events, 0x80100004, "first+4/1048576");
	expect_symbol(events, 0x80200004, "-");
	expect_symbol(events, 0x80300014, "setup+4/1048560");
	expect_symbol(events, 0x80400000, "-");
	hist_events_free(events);

	/* hidden; nothing */
	events = with_symbols("0000000000000000 T first\n0000000000000000 T second\n");
	expect_symbol(events, 0, "-");
	expect_symbol(events, 1, "-");
	hist_events_free(events);
	events = with_symbols("");
	expect_symbol(events, 0x80100000, "-");
	hist_events_free(events);
}

struct namer {
	struct hist_events *events;
	pthread_barrier_t *all;
	unsigned int found;
};

static void *find_in_thread(void *data)
{
	struct namer *n = data;
	struct hist_symbol symbol;
	const char *comm;

	pthread_barrier_wait(n->all);
	/* CUnit's assertions are for one thread */
	if (!hist_events_symbol(n->events, KNOWN_ADDRESS, &symbol))
		n->found += !strcmp(symbol.name, KNOWN_SYMBOL);
	comm = hist_events_comm(n->events, KNOWN_PID);
	n->found += comm && !strcmp(comm, KNOWN_COMM);
	return NULL;
}

/* The first lookup reads the names: all threads begin with one. */
static void test_threads(void)
{
	struct namer namers[6];
	pthread_t threads[6];
	pthread_barrier_t all;
	struct hist_events *events;
	unsigned int i, round;

	pthread_barrier_init(&all, NULL, 6);
	for (round = 0; round < 20; round++) {
		events = events_fixture_open(SEVERAL);
		for (i = 0; i < 6; i++) {
			namers[i] = (struct namer){ events, &all, 0 };
			CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, find_in_thread, &namers[i]), 0);
		}
		for (i = 0; i < 6; i++) {
			pthread_join(threads[i], NULL);
			CU_ASSERT_EQUAL(namers[i].found, 2);
		}
		CU_ASSERT_EQUAL(hist_events_names_error(events), 0);
		hist_events_free(events);
	}
	pthread_barrier_destroy(&all);
}

UNIT_TESTS(
	{ "a recording yields the names of its tasks, kernel symbols and module symbols",
	  test_names },
	{ "an address resolves to the same symbol as in the kernel, and to none outside the kernel",
	  test_symbols },
	{ "six threads look up names of one recording that has not read them yet", test_threads });
