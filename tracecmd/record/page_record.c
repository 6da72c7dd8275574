// SPDX-License-Identifier: GPL-2.0
/*
 * page_record.c - record the events of a session without stock trace-cmd, for --events
 *
 * Stock trace-cmd records only this machine, and only CPUs that are online at its start.  It cannot
 * read events that the user-space engine consumes, and writes a file without episodes.  With this
 * engine, the pages that it reads are kept; a capture gets them, too.  Otherwise the events are
 * enabled in the instance of the session, and the recorder fetches the pages from the target.
 *
 * A read of trace_pipe_raw returns one page, also one that has only few events. A fetch is limited
 * to the size of the ring buffer, because it causes events itself.
 *
 * The pages wait in files without a name (page_spool.h).  The files are mapped at the end, so that
 * the writer of the output file copies them.
 * Invariant: a file has whole pages up to its size, also after a failed write.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tracecmd/base/message.h"
#include "tracecmd/base/outfile.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/live/live_events.h"
#include "tracecmd/live/live_loss.h"
#include "tracecmd/record/page_spool.h"
#include "tracecmd/record/recorder_parts.h"
#include "tracecmd/target/cpu_pages.h"
#include "tracecmd/target/target_path.h"

/* Time between two fetches. A ring buffer of 1 MiB holds about 20,000 events. */
#define FETCH_MS 100
#define FETCH_MOST (1u << 20)
/* Fetches after the events are disabled: the second one finds none on most machines. */
#define LAST_FETCHES 100

struct spool_file {
	int fd; /* -1: no page yet */
	uint64_t size;
	void *map; /* or NULL */
};

struct page_spool {
	struct file_place in; /* the directory of the output file */
	uint32_t page_size;
	unsigned int cpus;
	struct spool_file files[];
};

int page_spool_new(struct page_spool **spool, const struct file_place *output, unsigned int cpus,
		   uint32_t page_size)
{
	struct page_spool *s = calloc(1, sizeof(*s) + cpus * sizeof(*s->files));
	int ret;

	if (!s)
		return -ENOMEM;
	s->page_size = page_size;
	s->cpus = cpus;
	while (cpus--)
		s->files[cpus].fd = -1;
	s->in = (struct file_place){
		.dir = fcntl(output->dir, F_DUPFD_CLOEXEC, 3),
		.name = strdup(output->name ? output->name : ""),
		.fd = -1,
	};
	ret = s->in.dir < 0 ? -errno : s->in.name ? 0 : -ENOMEM;
	if (ret)
		page_spool_free(s);
	else
		*spool = s;
	return ret;
}

void page_spool_free(struct page_spool *s)
{
	unsigned int i;

	for (i = 0; s && i < s->cpus; i++) {
		if (s->files[i].map)
			munmap(s->files[i].map, s->files[i].size);
		if (s->files[i].fd >= 0)
			close(s->files[i].fd);
	}
	if (s)
		file_place_clear(&s->in);
	free(s);
}

int page_spool_add(struct page_spool *s, unsigned int cpu, const void *pages, size_t len,
		   bool again)
{
	const char *from = pages;
	struct spool_file *f;
	uint64_t at;
	ssize_t done;

	if (cpu >= s->cpus)
		return -EINVAL;
	f = &s->files[cpu];
	/* page_spool_join() maps the file: a 32-bit machine cannot map 4 GiB */
	if (f->size + len > SIZE_MAX)
		return -EFBIG;
	if (f->fd < 0) {
		f->fd = outfile_open_nameless(&s->in);
		if (f->fd < 0)
			return f->fd;
	}
	at = f->size - (again && f->size ? s->page_size : 0);
	for (len -= len % s->page_size; len; len -= done, from += done, at += done) {
		done = pwrite(f->fd, from, len, at);
		if (done < 0 && errno == EINTR)
			done = 0;
		else if (done <= 0)
			return done ? -errno : -EIO;
	}
	f->size = at;
	return 0;
}

int page_spool_join(struct page_spool *s, struct tracedat_writer *dat, const char *clock,
		    const char *names)
{
	struct tracedat_pages *pages = calloc(s->cpus, sizeof(*pages));
	unsigned int i, n = 0;
	int ret = pages ? 0 : -ENOMEM;

	for (i = 0; !ret && i < s->cpus; i++) {
		struct spool_file *f = &s->files[i];

		if (!f->size)
			continue;
		f->map = mmap(NULL, f->size, PROT_READ, MAP_SHARED, f->fd, 0);
		if (f->map == MAP_FAILED) {
			f->map = NULL;
			ret = -errno;
		}
		pages[n++] = (struct tracedat_pages){ .cpu = i, .data = f->map, .len = f->size };
	}
	if (!ret && n)
		ret = tracedat_append_buffer(dat, "", clock, s->page_size, pages, n);
	if (!ret && n && names)
		ret = tracedat_append_names(dat, names, strlen(names));
	if (!ret)
		ret = tracedat_link_buffers(dat);
	free(pages);
	return ret;
}

/* Call @visit with all pages of each CPU after page_spool_join(), until it returns an error. */
static int page_spool_visit(const struct page_spool *s,
			    int (*visit)(void *arg, const void *pages, size_t len), void *arg)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < s->cpus; i++) {
		if (s->files[i].map)
			ret = visit(arg, s->files[i].map, s->files[i].size);
	}
	return ret;
}

struct page_record {
	struct page_spool *spool; /* NULL: not started */
	struct counter *counter;
	struct stacks *stacks;	   /* the caller's */
	struct counter_pages next; /* that of a capture, which gets all calls, too */
	const char *output;	   /* for messages */
	bool fetches;		   /* otherwise the counter reads the pages */
	uint64_t fetched;	   /* end of the last fetch, CLOCK_MONOTONIC */
	struct cpu_pages from;
	struct target_buf pages; /* of one CPU */
	struct live_loss loss;
};

/* Is a CPU offline that can come online? Stock trace-cmd would not record it. */
static bool page_record_has_offline_cpus(struct hist_target *t)
{
	struct target_buf present = { 0 }, online = { 0 };
	bool has = !t->ops->read(t, TARGET_CPUS_PRESENT, &present) &&
		   !t->ops->read(t, TARGET_CPUS_ONLINE, &online) &&
		   strcmp(present.data, online.data);

	free(present.data);
	free(online.data);
	return has;
}

/* @keeps: episodes are appended to the file, too. */
static bool page_record_is_needed(const struct counter *counter, bool keeps)
{
	struct hist_target *t = counter->set.target;

	return keeps || counter->ops->engine || !t->ops->descriptor ||
	       page_record_has_offline_cpus(t);
}

/* Check that the target can send its pages, and that a recorded event has stacks. */
static int page_record_check(void *part, struct recorder_common *r)
{
	const struct session *s = &r->session;

	(void)part;
	if (!r->plan->record_events)
		return 0;
	if (!s->target->ops->pages)
		return message_refuse(
			-EOPNOTSUPP, "--events: the target helper is too old to send ring buffers\n"
				     "install the same version on both machines");
	if (r->plan->stacks && !stacks_fit(s->sources, s->nsources))
		return message_refuse(-EINVAL,
				      "--stacks: neither sched:sched_switch nor "
				      "sched:sched_waking is recorded\nadd -e sched:sched_switch");
	return 0;
}

static int page_record_keep_page(void *arg, unsigned int cpu, const void *page, bool again)
{
	struct page_record *r = arg;
	int ret = page_spool_add(r->spool, cpu, page, r->counter->set.target->page_size, again);

	return ret || !r->next.take ? ret : r->next.take(r->next.arg, cpu, page, again);
}

static int page_record_pass_counted(void *arg, uint64_t until)
{
	struct page_record *r = arg;

	return r->next.counted(r->next.arg, until);
}

static int page_record_pass_hit(void *arg, unsigned int n, unsigned int cpu, uint64_t time,
				const unsigned char *data, uint32_t len)
{
	struct page_record *r = arg;

	return r->next.hit(r->next.arg, n, cpu, time, data, len);
}

/* Keep the pages that the engine reads. */
static void page_record_take_pages(struct page_record *r)
{
	struct counter_pages *pages = &r->counter->pages;

	r->next = *pages;
	pages->take = page_record_keep_page;
	pages->counted = r->next.counted ? page_record_pass_counted : NULL;
	pages->hit = r->next.hit ? page_record_pass_hit : NULL;
	pages->arg = r;
}

static int page_record_start(void *part, struct recorder_common *common)
{
	struct counter *counter = common->session.counter;
	const struct hist_target *t = counter->set.target;
	struct page_record *r = part;
	int ret;

	if (!common->plan->record_events || !page_record_is_needed(counter, common->keeps))
		return 0;
	common->takes_pages = true;
	*r = (struct page_record){
		.counter = counter,
		.output = common->plan->output,
		.stacks = &common->stacks,
	};
	r->fetches = !counter->ops->engine;
	ret = page_spool_new(&r->spool, &common->output.file.place, t->cpus, t->page_size);
	if (ret)
		return message_error_errno(r->output, ret);
	if (!r->fetches) {
		page_record_take_pages(r);
		return 0;
	}
	if (cpu_pages_init(&r->from, counter->set.target, counter->set.instance->dir,
			   "trace_pipe_raw"))
		return message_error_memory();
	live_events_prepare(&counter->set, false);
	live_loss_begin(&r->loss, &counter->set);
	return live_events_enable(&counter->set, false);
}

static int page_record_wait_ms(const void *part)
{
	const struct page_record *r = part;
	uint64_t since = (timer_now() - r->fetched) / 1000000;

	return !r->fetches ? -1 : since < FETCH_MS ? (int)(FETCH_MS - since) : 0;
}

/* @last: the events are disabled. Returns the number of CPUs with pages; -errno after a message. */
static int page_record_fetch(struct page_record *r, bool last)
{
	unsigned int cpu;
	int ret, n = 0;

	cpu_pages_begin(&r->from, last);
	while ((ret = cpu_pages_next(&r->from, FETCH_MOST, &r->pages, &cpu)) > 0) {
		ret = page_spool_add(r->spool, cpu, r->pages.data, r->pages.len, false);
		if (ret)
			return message_error_errno(r->output, ret);
		n++;
	}
	r->fetched = timer_now();
	return ret ? message_error_errno("trace_pipe_raw", ret) : n;
}

static int page_record_follow(void *part, struct recorder_common *common, bool readable)
{
	int ret = page_record_wait_ms(part) ? 0 : page_record_fetch(part, false);

	(void)common;
	(void)readable;

	return ret < 0 ? ret : 0;
}

/* The numbers of the ring buffers count what was overwritten before it was fetched. */
static void page_record_report_loss(struct page_record *r)
{
	uint64_t lost;

	/* the pages were not walked: read the numbers */
	r->loss.places = 1;
	live_loss_update(&r->loss);
	lost = live_loss_count_events(&r->loss);
	if (lost)
		message_warning("--events: %" PRIu64 " event%s lost, because the host did not "
				"read the ring buffer fast enough", lost,
				lost == 1 ? " was" : "s were");
}

static int page_record_collect_stacks(void *arg, const void *pages, size_t len)
{
	const struct target_buf buf = { .data = (void *)pages, .len = len };
	struct page_record *r = arg;

	return stacks_collect(r->stacks, r->counter->set.target, &buf);
}

/* Append all events to the file, after the last tick of the counter. */
static int page_record_append(void *part, struct recorder_common *common)
{
	struct page_record *r = part;
	struct target_buf names = { 0 };
	const struct trigger_set *s;
	int ret = 1, i;

	if (!r->spool)
		return 0;
	s = &r->counter->set;

	if (r->fetches) {
		live_events_disable(s, false);
		for (i = 0; ret > 0 && i < LAST_FETCHES; i++)
			ret = page_record_fetch(r, true);
		if (ret < 0)
			return ret;
		page_record_report_loss(r);
	}
	/* the events are useful without names */
	if (target_readf(s->target, &names, "saved_cmdlines"))
		names.len = 0;
	ret = page_spool_join(r->spool, common->file->dat, s->instance->clock,
			      names.len ? names.data : NULL);
	free(names.data);
	if (!ret)
		ret = page_spool_visit(r->spool, page_record_collect_stacks, r);
	return ret ? message_error_errno(r->output, ret) : 0;
}

static void page_record_free(void *part, struct recorder_common *common)
{
	struct page_record *r = part;

	(void)common;
	page_spool_free(r->spool);
	cpu_pages_clear(&r->from);
	free(r->pages.data);
}

const struct recorder_part_ops page_record_part = {
	.size = sizeof(struct page_record),
	.phase = {
		[RECORDER_CHECK] = page_record_check,
		[RECORDER_START] = page_record_start,
		[RECORDER_APPEND] = page_record_append,
	},
	.wait_ms = page_record_wait_ms,
	.follow = page_record_follow,
	.free = page_record_free,
};
