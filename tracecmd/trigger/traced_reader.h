/* SPDX-License-Identifier: GPL-2.0 */
/*
 * traced_reader.h - read the histograms of an attached event: from hist_raw, or from the text
 *
 * The text file `hist` stays open too if hist_raw is read: names of symbols and system calls are
 * read from it (lib/histfile/hist_raw.h). The caller alternates traced_reader_fetch() and
 * traced_reader_take(), and starts again with traced_reader_fetch() after -EAGAIN.
 */
#ifndef TRACECMD_TRIGGER_TRACED_EVENT_RAW_H
#define TRACECMD_TRIGGER_TRACED_EVENT_RAW_H

#include "tracecmd/trigger/traced_event.h"

/*
 * traced_reader_open - open the hist file in the directory of @s
 * The reader belongs to @s, whose functions below use it. -errno of the target, without a message.
 */
int traced_reader_open(struct traced_event *s, struct hist_target *t);
/* Does nothing if no file is open. */
void traced_reader_close(struct traced_event *s, struct hist_target *t);

/* Read the text of the hist file. 0, or -errno without a message. */
int traced_reader_read_text(const struct traced_event *s, struct hist_target *t,
			    struct target_buf *text);

/*
 * traced_reader_check_raw - check that the histograms can be read as @how says
 * Call it before triggers are set; the event may not exist yet. 0; -EOPNOTSUPP after a message
 * if @how is PLAN_READ_RAW and hist_raw cannot be used; -ENOMEM.
 */
int traced_reader_check_raw(const struct traced_event *s, struct hist_target *t,
			    enum plan_read how);

/*
 * traced_reader_open_raw - open hist_raw, or choose the text
 * @dir: directory of the event, "instances/x/events/sched/sched_switch".
 * The histograms of @s must be known. 0: hist_raw or the text will be read; -errno after a
 * message: no memory, or @how is PLAN_READ_RAW and hist_raw cannot be used.
 */
int traced_reader_open_raw(struct traced_event *s, struct hist_target *t, const char *dir,
			  enum plan_read how);

/* Close hist_raw and read the text from now on. Does nothing if hist_raw is not open. */
void traced_reader_close_raw(struct traced_event *s, struct hist_target *t);

/*
 * Read hist_raw, or the text if it is due. A read of the text that fails with -ENODEV is repeated
 * from the start: a kernel with the patches of kernel-patches/ returns -ENODEV if a trigger with
 * actions is removed or cleared during the read. 0, or -errno without a message.
 */
int traced_reader_fetch(struct traced_event *s, struct hist_target *t, struct target_buf *buf);

/*
 * traced_reader_take - parse the result of traced_reader_fetch() into the snapshots of the
 * histograms Returns like traced_event_parse(), or -EAGAIN without a message: the caller must fetch
 * the text with traced_reader_fetch() and call traced_reader_take() again.
 */
int traced_reader_take(struct traced_event *s, struct hist_target *t, const struct target_buf *buf);

#endif
