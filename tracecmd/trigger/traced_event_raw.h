/* SPDX-License-Identifier: GPL-2.0 */
/*
 * traced_event_raw.h - the histograms of a source by hist_raw, where the kernel has it
 *
 * The text stays open beside it: names of symbols and system calls are learnt
 * from there (lib/histfile/hist_raw.h).  Who reads a source alternates source_fetch()
 * and source_take(), and begins again on -EAGAIN.
 */
#ifndef TRACECMD_TRIGGER_TRACED_EVENT_RAW_H
#define TRACECMD_TRIGGER_TRACED_EVENT_RAW_H

#include "tracecmd/trigger/traced_event.h"

/*
 * source_raw_look - that its histograms can be read as the user wants it
 * Nothing is set yet, and the event may not be there yet.  0, or -EOPNOTSUPP after a
 * message where PLAN_READ_RAW cannot be; -ENOMEM.
 */
int source_raw_look(const struct source *s, struct hist_target *t, enum plan_read how);

/*
 * source_raw_open - how the source will be read
 * @dir: of its event, "instances/x/events/sched/sched_switch".  Its histograms
 * are known.  0: by hist_raw or by the text; -errno after a message, where
 * PLAN_READ_RAW cannot be.
 */
int source_raw_open(struct source *s, struct hist_target *t, const char *dir, enum plan_read how);

/* By the text from now on.  Nothing is fine. */
void source_raw_close(struct source *s, struct hist_target *t);

/*
 * Reads the file that it is turn of; the text from its start again where that ends with
 * -ENODEV, as a kernel with our patches has it when a trigger with actions is removed or
 * cleared meanwhile.  -errno without a message.
 */
int source_fetch(struct source *s, struct hist_target *t, struct target_buf *buf);

/*
 * source_take - what was fetched into the snapshots of the histograms
 * As source_parse(); -EAGAIN without a message: fetch again, which is the text
 * then, and take that.
 */
int source_take(struct source *s, struct hist_target *t, const struct target_buf *buf);

#endif
