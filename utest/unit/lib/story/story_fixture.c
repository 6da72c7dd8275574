// SPDX-License-Identifier: GPL-2.0
/*
 * story_fixture.c - see story_fixture.h
 *
 * The layout of the events is that of a 6.12 kernel for x86_64, except for the names of the irqs,
 * which are all of one length.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/bytes.h"
#include "utest/unit/lib/ringbuf/page_make.h"
#include "utest/unit/lib/story/story_fixture.h"
#include "utest/unit/lib/tracedat/tracedat_fixture.h"

#define CPUS_MAX 4
#define PAGES_MAX 64

const struct tell_task tell_tasks[] = {
	{ 0, 120, "swapper/0" }, { 17, 98, "waiter" }, { 30, 49, "hog" },
	{ 57, 120, "kworker/1:1" }, { 123, 120, "dd" },
	{ 666, 120, "\033[2J,\"<b>" },
};

#define FIELD(type, name, offset, size, sign) \
	"\tfield:" type " " name ";\toffset:" #offset ";\tsize:" #size ";\tsigned:" #sign ";\n"
#define EVENT(name, id, fields) \
	"name: " name "\nID: " #id "\n" FIXTURE_COMMON fields "\nprint fmt: \"\"\n"
#define WAKE(name, id) \
	EVENT(name, id, FIELD("char", "comm[16]", 8, 16, 0) FIELD("pid_t", "pid", 24, 4, 1) \
	      FIELD("int", "prio", 28, 4, 1) FIELD("int", "target_cpu", 32, 4, 1))

static const struct {
	const char *system, *text;
} texts[] = {
	{ "sched", EVENT("sched_switch", 100, FIELD("char", "prev_comm[16]", 8, 16, 0)
			 FIELD("pid_t", "prev_pid", 24, 4, 1) FIELD("int", "prev_prio", 28, 4, 1)
			 FIELD("long", "prev_state", 32, 8, 1)
			 FIELD("char", "next_comm[16]", 40, 16, 0)
			 FIELD("pid_t", "next_pid", 56, 4, 1) FIELD("int", "next_prio", 60, 4, 1)) },
	{ "sched", WAKE("sched_waking", 101) },
	{ "sched", WAKE("sched_wakeup", 102) },
	{ "sched", EVENT("sched_migrate_task", 103, FIELD("char", "comm[16]", 8, 16, 0)
			 FIELD("pid_t", "pid", 24, 4, 1) FIELD("int", "prio", 28, 4, 1)
			 FIELD("int", "orig_cpu", 32, 4, 1) FIELD("int", "dest_cpu", 36, 4, 1)) },
	{ "irq", EVENT("irq_handler_entry", 104, FIELD("int", "irq", 8, 4, 1)
		       FIELD("__data_loc char[]", "name", 12, 4, 0)) },
	{ "irq", EVENT("irq_handler_exit", 105, FIELD("int", "irq", 8, 4, 1)
		       FIELD("int", "ret", 12, 4, 1)) },
	{ "irq", EVENT("softirq_entry", 106, FIELD("unsigned int", "vec", 8, 4, 0)) },
	{ "irq", EVENT("softirq_exit", 107, FIELD("unsigned int", "vec", 8, 4, 0)) },
	{ "irq_vectors", EVENT("local_timer_entry", 108, FIELD("int", "vector", 8, 4, 1)) },
	{ "irq_vectors", EVENT("local_timer_exit", 109, FIELD("int", "vector", 8, 4, 1)) },
	{ "preemptirq", EVENT("irq_disable", 110, FIELD("u32", "caller_offs", 8, 4, 0)) },
	{ "preemptirq", EVENT("irq_enable", 111, FIELD("u32", "caller_offs", 8, 4, 0)) },
	{ "ftrace", EVENT("kernel_stack", 4, FIELD("int", "size", 8, 4, 1)
			  FIELD("unsigned long", "caller[]", 16, 0, 0)) },
	{ "synthetic", EVENT("lat", 113, FIELD("u64", "lat_us", 8, 8, 0)) },
	{ "timer", EVENT("tick_stop", 112, FIELD("int", "success", 8, 4, 1)) },
};
#define FORMATS (sizeof(texts) / sizeof(*texts))

const struct tracedat_format *story_fixture_formats(size_t *n)
{
	static struct tracedat_format formats[FORMATS];
	size_t i;

	for (i = 0; i < FORMATS; i++)
		formats[i] = (struct tracedat_format){ texts[i].system, texts[i].text,
						       strlen(texts[i].text) };
	*n = FORMATS;
	return formats;
}

struct tracedat_contents story_fixture_contents(void)
{
	struct tracedat_contents contents = fixture_contents(HIST_COMPRESS_NONE);

	contents.formats = story_fixture_formats(&contents.nformats);
	return contents;
}

/* An event, word by word: the file is little endian. */
struct record {
	uint32_t word[16];
	unsigned int n;
};

static void add_word(struct record *r, uint32_t word)
{
	r->word[r->n++] = word;
}

static void add_comm(struct record *r, const char *comm)
{
	char text[16] = { 0 };
	unsigned int i;

	strncpy(text, comm, sizeof(text) - 1);
	for (i = 0; i < sizeof(text); i += 4)
		add_word(r, bytes_u32(false, text + i));
}

static void add_task(struct record *r, int n)
{
	add_comm(r, tell_tasks[n].comm);
	add_word(r, tell_tasks[n].pid);
	add_word(r, tell_tasks[n].prio);
}

static unsigned int task_of(int pid)
{
	unsigned int i = 0;

	while (tell_tasks[i].pid != pid)
		i++;
	return i;
}

static struct record make_record(const struct tell_event *e, int pid)
{
	static const unsigned short ids[] = {
		[TELL_SWITCH] = 100, [TELL_WAKING] = 101, [TELL_WAKEUP] = 102, [TELL_MIGRATE] = 103,
		[TELL_IRQ] = 104, [TELL_IRQ_END] = 105, [TELL_SOFTIRQ] = 106,
		[TELL_SOFTIRQ_END] = 107, [TELL_TIMER] = 108, [TELL_TIMER_END] = 109,
		[TELL_STACK] = 4, [TELL_IRQS_OFF] = 110, [TELL_IRQS_ON] = 111, [TELL_ODD] = 112,
		[TELL_SYNTH] = 113,
	};
	struct record r = { .word = { ids[e->what] | (uint32_t)e->flags << 16, pid }, .n = 2 };
	int i;

	switch (e->what) {
	case TELL_SWITCH:
		add_task(&r, task_of(pid));
		add_word(&r, e->state);
		add_word(&r, 0);
		add_task(&r, e->n);
		break;
	case TELL_WAKING:
	case TELL_WAKEUP:
		add_task(&r, e->n);
		add_word(&r, e->to);
		break;
	case TELL_MIGRATE:
		add_task(&r, e->n);
		add_word(&r, e->state);
		add_word(&r, e->to);
		break;
	case TELL_IRQ:
		add_word(&r, e->n);
		add_word(&r, 16 | 16 << 16);
		add_comm(&r, "virtio0-input");
		break;
	case TELL_SYNTH:
		add_word(&r, e->n);
		add_word(&r, 0);
		break;
	case TELL_STACK:
		add_word(&r, 3);
		add_word(&r, 0);
		for (i = 0; i < 3; i++) {
			add_word(&r, e->n + i);
			add_word(&r, 0xffffffff);
		}
		break;
	default:
		add_word(&r, e->n);
		break;
	}
	return r;
}

/* The pages of one CPU, one after another. */
struct cpu_pages {
	unsigned char *data;
	unsigned int n;
	struct page_make page;
	bool open;
	uint64_t time; /* of the last event */
	uint64_t lost; /* before the page */
};

static void close_page(struct cpu_pages *c)
{
	if (!c->open)
		return;
	if (c->lost)
		page_make_end_lost(&c->page, c->lost);
	else
		page_make_end(&c->page, 0);
	memcpy(c->data + (size_t)c->n++ * PAGE_MAKE_SIZE, c->page.data, PAGE_MAKE_SIZE);
	c->open = false;
	c->lost = 0;
}

static void add_record(struct cpu_pages *c, const struct record *r, uint64_t time)
{
	unsigned int i;

	if (c->open && c->page.len + 4 * r->n + 24 > PAGE_MAKE_SIZE)
		close_page(c);
	if (c->n == PAGES_MAX)
		abort();
	if (!c->open) {
		page_make_begin(&c->page, false, 8, time);
		c->open = true;
		c->time = time;
	}
	if (time - c->time >= 1 << 27) {
		page_make_extend(&c->page, time - c->time);
		c->time = time;
	}
	page_make_head(&c->page, r->n, time - c->time);
	for (i = 0; i < r->n; i++)
		page_make_word(&c->page, r->word[i]);
	c->time = time;
}

/* Returns the number of pages. */
static unsigned int make_pages(unsigned char *data, const struct tell_event *e, unsigned int cpu)
{
	struct cpu_pages c = { .data = data };
	int pid = -1, last = 0;

	for (; e->what != TELL_END; e++) {
		struct record r;

		if (e->cpu != cpu)
			continue;
		if (e->what == TELL_LOST || e->what == TELL_PAGE) {
			close_page(&c);
			c.lost = e->what == TELL_LOST ? 7 : 0;
			if (e->what == TELL_LOST)
				pid = -1;
			continue;
		}
		if (e->pid)
			pid = e->pid;
		if (pid < 0)
			pid = 0;
		r = make_record(e, e->what == TELL_STACK || e->what == TELL_SYNTH ? last : pid);
		add_record(&c, &r, e->time);
		if (e->what != TELL_STACK && e->what != TELL_SYNTH)
			last = pid;
		if (e->what == TELL_SWITCH)
			pid = tell_tasks[e->n].pid;
	}
	close_page(&c);
	return c.n;
}

int story_fixture_append(struct tracedat_writer *dat, const char *name,
			 const struct tell_event *events, unsigned int cpus)
{
	static unsigned char data[CPUS_MAX][PAGES_MAX * PAGE_MAKE_SIZE];
	struct tracedat_pages pages[CPUS_MAX];
	unsigned int i;

	for (i = 0; i < cpus; i++)
		pages[i] = (struct tracedat_pages){
			.cpu = i,
			.data = data[i],
			.len = (size_t)make_pages(data[i], events, i) * PAGE_MAKE_SIZE,
		};
	return tracedat_append_buffer(dat, name, "mono", PAGE_MAKE_SIZE, pages, cpus);
}

int story_fixture_write(const char *path, const struct tell_event *events, unsigned int cpus)
{
	struct tracedat_contents contents = story_fixture_contents();
	struct tracedat_writer *dat = NULL;
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666), ret;

	ret = fd < 0 ? -errno : tracedat_create(&dat, fd, &contents);
	if (!ret)
		ret = story_fixture_append(dat, "story", events, cpus);
	if (!ret)
		ret = tracedat_link_buffers(dat);
	tracedat_writer_free(dat);
	close(fd);
	return ret;
}
