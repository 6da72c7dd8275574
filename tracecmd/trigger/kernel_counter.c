// SPDX-License-Identifier: GPL-2.0
/*
 * kernel_counter.c - counter that uses hist triggers and reads their files at each tick
 *
 * An event has one `hist` file for all of its histograms, and one `hist_raw` file if the kernel has
 * the patches of kernel-patches/. A tick reads one of the two files per event (traced_reader.h),
 * so all histograms of an event have the same moment.
 */
#include <errno.h>
#include <stdlib.h>

#include "tracecmd/base/message.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/trigger/helper_totals.h"
#include "tracecmd/trigger/kernel_counter.h"
#include "tracecmd/trigger/latency_pairs.h"
#include "tracecmd/trigger/switch_trigger.h"
#include "tracecmd/trigger/traced_reader.h"

struct kernel_counter {
	struct counter counter;
	struct target_buf text; /* content of the last file read */
	struct worst_join **joins; /* of each source, or NULL */
	struct latency_pairs *pairs; /* of each source */
	bool is_last; /* nothing is counted any more */
};

static int kernel_counter_check(struct counter *c)
{
	unsigned int e;
	int ret = 0;

	for (e = 0; !ret && e < c->set.nsources; e++)
		ret = traced_reader_check_raw(&c->set.sources[e], c->set.target, c->set.plan->read);
	return ret;
}

static int kernel_attach(struct counter *c)
{
	const struct trigger_set *set = &c->set;
	struct traced_event *source;
	struct kernel_counter *k = (struct kernel_counter *)c;
	unsigned int e;
	int ret;

	k->joins = calloc(set->nsources, sizeof(*k->joins));
	k->pairs = calloc(set->nsources, sizeof(*k->pairs));
	if (!k->joins || !k->pairs)
		return message_error_memory();
	for (e = 0; e < set->nsources; e++) {
		source = &set->sources[e];
		ret = traced_event_attach(source, set->target, set->undo,
					  counter_event_dir(set, source));
		if (!ret && source->nhists)
			ret = traced_reader_open_raw(source, set->target, source->dir,
						    set->plan->read);
		if (ret)
			return ret;
	}
	for (e = 0; e < set->nsources; e++) {
		ret = switch_trigger_attach(&set->sources[e], set->target, set->undo);
		if (ret)
			return ret;
	}
	ret = instance_settle_clock(set->instance, set->target, set->undo);
	if (!ret)
		counter_begin_writes(c);
	return ret;
}

static int kernel_read(struct counter *c, struct traced_event *source)
{
	struct kernel_counter *k = (struct kernel_counter *)c;
	struct target_buf *text = &k->text;
	const struct query_pairs *pairs;
	struct counter_moment moment;
	uint64_t begin = timer_now();
	int ret;

	ret = traced_reader_fetch(source, c->set.target, text);
	if (ret)
		return message_error_errno(source->full_name, ret);
	ret = counter_take_moment(c, begin, &moment);
	if (!ret)
		ret = traced_reader_take(source, c->set.target, text);
	if (!ret)
		counter_stamp(c, source, &moment);
	pairs = source->plan ? query_get_pairs(source->plan) : NULL;
	if (!ret && pairs && pairs->end_saves)
		ret = worst_join_apply(&k->joins[source - c->set.sources], source,
				       latency_pairs_find(source, QUERY_END), c->set.target);
	if (!ret)
		latency_pairs_update(&k->pairs[source - c->set.sources], source, c->set.target,
				     k->is_last);
	return ret;
}

static int kernel_tick(struct counter *c, counter_take take, void *arg)
{
	unsigned int e;
	int ret = 0;

	for (e = 0; !ret && e < c->set.nsources; e++) {
		if (!c->set.sources[e].nhists)
			continue;
		/* -EAGAIN: hist_raw lacks a name; read again, as text */
		do {
			ret = kernel_read(c, &c->set.sources[e]);
		} while (ret == -EAGAIN);
		if (!ret)
			ret = take(arg, &c->set.sources[e]);
	}
	return ret;
}

static void kernel_pause(struct counter *c)
{
	const struct trigger_set *set = &c->set;
	struct traced_hist *hist = NULL;
	unsigned int e, h;

	foreign_writes_end(&c->writes);
	for (e = 0; e < set->nsources; e++)
		switch_trigger_detach(&set->sources[e], set->target);
	/* first the helpers with a name=NAME, which count into a histogram of another event */
	for (e = 0; e < set->nsources; e++) {
		for (h = 0; h < set->sources[e].nhelpers; h++) {
			if (set->sources[e].triggers[h].expr->name)
				traced_event_pause(&set->sources[e].triggers[h], set->target);
		}
	}
	((struct kernel_counter *)c)->is_last = true;
	while ((hist = traced_event_next_hist(set->sources, set->nsources, hist)))
		hist->stopped = !traced_event_pause(hist, set->target) &&
				!instance_get_time(set->instance, set->target, &hist->stopped_at);
}

static void kernel_report_loss(struct counter *c)
{
	const struct traced_event *source;
	struct traced_totals *totals;
	uint64_t drops;
	unsigned int e, i;

	for (e = 0; e < c->set.nsources; e++) {
		source = &c->set.sources[e];
		totals = calloc(source->nhelpers + 1, sizeof(*totals));
		if (!totals) {
			message_error_memory();
			return;
		}
		helper_totals_read(source, c->set.target, totals);
		for (i = 0, drops = 0; i < source->nhelpers; i++)
			drops += totals[i].dropped;
		counter_report_helper_drops(source, drops);
		free(totals);
	}
}

static void kernel_free(struct counter *c)
{
	struct kernel_counter *k = (struct kernel_counter *)c;
	unsigned int e;

	for (e = 0; k->joins && e < c->set.nsources; e++)
		worst_join_free(k->joins[e]);
	foreign_writes_end(&c->writes);
	free(k->joins);
	free(k->pairs);
	free(k->text.data);
	free(c);
}

static const struct counter_ops kernel_ops = {
	.name = "kernel",
	.check = kernel_counter_check,
	.attach = kernel_attach,
	.tick = kernel_tick,
	.pause = kernel_pause,
	.report_loss = kernel_report_loss,
	.free = kernel_free,
};

int kernel_counter_new(struct counter **counter)
{
	struct kernel_counter *k = calloc(1, sizeof(*k));

	if (!k)
		return message_error_memory();
	k->counter.ops = &kernel_ops;
	*counter = &k->counter;
	return 0;
}
