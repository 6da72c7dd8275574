// SPDX-License-Identifier: GPL-2.0
/*
 * capture_window.c - the events around episodes that the user-space engine finds
 *
 * Each CPU has a list of its pages, the oldest first. A page has the events from its time stamp on,
 * up to that of the next page. A page is dropped only after its events were counted, so that a cut
 * has the events of -b KiB before its hit, no matter how much the engine reads at once.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "lib/base/bytes.h"
#include "tracecmd/base/message.h"
#include "tracecmd/record/capture.h"
#include "tracecmd/record/capture_source.h"

struct window_page {
	struct window_page *next;
	uint64_t first; /* time stamp of the page */
	unsigned char bytes[];
};

struct window_cpu {
	struct window_page *oldest, *newest;
	unsigned int n;
	uint64_t dropped; /* time stamp of the last page that was dropped; 0: none */
};

/* The largest hit of a source since the last cut, or a cut. */
struct window_episode {
	bool is;
	struct capture_hit hit; /* without data */
	char *key;
	struct target_buf *pages; /* of each CPU, only of a cut */
	bool dropped; /* earlier pages of its CPU were dropped */
};

struct capture_window {
	pthread_mutex_t lock;
	struct capture *c; /* NULL: closed */
	bool started;
	unsigned int ncpus, nsources;
	size_t page_size, keep; /* pages per CPU before the last counted event */
	bool big_endian;
	struct counter_watch *watches;
	struct window_episode *largest, *cuts; /* of each source */
	struct new_hits new;
	struct window_cpu cpus[];
};

static void episode_clear(struct window_episode *e, unsigned int cpus)
{
	unsigned int i;

	for (i = 0; e->pages && i < cpus; i++)
		free(e->pages[i].data);
	free(e->pages);
	free(e->key);
	*e = (struct window_episode){ 0 };
}

static void drop_oldest(struct window_cpu *cpu)
{
	struct window_page *page = cpu->oldest;

	cpu->oldest = page->next;
	if (!cpu->oldest)
		cpu->newest = NULL;
	cpu->dropped = page->first ? page->first : 1;
	cpu->n--;
	free(page);
}

static int window_take(void *arg, unsigned int cpu, const void *data, bool again)
{
	struct capture_window *w = arg;
	struct window_cpu *q = &w->cpus[cpu];
	struct window_page *page;
	int ret = 0;

	pthread_mutex_lock(&w->lock);
	page = again ? q->newest : NULL;
	if (w->c && !page) {
		page = malloc(sizeof(*page) + w->page_size);
		ret = page ? 0 : -ENOMEM;
		if (page) {
			page->next = NULL;
			*(q->newest ? &q->newest->next : &q->oldest) = page;
			q->newest = page;
			q->n++;
		}
	}
	if (w->c && page) {
		memcpy(page->bytes, data, w->page_size);
		page->first = bytes_u64(w->big_endian, data);
	}
	pthread_mutex_unlock(&w->lock);
	return ret;
}

/* Copy the last pages of a CPU that begin at or before @end. */
static int copy_pages(const struct capture_window *w, const struct window_cpu *cpu, uint64_t end,
		      struct target_buf *to)
{
	const struct window_page *page;
	size_t n = 0, skip;
	int ret;

	for (page = cpu->oldest; page && page->first <= end; page = page->next)
		n++;
	skip = n > w->keep ? n - w->keep : 0;
	ret = n ? target_buf_reserve(to, (n - skip) * w->page_size) : 0;
	for (page = cpu->oldest; !ret && n--; page = page->next) {
		if (skip && skip--)
			continue;
		memcpy(to->data + to->len, page->bytes, w->page_size);
		to->len += w->page_size;
	}
	return ret;
}

/* Make a cut of the largest hit of a source, unless the last cut was not yet saved. */
static int cut(struct capture_window *w, unsigned int source)
{
	struct window_episode *from = &w->largest[source], *to = &w->cuts[source];
	struct capture_source *s = &w->c->sources[source];
	bool busy = to->is;
	unsigned int i;
	int ret = 0;

	if (!busy) {
		*to = *from;
		from->key = NULL;
		to->pages = calloc(w->ncpus, sizeof(*to->pages));
		ret = to->pages ? 0 : -ENOMEM;
		for (i = 0; !ret && i < w->ncpus; i++)
			ret = copy_pages(w, &w->cpus[i], to->hit.time, &to->pages[i]);
		to->dropped = w->cpus[to->hit.cpu].dropped;
		s->waiting--;
	}
	capture_count_missed(s, busy ? NULL : &to->hit);
	episode_clear(from, w->ncpus);
	return ret;
}

static int window_counted(void *arg, uint64_t until)
{
	struct capture_window *w = arg;
	struct window_cpu *cpu;
	unsigned int i;
	int ret = 0;

	pthread_mutex_lock(&w->lock);
	for (i = 0; w->c && !ret && i < w->nsources; i++) {
		if (w->largest[i].is)
			ret = cut(w, i);
	}
	for (cpu = w->cpus; cpu < w->cpus + w->ncpus; cpu++) {
		size_t counted = 0;
		struct window_page *page;

		for (page = cpu->oldest; page && page->first <= until; page = page->next)
			counted++;
		for (; counted > w->keep; counted--)
			drop_oldest(cpu);
	}
	pthread_mutex_unlock(&w->lock);
	return ret;
}

static int window_hit(void *arg, unsigned int n, unsigned int cpu, uint64_t time,
		      const unsigned char *data, uint32_t len)
{
	struct capture_window *w = arg;
	struct capture_hit hit = { .time = time, .cpu = cpu, .event = { data, len, false } };
	struct window_episode *largest = &w->largest[n];
	int ret = 0;

	pthread_mutex_lock(&w->lock);
	if (w->c && w->started) {
		struct capture_source *s = &w->c->sources[n];
		bool waits = s->waiting;

		capture_source_load(s, w->c->session->target, &hit);
		capture_count_hit(&w->new, s, &hit);
		if (s->waiting && w->c->keeps &&
		    (!waits || !largest->is || hit.value > largest->hit.value)) {
			free(largest->key);
			*largest = (struct window_episode){ .is = true, .hit = hit };
			largest->key = capture_source_format_key(s, &hit);
			ret = largest->key ? 0 : -ENOMEM;
		}
		eventfd_write(w->c->watch, 1);
	}
	pthread_mutex_unlock(&w->lock);
	return ret;
}

int capture_window_open(struct capture *c)
{
	uint64_t kb = c->plan->buffer_kb ? c->plan->buffer_kb : PLAN_BUFFER_KB;
	struct counter *counter = c->session->counter;
	const struct hist_target *t = c->session->target;
	struct capture_window *w = calloc(1, sizeof(*w) + t->cpus * sizeof(*w->cpus));
	unsigned int i;

	if (!w)
		return message_error_memory();
	pthread_mutex_init(&w->lock, NULL);
	c->window = w;
	w->c = c;
	w->ncpus = t->cpus;
	w->nsources = c->nsources;
	w->page_size = t->page_size;
	w->keep = (kb * 1024 + t->page_size - 1) / t->page_size;
	w->big_endian = t->big_endian;
	w->watches = calloc(c->nsources, sizeof(*w->watches));
	w->largest = calloc(c->nsources, sizeof(*w->largest));
	w->cuts = calloc(c->nsources, sizeof(*w->cuts));
	if (!w->watches || !w->largest || !w->cuts)
		return message_error_memory();
	c->watch = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (c->watch < 0)
		return message_error_errno("eventfd", -errno);
	for (i = 0; i < c->nsources; i++)
		w->watches[i] = (struct counter_watch){ c->sources[i].event, c->sources[i].filter };
	counter->pages = (struct counter_pages){
		.take = c->keeps ? window_take : NULL,
		.counted = window_counted,
		.hit = window_hit,
		.watches = w->watches,
		.nwatches = c->nsources,
		.arg = w,
	};
	counter->set.more = c->events;
	counter->set.nmore = c->nevents;
	return 0;
}

void capture_window_start(struct capture *c)
{
	unsigned int i;

	pthread_mutex_lock(&c->window->lock);
	for (i = 0; i < c->nsources; i++)
		c->sources[i].armed = c->keeps;
	c->window->started = true;
	pthread_mutex_unlock(&c->window->lock);
}

void capture_window_next_file(struct capture *c)
{
	unsigned int i;

	pthread_mutex_lock(&c->window->lock);
	for (i = 0; i < c->nsources; i++)
		c->sources[i].armed |= capture_forget_kept(c, &c->sources[i]);
	pthread_mutex_unlock(&c->window->lock);
}

int capture_window_follow(struct capture *c, struct new_hits *new)
{
	struct capture_window *w = c->window;
	struct window_episode e;
	eventfd_t count;
	unsigned int i;
	int ret = 0;

	eventfd_read(c->watch, &count);
	pthread_mutex_lock(&w->lock);
	*new = w->new;
	w->new = (struct new_hits){ 0 };
	for (i = 0; !ret && i < w->nsources; i++) {
		e = w->cuts[i];
		if (!e.is)
			continue;
		/* the counter goes on while the side file is written; is stays set until then */
		w->cuts[i] = (struct window_episode){ .is = true };
		pthread_mutex_unlock(&w->lock);
		ret = capture_keep_cut(c, &c->sources[i], &e.hit, e.key, e.pages, e.dropped,
				       &w->lock);
		episode_clear(&e, w->ncpus);
		pthread_mutex_lock(&w->lock);
		w->cuts[i].is = false;
	}
	pthread_mutex_unlock(&w->lock);
	return ret;
}

void capture_window_close(struct capture_window *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->c = NULL;
	pthread_mutex_unlock(&w->lock);
}

void capture_window_free(struct capture_window *w)
{
	unsigned int i;

	if (!w)
		return;
	for (i = 0; i < w->ncpus; i++) {
		while (w->cpus[i].oldest)
			drop_oldest(&w->cpus[i]);
	}
	for (i = 0; i < w->nsources; i++) {
		if (w->largest)
			episode_clear(&w->largest[i], w->ncpus);
		if (w->cuts)
			episode_clear(&w->cuts[i], w->ncpus);
	}
	free(w->watches);
	free(w->largest);
	free(w->cuts);
	pthread_mutex_destroy(&w->lock);
	free(w);
}
