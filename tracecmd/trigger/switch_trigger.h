/* SPDX-License-Identifier: GPL-2.0 */
/*
 * switch_trigger.h - the enable_hist and disable_hist triggers of an event
 *
 * They count nothing themselves: they continue and pause the histograms of
 * another event of the same instance.  Functions return 0 or -errno after a
 * message on stderr.
 */
#ifndef TRACECMD_TRIGGER_SWITCH_TRIGGER_H
#define TRACECMD_TRIGGER_SWITCH_TRIGGER_H

#include "tracecmd/trigger/traced_event.h"

/* Parses one; nothing is written. */
int source_add_switch(struct source *s, const char *text);

/* Sets them, after all histograms; each noted in @undo.  After source_attach(). */
int source_attach_switches(struct source *s, struct hist_target *t, struct undo *undo);

/*
 * Removes them, before the histograms are paused at the end: an enable_hist
 * would continue them again.  What cannot be removed is left to the undo log.
 */
void source_detach_switches(const struct source *s, struct hist_target *t);

void source_clear_switches(struct source *s);

#endif
