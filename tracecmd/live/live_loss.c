// SPDX-License-Identifier: GPL-2.0
/*
 * live_loss.c - count the events that the ring buffers of a session lost
 *
 * In a private instance every event is read or overwritten, and the next page that is read has a
 * flag for the gap. The counts are therefore read only after such a page. Another instance may be
 * set not to overwrite; then no page has the flag, and the counts are read each time.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/text.h"
#include "tracecmd/base/message.h"
#include "tracecmd/live/live_events.h"
#include "tracecmd/live/live_loss.h"
#include "tracecmd/target/target_path.h"

/* Number of events lost since the instances were created; false if it cannot be read. */
static bool read_counts(const struct live_loss *loss, uint64_t *sum)
{
	/* lines of the file; none is its first */
	static const char *const names[] = { "\noverrun: ", "\ncommit overrun: ",
					     "\ndropped events: " };
	struct target_buf buf = { 0 };
	const struct trigger_set *s = loss->set;
	const unsigned int cpus = s->target->cpus, n = cpus * (s->instance->anywhere_dir ? 2 : 1);
	unsigned int stream, i;
	const char *line;
	int ret = 0;

	*sum = 0;
	for (stream = 0; !ret && stream < n; stream++) {
		ret = target_readf(s->target, &buf, "%s/per_cpu/cpu%u/stats",
				   live_events_pages_dir(s, stream / cpus), stream % cpus);
		/* no CPU can have this number; an absent CPU has counts of 0 */
		if (ret == -ENOENT) {
			ret = 0;
			continue;
		}
		for (i = 0; !ret && i < sizeof(names) / sizeof(*names); i++) {
			line = strstr(buf.data, names[i]);
			*sum += line ? strtoull(line + strlen(names[i]), NULL, 10) : 0;
		}
	}
	free(buf.data);
	return !ret;
}

void live_loss_begin(struct live_loss *loss, const struct trigger_set *set)
{
	*loss = (struct live_loss){ .set = set };
	if (!set->instance->made)
		loss->exact = read_counts(loss, &loss->before);
}

void live_loss_add_page(struct live_loss *loss, const struct hist_ring_page *page)
{
	if (!page->lost)
		return;
	loss->places++;
	if (page->lost == HIST_RING_PAGE_LOST_SOME)
		loss->unknown++;
	else
		loss->reported += page->lost;
}

void live_loss_update(struct live_loss *loss)
{
	uint64_t sum;

	if (loss->set->instance->made ? loss->places == loss->asked : !loss->exact)
		return;
	loss->asked = loss->places;
	loss->exact = read_counts(loss, &sum);
	/* another program may have cleared the buffers, which resets the counts */
	if (loss->exact && sum > loss->before + loss->counted)
		loss->counted = sum - loss->before;
}

uint64_t live_loss_count_events(const struct live_loss *loss)
{
	uint64_t reported = loss->reported + loss->unknown;

	return loss->counted > reported ? loss->counted : reported;
}

void live_loss_report(const struct live_loss *loss)
{
	uint64_t events = live_loss_count_events(loss);
	char places[64] = "";

	if (!events)
		return;
	if (loss->places)
		snprintf(places, sizeof(places), " at %" PRIu64 " place%s", loss->places,
			 text_plural(loss->places));
	message_warning(
		"ring buffer: %s%" PRIu64 " event%s lost%s, so the counts are too low\n%s",
		loss->exact ? "" : "at least ", events, events == 1 ? " was" : "s were", places,
		loss->set->plan->query.functions && loss->set->plan->engine == PLAN_ENGINE_AUTO
			? "use --function or --function-latency with --engine kernel, which counts "
			  "each call"
			: "");
}
