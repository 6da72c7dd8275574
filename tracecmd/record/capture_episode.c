// SPDX-License-Identifier: GPL-2.0
/*
 * capture_episode.c - count the hits of a capture, and keep the worst of them as episodes
 *
 * The kernel freezes the ring buffer of a source at the first hit of at least the limit.  The
 * recorder reads the frozen events, finds the hit that froze them, and sets the trigger again.
 * Hits that came in between are counted as missed.  With the user-space engine, the events of an
 * episode come from capture_window.c.
 *
 * Invariant: a frozen ring buffer is read completely before its trigger is set again, so the next
 * one begins empty.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/query/function_field.h"
#include "lib/ringbuf/ring_page.h"
#include "tracecmd/base/message.h"
#include "tracecmd/record/capture.h"
#include "tracecmd/record/capture_source.h"
#include "tracecmd/record/threshold_action.h"
#include "tracecmd/target/target_path.h"

/* A hit has nearly the same time in two instances. */
#define SAME_HIT_NS 1000000

void capture_count_hit(struct new_hits *new, struct capture_source *s,
		       const struct capture_hit *hit)
{
	uint64_t value = hit->value * s->unit_ns;

	s->seen++;
	if (s->armed && hit->value >= s->limit) {
		s->waiting++;
		if (hit->value > s->waiting_largest[0]) {
			s->waiting_largest[1] = s->waiting_largest[0];
			s->waiting_largest[0] = hit->value;
		} else if (hit->value > s->waiting_largest[1]) {
			s->waiting_largest[1] = hit->value;
		}
		if (hit->time >= s->armed_at && (!s->first_time || hit->time < s->first_time)) {
			s->first_time = hit->time;
			s->first_cpu = hit->cpu;
		}
	}
	if (!new->n++ || value > new->largest.value)
		new->largest = (struct threshold_hit){
			.event = s->event->title,
			.value = value,
			.time = hit->time,
			.cpu = hit->cpu,
		};
}

void capture_count_missed(struct capture_source *s, const struct capture_hit *found)
{
	uint64_t largest = s->waiting_largest[0];

	if (found && largest == found->value)
		largest = s->waiting_largest[1];
	if (s->waiting && largest > s->missed_largest)
		s->missed_largest = largest;
	s->missed += s->waiting;
	s->waiting = s->first_time = 0;
	s->waiting_largest[0] = s->waiting_largest[1] = 0;
}

/* --- the worst episodes --- */

/* Time of the first event of the pages of a CPU; UINT64_MAX if there is none. */
static uint64_t capture_find_first_time(const struct hist_target *t, const struct target_buf *pages,
					bool *lost)
{
	struct hist_ring_page_layout layout = hist_ring_page_layout(t->big_endian, t->long_size);
	const unsigned char *data;
	struct hist_ring_page page;
	uint32_t len;

	*lost = false;
	if (pages->len < t->page_size ||
	    hist_ring_page_begin(&page, &layout, pages->data, t->page_size))
		return UINT64_MAX;
	*lost = page.lost;
	return hist_ring_page_next(&page, &data, &len) ? page.time : UINT64_MAX;
}

static uint64_t capture_count_episodes(const struct capture *c)
{
	return c->plan->episodes ? c->plan->episodes : PLAN_EPISODES;
}

/* The kept episode of a source with the least value. */
static struct captured_episode *capture_find_least(struct capture_source *s)
{
	unsigned int i, least = 0;

	for (i = 1; i < s->nkept; i++) {
		if (s->kept[i].value < s->kept[least].value)
			least = i;
	}
	return &s->kept[least];
}

/*
 * Choose the side file for an episode of @value: a new one, or that of the least; NULL: it is not
 * worse.  If there are enough, the limit rises: only worse ones are captured from now on.
 */
static struct captured_episode *capture_choose_place(struct capture *c, struct capture_source *s,
						     uint64_t value)
{
	struct captured_episode *place;

	if (s->nkept < capture_count_episodes(c)) {
		place = &s->kept[s->nkept++];
		place->number = ++c->files;
	} else {
		place = capture_find_least(s);
		if (place->value >= value)
			return NULL;
	}
	place->value = value;
	if (s->field && s->nkept == capture_count_episodes(c))
		s->limit = capture_find_least(s)->value + 1;
	return place;
}

/* The kernel forgets names of tasks, so they are read as soon as possible. */
static int capture_write_side_file(struct capture *c, unsigned int number,
				   const struct hist_episode *e, const struct target_buf *bufs)
{
	unsigned int cpus = c->session->target->cpus, cpu, n = 0;
	struct tracedat_pages *pages = calloc(cpus, sizeof(*pages));
	struct tracedat_contents contents = *c->contents;
	int ret = pages ? 0 : -ENOMEM;

	for (cpu = 0; !ret && cpu < cpus; cpu++) {
		size_t len = bufs[cpu].len;

		ret = stacks_collect(c->stacks, c->session->target, &bufs[cpu]);
		if (len)
			pages[n++] = (struct tracedat_pages){
				.cpu = cpu,
				.data = bufs[cpu].data,
				.len = len - len % c->session->target->page_size,
			};
	}
	/* the events are useful without names */
	if (!target_readf(c->session->target, &c->names, "saved_cmdlines"))
		contents.names = c->names.data;
	contents.symbols = c->stacks->text.data;
	ret = ret ? message_error_memory()
		  : episode_file_write(&c->side, number, &contents, e, c->session->instance.clock,
				       pages, n);
	free(pages);
	return ret;
}

static struct hist_episode capture_make_episode(const struct capture *c,
						const struct capture_source *s,
						const struct capture_hit *hit, const char *key)
{
	uint64_t value = hit->value * s->unit_ns;

	return (struct hist_episode){
		.event = s->event->title,
		.buffer = "episode",
		.key = key,
		.origin = c->origin,
		.start = hit->time - value,
		.end = hit->time,
		.value = value,
		.threshold = s->threshold,
		.cpu = hit->cpu,
		.flags = s->field ? HIST_EPISODE_TIMED : 0,
	};
}

int capture_keep_cut(struct capture *c, struct capture_source *s, const struct capture_hit *hit,
		     const char *key, struct target_buf *pages, bool dropped, pthread_mutex_t *lock)
{
	struct hist_episode e = capture_make_episode(c, s, hit, key);
	struct captured_episode *place;
	uint64_t first;
	bool lost;

	first = capture_find_first_time(c->session->target, &pages[e.cpu], &lost);
	lost = s->field && (lost || dropped) && first > e.start;
	e.flags |= lost ? HIST_EPISODE_CUT : 0;
	s->cut += lost;
	pthread_mutex_lock(lock);
	place = capture_choose_place(c, s, hit->value);
	s->armed &= s->field || s->nkept < capture_count_episodes(c);
	pthread_mutex_unlock(lock);
	if (!place || !capture_write_side_file(c, place->number, &e, pages))
		return 0;
	c->failed = s->unsaved = true;
	pthread_mutex_lock(lock);
	s->armed = false;
	pthread_mutex_unlock(lock);
	return 0;
}

bool capture_forget_kept(const struct capture *c, struct capture_source *s)
{
	bool full = s->nkept == capture_count_episodes(c);

	s->completed += s->nkept;
	s->nkept = 0;
	capture_source_reset_limit(s);
	return full && !s->unsaved;
}

/* --- the frozen events --- */

int capture_arm(struct capture *c, struct capture_source *s, bool again)
{
	struct hist_target *t = c->session->target;
	char path[TARGET_PATH_MAX], *text = NULL, *filter, *own = NULL;
	int ret = 0;

	filter = capture_source_make_filter(s);
	if (filter && asprintf(&text, "snapshot:1 if %s", filter) < 0)
		text = NULL;
	free(filter);
	if (text)
		own = function_field_to_kernel(text, s->event->function_field);
	free(text);
	if (!own)
		return message_error_memory();
	snprintf(path, sizeof(path), "%s/events/%s/%s/trigger", s->dir, s->event->system,
		 s->event->name);
	s->armed = false;
	/* the kernel has one snapshot trigger per event, which counts down to 0 */
	if (again)
		ret = target_write_str(t, path, "!snapshot", true);
	if (!ret)
		ret = instance_get_time(&c->session->instance, t, &s->armed_at);
	if (!ret)
		ret = target_write_str(t, path, own, true);
	if (ret)
		message_error("%s: the kernel rejects \"%s\": %s\n%s", s->event->title, own,
			      strerror(-ret),
			      ret == -ENOMEM ? "use a smaller ring buffer with -b"
					     : "use --on-threshold stop, which needs no snapshot");
	s->armed = !ret;
	free(own);
	return ret;
}

/* The hit that froze the ring buffer: the newest one of a source. */
struct capture_search {
	const struct capture_source *source;
	struct capture_hit best;
	char *key;
	bool found;
};

/* The ring buffer has all hits of an event; those of a filter are known by time and CPU. */
static bool capture_may_be_frozen_by(const struct capture_source *s, const struct capture_hit *hit)
{
	if (s->field)
		return hit->value >= s->limit;
	return hit->cpu == s->first_cpu && hit->time + SAME_HIT_NS > s->first_time &&
	       hit->time < s->first_time + SAME_HIT_NS;
}

static int capture_take_newest(void *arg, struct capture_source *s, const struct capture_hit *hit)
{
	struct capture_search *search = arg;

	if (s != search->source || !capture_may_be_frozen_by(s, hit))
		return 0;
	if (search->found && hit->time < search->best.time)
		return 0;
	search->best = *hit;
	search->found = true;
	free(search->key);
	search->key = capture_source_format_key(s, hit);
	return search->key ? 0 : -ENOMEM;
}

static int capture_read_frozen(struct capture *c, struct capture_source *s)
{
	struct target_buf pages = { 0 };
	unsigned int cpu;
	int ret;

	cpu_pages_begin(&s->frozen, false);
	while ((ret = cpu_pages_next(&s->frozen, 0, &pages, &cpu)) > 0) {
		c->pages[cpu] = pages;
		pages = (struct target_buf){ 0 };
	}
	free(pages.data);
	return ret ? message_error_errno("snapshot_raw", ret) : 0;
}

static void capture_free_frozen(struct capture *c)
{
	unsigned int cpu;

	for (cpu = 0; c->pages && cpu < c->session->target->cpus; cpu++) {
		free(c->pages[cpu].data);
		c->pages[cpu] = (struct target_buf){ 0 };
	}
}

/*
 * Set HIST_EPISODE_CUT if events after the start are missing: the ring buffer was too small, or
 * began later because an earlier episode has them.
 */
static void capture_check_start(const struct capture *c, struct capture_source *s,
				struct hist_episode *e)
{
	uint64_t first;
	bool lost;

	first = capture_find_first_time(c->session->target, &c->pages[e->cpu], &lost);
	lost &= first > e->start;
	s->cut += lost;
	if (lost || e->start < s->begins)
		e->flags |= HIST_EPISODE_CUT;
}

/* Find the hit that froze the ring buffer. */
static int capture_search_frozen(struct capture *c, struct capture_search *search)
{
	struct hist_target *t = c->session->target;
	unsigned int cpu;
	int ret = 0;

	for (cpu = 0; !ret && cpu < t->cpus; cpu++)
		ret = capture_source_walk(c->sources, c->nsources, t, &c->pages[cpu], cpu, NULL,
					  capture_take_newest, search);
	return ret ? message_error_memory() : 0;
}

/*
 * Set the trigger again, unless nothing more is to be captured: without a time no episode is worse
 * than another one, and the first are kept.
 */
static int capture_arm_again(struct capture *c, struct capture_source *s)
{
	if (s->field || s->nkept < capture_count_episodes(c))
		return capture_arm(c, s, true);
	s->armed = false;
	return 0;
}

int capture_take_frozen(struct capture *c, struct capture_source *s)
{
	struct capture_search search = { .source = s };
	struct captured_episode *place = NULL;
	struct hist_episode e;
	int ret;

	ret = capture_read_frozen(c, s);
	if (!ret)
		ret = capture_search_frozen(c, &search);
	if (!ret && search.found) {
		s->waiting -= s->waiting > 0;
		e = capture_make_episode(c, s, &search.best, search.key);
		if (s->field)
			capture_check_start(c, s, &e);
		s->begins = e.end;
		place = capture_choose_place(c, s, search.best.value);
	}
	capture_count_missed(s, search.found ? &search.best : NULL);
	if (!ret)
		ret = capture_arm_again(c, s);
	if (!ret && place && capture_write_side_file(c, place->number, &e, c->pages)) {
		c->failed = s->unsaved = true;
		s->armed = false;
	}
	free(search.key);
	capture_free_frozen(c);
	return ret;
}

int capture_arm_lower(struct capture *c, struct capture_source *s)
{
	unsigned int cpu;
	bool froze = false;
	int ret = capture_read_frozen(c, s);

	for (cpu = 0; cpu < c->session->target->cpus; cpu++)
		froze |= c->pages[cpu].len != 0;
	capture_free_frozen(c);
	if (!ret)
		ret = capture_arm(c, s, true);
	if (froze)
		s->begins = s->armed_at;
	return ret;
}
