// SPDX-License-Identifier: GPL-2.0
/*
 * capture_report.c - print how many episodes there were, and what is missing
 */
#include <inttypes.h>
#include <stdio.h>

#include "lib/base/text.h"
#include "tracecmd/base/message.h"
#include "tracecmd/record/capture.h"

/* A threshold is a latency or a filter. */
static const char *source_noun(const struct capture_source *s, uint64_t n)
{
	if (!s->field)
		return n == 1 ? "match of the filter" : "matches of the filter";
	return n == 1 ? "latency that reached the threshold" :
			"latencies that reached the threshold";
}

static void report_source(const struct capture_source *s)
{
	char worst[48] = "";

	if (s->field)
		snprintf(worst, sizeof(worst), "; worst: %" PRIu64 " us",
			 s->missed_largest * s->unit_ns / 1000);
	if (s->missed)
		message_warning("%s: %" PRIu64 " %s %s not captured, because record was saving "
				"another episode%s", s->event->title, s->missed,
				source_noun(s, s->missed), s->missed == 1 ? "was" : "were", worst);
	if (s->cut)
		message_warning("%s: the ring buffer was too small for the events of %" PRIu64
				" %s: the first events are lost\nuse a larger ring buffer "
				"with -b", s->event->title, s->cut, source_noun(s, s->cut));
	if (s->unsaved)
		message_warning("%s: captured events could not be saved, so nothing was captured "
				"afterwards", s->event->title);
}

void capture_report(const struct capture *c)
{
	unsigned int i;

	for (i = 0; c->plan && i < c->nsources; i++) {
		const struct capture_source *s = &c->sources[i];

		if (!c->plan->quiet && c->keeps && s->seen)
			message_note("%s: %" PRIu64 " %s, %" PRIu64 " captured",
				     s->event->title, s->seen, source_noun(s, s->seen),
				     s->completed + s->nkept);
		report_source(s);
	}
	if (c->plan && c->lost)
		message_warning("--threshold: at least %" PRIu64
				" event%s that reached the threshold "
				"%s not counted, because they followed each other too quickly\n"
				"raise the threshold",
				c->lost, text_plural(c->lost), c->lost == 1 ? "was" : "were");
}
