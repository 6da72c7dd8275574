// SPDX-License-Identifier: GPL-2.0
/*
 * latency_pairs.c - count the pairs of a latency that never close, and those below zero
 */
#include <errno.h>

#include "tracecmd/base/timer.h"
#include "tracecmd/trigger/helper_totals.h"
#include "tracecmd/trigger/latency_pairs.h"

/* The time between two reads of the totals, as a multiple of the time of a read. */
#define PAIRS_REST 100
/* START and END have at most two hidden triggers, and so has the synthetic event. */
#define PAIRS_HELPERS 4

struct traced_event *latency_pairs_find(struct traced_event *source, enum query_role role)
{
	if (!source->plan || source->plan->role != QUERY_PAIRS)
		return NULL;
	/* START comes first, so there always is one */
	do {
		source--;
	} while (source->plan->role != role && source->plan->role != QUERY_START);
	return source->plan->role == role ? source : NULL;
}

/*
 * Read the totals of START first: a pair that closes meanwhile is not told as one that never does.
 * What is told is then too small by the pairs of this time, and exact when nothing is counted any
 * more.
 */
static int latency_pairs_read(struct latency_pairs *p, struct traced_event *source,
			      struct hist_target *t)
{
	struct traced_event *start = latency_pairs_find(source, QUERY_START);
	struct traced_event *end = latency_pairs_find(source, QUERY_END);
	struct traced_totals below[PAIRS_HELPERS], starts[PAIRS_HELPERS], ends[PAIRS_HELPERS];
	uint64_t matched, all;
	int ret;

	if (source->nhelpers > PAIRS_HELPERS || start->nhelpers > PAIRS_HELPERS ||
	    end->nhelpers > PAIRS_HELPERS)
		return -E2BIG;
	ret = helper_totals_read(start, t, starts);
	if (!ret)
		ret = helper_totals_read(end, t, ends);
	if (!ret)
		ret = helper_totals_read(source, t, below);
	if (ret)
		return ret;
	matched = ends[0].hits + ends[0].dropped;
	all = end->nhelpers > 1 ? ends[1].hits : matched;
	hist_loss_set_unmatched(p->losses, starts[0].hits > matched ? starts[0].hits - matched : 0,
				all > matched ? all - matched : 0, source->plan->usual_starts,
				source->plan->usual_ends);
	if (source->plan->pairs.guarded)
		p->losses[HIST_LOSS_BELOW_ZERO] = below[0].hits;
	return 0;
}

void latency_pairs_update(struct latency_pairs *p, struct traced_event *source,
			  struct hist_target *t, bool last)
{
	uint64_t begin = timer_now();
	unsigned int h, k;

	if (!latency_pairs_find(source, QUERY_START))
		return;
	if (last || begin >= p->due) {
		latency_pairs_read(p, source, t);
		p->due = timer_now() + PAIRS_REST * (timer_now() - begin);
	}
	for (h = 0; h < source->nhists; h++) {
		for (k = HIST_LOSS_UNMATCHED_STARTS; k <= HIST_LOSS_BELOW_ZERO; k++)
			source->hists[h].snap.losses[k] = p->losses[k];
	}
}
