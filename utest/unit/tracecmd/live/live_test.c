// SPDX-License-Identifier: GPL-2.0
/*
 * live_test.c - the user-space engine from the pages of ring buffers to snapshots
 *
 * The pages are made here.  A remote target passes them from a queue; on this machine, each CPU is
 * a socket that returns a page for each read, so that real reader threads wait, read and count.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "tracecmd/live/live.h"
#include "tracecmd/trigger/instance.h"
#include "utest/unit/alloc_fail.h"
#include "utest/unit/helper/undo/undo_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

#define X "instances/x/"
#define CPUS 3
#define ID 9
#define PAGE 4096

static const char format[] =
	"name: tick\nID: 9\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:u64 num;\toffset:8;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"%llu\", REC->num\n";

/* What a CPU has: pages for a pull, or the socket that the pages are sent to. */
static struct {
	unsigned char pages[4][PAGE];
	size_t n, last; /* bytes of the last page, to cut it */
	int error; /* of a pull, or of an open */
	int ours; /* the other end of the socket that is read */
	unsigned int pulls;
} cpus[CPUS];

static uint64_t now;
static struct hist_target_ops ops;
static struct plan plan;
static struct instance instance;
static struct traced_event source;
static struct counter *counter;

static unsigned int cpu_of(const char *path)
{
	const char *at = strstr(path, "/cpu");

	CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	return atoi(at + 4);
}

static int queue_pages(struct hist_target *t, const char *path, size_t most, struct target_buf *buf)
{
	unsigned int cpu = cpu_of(path);

	(void)t;
	(void)most;
	cpus[cpu].pulls++;
	if (cpus[cpu].error)
		return cpus[cpu].error;
	buf->len = 0;
	if (target_buf_append(buf, cpus[cpu].pages, cpus[cpu].n * PAGE))
		return -ENOMEM;
	if (cpus[cpu].n && cpus[cpu].last)
		buf->len -= PAGE - cpus[cpu].last;
	cpus[cpu].n = 0;
	return 0;
}

static int open_descriptor(struct hist_target *t, const char *path)
{
	unsigned int cpu;
	int fds[2];

	if (!strstr(path, "trace_pipe_raw")) {
		fds[0] = openat(((struct fake_target *)t)->dir, path, O_RDONLY | O_CLOEXEC);
		return fds[0] < 0 ? -errno : fds[0];
	}
	cpu = cpu_of(path);
	if (cpus[cpu].error)
		return cpus[cpu].error;
	CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds), 0);
	cpus[cpu].ours = fds[0];
	return fds[1];
}

static int read_clock(struct hist_target *t, const char *clock, const char *dir, uint64_t *time)
{
	(void)t;
	(void)dir;
	*time = strcmp(clock, "realtime") ? now : 1700000000000000000;
	return 0;
}

static int no_symbols(struct hist_target *t, struct target_buf *buf)
{
	(void)t;
	return target_buf_append(buf, "", 0);
}

static void put_bytes(unsigned char *to, uint64_t value, unsigned int size)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		to[i] = value >> 8 * i;
}

/* A page that begins at @time; an event each nanosecond with the numbers from @num to @num + @n - 1. */
static void make_page(unsigned char *page, uint64_t time, uint64_t num, unsigned int n)
{
	unsigned char *at = page + 16;
	unsigned int i;

	memset(page, 0, PAGE);
	put_bytes(page, time, 8);
	put_bytes(page + 8, n * 20, 8);
	for (i = 0; i < n; i++, at += 20) {
		put_bytes(at, !!i << 5 | 4, 4);
		put_bytes(at + 4, ID, 2);
		put_bytes(at + 8, 100, 4);
		put_bytes(at + 12, num + i, 8);
	}
}

/* The next page of @cpu. */
static unsigned char *give(unsigned int cpu, uint64_t time, uint64_t num, unsigned int n)
{
	unsigned char *page = cpus[cpu].pages[cpus[cpu].n];

	CU_ASSERT_FATAL(cpus[cpu].n < 4);
	make_page(page, time, num, n);
	if (cpus[cpu].ours >= 0)
		CU_ASSERT_EQUAL(send(cpus[cpu].ours, page, 16 + n * 20, 0), 16 + (ssize_t)n * 20)
	else
		cpus[cpu].n++;
	return page;
}

/* A counter of events t:tick with one histogram. */
static void prepare(const char *trigger, bool local)
{
	static const char *const files[] = {
		X "buffer_size_kb", X "buffer_percent", X "set_event_notrace_pid", X "options/event-fork",
		X "events/t/tick/enable", X "events/t/tick/filter", X "tracing_on",
	};
	struct query_hist hist = { .raw = trigger };
	unsigned int i;

	fresh();
	memset(cpus, 0, sizeof(cpus));
	for (i = 0; i < CPUS; i++)
		cpus[i].ours = -1;
	now = 1000;
	ops = *fake->target.ops;
	ops.clock = read_clock;
	ops.pages = queue_pages;
	ops.kallsyms = no_symbols;
	ops.descriptor = local ? open_descriptor : NULL;
	fake->target.ops = &ops;
	fake->target.cpus = CPUS;
	fake->target.page_size = PAGE;
	fake->target.long_size = 8;
	fake->target.pid = 4711;
	for (i = 0; i < sizeof(files) / sizeof(*files); i++)
		fake_target_put(fake, files[i], "1\n");
	fake_target_put(fake, "events/t/tick/format", format);
	fake_target_put(fake, X "trace_clock", "local [mono]\n");
	plan = (struct plan){ .quiet = true };
	instance = (struct instance){ .name = (char *)"x", .dir = (char *)"instances/x",
				      .tracer_dir = "instances/x", .made = true };
	CU_ASSERT_EQUAL_FATAL(traced_event_find(&source, &fake->target, "t:tick"), 0);
	CU_ASSERT_EQUAL_FATAL(traced_event_add_hist(&source, &hist, "mono"), 0);
	CU_ASSERT_EQUAL_FATAL(live_new(&counter), 0);
	counter->set = (struct trigger_set){ .plan = &plan, .target = &fake->target, .instance = &instance,
					     .sources = &source, .nsources = 1 };
}

static void begin(const char *trigger, bool local)
{
	prepare(trigger, local);
	CU_ASSERT_EQUAL_FATAL(counter->ops->attach(counter), 0);
}

static void end(void)
{
	unsigned int i;

	counter->ops->free(counter);
	traced_event_clear(&source, &fake->target);
	free(instance.clock);
	free(instance.clock_text);
	free(instance.clock_dir);
	for (i = 0; i < CPUS; i++)
		if (cpus[i].ours >= 0)
			close(cpus[i].ours);
}

static int taken;

static int count_taken(void *arg, struct traced_event *s)
{
	CU_ASSERT_PTR_EQUAL(arg, &taken);
	CU_ASSERT_PTR_EQUAL(s, &source);
	taken++;
	return 0;
}

static int tick(void)
{
	return counter->ops->tick(counter, count_taken, &taken);
}

static const struct hist_snapshot *snap(void)
{
	return &source.hists[0].snap;
}

/* The hits of the entry whose only key is @key; 0: no such entry. */
static uint64_t hits_of(uint64_t key)
{
	uint32_t i;

	for (i = 0; i < snap()->nentries; i++) {
		if (hist_table_cells(source.hists[0].table, i)->num == key)
			return snap()->values[i * hist_table_schema(source.hists[0].table)->nvalues];
	}
	return 0;
}

static void test_possible(void)
{
	struct hist_target_ops some = { 0 };
	struct hist_target t = { .ops = &some };

	CU_ASSERT_FALSE(live_is_possible(&t));
	some.pages = queue_pages;
	/* a helper sends no symbols */
	CU_ASSERT_FALSE(live_is_possible(&t));
	some.kallsyms = no_symbols;
	CU_ASSERT_TRUE(live_is_possible(&t));
	some.pages = NULL;
	some.descriptor = open_descriptor;
	CU_ASSERT_TRUE(live_is_possible(&t));
}

static void test_pull(void)
{
	begin("hist:keys=num", false);
	/* the server of the target and its children are left out */
	expect_log("write " X "buffer_size_kb 1024\nwrite " X "buffer_percent 25\n"
		   "write " X "options/event-fork 1\nwrite " X "set_event_notrace_pid 4711\n"
		   "write " X "events/t/tick/enable 1\n");
	CU_ASSERT_EQUAL(counter->keepalive_ms, 100);
	cpus[2].error = -ENODEV;
	give(0, 500, 0, 100);
	give(0, 700, 100, 100);
	give(1, 600, 0, 50);
	taken = 0;
	CU_ASSERT_EQUAL(tick(), 0);
	CU_ASSERT_EQUAL(taken, 1);
	CU_ASSERT_EQUAL(snap()->hits, 250);
	CU_ASSERT_EQUAL(snap()->entries, 200);
	CU_ASSERT_EQUAL(snap()->time, 1000);
	CU_ASSERT_EQUAL(snap()->wall, 1700000000000000000);
	CU_ASSERT_EQUAL(hits_of(49), 2);
	CU_ASSERT_EQUAL(hits_of(50), 1);
	CU_ASSERT_EQUAL(hits_of(199), 1);
	CU_ASSERT_EQUAL(snap()->dropped + snap()->events_lost + snap()->flags, 0);
	/* between two ticks, too */
	give(1, 1100, 0, 1);
	CU_ASSERT_EQUAL(counter->ops->keepalive(counter), 0);
	CU_ASSERT_EQUAL(snap()->hits, 250);
	CU_ASSERT_EQUAL(tick(), 0);
	CU_ASSERT_EQUAL(snap()->hits, 251);
	CU_ASSERT_EQUAL(hits_of(0), 3);
	/* a CPU that comes online is asked then */
	cpus[2].error = 0;
	give(2, 1200, 7, 1);
	CU_ASSERT_EQUAL(tick(), 0);
	CU_ASSERT_EQUAL(hits_of(7), 3);
	/* after the end of the events, until no page is left */
	give(0, 1300, 300, 1);
	free(fake_target_log(fake));
	counter->ops->pause(counter);
	expect_log("write " X "events/t/tick/enable 0\n");
	cpus[1].pulls = 0;
	CU_ASSERT_EQUAL(tick(), 0);
	CU_ASSERT_EQUAL(hits_of(300), 1);
	CU_ASSERT_EQUAL(cpus[1].pulls, 2);
	end();
}

static void test_damage(void)
{
	unsigned char *page;

	begin("hist:keys=num", false);
	give(0, 500, 0, 3);
	/* says that it has more than a page */
	page = give(0, 600, 10, 3);
	put_bytes(page + 8, PAGE, 8);
	give(0, 700, 20, 3);
	/* its second event goes beyond the end */
	page = give(1, 800, 30, 3);
	put_bytes(page + 16 + 20, 28, 4);
	/* a page that was read in part */
	give(2, 900, 40, 3);
	give(2, 950, 50, 3);
	cpus[2].last = 100;
	CU_ASSERT_EQUAL(tick(), 0);
	CU_ASSERT_EQUAL(snap()->hits, 3 + 3 + 1 + 3);
	CU_ASSERT_EQUAL(hits_of(10) + hits_of(31) + hits_of(50), 0);
	test_stderr_begin();
	counter->ops->report_loss(counter);
	CU_ASSERT_STRING_EQUAL(test_stderr_end(),
			       "trace-cmd hist: warning: ring buffer: 3 pages could not be read, so the events "
			       "of these pages are not counted\n");
	end();
}

static void test_loss(void)
{
	unsigned char *page;

	begin("hist:keys=num", false);
	page = give(0, 500, 0, 3);
	/* RB_MISSED_EVENTS | RB_MISSED_STORED, and the number after the last event */
	put_bytes(page + 8, 3 * 20 | 3u << 30, 8);
	put_bytes(page + 16 + 3 * 20, 12, 8);
	CU_ASSERT_EQUAL(tick(), 0);
	CU_ASSERT_EQUAL(snap()->hits, 3);
	CU_ASSERT_EQUAL(snap()->events_lost, 12);
	plan.quiet = false;
	test_stderr_begin();
	counter->ops->report_loss(counter);
	CU_ASSERT_PTR_NOT_NULL(strstr(test_stderr_end(), "user-space engine: 3 events, "));
	end();
}

static void test_failed_pull(void)
{
	begin("hist:keys=num", false);
	give(0, 500, 0, 3);
	CU_ASSERT_EQUAL(tick(), 0);
	cpus[0].error = -EIO;
	test_stderr_begin();
	CU_ASSERT_EQUAL(counter->ops->keepalive(counter), -EIO);
	CU_ASSERT_EQUAL(tick(), -EIO);
	CU_ASSERT_STRING_EQUAL(test_stderr_end(),
			       "trace-cmd hist: error: --engine user: cannot read trace_pipe_raw of the target: "
			       "Input/output error\n"
			       "trace-cmd hist: error: --engine user: Input/output error\n");
	/* a target that is lost says so itself */
	cpus[0].error = -ECONNRESET;
	test_stderr_begin();
	CU_ASSERT_EQUAL(tick(), -ECONNRESET);
	CU_ASSERT_STRING_EQUAL(test_stderr_end(), "");
	end();
}

static uint64_t counted_until;

static int note_counted(void *arg, uint64_t until)
{
	(void)arg;
	counted_until = until;
	return 0;
}

/* The triggers of a variable depend on the order in which the events of all CPUs are counted. */
static void test_order(void)
{
	prepare("hist:keys=common_pid:vals=num:t=common_timestamp", false);
	counter->pages.counted = note_counted;
	CU_ASSERT_EQUAL_FATAL(counter->ops->attach(counter), 0);
	/* CPU 1 may still have events that are older than those of CPU 0 */
	give(0, 500, 1, 2);
	CU_ASSERT_EQUAL(counter->ops->keepalive(counter), 0);
	CU_ASSERT_EQUAL(counted_until, 1);
	give(1, 400, 1, 2);
	CU_ASSERT_EQUAL(counter->ops->keepalive(counter), 0);
	CU_ASSERT_EQUAL(counted_until, 502);
	/* a tick pulls twice, so that all events before it are counted */
	give(2, 600, 1, 1);
	CU_ASSERT_EQUAL(tick(), 0);
	CU_ASSERT_EQUAL(counted_until, 601);
	CU_ASSERT_EQUAL(snap()->hits, 5);
	counter->ops->pause(counter);
	give(2, 700, 1, 1);
	CU_ASSERT_EQUAL(tick(), 0);
	CU_ASSERT_EQUAL(counted_until, UINT64_MAX);
	CU_ASSERT_EQUAL(snap()->hits, 6);
	end();
}

static void test_stopped(void)
{
	begin("hist:keys=num", false);
	CU_ASSERT_EQUAL(tick(), 0);
	CU_ASSERT_EQUAL(snap()->flags & HIST_SNAP_STOPPED, 0);
	fake_target_put(fake, X "events/t/tick/enable", "0\n");
	CU_ASSERT_EQUAL(counter->ops->keepalive(counter), 0);
	CU_ASSERT_STRING_EQUAL(counter->writes.name, "enable");
	fake_target_put(fake, X "events/t/tick/enable", "1\n");
	/* also if the events go on before the next snapshot */
	CU_ASSERT_EQUAL(tick(), 0);
	CU_ASSERT_EQUAL(snap()->flags & HIST_SNAP_STOPPED, HIST_SNAP_STOPPED);
	CU_ASSERT_EQUAL(tick(), 0);
	CU_ASSERT_EQUAL(snap()->flags & HIST_SNAP_STOPPED, 0);
	end();
}

/* --- with a recorder that keeps events --- */

static struct {
	unsigned int pages, hits;
	uint64_t last_num, last_time;
	int error;
} kept;

static int keep_page(void *arg, unsigned int cpu, const void *page, bool again)
{
	(void)arg;
	(void)cpu;
	(void)again;
	kept.pages++;
	kept.last_num = ((const unsigned char *)page)[16 + 12];
	return kept.error;
}

static int keep_hit(void *arg, unsigned int n, unsigned int cpu, uint64_t time, const unsigned char *data,
		    uint32_t len)
{
	(void)arg;
	CU_ASSERT_EQUAL(n, 0);
	CU_ASSERT_EQUAL(cpu, 1);
	CU_ASSERT_EQUAL(len, 16);
	CU_ASSERT_TRUE(data[8] >= 5);
	kept.hits++;
	kept.last_time = time;
	return 0;
}

static void test_watch(void)
{
	struct counter_watch watch = { .source = &source, .filter = "num >= 5" };

	memset(&kept, 0, sizeof(kept));
	prepare("hist:keys=num", false);
	counter->pages = (struct counter_pages){ .take = keep_page, .hit = keep_hit, .watches = &watch,
						 .nwatches = 1 };
	CU_ASSERT_EQUAL_FATAL(counter->ops->attach(counter), 0);
	give(1, 500, 0, 8);
	CU_ASSERT_EQUAL(tick(), 0);
	CU_ASSERT_EQUAL(kept.pages, 1);
	CU_ASSERT_EQUAL(kept.last_num, 0);
	CU_ASSERT_EQUAL(kept.hits, 3);
	CU_ASSERT_EQUAL(kept.last_time, 507);
	kept.error = -ENOSPC;
	give(1, 600, 9, 1);
	test_stderr_begin();
	CU_ASSERT_EQUAL(tick(), -ENOSPC);
	test_stderr_end();
	end();
}

/* --- with the readers of this machine --- */

static void test_readers(void)
{
	unsigned int round, cpu;
	char *log;

	begin("hist:keys=num", true);
	log = fake_target_log(fake);
	/* each thread is left out by its number, and the buffers are larger */
	CU_ASSERT_PTR_NOT_NULL(strstr(log, "write " X "buffer_size_kb 4096\n"));
	CU_ASSERT_PTR_NOT_NULL(strstr(log, "write " X "set_event_notrace_pid "));
	CU_ASSERT_PTR_NULL(strstr(log, "event-fork"));
	free(log);
	CU_ASSERT_EQUAL(counter->keepalive_ms, 0);
	for (round = 1; round <= 20; round++) {
		for (cpu = 0; cpu < CPUS; cpu++) {
			give(cpu, 500 * round, 10 * cpu, 10);
			give(cpu, 500 * round + 100, 10 * cpu, 5);
		}
		/* what was written before a snapshot is in it */
		CU_ASSERT_EQUAL(tick(), 0);
		CU_ASSERT_EQUAL(snap()->hits, round * CPUS * 15);
		CU_ASSERT_EQUAL(hits_of(14), 2 * round);
		CU_ASSERT_EQUAL(hits_of(25), round);
	}
	CU_ASSERT_EQUAL(send(cpus[0].ours, "short", 5, 0), 5);
	CU_ASSERT_EQUAL(tick(), 0);
	test_stderr_begin();
	counter->ops->report_loss(counter);
	CU_ASSERT_STRING_EQUAL(test_stderr_end(),
			       "trace-cmd hist: warning: ring buffer: 1 page could not be read, so the events "
			       "of this page are not counted\n");
	end();
}

static void test_missing_cpus(void)
{
	unsigned int cpu;

	/* no CPU can have the number 1 */
	prepare("hist:keys=num", true);
	cpus[1].error = -ENOENT;
	CU_ASSERT_EQUAL_FATAL(counter->ops->attach(counter), 0);
	give(0, 500, 1, 2);
	give(2, 500, 1, 2);
	CU_ASSERT_EQUAL(tick(), 0);
	CU_ASSERT_EQUAL(snap()->hits, 4);
	end();

	prepare("hist:keys=num", true);
	for (cpu = 0; cpu < CPUS; cpu++)
		cpus[cpu].error = -ENOENT;
	test_stderr_begin();
	CU_ASSERT_EQUAL(counter->ops->attach(counter), -ENODEV);
	CU_ASSERT_STRING_EQUAL(test_stderr_end(), "trace-cmd hist: error: trace_pipe_raw: No such device\n");
	end();

	prepare("hist:keys=num", true);
	cpus[1].error = -EBUSY;
	test_stderr_begin();
	CU_ASSERT_EQUAL(counter->ops->attach(counter), -EBUSY);
	CU_ASSERT_STRING_EQUAL(test_stderr_end(), "trace-cmd hist: error: " X "per_cpu/cpu1/trace_pipe_raw: "
			       "Device or resource busy\n");
	end();
}

static void test_memory(void)
{
	int ret = -ENOMEM, failed = 0;
	long i;

	for (i = 0; ret; i++) {
		prepare("hist:keys=common_pid:vals=num:t=common_timestamp", false);
		give(0, 500, 1, 100);
		test_stderr_begin();
		alloc_fail_after(i);
		ret = counter->ops->attach(counter);
		if (!ret)
			ret = tick();
		alloc_fail_after(-1);
		CU_ASSERT_EQUAL(!ret, !*test_stderr_end());
		if (ret) {
			CU_ASSERT_EQUAL(ret, -ENOMEM);
			failed++;
		}
		end();
		CU_ASSERT_FATAL(i < 1000);
	}
	CU_ASSERT_TRUE(failed > 10);
}

static void test_merged_readers(void)
{
	begin("hist:keys=common_pid:vals=num:t=common_timestamp", true);
	give(0, 500, 1, 2);
	give(1, 400, 1, 2);
	give(2, 2000, 1, 1);
	now = 1500;
	CU_ASSERT_EQUAL(tick(), 0);
	/* what is newer than the round waits for older events */
	CU_ASSERT_EQUAL(snap()->hits, 4);
	now = 2500;
	CU_ASSERT_EQUAL(tick(), 0);
	CU_ASSERT_EQUAL(snap()->hits, 5);
	give(2, 3000, 1, 1);
	CU_ASSERT_EQUAL(tick(), 0);
	CU_ASSERT_EQUAL(snap()->hits, 5);
	counter->ops->pause(counter);
	CU_ASSERT_EQUAL(tick(), 0);
	CU_ASSERT_EQUAL(snap()->hits, 6);
	end();
}

UNIT_TESTS_WITH(undo_set_up, undo_tear_down,
	{ "the engine needs pages, and the symbols of a remote machine", test_possible },
	{ "the pages of a remote target are counted at and between ticks", test_pull },
	{ "a damaged page is left out and reported, and the others are counted", test_damage },
	{ "the number of lost events is in the snapshot", test_loss },
	{ "a failed pull ends the counter with the reason", test_failed_pull },
	{ "events wait until no older one can come", test_order },
	{ "a snapshot says that another program has stopped the events", test_stopped },
	{ "a recorder gets each page and the hits that it watches", test_watch },
	{ "the readers of this machine count all that was written before a snapshot", test_readers },
	{ "a CPU that cannot exist is left out, and another error of a ring buffer is reported",
	  test_missing_cpus },
	{ "a failed allocation is reported", test_memory },
	{ "the readers merge the events of all CPUs in the order of their times", test_merged_readers });
