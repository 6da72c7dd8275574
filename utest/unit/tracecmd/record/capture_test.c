// SPDX-License-Identifier: GPL-2.0
/*
 * capture_test.c - which episodes are counted, captured and told as missed
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "lib/series/episode.h"
#include "tracecmd/record/capture.h"
#include "utest/unit/lib/ringbuf/page_make.h"
#include "utest/unit/lib/tracedat/tracedat_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/target/fake_target.h"

#define PAGE PAGE_MAKE_SIZE

static const char format[] =
	"name: lat\nID: 900\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:u64 lat_us;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:s32 next_pid;\toffset:16;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n";

/* A latency of which two episodes of at least 5 us are kept in files "out.episode-N". */
struct recording {
	struct plan plan;
	struct query_event query_event;
	struct fake_target *fake;
	struct counter counter;
	struct session session;
	struct traced_event event;
	struct tracedat_contents contents;
	struct stacks stacks;
	struct capture_source source;
	struct capture capture;
	struct file_place place;
};

static void begin(struct recording *r)
{
	*r = (struct recording){ .plan = { .episodes = 2, .buffer_kb = 2 * PAGE / 1024 } };
	r->fake = fake_target_new("target");
	CU_ASSERT_PTR_NOT_NULL_FATAL(r->fake);
	r->fake->target.cpus = 2;
	r->fake->target.page_size = PAGE;
	r->fake->target.long_size = 8;
	r->query_event.role = QUERY_PAIRS;
	r->query_event.pairs.latency = "lat_us";
	r->query_event.pairs.names = "next_pid";
	r->event = (struct traced_event){
		.plan = &r->query_event, .title = "latency:a..b", .system = "sched",
	};
	CU_ASSERT_EQUAL_FATAL(hist_event_parse(&r->event.event, "sched", format, strlen(format)), 0);
	r->session.target = &r->fake->target;
	r->session.counter = &r->counter;
	r->session.instance.clock = "mono";
	r->contents = fixture_contents(HIST_COMPRESS_NONE);
	r->source = (struct capture_source){
		.event = &r->event, .field = "lat_us", .unit_ns = 1000, .threshold = 5000, .armed = true,
	};
	capture_source_reset_limit(&r->source);
	r->capture = (struct capture){
		.plan = &r->plan, .session = &r->session, .sources = &r->source, .nsources = 1,
		.keeps = true, .contents = &r->contents, .stacks = &r->stacks,
		.origin = 77, .watch = -1,
	};
	CU_ASSERT_EQUAL_FATAL(file_place_find_dir(&r->place, "out"), 0);
	episode_files_begin(&r->capture.side, "out", &r->place);
}

static void end(struct recording *r)
{
	capture_window_free(r->capture.window);
	if (r->capture.watch >= 0)
		close(r->capture.watch);
	hist_event_free(r->event.event);
	free(r->capture.names.data);
	episode_files_end(&r->capture.side);
	file_place_clear(&r->place);
	r->fake->target.ops->free(&r->fake->target);
	CU_ASSERT_EQUAL(system("rm -rf target out.*"), 0);
}

static void count(struct new_hits *new, struct capture_source *s, uint64_t value, uint64_t time,
		  unsigned int cpu)
{
	const struct capture_hit hit = { .value = value, .time = time, .cpu = cpu };

	capture_count_hit(new, s, &hit);
}

static void test_limit(void)
{
	struct capture_source s = { .field = "lat_us", .unit_ns = 1000, .threshold = 1500 };

	/* 1 us is below the threshold */
	capture_source_reset_limit(&s);
	CU_ASSERT_EQUAL(s.limit, 2);
	s.threshold = 2000;
	capture_source_reset_limit(&s);
	CU_ASSERT_EQUAL(s.limit, 2);
	s = (struct capture_source){ .field = "lat_ns", .unit_ns = 1, .threshold = 1500 };
	capture_source_reset_limit(&s);
	CU_ASSERT_EQUAL(s.limit, 1500);
	s = (struct capture_source){ .filter = "pid > 1", .limit = 7 };
	capture_source_reset_limit(&s);
	CU_ASSERT_EQUAL(s.limit, 0);
}

static void check_filter(const struct capture_source *s, const char *want)
{
	char *filter = capture_source_make_filter(s);

	CU_ASSERT_STRING_EQUAL(filter, want);
	free(filter);
}

static void test_filter(void)
{
	struct hist_expr exprs[2] = { { .filter = "a == 1" }, { .filter = "b == 2 || c" } };
	struct traced_hist hists[2] = { { .expr = &exprs[0] }, { .expr = &exprs[1] } };
	struct traced_event event = { .hists = hists, .nhists = 2 };
	struct capture_source s = { .event = &event, .field = "lat_us", .limit = 9 };

	check_filter(&s, "lat_us >= 9 && ((a == 1) || (b == 2 || c))");
	exprs[1].filter = exprs[0].filter;
	check_filter(&s, "lat_us >= 9 && ((a == 1))");
	/* a histogram counts all */
	exprs[1].filter = NULL;
	check_filter(&s, "lat_us >= 9");
	s = (struct capture_source){ .event = &event, .filter = "pid > 1" };
	check_filter(&s, "pid > 1");
}

static void test_hits(void)
{
	struct new_hits new = { 0 };
	struct recording r;

	begin(&r);
	r.source.limit = 10;
	r.source.armed_at = 150;
	/* an episode, but not one of the worst */
	count(&new, &r.source, 9, 100, 0);
	CU_ASSERT_EQUAL(r.source.waiting, 0);
	/* above the limit, but before the trigger was set */
	count(&new, &r.source, 10, 120, 0);
	CU_ASSERT_EQUAL(r.source.waiting, 1);
	CU_ASSERT_EQUAL(r.source.first_time, 0);
	count(&new, &r.source, 30, 300, 1);
	count(&new, &r.source, 20, 200, 0);
	count(&new, &r.source, 25, 250, 1);
	CU_ASSERT_EQUAL(r.source.first_time, 200);
	CU_ASSERT_EQUAL(r.source.first_cpu, 0);
	CU_ASSERT_EQUAL(r.source.waiting, 4);
	CU_ASSERT_EQUAL(r.source.waiting_largest[0], 30);
	CU_ASSERT_EQUAL(r.source.waiting_largest[1], 25);
	r.source.armed = false;
	count(&new, &r.source, 99, 400, 1);
	CU_ASSERT_EQUAL(r.source.waiting, 4);
	CU_ASSERT_EQUAL(r.source.seen, 6);
	CU_ASSERT_EQUAL(new.n, 6);
	CU_ASSERT_EQUAL(new.largest.value, 99000);
	CU_ASSERT_EQUAL(new.largest.time, 400);
	CU_ASSERT_EQUAL(new.largest.cpu, 1);
	CU_ASSERT_STRING_EQUAL(new.largest.event, "latency:a..b");
	count(&new, &r.source, 98, 500, 0);
	CU_ASSERT_EQUAL(new.largest.time, 400);
	end(&r);
}

static void test_missed(void)
{
	struct capture_hit found = { .value = 30 };
	struct new_hits new = { 0 };
	struct recording r;

	begin(&r);
	count(&new, &r.source, 20, 100, 0);
	count(&new, &r.source, 30, 200, 0);
	/* the one that was found is not missed */
	r.source.waiting--;
	capture_count_missed(&r.source, &found);
	CU_ASSERT_EQUAL(r.source.missed, 1);
	CU_ASSERT_EQUAL(r.source.missed_largest, 20);
	CU_ASSERT_EQUAL(r.source.waiting, 0);
	CU_ASSERT_EQUAL(r.source.first_time, 0);
	/* the newest was found, and the worst was missed */
	found.value = 10;
	count(&new, &r.source, 50, 300, 0);
	count(&new, &r.source, 10, 400, 0);
	r.source.waiting--;
	capture_count_missed(&r.source, &found);
	CU_ASSERT_EQUAL(r.source.missed, 2);
	CU_ASSERT_EQUAL(r.source.missed_largest, 50);
	/* none was found; the worst stays */
	count(&new, &r.source, 40, 500, 0);
	capture_count_missed(&r.source, NULL);
	CU_ASSERT_EQUAL(r.source.missed, 3);
	CU_ASSERT_EQUAL(r.source.missed_largest, 50);
	end(&r);
}

/* The episode in side file @number. */
static void check_file(unsigned int number, uint64_t value, uint64_t end, uint64_t flags)
{
	struct tracedat_reader *dat = NULL;
	struct hist_episode *list = NULL;
	unsigned int n = 0;
	char name[32];

	snprintf(name, sizeof(name), "out.episode-%u", number);
	CU_ASSERT_EQUAL_FATAL(tracedat_open(&dat, name, NULL), 0);
	CU_ASSERT_EQUAL(hist_episodes_read(&list, &n, dat), 0);
	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_EQUAL(list[0].value, value);
	CU_ASSERT_EQUAL(list[0].end, end);
	CU_ASSERT_EQUAL(list[0].start, end - value);
	CU_ASSERT_EQUAL(list[0].threshold, 5000);
	CU_ASSERT_EQUAL(list[0].origin, 77);
	CU_ASSERT_EQUAL(list[0].cpu, 1);
	CU_ASSERT_EQUAL(list[0].flags, flags);
	CU_ASSERT_STRING_EQUAL(list[0].key, "next_pid=17");
	hist_episodes_free(list, n);
	tracedat_reader_free(dat);
}

/* Offer an episode of @value us that ends at 100 ms, with one page of events from @first on. */
static void offer(struct recording *r, uint64_t value, uint64_t first, bool dropped)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	const struct capture_hit hit = { .value = value, .time = 100000000, .cpu = 1 };
	struct target_buf pages[2] = { { 0 } };
	struct page_make page;

	page_make_begin(&page, false, 8, first);
	page_make_event(&page, 0, 1, 16);
	page_make_end(&page, 0);
	pages[1] = (struct target_buf){ .data = (char *)page.data, .len = PAGE };
	CU_ASSERT_EQUAL(capture_keep_cut(&r->capture, &r->source, &hit, "next_pid=17", pages, dropped,
					 &lock), 0);
}

static void test_worst_are_kept(void)
{
	struct recording r;

	begin(&r);
	offer(&r, 10, 99000000, true);
	CU_ASSERT_EQUAL(r.source.limit, 5);
	offer(&r, 30, 99000000, false);
	/* only what is longer than the least is worth a capture */
	CU_ASSERT_EQUAL(r.source.limit, 11);
	check_file(1, 10000, 100000000, HIST_EPISODE_TIMED);
	offer(&r, 20, 99000000, false);
	CU_ASSERT_EQUAL(r.source.limit, 21);
	check_file(1, 20000, 100000000, HIST_EPISODE_TIMED);
	check_file(2, 30000, 100000000, HIST_EPISODE_TIMED);
	offer(&r, 20, 99000000, false);
	offer(&r, 15, 99000000, false);
	CU_ASSERT_EQUAL(r.source.nkept, 2);
	CU_ASSERT_EQUAL(r.source.cut, 0);
	check_file(1, 20000, 100000000, HIST_EPISODE_TIMED);
	CU_ASSERT_NOT_EQUAL(access("out.episode-3", F_OK), 0);
	CU_ASSERT_TRUE(r.source.armed);
	/* the next file has worst episodes of its own */
	CU_ASSERT_TRUE(capture_forget_kept(&r.capture, &r.source));
	CU_ASSERT_EQUAL(r.source.limit, 5);
	CU_ASSERT_EQUAL(r.source.nkept, 0);
	CU_ASSERT_EQUAL(r.source.completed, 2);
	CU_ASSERT_FALSE(capture_forget_kept(&r.capture, &r.source));
	CU_ASSERT_EQUAL(r.source.completed, 2);
	end(&r);
}

static void test_cut(void)
{
	struct recording r;

	begin(&r);
	/* the episode begins at 99.99 ms, and the events at 99.995 ms */
	offer(&r, 10, 99995000, true);
	check_file(1, 10000, 100000000, HIST_EPISODE_TIMED | HIST_EPISODE_CUT);
	CU_ASSERT_EQUAL(r.source.cut, 1);
	/* there were no earlier events */
	offer(&r, 11, 99995000, false);
	check_file(2, 11000, 100000000, HIST_EPISODE_TIMED);
	CU_ASSERT_EQUAL(r.source.cut, 1);
	end(&r);
}

/* Pass a page of @cpu, with the time stamp @time and events of @fill, to the window. */
static void take(struct recording *r, unsigned int cpu, uint64_t time, unsigned char fill, bool again)
{
	const struct counter_pages *pages = &r->counter.pages;
	struct page_make page;

	page_make_begin(&page, false, 8, time);
	page_make_event(&page, 0, fill, 64);
	page_make_end(&page, 0);
	CU_ASSERT_EQUAL(pages->take(pages->arg, cpu, page.data, again), 0);
}

static void hit(struct recording *r, uint64_t time, uint64_t value)
{
	const struct counter_pages *pages = &r->counter.pages;
	unsigned char data[24] = { 900 & 255, 900 >> 8, [8] = value, [16] = 17 };

	CU_ASSERT_EQUAL(pages->hit(pages->arg, 0, 1, time, data, sizeof(data)), 0);
}

/* The fills of the events in a side file, in their order: "ab". */
static void check_fills(unsigned int number, const char *want)
{
	char name[32], word[9], fills[16] = "";
	unsigned char *text, *at;
	size_t len, n = 0, i;

	snprintf(name, sizeof(name), "out.episode-%u", number);
	text = (unsigned char *)test_read_file(name, &len);
	for (at = text; at + 64 <= text + len; at++) {
		memset(word, *at, sizeof(word));
		if (*at < 'A' || *at > 'Z' || memcmp(at, word, sizeof(word)))
			continue;
		for (i = 0; at + i < text + len && at[i] == *at; i++)
			;
		if (i == 64 && n + 1 < sizeof(fills))
			fills[n++] = *at;
		at += i - 1;
	}
	CU_ASSERT_STRING_EQUAL(fills, want);
	free(text);
}

static void counted(struct recording *r, uint64_t until)
{
	CU_ASSERT_EQUAL(r->counter.pages.counted(r->counter.pages.arg, until), 0);
}

static void test_window(void)
{
	struct new_hits new = { 0 };
	struct recording r;

	begin(&r);
	CU_ASSERT_EQUAL_FATAL(capture_window_open(&r.capture), 0);
	take(&r, 1, 1000000, 'A', false);
	/* before the first snapshot nothing is an episode */
	hit(&r, 1000000, 200);
	capture_window_start(&r.capture);
	take(&r, 1, 2000000, 'B', false);
	take(&r, 1, 3000000, 'X', false);
	take(&r, 1, 3000000, 'C', true);
	take(&r, 1, 4000000, 'D', false);
	take(&r, 0, 2000000, 'E', false);
	hit(&r, 3100000, 6);
	hit(&r, 3200000, 9);
	hit(&r, 3300000, 7);
	counted(&r, 3500000);
	CU_ASSERT_EQUAL(capture_window_follow(&r.capture, &new), 0);
	CU_ASSERT_EQUAL(new.n, 3);
	CU_ASSERT_EQUAL(new.largest.value, 9000);
	/* the worst, with the events of -b before its end; the pages of each CPU are consecutive */
	check_file(1, 9000, 3200000, HIST_EPISODE_TIMED);
	check_fills(1, "EBC");
	CU_ASSERT_EQUAL(r.source.missed, 2);
	CU_ASSERT_EQUAL(r.source.missed_largest, 7);
	/* the pages of -b are kept after they were counted */
	hit(&r, 3900000, 10);
	counted(&r, 3950000);
	CU_ASSERT_EQUAL(capture_window_follow(&r.capture, &new), 0);
	check_file(2, 10000, 3900000, HIST_EPISODE_TIMED);
	check_fills(2, "EBC");
	/* this one replaces the first, and the window has moved on */
	take(&r, 1, 5000000, 'F', false);
	hit(&r, 4500000, 12);
	counted(&r, 5500000);
	CU_ASSERT_EQUAL(capture_window_follow(&r.capture, &new), 0);
	check_file(1, 12000, 4500000, HIST_EPISODE_TIMED);
	check_fills(1, "ECD");
	capture_window_close(r.capture.window);
	hit(&r, 6000000, 100);
	CU_ASSERT_EQUAL(r.source.seen, 5);
	end(&r);
}

/* A ring buffer of the kernel, as the target passes it: "watch" or "frozen", of CPU 0 or 1. */
static struct page_make watched[2], frozen[2];

static int give_pages(struct hist_target *t, const char *path, size_t most, struct target_buf *buf)
{
	unsigned int cpu = strstr(path, "cpu1/") != NULL;
	const struct page_make *page = !strncmp(path, "watch/", 6) ? &watched[cpu] : &frozen[cpu];

	(void)t, (void)most;
	buf->len = 0;
	if (!page->len)
		return 0;
	if (target_buf_reserve(buf, PAGE))
		return -ENOMEM;
	memcpy(buf->data, page->data, PAGE);
	buf->len = PAGE;
	return 0;
}

static int give_time(struct hist_target *t, const char *clock, const char *dir, uint64_t *now)
{
	(void)t, (void)clock, (void)dir;
	*now = 900000000;
	return 0;
}

/* Write an event of the latency @delta ns after the one before. */
static void put_hit(struct page_make *page, uint32_t delta, uint32_t value)
{
	page_make_head(page, 5, delta);
	page_make_word(page, 900);
	page_make_word(page, 1);
	page_make_word(page, value);
	page_make_word(page, 0);
	page_make_word(page, 17);
}

static void begin_frozen(struct recording *r, struct hist_target_ops *ops)
{
	static struct hist_expr all;
	static struct traced_hist counts = { .expr = &all };
	unsigned int i;

	begin(r);
	*ops = *r->fake->target.ops;
	ops->pages = give_pages;
	ops->clock = give_time;
	r->fake->target.ops = ops;
	r->event.hists = &counts;
	r->event.nhists = 1;
	r->event.name = "lat";
	r->source.dir = "ring";
	r->capture.watch_dir = "watch";
	r->capture.pages = calloc(2, sizeof(*r->capture.pages));
	CU_ASSERT_PTR_NOT_NULL_FATAL(r->capture.pages);
	CU_ASSERT_EQUAL_FATAL(cpu_pages_init(&r->source.frozen, &r->fake->target, r->source.dir,
					     "snapshot_raw"), 0);
	CU_ASSERT_EQUAL_FATAL(cpu_pages_init(&r->capture.watched, &r->fake->target, "watch",
					     "trace_pipe_raw"), 0);
	CU_ASSERT_EQUAL(fake_target_put(r->fake, "ring/events/sched/lat/trigger", ""), 0);
	for (i = 0; i < 2; i++) {
		page_make_begin(&watched[i], false, 8, 99000000);
		page_make_begin(&frozen[i], false, 8, 99000000);
	}
}

static void end_frozen(struct recording *r)
{
	cpu_pages_clear(&r->source.frozen);
	cpu_pages_clear(&r->capture.watched);
	free(r->capture.pages);
	free(r->capture.hits.data);
	end(r);
}

/* The hit that froze the ring buffer is the newest in it. */
static void test_frozen(void)
{
	struct hist_target_ops ops;
	struct recording r;
	bool stop = false;
	char *trigger;
	unsigned int i;

	begin_frozen(&r, &ops);
	/* two from before the trigger was set again; one that froze it; two after that */
	put_hit(&frozen[0], 100000, 9);
	put_hit(&frozen[1], 200000, 4);
	put_hit(&frozen[1], 800000, 6);
	put_hit(&watched[1], 1000000, 6);
	put_hit(&watched[0], 1500000, 8);
	put_hit(&watched[0], 100000, 7);
	for (i = 0; i < 2; i++) {
		page_make_end(&watched[i], 0);
		page_make_end(&frozen[i], 0);
	}
	CU_ASSERT_EQUAL(capture_follow(&r.capture, &stop), 0);
	check_file(1, 6000, 100000000, HIST_EPISODE_TIMED);
	CU_ASSERT_EQUAL(r.source.seen, 3);
	CU_ASSERT_EQUAL(r.source.missed, 2);
	CU_ASSERT_EQUAL(r.source.missed_largest, 8);
	CU_ASSERT_EQUAL(r.source.waiting, 0);
	CU_ASSERT_EQUAL(r.source.begins, 100000000);
	CU_ASSERT_EQUAL(r.source.armed_at, 900000000);
	CU_ASSERT_TRUE(r.source.armed);
	trigger = fake_target_get(r.fake, "ring/events/sched/lat/trigger");
	CU_ASSERT_STRING_EQUAL(trigger, "snapshot:1 if lat_us >= 5\n");
	free(trigger);
	end_frozen(&r);
}

static void test_frozen_cut(void)
{
	struct hist_target_ops ops;
	struct recording r;
	bool stop = false;

	begin_frozen(&r, &ops);
	/* the wait began at 99 ms, and the first event is its end */
	put_hit(&frozen[1], 1000000, 1000);
	page_make_end_lost(&frozen[1], 3);
	frozen[0].len = watched[0].len = 0;
	put_hit(&watched[1], 1000000, 1000);
	page_make_end(&watched[1], 0);
	CU_ASSERT_EQUAL(capture_follow(&r.capture, &stop), 0);
	check_file(1, 1000000, 100000000, HIST_EPISODE_TIMED | HIST_EPISODE_CUT);
	CU_ASSERT_EQUAL(r.source.cut, 1);
	CU_ASSERT_EQUAL(r.source.missed, 0);
	/* the same events, and nothing was overwritten */
	r.source.begins = 0;
	page_make_end(&frozen[1], 0);
	CU_ASSERT_EQUAL(capture_follow(&r.capture, &stop), 0);
	check_file(2, 1000000, 100000000, HIST_EPISODE_TIMED);
	CU_ASSERT_EQUAL(r.source.cut, 1);
	/* the ring buffer begins at the end of that episode, which has the events before */
	CU_ASSERT_EQUAL(fake_target_put(r.fake, "ring/events/sched/lat/trigger", ""), 0);
	page_make_begin(&frozen[1], false, 8, 99000000);
	put_hit(&frozen[1], 1000000, 2000);
	page_make_end(&frozen[1], 0);
	page_make_begin(&watched[1], false, 8, 99000000);
	put_hit(&watched[1], 1000000, 2000);
	page_make_end(&watched[1], 0);
	CU_ASSERT_EQUAL(capture_follow(&r.capture, &stop), 0);
	check_file(1, 2000000, 100000000, HIST_EPISODE_TIMED | HIST_EPISODE_CUT);
	CU_ASSERT_EQUAL(r.source.cut, 1);
	end_frozen(&r);
}

UNIT_TESTS_WITH(
	test_dir_enter, test_dir_leave,
	{ "the limit is the least value in the unit of the field that reaches the threshold", test_limit },
	{ "the kernel watches what a histogram counts", test_filter },
	{ "hits of at least the limit wait for their capture, and the worst is known", test_hits },
	{ "the largest missed latency is not the one that was captured", test_missed },
	{ "a worse episode replaces the least of the kept ones", test_worst_are_kept },
	{ "an episode is cut if the events before it were dropped", test_cut },
	{ "the newest hit froze the ring buffer, and hits after it were missed", test_frozen },
	{ "an episode is cut if its first events were overwritten", test_frozen_cut },
	{ "the user-space engine keeps the pages before the worst hit", test_window });
