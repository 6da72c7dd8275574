// SPDX-License-Identifier: GPL-2.0
/*
 * events_test.c - recorded files: what is in them, seeking
 *
 * That all events are those which libtracecmd finds is events.sh's to prove.  Here
 * stand a few, with what stock `trace-cmd report` prints of them.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "utest/unit/lib/ringbuf/events_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

static void test_what_is_there(void)
{
	struct hist_events *events = events_fixture_open(SEVERAL);
	const struct hist_events_machine *m = hist_events_machine(events);
	const struct hist_events_buffer *b;
	struct hist_events_pages *none;
	struct events_found f;

	CU_ASSERT_STRING_EQUAL(m->host, "vm");
	CU_ASSERT(!strncmp(m->uname, "Linux vm 6.12.", 14));
	CU_ASSERT_EQUAL(m->cpus, 2);
	CU_ASSERT_EQUAL(m->page_size, 4096);
	CU_ASSERT_EQUAL(m->user_long_size, 8);
	CU_ASSERT_EQUAL(m->layout.long_size, 8);
	CU_ASSERT_FALSE(m->layout.big_endian);
	CU_ASSERT(strstr(m->header_page, "local_t commit;") != NULL);
	CU_ASSERT(strstr(m->header_event, "type_len") != NULL);

	CU_ASSERT_EQUAL_FATAL(hist_events_nbuffers(events), 2);
	b = hist_events_buffer(events, 0);
	CU_ASSERT_STRING_EQUAL(b->name, "");
	CU_ASSERT_STRING_EQUAL(b->clock, "mono");
	CU_ASSERT(strstr(b->clock_text, " [mono] ") != NULL);
	CU_ASSERT_EQUAL(b->cpus, 2);
	b = hist_events_buffer(events, 1);
	CU_ASSERT_STRING_EQUAL(b->name, "inner");
	CU_ASSERT_PTR_NULL(hist_events_buffer(events, 2));

	events_fixture_walk(events, 0, 0, &f);
	CU_ASSERT_EQUAL(f.events, KNOWN_EVENTS);
	CU_ASSERT_EQUAL(f.first, KNOWN_FIRST);
	CU_ASSERT_EQUAL(f.last, KNOWN_LAST);
	CU_ASSERT_EQUAL(f.bad, 0);
	/* no such CPU, no such buffer */
	events_fixture_walk(events, 0, 2, &f);
	CU_ASSERT_EQUAL(f.events, 0);
	CU_ASSERT_EQUAL(hist_events_pages_open(&none, events, 2, 0), -EINVAL);
	hist_events_free(events);

	events = events_fixture_open(SIX);
	CU_ASSERT_EQUAL_FATAL(hist_events_nbuffers(events), 2);
	CU_ASSERT_STRING_EQUAL(hist_events_machine(events)->host, "vm");
	CU_ASSERT_STRING_EQUAL(hist_events_buffer(events, 0)->clock, "local");
	CU_ASSERT_STRING_EQUAL(hist_events_buffer(events, 1)->name, "inner");
	CU_ASSERT_EQUAL(hist_events_buffer(events, 1)->bytes, 8192);
	events_fixture_walk(events, 1, 1, &f);
	CU_ASSERT_EQUAL(f.events, 6);
	CU_ASSERT_EQUAL(f.first, UINT64_C(63796465227));
	hist_events_free(events);
	hist_events_free(NULL);
	hist_events_pages_free(NULL);
}

static void test_formats(void)
{
	struct hist_events *events = events_fixture_open(SEVERAL);
	const char *system, *text, *other;
	unsigned int i, ftrace = 0;
	size_t len, other_len;

	CU_ASSERT_EQUAL(hist_events_format(events, "sched", "sched_switch", &text, &len), 0);
	CU_ASSERT(!strncmp(text, "name: sched_switch\nID: ", 23));
	CU_ASSERT(!memcmp(text + len - 1, "\n", 1));
	CU_ASSERT_EQUAL(hist_events_format(events, "ftrace", "kernel_stack", &text, &len), 0);
	CU_ASSERT_EQUAL(hist_events_format(events, "kmem", "sched_switch", &text, &len), -ENOENT);
	CU_ASSERT_EQUAL(hist_events_format(events, "sched", "sched_swit", &text, &len), -ENOENT);
	CU_ASSERT_EQUAL(hist_events_format(events, "sched", "sched_switch\nID", &text, &len),
			-ENOENT);
	for (i = 0; hist_events_format_at(events, i, &system, &text, &len); i++) {
		char name[100];

		CU_ASSERT_EQUAL_FATAL(sscanf(text, "name: %99s", name), 1);
		CU_ASSERT_EQUAL(hist_events_format(events, system, name, &other, &other_len), 0);
		CU_ASSERT_PTR_EQUAL(other, text);
		ftrace += !strcmp(system, "ftrace");
	}
	CU_ASSERT_EQUAL(i, 22);
	CU_ASSERT_EQUAL(ftrace, 18);
	hist_events_free(events);
}

static void test_lost(void)
{
	struct hist_events *events = events_fixture_open(LOST);
	struct events_found f[2];

	events_fixture_walk(events, 0, 0, &f[0]);
	events_fixture_walk(events, 0, 1, &f[1]);
	CU_ASSERT_EQUAL(f[0].events + f[1].events, 7897);
	CU_ASSERT_EQUAL(f[0].gaps + f[1].gaps, 12);
	CU_ASSERT_EQUAL(f[0].lost + f[1].lost, 7057);
	hist_events_free(events);
}

#define PAGES_MAX 512

/* The times of all pages, and where seeking to a time leads. */
static void seek_in(const char *name, unsigned int buffer, unsigned int cpu)
{
	struct hist_events *events = events_fixture_open(name);
	uint64_t times[PAGES_MAX], until;
	struct hist_events_pages *pages;
	struct hist_ring_page page;
	unsigned int n = 0, i, want, left;
	int step;

	CU_ASSERT_EQUAL_FATAL(hist_events_pages_open(&pages, events, buffer, cpu), 0);
	while (n < PAGES_MAX && hist_events_pages_next(pages, &page) == 1)
		times[n++] = page.time;
	CU_ASSERT_FATAL(n > 0);
	for (i = 0; i < n; i++) {
		for (step = -1; step <= 1; step++) {
			until = times[i] + step;
			for (want = n - 1; want && times[want] > until; want--)
				;
			CU_ASSERT_EQUAL_FATAL(hist_events_pages_seek(pages, until), 0);
			CU_ASSERT_EQUAL_FATAL(hist_events_pages_next(pages, &page), 1);
			CU_ASSERT_EQUAL(page.time, times[want]);
			/* and all from there on */
			for (left = 1; hist_events_pages_next(pages, &page) == 1; left++)
				CU_ASSERT_EQUAL(page.time, times[want + left]);
			CU_ASSERT_EQUAL(left, n - want);
		}
	}
	CU_ASSERT_EQUAL(hist_events_pages_seek(pages, 0), 0);
	CU_ASSERT_EQUAL(hist_events_pages_next(pages, &page), 1);
	CU_ASSERT_EQUAL(page.time, times[0]);
	CU_ASSERT_EQUAL(hist_events_pages_seek(pages, UINT64_MAX), 0);
	CU_ASSERT_EQUAL(hist_events_pages_next(pages, &page), 1);
	CU_ASSERT_EQUAL(page.time, times[n - 1]);
	hist_events_pages_free(pages);
	/* before anything was read */
	CU_ASSERT_EQUAL_FATAL(hist_events_pages_open(&pages, events, buffer, cpu), 0);
	CU_ASSERT_EQUAL(hist_events_pages_seek(pages, times[n / 2]), 0);
	CU_ASSERT_EQUAL(hist_events_pages_next(pages, &page), 1);
	CU_ASSERT_EQUAL(page.time, times[n / 2]);
	hist_events_pages_free(pages);
	/* where there is nothing */
	CU_ASSERT_EQUAL_FATAL(hist_events_pages_open(&pages, events, buffer, 77), 0);
	CU_ASSERT_EQUAL(hist_events_pages_seek(pages, 1), 0);
	CU_ASSERT_EQUAL(hist_events_pages_next(pages, &page), 0);
	hist_events_pages_free(pages);
	hist_events_free(events);
}

static void test_seek(void)
{
	seek_in(LOST, 0, 0);
	seek_in(SEVERAL, 0, 0);
	seek_in(SEVERAL, 1, 1);
	seek_in(SIX, 0, 1);
}

struct turn {
	const struct hist_events *events;
	unsigned int cpu;
	uint64_t sum;
};

static void *sum_in_thread(void *arg)
{
	struct turn *t = arg;
	const unsigned char *data;
	struct hist_events_pages *pages;
	struct hist_ring_page page;
	uint32_t len;
	int i;

	/* CUnit's assertions are for one thread */
	for (i = 0; i < 20; i++) {
		if (hist_events_pages_open(&pages, t->events, 0, t->cpu))
			return NULL;
		while (hist_events_pages_next(pages, &page) == 1)
			while (hist_ring_page_next(&page, &data, &len))
				t->sum += page.time + len;
		hist_events_pages_free(pages);
	}
	return NULL;
}

static void test_threads(void)
{
	struct hist_events *events = events_fixture_open(SEVERAL);
	struct turn turns[6], alone = { events, 0, 0 };
	pthread_t threads[6];
	unsigned int i;

	sum_in_thread(&alone);
	for (i = 0; i < 6; i++) {
		turns[i] = (struct turn){ events, i & 1, 0 };
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, sum_in_thread, &turns[i]),
				      0);
	}
	for (i = 0; i < 6; i++) {
		pthread_join(threads[i], NULL);
		CU_ASSERT_EQUAL(turns[i].sum, turns[i & 1].sum);
	}
	CU_ASSERT_EQUAL(turns[0].sum, alone.sum);
	CU_ASSERT_NOT_EQUAL(turns[0].sum, turns[1].sum);
	hist_events_free(events);
}

UNIT_TESTS(
	{ "a recording yields its machine, buffers, clocks and events", test_what_is_there },
	{ "a recording yields an event format only for the full names of system and event",
	  test_formats },
	{ "a recording yields the number of lost events and the gaps that they left", test_lost },
	{ "seeking to a time leads to the last page that starts at or before the time", test_seek },
	{ "six threads read the same events of one recording", test_threads });
