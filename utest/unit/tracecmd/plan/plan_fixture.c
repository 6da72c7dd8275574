// SPDX-License-Identifier: GPL-2.0
/*
 * plan_fixture.c - see plan_fixture.h
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utest/unit/lib/event/format_file.h"
#include "utest/unit/tracecmd/plan/plan_fixture.h"

void plan_events_put(struct fake_target *fake)
{
	static const char *const events[] = { "sched/sched_switch", "raw_syscalls/sys_enter",
					      "raw_syscalls/sys_exit", "kmem/kmalloc",
					      "sched/sched_process_exec" };
	char path[128], available[512] = "", *text;
	size_t i, len;

	for (i = 0; i < sizeof(events) / sizeof(*events); i++) {
		snprintf(path, sizeof(path), "events/%s/format", events[i]);
		text = format_text(strchr(events[i], '/') + 1, &len);
		if (fake_target_put(fake, path, text))
			abort();
		free(text);
		strcat(strcat(available, events[i]), "\n");
		*strrchr(available, '/') = ':';
	}
	if (fake_target_put(fake, "available_events", available))
		abort();
}

void plan_lines(const struct plan *plan, char *buf, size_t len)
{
	size_t n = 0;
	unsigned int i, h;

	buf[0] = '\0';
	for (i = 0; i < plan->query.ndynevents; i++)
		n += snprintf(buf + n, len - n, "%s\n", plan->query.dynevents[i].definition);
	for (i = 0; i < plan->query.nevents; i++) {
		const struct query_event *e = &plan->query.events[i];

		for (h = 0; h < e->nhists; h++) {
			const struct query_hist *x = &e->hists[h];

			n += snprintf(buf + n, len - n, "%s%s %s", x->hidden ? "-" : "", e->name,
				      x->raw ? x->raw : x->keys);
			if (x->values)
				n += snprintf(buf + n, len - n, " v=%s", x->values);
			if (x->sort)
				n += snprintf(buf + n, len - n, " s=%s", x->sort);
			if (x->filter)
				n += snprintf(buf + n, len - n, " f=%s", x->filter);
			if (x->more)
				n += snprintf(buf + n, len - n, " m=%s", x->more);
			n += snprintf(buf + n, len - n, " [%s]\n", e->title ? e->title : "");
		}
	}
}
