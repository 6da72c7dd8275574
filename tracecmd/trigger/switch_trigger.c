// SPDX-License-Identifier: GPL-2.0
/*
 * switch_trigger.c - enable_hist and disable_hist triggers of an event
 *
 * The kernel looks up the other event when the trigger is written (event_enable_trigger_parse() in
 * trace_events_trigger.c), but looks up its histograms at each hit. Switch triggers are set after
 * all histograms, so that none of them acts on only a part of the histograms.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "tracecmd/base/message.h"
#include "tracecmd/target/target_path.h"
#include "tracecmd/trigger/switch_trigger.h"

int switch_trigger_add(struct traced_event *s, const char *text)
{
	struct hist_error error = { 0 };
	int ret;

	if (array_add(&s->switches, s->nswitches, sizeof(*s->switches)))
		return message_error_memory();
	ret = hist_switch_parse(&s->switches[s->nswitches], text, &error);
	if (ret)
		return message_report_expression(ret, text, &error);
	s->nswitches++;
	return 0;
}

int switch_trigger_attach(struct traced_event *s, struct hist_target *t, struct undo *undo)
{
	int ret = 0, refused;
	unsigned int i;

	for (i = 0; i < s->nswitches && !ret; i++) {
		const char *text = s->switches[i]->text;

		ret = traced_event_write_trigger(s, t, undo, text, &refused);
		if (refused == -EEXIST)
			message_error("%s: a trigger of another program already enables or "
				      "disables this event\n"
				      "leave out -B to use a private instance", text);
		else if (refused)
			message_error("%s: the kernel rejects \"%s\": %s", s->title, text,
				       strerror(-refused));
	}
	return ret;
}

void switch_trigger_detach(const struct traced_event *s, struct hist_target *t)
{
	unsigned int i;
	char *text;

	for (i = 0; i < s->nswitches; i++) {
		if (asprintf(&text, "!%s", s->switches[i]->text) < 0)
			break;
		target_writef(t, text, true, "%s/trigger", s->dir);
		free(text);
	}
}

void switch_trigger_clear(struct traced_event *s)
{
	unsigned int i;

	for (i = 0; i < s->nswitches; i++)
		hist_switch_free(s->switches[i]);
	free(s->switches);
}
