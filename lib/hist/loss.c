// SPDX-License-Identifier: LGPL-2.1
/*
 * loss.c - the names and sentences of the kinds of losses
 */
#include <stddef.h>

#include "lib/hist/loss.h"

static const struct hist_loss_traits loss_kinds[HIST_LOSS_KINDS] = {
	[HIST_LOSS_OTHER] = { "other", "losses that only a newer program knows",
			      "loss is recorded that only a newer program can name",
			      "losses are recorded that only a newer program can name", true,
			      false },
	[HIST_LOSS_UNMATCHED_STARTS] = { "unmatched_starts", "STARTs without END",
					 "START of the latency had no END: it is not counted",
					 "STARTs of the latency had no END: they are not counted",
					 false, true },
	[HIST_LOSS_UNMATCHED_ENDS] = { "unmatched_ends", "ENDs without START",
				       "END of the latency had no START: it is not counted",
				       "ENDs of the latency had no START: they are not counted",
				       false, true },
	[HIST_LOSS_USUAL_STARTS] = { "unmatched_starts", "STARTs without END", NULL, NULL, false,
				     true },
	[HIST_LOSS_USUAL_ENDS] = { "unmatched_ends", "ENDs without START", NULL, NULL, false,
				   true },
	/* the true one is about 0, so no limit depends on it */
	[HIST_LOSS_BELOW_ZERO] = { "below_zero", "latencies below zero or above 104 days",
				   "latency is not counted: it was below zero, because START and "
				   "END happened on two CPUs "
				   "at once, or above 104 days, because a time stamp was wrong",
				   "latencies are not counted: they were below zero, because START "
				   "and END happened on two "
				   "CPUs at once, or above 104 days, because a time stamp was "
				   "wrong",
				   false, false },
	[HIST_LOSS_COMPAT_CALLS] = { "compat_calls", "32-bit system calls",
				     "32-bit system call was made: the row with its number may "
				     "contain calls of both kinds",
				     "32-bit system calls were made: rows with their numbers may "
				     "contain calls of both kinds",
				     false, false },
	[HIST_LOSS_NATIVE_CALLS] = { "native_calls", "64-bit system calls",
				     "64-bit system call was made: the row with its number may "
				     "contain calls of both kinds",
				     "64-bit system calls were made: rows with their numbers may "
				     "contain calls of both kinds",
				     false, false },
	[HIST_LOSS_MISSING_PAGES] = { "missing_pages", "missing pages",
				      "page of events is missing in the recording: its events are "
				      "not counted",
				      "pages of events are missing in the recording: their events "
				      "are not counted",
				      true, false },
	[HIST_LOSS_MISSING_BYTES] = { "missing_bytes", "missing bytes of compressed events",
				      "byte of compressed events is missing in the recording: its "
				      "events are not counted",
				      "bytes of compressed events are missing in the recording: "
				      "their events are not counted",
				      true, false },
	[HIST_LOSS_DAMAGED_PAGES] = { "damaged_pages", "damaged pages",
				      "damaged page of events was skipped: its events are not "
				      "counted",
				      "damaged pages of events were skipped: their events are not "
				      "counted",
				      true, false },
	[HIST_LOSS_DAMAGED_EVENTS] = { "damaged_events", "damaged events",
				       "event shorter than the event format requires was skipped",
				       "events shorter than the event format requires were skipped",
				       true, false },
	[HIST_LOSS_NO_STACK] = { "no_stack", "hits without a recorded stack",
				 "hit without a recorded stack is not included in any row",
				 "hits without a recorded stack are not included in any row", true,
				 false },
	[HIST_LOSS_ABSENT_EVENTS] = { "absent_events", "events that do not occur in the recording",
				      "event that this histogram needs does not occur in the "
				      "recording",
				      "events that this histogram needs do not occur in the "
				      "recording",
				      false, true },
	[HIST_LOSS_SHORT_LOG2] = { "short_log2", "hits of .log2 of a 32-bit kernel",
				   "hit of .log2 was counted by a 32-bit kernel: a number above "
				   "4294967295 is in a lower "
				   "bucket",
				   "hits of .log2 were counted by a 32-bit kernel: numbers above "
				   "4294967295 are in lower "
				   "buckets",
				   false, false },
	[HIST_LOSS_CUT_KEYS] = { "cut_key_hits", "hits in rows of strings that may be cut",
				 "hit is in a row whose string has the maximum length: the end of "
				 "the string may be "
				 "missing, and other strings may be in the same row",
				 "hits are in rows whose string has the maximum length: the end of "
				 "the string may be "
				 "missing, and other strings may be in the same row",
				 false, false },
};

const struct hist_loss_traits *hist_loss_traits(unsigned int kind)
{
	return &loss_kinds[kind < HIST_LOSS_KINDS ? kind : HIST_LOSS_OTHER];
}

void hist_loss_set_unmatched(uint64_t losses[HIST_LOSS_KINDS], uint64_t starts, uint64_t ends,
			     bool usual_starts, bool usual_ends)
{
	losses[HIST_LOSS_UNMATCHED_STARTS] = usual_starts ? 0 : starts;
	losses[HIST_LOSS_USUAL_STARTS] = usual_starts ? starts : 0;
	losses[HIST_LOSS_UNMATCHED_ENDS] = usual_ends ? 0 : ends;
	losses[HIST_LOSS_USUAL_ENDS] = usual_ends ? ends : 0;
}

uint64_t hist_loss_sum_hits(const uint64_t losses[HIST_LOSS_KINDS])
{
	uint64_t sum = 0;
	unsigned int k;

	for (k = 0; k < HIST_LOSS_KINDS; k++)
		sum += loss_kinds[k].hits ? losses[k] : 0;
	return sum;
}
