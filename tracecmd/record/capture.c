// SPDX-License-Identifier: GPL-2.0
/*
 * capture.c - watch a threshold during a recording, and capture the events around episodes
 *
 * A hit above the threshold wakes the recorder.  The recorder counts the hits, reads the ring
 * buffer that the kernel froze, finds the hit that froze it, and sets the trigger again.  Hits that
 * came in between are counted as missed.
 *
 * Invariant: a frozen ring buffer is read completely before its trigger is set again, so the next
 * one begins empty.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tracecmd/base/message.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/record/capture_window.h"
#include "tracecmd/target/target_path.h"

/* A hit has nearly the same time in two instances. */
#define SAME_HIT_NS 1000000

/* Bytes per CPU in one look at the hits: the ring buffer of the watching instance. */
#define WATCH_MOST 65536

/* The shortest time between two looks, in ms: the recorder itself can cause hits. */
#define WATCH_REST_MS 20

/* The time between two looks if no descriptor tells of hits, as of a target with --target. */
#define WATCH_PULL_MS 100

int capture_begin(struct capture *c)
{
	bool engine = c->plan && c->session->counter->ops->engine;
	unsigned int i;
	int ret = 0;

	if (!c->plan)
		return 0;
	for (i = 0; !ret && i < c->nsources; i++) {
		ret = capture_source_check(&c->sources[i], &c->session->kernel);
		if (!ret && c->keeps && !engine)
			ret = capture_instance_make(c, &c->sources[i]);
	}
	if (!ret && engine)
		return capture_window_open(c);
	if (!ret)
		ret = capture_watch_make(c);
	if (!ret && c->keeps) {
		c->pages = calloc(c->session->target->cpus, sizeof(*c->pages));
		ret = c->pages ? 0 : message_error_memory();
	}
	return ret;
}

/* The last snapshot is the first one of a file that begins now. */
static void capture_begin_file(struct capture *c, const struct outfile *output)
{
	struct traced_hist *h;

	h = traced_event_next_hist(c->session->sources, c->session->nsources, NULL);
	c->origin = h ? h->snap.time : 0;
	episode_files_end(&c->side);
	if (output)
		episode_files_begin(&c->side, output->path, &output->place);
}

int capture_start(struct capture *c, const struct outfile *output,
		  const struct tracedat_contents *contents)
{
	unsigned int i;
	int ret = 0;

	if (!c->plan)
		return 0;
	c->contents = contents;
	capture_begin_file(c, output);
	if (c->window) {
		capture_window_start(c);
		return 0;
	}
	for (i = 0; !ret && c->keeps && i < c->nsources; i++) {
		struct capture_source *s = &c->sources[i];

		ret = target_writef(c->session->target, c->session->instance.clock, false,
				    "%s/trace_clock", s->dir);
		if (ret)
			return message_error_errno("trace_clock", ret);
		ret = capture_arm(c, s, false);
	}
	return ret ? ret : capture_watch_start(c);
}

/* The time in ms until the next look may begin. */
static int rest_ms(const struct capture *c)
{
	uint64_t rest = c->watch < 0 ? WATCH_PULL_MS : WATCH_REST_MS;
	uint64_t since = c->looked ? (timer_now() - c->looked) / 1000000 : rest;

	return since < rest ? rest - since : 0;
}

int capture_wait_ms(const struct capture *c)
{
	int rest = c->plan ? rest_ms(c) : -1;

	return rest || c->watch < 0 ? rest : -1;
}

int capture_fd(const struct capture *c)
{
	return c->plan && !rest_ms(c) ? c->watch : -1;
}

bool capture_is_due(const struct capture *c, bool readable)
{
	return readable || (c->plan && c->watch < 0 && !rest_ms(c));
}

/* --- the frozen events --- */

/* The hit that froze the ring buffer: the newest one of a source. */
struct capture_search {
	const struct capture_source *source;
	struct capture_hit best;
	char *key;
	bool found;
};

/* The ring buffer has all hits of an event; those of a filter are known by time and CPU. */
static bool may_be_frozen_by(const struct capture_source *s, const struct capture_hit *hit)
{
	if (s->field)
		return hit->value >= s->limit;
	return hit->cpu == s->first_cpu && hit->time + SAME_HIT_NS > s->first_time &&
	       hit->time < s->first_time + SAME_HIT_NS;
}

static int take_newest(void *arg, struct capture_source *s, const struct capture_hit *hit)
{
	struct capture_search *search = arg;

	if (s != search->source || !may_be_frozen_by(s, hit))
		return 0;
	if (search->found && hit->time < search->best.time)
		return 0;
	search->best = *hit;
	search->found = true;
	free(search->key);
	search->key = capture_source_format_key(s, hit);
	return search->key ? 0 : -ENOMEM;
}

static int read_frozen(struct capture *c, struct capture_source *s)
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

static void free_frozen(struct capture *c)
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
static void check_start(const struct capture *c, struct capture_source *s, struct hist_episode *e)
{
	uint64_t first;
	bool lost;

	first = capture_source_first_time(c->session->target, &c->pages[e->cpu], &lost);
	lost &= first > e->start;
	s->cut += lost;
	if (lost || e->start < s->begins)
		e->flags |= HIST_EPISODE_CUT;
}

static uint64_t capture_count_episodes(const struct capture *c)
{
	return c->plan->episodes ? c->plan->episodes : PLAN_EPISODES;
}

/* The kept episode of a source with the least value. */
static struct captured_episode *find_least(struct capture_source *s)
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
static struct captured_episode *choose_place(struct capture *c, struct capture_source *s,
					     uint64_t value)
{
	struct captured_episode *place;

	if (s->nkept < capture_count_episodes(c)) {
		place = &s->kept[s->nkept++];
		place->number = ++c->files;
	} else {
		place = find_least(s);
		if (place->value >= value)
			return NULL;
	}
	place->value = value;
	if (s->field && s->nkept == capture_count_episodes(c))
		s->limit = find_least(s)->value + 1;
	return place;
}

/* The kernel forgets names of tasks, so they are read as soon as possible. */
static int write_side_file(struct capture *c, unsigned int number, const struct hist_episode *e,
			   const struct target_buf *bufs)
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
	ret = ret ? message_error_memory() :
	      episode_file_write(&c->side, number, &contents, e,
				 c->session->instance.clock, pages, n);
	free(pages);
	return ret;
}

static struct hist_episode make_episode(const struct capture *c, const struct capture_source *s,
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

/* Find the hit that froze the ring buffer. */
static int search_frozen(struct capture *c, struct capture_search *search)
{
	struct hist_target *t = c->session->target;
	unsigned int cpu;
	int ret = 0;

	for (cpu = 0; !ret && cpu < t->cpus; cpu++)
		ret = capture_source_walk(c->sources, c->nsources, t, &c->pages[cpu], cpu, NULL,
					  take_newest, search);
	return ret ? message_error_memory() : 0;
}

/*
 * Set the trigger again, unless nothing more is to be captured: without a time no episode is worse
 * than another one, and the first are kept.
 */
static int arm_again(struct capture *c, struct capture_source *s)
{
	if (s->field || s->nkept < capture_count_episodes(c))
		return capture_arm(c, s, true);
	s->armed = false;
	return 0;
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

/*
 * Read the frozen ring buffer of a source, set the trigger again, and then keep the episode if it
 * is one of the worst.  If its file cannot be written, no more episodes are captured.
 */
static int take_episode(struct capture *c, struct capture_source *s)
{
	struct capture_search search = { .source = s };
	struct captured_episode *place = NULL;
	struct hist_episode e;
	int ret;

	ret = read_frozen(c, s);
	if (!ret)
		ret = search_frozen(c, &search);
	if (!ret && search.found) {
		s->waiting -= s->waiting > 0;
		e = make_episode(c, s, &search.best, search.key);
		if (s->field)
			check_start(c, s, &e);
		s->begins = e.end;
		place = choose_place(c, s, search.best.value);
	}
	capture_count_missed(s, search.found ? &search.best : NULL);
	if (!ret)
		ret = arm_again(c, s);
	if (!ret && place && write_side_file(c, place->number, &e, c->pages)) {
		c->failed = s->unsaved = true;
		s->armed = false;
	}
	free(search.key);
	free_frozen(c);
	return ret;
}

int capture_keep_cut(struct capture *c, struct capture_source *s, const struct capture_hit *hit,
		     const char *key, struct target_buf *pages, bool dropped, pthread_mutex_t *lock)
{
	struct hist_episode e = make_episode(c, s, hit, key);
	struct captured_episode *place;
	uint64_t first;
	bool lost;

	first = capture_source_first_time(c->session->target, &pages[e.cpu], &lost);
	lost = s->field && (lost || dropped) && first > e.start;
	e.flags |= lost ? HIST_EPISODE_CUT : 0;
	s->cut += lost;
	pthread_mutex_lock(lock);
	place = choose_place(c, s, hit->value);
	s->armed &= s->field || s->nkept < capture_count_episodes(c);
	pthread_mutex_unlock(lock);
	if (!place || !write_side_file(c, place->number, &e, pages))
		return 0;
	c->failed = s->unsaved = true;
	pthread_mutex_lock(lock);
	s->armed = false;
	pthread_mutex_unlock(lock);
	return 0;
}

/* --- the hits --- */

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

static int count_hit(void *arg, struct capture_source *s, const struct capture_hit *hit)
{
	capture_count_hit(arg, s, hit);
	return 0;
}

static int read_hits(struct capture *c, struct new_hits *new)
{
	unsigned int cpu;
	int ret;

	cpu_pages_begin(&c->watched, c->ending);
	while ((ret = cpu_pages_next(&c->watched, WATCH_MOST, &c->hits, &cpu)) > 0) {
		ret = capture_source_walk(c->sources, c->nsources, c->session->target, &c->hits,
					  cpu, &c->lost, count_hit, new);
		if (ret)
			break;
	}
	return ret ? message_error_errno("trace_pipe_raw", ret) : 0;
}

int capture_follow(struct capture *c, bool *stop)
{
	struct new_hits new = { 0 };
	unsigned int i;
	int ret;

	if (!c->plan)
		return 0;
	ret = c->window ? capture_window_follow(c, &new) : read_hits(c, &new);
	for (i = 0; !ret && !c->window && i < c->nsources; i++) {
		if (c->sources[i].waiting)
			ret = take_episode(c, &c->sources[i]);
	}
	if (!ret)
		threshold_action_run(&c->action, c->plan, &new.largest, new.n, stop);
	c->looked = timer_now();
	return ret;
}

bool capture_forget_kept(const struct capture *c, struct capture_source *s)
{
	bool full = s->nkept == capture_count_episodes(c);

	s->completed += s->nkept;
	s->nkept = 0;
	capture_source_reset_limit(s);
	return full && !s->unsaved;
}

/*
 * Set the trigger to the threshold again.  What froze the ring buffer since the last look is
 * counted as missed, because the frozen events must not come before later ones.
 */
static int arm_lower(struct capture *c, struct capture_source *s)
{
	unsigned int cpu;
	bool froze = false;
	int ret = read_frozen(c, s);

	for (cpu = 0; cpu < c->session->target->cpus; cpu++)
		froze |= c->pages[cpu].len != 0;
	free_frozen(c);
	if (!ret)
		ret = capture_arm(c, s, true);
	if (froze)
		s->begins = s->armed_at;
	return ret;
}

int capture_end_file(struct capture *c, struct tracedat_writer *dat, bool *stop)
{
	int ret;

	if (!c->plan)
		return 0;
	ret = capture_follow(c, stop);
	/* the names of the episodes replace those of all events (--events) in the file */
	if (!c->plan->record_events ||
	    target_readf(c->session->target, &c->names, "saved_cmdlines"))
		c->names.len = 0;
	if (!ret && c->keeps)
		ret = episode_files_join(&c->side, dat, c->origin,
					 c->names.len ? c->names.data : NULL);
	c->failed |= c->side.lost > 0;
	return ret < 0 ? ret : 0;
}

int capture_finish(struct capture *c, struct tracedat_writer *dat)
{
	bool stop;
	int ret;

	c->ending = true;
	ret = capture_end_file(c, dat, &stop);
	return !ret && c->failed ? -EIO : ret;
}

int capture_next_file(struct capture *c, const struct outfile *output)
{
	unsigned int i;
	int ret = 0;

	if (!c->plan)
		return 0;
	capture_begin_file(c, output);
	c->files = 0;
	if (c->window)
		capture_window_next_file(c);
	for (i = 0; !ret && c->keeps && !c->window && i < c->nsources; i++) {
		if (capture_forget_kept(c, &c->sources[i]))
			ret = arm_lower(c, &c->sources[i]);
	}
	return ret;
}

void capture_free(struct capture *c)
{
	capture_window_free(c->window);
	c->window = NULL;
}

void capture_clear(struct capture *c)
{
	struct capture_window *window = c->window;
	unsigned int i;

	if (!c->plan)
		return;
	capture_window_close(window);
	if (window)
		c->session->counter->set.nmore = 0;
	threshold_action_finish(&c->action);
	if (c->watch >= 0)
		close(c->watch);
	free_frozen(c);
	for (i = 0; i < c->nevents; i++)
		traced_event_clear(&c->events[i], c->session->target);
	for (i = 0; i < c->nsources; i++) {
		free(c->sources[i].filter);
		free(c->sources[i].dir);
		cpu_pages_clear(&c->sources[i].frozen);
	}
	episode_files_end(&c->side);
	free(c->sources);
	free(c->events);
	free(c->watch_dir);
	free(c->pages);
	cpu_pages_clear(&c->watched);
	free(c->hits.data);
	free(c->names.data);
	*c = (struct capture){ .watch = -1, .window = window };
}
