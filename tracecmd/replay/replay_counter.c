// SPDX-License-Identifier: GPL-2.0
/*
 * replay_counter.c - the counter of a replay: the user-space engine over the events of a file
 */
#include <errno.h>
#include <stdlib.h>

#include "tracecmd/base/message.h"
#include "tracecmd/replay/replay_counter.h"
#include "tracecmd/trigger/trigger_program.h"

static struct replay_counter *replay_counter_from(struct counter *c)
{
	return (struct replay_counter *)c;
}

/* A recording has one clock: triggers do not request another one. */
static int replay_counter_check(struct counter *c)
{
	struct replay_counter *r = replay_counter_from(c);
	const char *clock = hist_events_buffer(r->events, r->buffer)->clock, *wanted;
	const struct trigger_set *set = &c->set;
	unsigned int e, h;

	for (e = 0; e < set->nsources; e++) {
		const struct traced_event *s = &set->sources[e];

		for (h = 0; h < s->nhelpers + s->nhists; h++) {
			wanted = s->triggers[h].expr->clock;
			if (wanted && strcmp(wanted, clock))
				return message_refuse(-EINVAL,
						      "%s: clock=%s: the events were recorded "
						      "with the clock \"%s\"\n"
						      "remove 'clock=' from the trigger",
						      s->full_name, wanted, clock);
		}
	}
	return counter_check_engine(c);
}

static int replay_counter_set_pids(struct replay_counter *r)
{
	const char *at = r->counter.set.plan->pids;
	size_t n = 0;
	uint32_t *pids;
	char *end;
	int ret;

	if (!at)
		return 0;
	pids = calloc(strlen(at) + 1, sizeof(*pids));
	if (!pids)
		return message_error_memory();
	for (;; at = end) {
		unsigned long pid = strtoul(at, &end, 10);

		if (end == at)
			break;
		pids[n++] = pid;
	}
	ret = hist_engine_set_pids(r->engine, pids, n);
	free(pids);
	return ret ? message_error_memory() : 0;
}

static int replay_counter_attach(struct counter *c)
{
	struct replay_counter *r = replay_counter_from(c);
	struct hist_engine_machine machine;
	int ret;

	hist_replay_fill_machine(&machine, r->events, r->buffer);
	ret = trigger_program_compile(&r->engine, &c->set, &machine);
	return ret ? ret : replay_counter_set_pids(r);
}

int replay_counter_define(struct replay_counter *r)
{
	const struct trigger_set *set = &r->counter.set;
	struct traced_hist *h = NULL;
	int ret = 0;

	r->recording.events = r->events;
	r->recording.buffer = r->buffer;
	r->recording.has_wall = hist_events_machine(r->events)->has_date;
	while (!ret && (h = traced_event_next_hist(set->sources, set->nsources, h)))
		ret = hist_replay_define(&r->recording, &(struct hist_replay_hist){
			.event = h->source->title,
			.trigger = h->expr->text,
			.counter = h->counter,
			.table = h->table,
			.snap = &h->snap,
		});
	return ret;
}

/* START and END need the order of time, which is one run. */
static int replay_counter_find_drops(struct replay_counter *r, struct hist_run *run)
{
	const struct trigger_set *set = &r->counter.set;
	unsigned int e;

	free(r->drops);
	r->drops = calloc(set->nsources, sizeof(*r->drops));
	if (!r->drops)
		return -ENOMEM;
	for (e = 0; e < set->nsources; e++)
		r->drops[e] = trigger_program_count_drops(&set->sources[e], run);
	return 0;
}

static int replay_counter_record(void *data, const struct hist_replay_moment *moment)
{
	struct replay_counter *r = data;
	int ret = hist_replay_record(&r->recording, moment);

	return ret || !moment->at_end || moment->nruns > 1 ? ret :
	       replay_counter_find_drops(r, moment->runs[0]);
}

static int replay_counter_progress(void *data, uint64_t done, uint64_t all)
{
	struct replay_counter *r = data;

	return r->progress(r->data, done, all);
}

static int replay_counter_tick(struct counter *c, counter_take take, void *arg)
{
	struct replay_counter *r = replay_counter_from(c);
	struct hist_replay replay = {
		.buffer = r->buffer,
		.to = UINT64_MAX,
		.interval = r->interval_ns,
		.threads = r->threads,
		.snapshot = replay_counter_record,
		.progress = replay_counter_progress,
		.data = r,
	};
	unsigned int e;
	int ret = hist_replay_run(&replay, r->events, r->engine, &r->result);

	for (e = 0; !ret && e < c->set.nsources; e++) {
		if (c->set.sources[e].nhists)
			ret = take(arg, &c->set.sources[e]);
	}
	return ret;
}

/* All events are counted. */
static void replay_counter_pause(struct counter *c)
{
	(void)c;
}

static void replay_counter_report_loss(struct counter *c)
{
	struct replay_counter *r = replay_counter_from(c);
	unsigned int e;

	for (e = 0; r->drops && e < c->set.nsources; e++)
		counter_report_helper_drops(&c->set.sources[e], r->drops[e]);
}

static void replay_counter_free(struct counter *c)
{
	struct replay_counter *r = replay_counter_from(c);

	hist_engine_free(r->engine);
	hist_replay_clear(&r->recording);
	free(r->drops);
}

void replay_counter_init(struct replay_counter *r)
{
	static const struct counter_ops ops = {
		.name = "replay",
		.engine = true,
		.check = replay_counter_check,
		.attach = replay_counter_attach,
		.tick = replay_counter_tick,
		.pause = replay_counter_pause,
		.report_loss = replay_counter_report_loss,
		.free = replay_counter_free,
	};

	*r = (struct replay_counter){ .counter.ops = &ops };
}
