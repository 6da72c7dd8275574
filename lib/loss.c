// SPDX-License-Identifier: LGPL-2.1
/*
 * loss.c - what is missing in the numbers of a histogram, as sentences
 */
#include <inttypes.h>
#include <stdio.h>

#include <tracehist/loss.h>

static const char *plural(uint64_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

bool hist_loss_words(const struct hist_loss *loss, unsigned int i, char *buf, size_t len)
{
	if (loss->dropped && !i--) {
		snprintf(buf, len, "%" PRIu64 " %s dropped and in no row: the table was full, "
				   "record with a larger size=",
			 loss->dropped, plural(loss->dropped, "hit was", "hits were"));
		return true;
	}
	if (loss->events_lost && !i--) {
		snprintf(buf, len, "%" PRIu64 " %s lost, or more, before they could be counted: the "
				   "numbers may be too low",
			 loss->events_lost, plural(loss->events_lost, "event was", "events were"));
		return true;
	}
	if (loss->probe_misses && !i--) {
		snprintf(buf, len, "the probe missed %" PRIu64 " %s, which %s in no row",
			 loss->probe_misses, plural(loss->probe_misses, "hit", "hits"),
			 plural(loss->probe_misses, "is", "are"));
		return true;
	}
	if (loss->stopped && !i--) {
		snprintf(buf, len, HIST_STOPPED_WORDS);
		return true;
	}
	if (loss->resets && !i--) {
		snprintf(buf, len, "the histogram was cleared during the recording: the total is "
				   "what was counted since then");
		return true;
	}
	if (loss->missed && !i--) {
		snprintf(buf, len, "%" PRIu64 " %s due and not taken", loss->missed,
			 plural(loss->missed, "snapshot was", "snapshots were"));
		return true;
	}
	if (loss->lost && !i--) {
		snprintf(buf, len, "%" PRIu64 " %s not in the file, or damaged", loss->lost,
			 plural(loss->lost, "snapshot is", "snapshots are"));
		return true;
	}
	if (loss->ambiguous && !i--) {
		snprintf(buf, len, "names in the kernel's text could be read in more than one way: "
				   "some rows may be wrong");
		return true;
	}
	if (loss->misses_unknown && !i--) {
		snprintf(buf, len, HIST_MISSES_UNKNOWN_WORDS);
		return true;
	}
	return false;
}
