/* SPDX-License-Identifier: GPL-2.0 */
/*
 * traced_event_raw.h - read the histograms of an event from hist_raw, if the kernel has it
 *
 * The text file `hist` stays open too: names of symbols and system calls are read from it
 * (lib/histfile/hist_raw.h). The caller alternates traced_event_fetch() and traced_event_take(), and starts
 * again with traced_event_fetch() after -EAGAIN.
 */
#ifndef TRACECMD_TRIGGER_TRACED_EVENT_RAW_H
#define TRACECMD_TRIGGER_TRACED_EVENT_RAW_H

#include "tracecmd/trigger/traced_event.h"

/*
 * traced_event_raw_check - check that the histograms can be read as @how says
 * Call it before triggers are set; the event may not exist yet. 0; -EOPNOTSUPP after a message
 * if @how is PLAN_READ_RAW and hist_raw cannot be used; -ENOMEM.
 */
int traced_event_raw_check(const struct traced_event *s, struct hist_target *t, enum plan_read how);

/*
 * traced_event_raw_open - open hist_raw, or choose the text
 * @dir: directory of the event, "instances/x/events/sched/sched_switch".
 * The histograms of @s must be known. 0: hist_raw or the text will be read; -errno after a
 * message: no memory, or @how is PLAN_READ_RAW and hist_raw cannot be used.
 */
int traced_event_raw_open(struct traced_event *s, struct hist_target *t, const char *dir,
			  enum plan_read how);

/* Close hist_raw and read the text from now on. Does nothing if hist_raw is not open. */
void traced_event_raw_close(struct traced_event *s, struct hist_target *t);

/*
 * Read hist_raw, or the text if it is due. A read of the text that fails with -ENODEV is repeated
 * from the start: a kernel with the patches of kernel-patches/ returns -ENODEV if a trigger with
 * actions is removed or cleared during the read. 0, or -errno without a message.
 */
int traced_event_fetch(struct traced_event *s, struct hist_target *t, struct target_buf *buf);

/*
 * traced_event_take - parse the result of traced_event_fetch() into the snapshots of the histograms
 * Returns like traced_event_parse(), or -EAGAIN without a message: the caller must fetch the text
 * with traced_event_fetch() and call traced_event_take() again.
 */
int traced_event_take(struct traced_event *s, struct hist_target *t, const struct target_buf *buf);

#endif
