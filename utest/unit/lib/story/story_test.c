// SPDX-License-Identifier: GPL-2.0
/*
 * story_test.c - the parts of made-up stories, computed by hand
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/story/story.h"
#include "utest/unit/lib/story/story_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

static struct hist_events *events;
static struct hist_story_reader *reader;
static struct hist_story *story;

static void tell(const struct tell_event *list, struct hist_story_window window)
{
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL_FATAL(story_fixture_write("story.dat", list, 2), 0);
	CU_ASSERT_EQUAL_FATAL(hist_events_open(&events, "story.dat", &error), 0);
	CU_ASSERT_EQUAL_FATAL(hist_story_reader_new(&reader, events), 0);
	for (window.buffer = 0; strcmp(hist_events_buffer(events, window.buffer)->name, "story");)
		window.buffer++;
	CU_ASSERT_EQUAL_FATAL(hist_story_make(&story, reader, &window), 0);
}

static void forget(void)
{
	hist_story_free(story);
	hist_story_reader_free(reader);
	hist_events_free(events);
}

/* "hog/30 [49] 100, idle 5": the parts in their order. */
static void put_frame(char *text, const struct hist_story_frame *what)
{
	text += strlen(text);
	if (what->kind == HIST_STORY_TASK)
		text += sprintf(text, "%s/%d", what->name, (int)what->number);
	else
		text += sprintf(text, "%s%s%s", hist_story_kind_name(what->kind),
				*what->name ? " " : "", what->name);
	if (what->kind == HIST_STORY_IRQ && what->has_number)
		text += sprintf(text, " %d", (int)what->number);
	if (what->has_prio)
		sprintf(text, " [%d]", what->prio);
}

/* Both invariants, for every story. */
static void check_sums(void)
{
	uint64_t sum = 0, at = story->start;
	uint32_t i;

	for (i = 0; i < story->nparts; i++) {
		CU_ASSERT_TRUE(story->parts[i].ns > 0);
		CU_ASSERT_TRUE(!i || story->parts[i].ns <= story->parts[i - 1].ns);
		sum += story->parts[i].ns;
	}
	CU_ASSERT_EQUAL(sum, story->end - story->start);
	for (i = 0; i < story->nspans; i++) {
		CU_ASSERT_EQUAL(story->spans[i].from, at);
		at = story->spans[i].to;
		CU_ASSERT_TRUE(story->spans[i].part < story->nparts);
	}
	CU_ASSERT_EQUAL(at, story->end);
}

static void expect(const char *parts)
{
	char text[4096] = "";
	uint32_t i;

	check_sums();
	for (i = 0; i < story->nparts; i++) {
		if (i)
			strcat(text, ", ");
		put_frame(text, &story->parts[i].what);
		sprintf(text + strlen(text), " %llu", (unsigned long long)story->parts[i].ns);
	}
	if (strcmp(text, parts))
		fprintf(stderr, "\nparts:    %s\nexpected: %s\n", text, parts);
	CU_ASSERT_STRING_EQUAL(text, parts);
}

/* The timeline as "hog@100 idle@200". */
static void expect_line(const char *line)
{
	char text[4096] = "";
	uint32_t i;

	for (i = 0; i < story->nspans; i++) {
		const struct hist_story_frame *what = &story->parts[story->spans[i].part].what;

		sprintf(text + strlen(text), "%s%s@%llu", i ? " " : "",
			*what->name ? what->name : hist_story_kind_name(what->kind),
			(unsigned long long)story->spans[i].from);
	}
	if (strcmp(text, line))
		fprintf(stderr, "\nline:     %s\nexpected: %s\n", text, line);
	CU_ASSERT_STRING_EQUAL(text, line);
}

#define WAIT(...) (struct hist_story_window){ .pid = 17, __VA_ARGS__ }

/* The task is woken by dd, waits for hog, and runs at 10000. */
static const struct tell_event wait[] = {
	T(SWITCH, 100, 0, HOG, .state = 1, .pid = 123),
	T(SWITCH, 200, 1, DD, .state = 1, .pid = 57),
	T(WAKING, 1000, 1, WAITER, .to = 0),
	T(WAKEUP, 1010, 1, WAITER, .to = 0),
	T(IRQ, 3000, 0, 27, .flags = 8),
	T(IRQ_END, 3400, 0, 27, .flags = 8),
	T(SOFTIRQ, 3500, 0, 3, .flags = 0x10),
	T(IRQ, 3600, 0, 27, .flags = 0x18),
	T(ODD, 3620, 0, 0, .flags = 0x18),
	T(IRQ_END, 3650, 0, 27, .flags = 0x18),
	T(SOFTIRQ_END, 4000, 0, 3, .flags = 0x10),
	T(SWITCH, 8000, 0, WORKER, .state = 0x100),
	T(SYNTH, 8300, 0, 5),
	T(TIMER, 9000, 0, 0, .flags = 8),
	T(TIMER_END, 9005, 0, 0, .flags = 8),
	T(SWITCH, 9990, 0, WAITER, .state = 1),
	TELL_LAST,
};

static void test_wait(void)
{
	tell(wait, WAIT(.start = 1000, .end = 10000));
	/* hog: 1000-3000, 3400-3500, 4000-8000; the interrupt in the softirq is not the softirq's */
	expect("hog/30 [49] 6100, kworker/1:1/57 [120] 1985, irq virtio0-input 27 450, "
	       "softirq NET_RX 450, waiter/17 [98] 10, irq local_timer 5");
	expect_line("hog@1000 virtio0-input@3000 hog@3400 NET_RX@3500 virtio0-input@3600 NET_RX@3650 "
		    "hog@4000 kworker/1:1@8000 local_timer@9000 kworker/1:1@9005 waiter@9990");
	CU_ASSERT_EQUAL(story->parts[0].spans, 3);
	CU_ASSERT_EQUAL(story->parts[0].longest, 4000);
	CU_ASSERT_TRUE(story->parts[4].self);
	CU_ASSERT_FALSE(story->parts[0].self);
	CU_ASSERT_EQUAL(story->has, HIST_STORY_HAS_SWITCHES | HIST_STORY_HAS_IRQS |
				    HIST_STORY_HAS_SOFTIRQS);
	CU_ASSERT_TRUE(story->waker.found);
	CU_ASSERT_STRING_EQUAL(story->waker.what.name, "dd");
	CU_ASSERT_EQUAL(story->waker.cpu, 1);
	CU_ASSERT_STRING_EQUAL(story->task.name, "waiter");
	forget();
}

/* A system call: the task runs, sleeps while idle and hog have the CPU, waits, and runs. */
static const struct tell_event slept[] = {
	T(SWITCH, 500, 0, WAITER, .state = 1, .pid = 30),
	T(ODD, 1000, 0, 0),
	T(SWITCH, 1500, 0, IDLE, .state = 2),
	T(SWITCH, 2000, 0, HOG, .state = 0),
	T(WAKING, 7000, 1, WAITER, .to = 0, .pid = 123),
	T(SWITCH, 7600, 0, WAITER, .state = 0),
	T(ODD, 8000, 0, 0),
	TELL_LAST,
};

/* It sleeps for longer than a rounding error. */
static const struct tell_event slept_long[] = {
	T(SWITCH, 1500, 0, IDLE, .state = 2, .pid = 17),
	T(WAKING, 3000000, 1, WAITER, .to = 0, .pid = 123),
	TELL_LAST,
};

/* The latency is longer than the time since the event that begins it. */
static void test_early(void)
{
	tell(wait, WAIT(.start = 993, .end = 3000));
	expect("hog/30 [49] 2007");
	forget();
	/* the wake-up is at the end: it sleeps */
	tell(slept_long, WAIT(.start = 2000, .end = 3000000));
	expect("asleep D 2998000");
	forget();
}

/* A window inside: what began before it, and ends after it. */
static void test_window(void)
{
	tell(wait, WAIT(.start = 3610, .end = 3640));
	expect("irq virtio0-input 27 30");
	forget();
	tell(wait, WAIT(.start = 3500, .end = 3500));
	expect("");
	forget();
	/* without a task: what CPU 1 did */
	tell(wait, (struct hist_story_window){ .start = 150, .end = 300, .cpu = 1 });
	expect("dd/123 [120] 100, kworker/1:1/57 [120] 50");
	CU_ASSERT_FALSE(story->has_task);
	forget();
	/* the task is that of the switch at the end */
	tell(wait, (struct hist_story_window){ .start = 1005, .end = 9999,
						   .end_event = "sched_switch" });
	CU_ASSERT_EQUAL(story->task.number, 17);
	CU_ASSERT_EQUAL(story->start, 996);
	CU_ASSERT_EQUAL(story->end, 9990);
	check_sums();
	forget();
	/* an event that is not in the file, or not before the end, moves nothing */
	tell(wait, WAIT(.start = 100, .end = 150, .end_event = "sys_exit"));
	CU_ASSERT_EQUAL(story->end, 150);
	forget();
	tell(wait, WAIT(.start = 100, .end = 150, .end_event = "sched_switch"));
	CU_ASSERT_EQUAL(story->end, 150);
	forget();
}

/* The task waits on CPU 0, is moved to CPU 1, and waits there. */
static const struct tell_event moved[] = {
	T(SWITCH, 100, 0, HOG, .state = 1, .pid = 123),
	T(SWITCH, 100, 1, WORKER, .state = 1, .pid = 123),
	T(IRQ, 900, 1, 27, .flags = 8, .to = 0),
	T(WAKING, 1000, 1, WAITER, .to = 0, .flags = 8),
	T(WAKEUP, 1005, 1, WAITER, .to = 0, .flags = 8),
	T(IRQ_END, 1020, 1, 27, .flags = 8),
	T(MIGRATE, 4000, 1, WAITER, .state = 0, .to = 1),
	T(SWITCH, 5000, 0, IDLE, .state = 1),
	T(SWITCH, 6000, 1, WAITER, .state = 0),
	TELL_LAST,
};

static void test_moved(void)
{
	tell(moved, WAIT(.start = 1000, .end = 6000, .cpu = 1));
	expect("hog/30 [49] 3000, kworker/1:1/57 [120] 2000");
	CU_ASSERT_EQUAL(story->nmoves, 1);
	CU_ASSERT_EQUAL(story->moves[0].time, 4000);
	CU_ASSERT_EQUAL(story->moves[0].from, 0);
	CU_ASSERT_EQUAL(story->moves[0].to, 1);
	CU_ASSERT_STRING_EQUAL(story->waker.what.name, "virtio0-input");
	CU_ASSERT_STRING_EQUAL(story->waker.task.name, "kworker/1:1");
	forget();
}

static void test_slept(void)
{
	tell(slept, WAIT(.start = 1000, .end = 8000));
	expect("asleep D 5500, waiter/17 [98] 900, hog/30 [49] 600");
	CU_ASSERT_STRING_EQUAL(story->waker.what.name, "");
	CU_ASSERT_EQUAL(story->waker.what.number, 123);
	forget();
	/* before the switch away: the wake-up later is not the waker */
	tell(slept, WAIT(.start = 1000, .end = 1400));
	expect("waiter/17 [98] 400");
	CU_ASSERT_FALSE(story->waker.found);
	forget();
}

/* The ring buffer begins late: what the first event tells about the time before it. */
static const struct tell_event late[] = {
	T(LOST, 0, 0, 0),
	T(ODD, 4000, 0, 0, .pid = 30, .flags = 8),
	T(IRQ_END, 4100, 0, 27, .flags = 8),
	T(SWITCH, 6000, 0, WAITER, .state = 0),
	TELL_LAST,
};

static void test_late(void)
{
	tell(late, WAIT(.start = 1000, .end = 6000, .cut = true));
	expect("unknown 3000, hog/30 [49] 1900, irq 27 100");
	CU_ASSERT_TRUE(story->cut);
	forget();
	/* the page says it, too */
	tell(late, WAIT(.start = 1000, .end = 6000));
	expect("unknown 3000, hog/30 [49] 1900, irq 27 100");
	forget();
	/* the same without a loss: the interrupt of the first event was there all the time */
	tell(late + 1, WAIT(.start = 1000, .end = 6000));
	expect("irq 3000, hog/30 [49] 1900, irq 27 100");
	forget();
}

/* Events are lost in the middle; and a switch is missing without a loss. */
static const struct tell_event lost[] = {
	T(SWITCH, 100, 0, HOG, .state = 1, .pid = 123),
	T(WAKING, 900, 0, WAITER, .to = 0),
	T(IRQ, 2000, 0, 27, .flags = 8),
	T(LOST, 2500, 0, 0),
	T(SOFTIRQ_END, 3000, 0, 3, .pid = 123, .flags = 0x10),
	T(PAGE, 3500, 0, 0),
	T(ODD, 4000, 0, 0),
	T(ODD, 5000, 0, 0, .pid = 57),
	T(SWITCH, 7000, 0, WAITER, .state = 0),
	TELL_LAST,
};

static void test_lost(void)
{
	tell(lost, WAIT(.start = 1000, .end = 7000));
	expect("unknown 2000, kworker/1:1/57 [120] 2000, hog/30 [49] 1000, /123 1000");
	expect_line("hog@1000 unknown@2000 task@3000 unknown@4000 kworker/1:1@5000");
	forget();
}

/* Without task switches, only interrupts are known. */
static const struct tell_event bare[] = {
	T(IRQ, 2000, 0, 27, .pid = 30, .flags = 8),
	T(IRQ_END, 2500, 0, 27, .flags = 8),
	TELL_LAST,
};

static void test_bare(void)
{
	tell(bare, (struct hist_story_window){ .start = 1000, .end = 3000 });
	expect("unknown 1500, irq virtio0-input 27 500");
	forget();
	/* of the task, there is no event at all */
	tell(bare, WAIT(.start = 1000, .end = 3000));
	expect("unknown 2000");
	forget();
	/* a CPU without events */
	tell(bare, (struct hist_story_window){ .start = 1000, .end = 3000, .cpu = 1 });
	expect("unknown 2000");
	forget();
	tell(bare, (struct hist_story_window){ .start = 1000, .end = 3000, .cpu = 99999 });
	expect("unknown 2000");
	forget();
}

static const struct tell_event stacks[] = {
	T(SWITCH, 100, 0, HOG, .state = 1, .pid = 123),
	T(STACK, 101, 0, 500),
	T(WAKING, 1000, 0, WAITER, .to = 0),
	T(IRQS_OFF, 2000, 0, 0),
	T(IRQS_ON, 5000, 0, 0),
	T(SWITCH, 6000, 0, WORKER, .state = 0),
	T(STACK, 6001, 0, 700),
	T(SWITCH, 7000, 0, WAITER, .state = 0),
	T(STACK, 7001, 0, 800),
	TELL_LAST,
};

static void expect_stack(const uint64_t *stack, unsigned int n, unsigned int first)
{
	CU_ASSERT_EQUAL_FATAL(n, 3);
	CU_ASSERT_EQUAL(stack[0], 0xffffffff00000000 + first);
	CU_ASSERT_EQUAL(stack[2], 0xffffffff00000002 + first);
}

static void test_stacks(void)
{
	tell(stacks, WAIT(.start = 1000, .end = 7000));
	expect("hog/30 [49] 5000, kworker/1:1/57 [120] 1000");
	expect_stack(story->parts[0].stack, story->parts[0].nstack, 700);
	/* the stack of END comes after END */
	expect_stack(story->parts[1].stack, story->parts[1].nstack, 800);
	CU_ASSERT_EQUAL(story->waker.nstack, 0);
	CU_ASSERT_EQUAL(story->irqs_off, 3000);
	CU_ASSERT_EQUAL(story->has & HIST_STORY_HAS_PREEMPT_OFF, 0);
	forget();
}

/* As slept, with the stack of each switch and wake-up; another task is woken right afterwards. */
static const struct tell_event stacked_sleep[] = {
	T(SWITCH, 500, 0, WAITER, .state = 1, .pid = 30),
	T(ODD, 1000, 0, 0),
	T(SWITCH, 1500, 0, IDLE, .state = 2),
	T(STACK, 1501, 0, 300),
	T(SWITCH, 2000, 0, HOG, .state = 0),
	T(STACK, 2001, 0, 400),
	T(WAKING, 7000, 1, WAITER, .to = 0, .pid = 123),
	T(STACK, 7001, 1, 500),
	T(WAKING, 7002, 1, WORKER, .to = 1),
	T(STACK, 7003, 1, 600),
	T(SWITCH, 7600, 0, WAITER, .state = 0),
	T(STACK, 7601, 0, 700),
	T(ODD, 8000, 0, 0),
	TELL_LAST,
};

static void test_sleep_stack(void)
{
	tell(stacked_sleep, WAIT(.start = 1000, .end = 8000));
	expect("asleep D 5500, waiter/17 [98] 900, hog/30 [49] 600");
	expect_stack(story->parts[0].stack, story->parts[0].nstack, 300);
	expect_stack(story->waker.stack, story->waker.nstack, 500);
	expect_stack(story->parts[2].stack, story->parts[2].nstack, 700);
	CU_ASSERT_EQUAL(story->waker.task.number, 123);
	forget();
}

static void test_excess(void)
{
	struct hist_story_part *parts = NULL, *excess = NULL;
	uint32_t n = 0, nexcess = 0;

	tell(stacks, WAIT(.start = 1000, .end = 7000, .threshold = 4500));
	expect("hog/30 [49] 5000, kworker/1:1/57 [120] 1000");
	CU_ASSERT_EQUAL(story->parts[0].excess, 500);
	CU_ASSERT_EQUAL(story->parts[1].excess, 1000);
	CU_ASSERT_EQUAL(hist_story_add_total(&parts, &n, story), 0);
	CU_ASSERT_EQUAL(hist_story_add_total(&parts, &n, story), 0);
	forget();
	/* a story without a threshold adds only to the time */
	tell(wait, WAIT(.start = 1000, .end = 10000));
	CU_ASSERT_FALSE(story->parts[0].has_excess);
	CU_ASSERT_EQUAL(hist_story_add_total(&parts, &n, story), 0);
	forget();
	CU_ASSERT_EQUAL(hist_story_list_excess(&excess, &nexcess, parts, n), 0);
	hist_story_sort_total(excess, nexcess);
	CU_ASSERT_EQUAL_FATAL(nexcess, 2);
	CU_ASSERT_STRING_EQUAL(excess[0].what.name, "kworker/1:1");
	CU_ASSERT_EQUAL(excess[0].ns, 2000);
	CU_ASSERT_STRING_EQUAL(excess[1].what.name, "hog");
	CU_ASSERT_EQUAL(excess[1].ns, 1000);
	free(excess);
	free(parts);
}

/* More spans than are kept: short ones are merged, and parts stay exact. */
static void test_many(void)
{
	struct tell_event *list = calloc(8002, sizeof(*list));
	uint32_t i, n;

	CU_ASSERT_PTR_NOT_NULL_FATAL(list);
	list[0] = (struct tell_event)T(SWITCH, 100, 0, HOG, .state = 1, .pid = 123);
	for (i = 1; i <= 8000; i++)
		list[i] = (struct tell_event){
			.what = i % 2 ? TELL_TIMER : TELL_TIMER_END,
			.time = 1000 + i * 10 + (i % 2 ? 0 : 5),
			.flags = 8,
		};
	tell(list, (struct hist_story_window){ .start = 1000, .end = 101000 });
	expect("irq local_timer 60000, hog/30 [49] 40000");
	CU_ASSERT_TRUE(story->nspans <= HIST_STORY_SPANS);
	CU_ASSERT_TRUE(story->spans[0].merged > 1);
	CU_ASSERT_EQUAL(story->parts[0].spans, 4000);
	CU_ASSERT_EQUAL(story->parts[0].longest, 15);
	n = hist_story_shorten(story->spans, story->nspans, 10, false);
	CU_ASSERT_TRUE(n >= 1 && n <= 10);
	story->nspans = n;
	check_sums();
	free(list);
	forget();
}

/* Interruptions disappear in the long span around them. */
static void test_absorb(void)
{
	tell(wait, WAIT(.start = 1000, .end = 10000));
	story->nspans = hist_story_shorten(story->spans, story->nspans, 3, true);
	check_sums();
	expect_line("hog@1000 kworker/1:1@8000");
	CU_ASSERT_EQUAL(story->spans[0].merged, 7);
	/* the 100 of hog that were merged into other spans before are not counted again */
	CU_ASSERT_EQUAL(story->spans[0].ns, 6000);
	forget();
}

static void test_totals(void)
{
	struct hist_story_part *parts = NULL;
	uint32_t n = 0;

	tell(wait, WAIT(.start = 1000, .end = 10000));
	CU_ASSERT_EQUAL(hist_story_add_total(&parts, &n, story), 0);
	forget();
	tell(moved, WAIT(.start = 1000, .end = 6000, .cpu = 1));
	CU_ASSERT_EQUAL(hist_story_add_total(&parts, &n, story), 0);
	forget();
	hist_story_sort_total(parts, n);
	CU_ASSERT_EQUAL(n, 6);
	CU_ASSERT_STRING_EQUAL(parts[0].what.name, "hog");
	CU_ASSERT_EQUAL(parts[0].ns, 9100);
	CU_ASSERT_EQUAL(parts[0].longest, 4000);
	CU_ASSERT_EQUAL(parts[1].ns, 3985);
	CU_ASSERT_FALSE(parts[1].what.has_number);
	free(parts);
}

static void test_keys(void)
{
	static const struct {
		const char *key;
		int64_t pid;
	} keys[] = {
		{ "next_pid=17", 17 }, { "pid=5 common_cpu=1", 5 }, { "dev=8 common_pid=99", 99 },
		{ "rapid=4", 0 }, { "", 0 }, { "dev=8388608 sector=99", 0 }, { "pid=-3", 0 },
		{ "pid=99999999999999999999", 0 }, { "pid=17x", 0 }, { "x=pid= pid=4", 4 },
	};
	struct hist_episode e = { .event = "latency:a..b", .buffer = "story", .start = 5, .end = 9, .cpu = 1,
				  .flags = HIST_EPISODE_TIMED | HIST_EPISODE_CUT };
	struct hist_story_window window;
	size_t i;

	tell(bare, (struct hist_story_window){ 0 });
	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		e.key = keys[i].key;
		CU_ASSERT_EQUAL(hist_story_window_of(&window, events, &e), 0);
		CU_ASSERT_EQUAL(window.pid, keys[i].pid);
	}
	CU_ASSERT_EQUAL(window.start, 5);
	CU_ASSERT_EQUAL(window.end, 9);
	CU_ASSERT_TRUE(window.cut);
	e.buffer = "other";
	CU_ASSERT_NOT_EQUAL(hist_story_window_of(&window, events, &e), 0);
	forget();
}

UNIT_TESTS_WITH(
	test_dir_enter, test_dir_leave,
	{ "each moment of a wait belongs to the innermost context", test_wait },
	{ "a wait begins before the event of its wake-up", test_early },
	{ "a window has what began before it", test_window },
	{ "the story follows a task that is moved to another CPU", test_moved },
	{ "a task that sleeps is not delayed by what its CPU does", test_slept },
	{ "a ring buffer that begins late leaves unknown time", test_late },
	{ "lost events leave unknown time", test_lost },
	{ "without task switches only interrupts are known", test_bare },
	{ "a part has its last stack, and disabled interrupts are added up", test_stacks },
	{ "a sleep has the stack of the task, and the waker has its own", test_sleep_stack },
	{ "each part has its time above the threshold", test_excess },
	{ "many short spans are merged, and the parts stay exact", test_many },
	{ "a long span takes in short interruptions", test_absorb },
	{ "the parts of several stories are added by name", test_totals },
	{ "the task is found in the key of an episode", test_keys });
