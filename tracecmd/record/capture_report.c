// SPDX-License-Identifier: GPL-2.0
/*
 * capture_report.c - print how many episodes there were, and what is missing
 */
#include <inttypes.h>
#include <stdio.h>

#include "tracecmd/base/message.h"
#include "tracecmd/record/capture.h"

static void report_source(const struct capture_source *s)
{
	char worst[48] = "";

	if (s->field)
		snprintf(worst, sizeof(worst), "; the worst of them: %" PRIu64 " us",
			 s->missed_worst * s->unit_ns / 1000);
	if (s->missed)
		message_warning("%s: %" PRIu64 " latenc%s above the threshold occurred while "
				"another was being captured, and %s not captured%s", s->event->title, s->missed,
				s->missed == 1 ? "y" : "ies",
				s->missed == 1 ? "was" : "were", worst);
	if (s->cut)
		message_warning("%s: the ring buffer was too small for the events of %" PRIu64
				" latenc%s: their first part is lost\nuse a larger ring buffer "
				"with -b", s->event->title, s->cut, s->cut == 1 ? "y" : "ies");
	if (s->unsaved)
		message_warning("%s: a captured latency could not be saved, so later latencies "
				"were not captured", s->event->title);
}

void capture_report(const struct capture *c)
{
	unsigned int i;

	for (i = 0; c->plan && i < c->nsources; i++) {
		const struct capture_source *s = &c->sources[i];

		if (!c->plan->quiet && c->keeps && s->seen)
			message_note("%s: %" PRIu64 " latenc%s above the threshold, %" PRIu64 " captured",
				     s->event->title, s->seen, s->seen == 1 ? "y" : "ies",
				     s->completed + s->nkept);
		report_source(s);
	}
	if (c->plan && c->lost)
		message_warning("--threshold: at least %" PRIu64 " latencies above the threshold "
				"were not counted, because they followed each other too quickly\n"
				"raise the threshold", c->lost);
}
