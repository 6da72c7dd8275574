/* SPDX-License-Identifier: GPL-2.0 */
/*
 * switch_trigger.h - enable_hist and disable_hist triggers of an event
 *
 * These triggers do not count. They continue or pause the histograms of another event of the same
 * instance.
 *
 * Functions return 0, or -errno after printing a message to stderr.
 */
#ifndef TRACECMD_TRIGGER_SWITCH_TRIGGER_H
#define TRACECMD_TRIGGER_SWITCH_TRIGGER_H

#include "tracecmd/trigger/traced_event.h"

/* Parse one trigger and add it to @s. Writes nothing. */
int switch_trigger_add(struct traced_event *s, const char *text);

/*
 * Set the triggers, each after an entry in @undo. Call it after traced_event_attach() of all
 * sources, because the histograms must exist.
 */
int switch_trigger_attach(struct traced_event *s, struct hist_target *t, struct undo *undo);

/*
 * Remove the triggers. Call it before the histograms are paused at the end; otherwise an
 * enable_hist trigger could continue them. The undo log removes a trigger that is left.
 */
void switch_trigger_detach(const struct traced_event *s, struct hist_target *t);

void switch_trigger_clear(struct traced_event *s);

#endif
