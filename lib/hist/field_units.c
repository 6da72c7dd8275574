// SPDX-License-Identifier: LGPL-2.1
/*
 * field_units.c - the units of fields whose names do not contain them
 *
 * Sources: the print formats in include/trace/events/sched.h and osnoise.h, and time_to_us() in
 * kernel/trace/trace_osnoise.c and trace_hwlat.c.
 */
#include <string.h>

#include "lib/hist/field_units.h"

static const struct {
	const char *system, *event, *field, *unit;
	bool is_elapsed; /* see field_units_is_elapsed() */
} known[] = {
	{ "sched", "sched_stat_runtime", "runtime", FIELD_UNIT_NS, true },
	{ "sched", "sched_stat_runtime", "vruntime", FIELD_UNIT_NS, false },
	{ "sched", "sched_stat_wait", "delay", FIELD_UNIT_NS, true },
	{ "sched", "sched_stat_sleep", "delay", FIELD_UNIT_NS, true },
	{ "sched", "sched_stat_iowait", "delay", FIELD_UNIT_NS, true },
	{ "sched", "sched_stat_blocked", "delay", FIELD_UNIT_NS, true },
	{ "osnoise", "nmi_noise", "duration", FIELD_UNIT_NS, true },
	{ "osnoise", "irq_noise", "duration", FIELD_UNIT_NS, true },
	{ "osnoise", "softirq_noise", "duration", FIELD_UNIT_NS, true },
	{ "osnoise", "thread_noise", "duration", FIELD_UNIT_NS, true },
	{ "osnoise", "sample_threshold", "duration", FIELD_UNIT_NS, true },
	/* sums and maxima of a whole period */
	{ "ftrace", "osnoise", "noise", FIELD_UNIT_US, false },
	{ "ftrace", "osnoise", "runtime", FIELD_UNIT_US, false },
	{ "ftrace", "osnoise", "max_sample", FIELD_UNIT_US, false },
	{ "ftrace", "timerlat", "timer_latency", FIELD_UNIT_NS, true },
	/* the longest gap of a window, at the end of which the entry is written */
	{ "ftrace", "hwlat", "duration", FIELD_UNIT_US, false },
	{ "ftrace", "hwlat", "outer_duration", FIELD_UNIT_US, false },
};

/* The number of the row of a field, or -1. */
static int field_units_find_row(const char *system, const char *event, const char *field)
{
	unsigned int i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(known[i].event, event) && !strcmp(known[i].field, field) &&
		    !strcmp(known[i].system, system))
			return i;
	return -1;
}

const char *field_units_find(const char *system, const char *event, const char *field)
{
	int row = field_units_find_row(system, event, field);

	return row < 0 ? NULL : known[row].unit;
}

bool field_units_is_elapsed(const char *system, const char *event, const char *field)
{
	int row = field_units_find_row(system, event, field);

	return row >= 0 && known[row].is_elapsed;
}

void field_units_set(struct hist_schema *schema, const char *system, const char *event)
{
	unsigned int i;

	for (i = 0; i < schema->nkeys; i++)
		if (!schema->keys[i].unit)
			schema->keys[i].unit =
				field_units_find(system, event, schema->keys[i].name);
	for (i = 0; i < schema->nvalues; i++)
		if (!schema->values[i].unit)
			schema->values[i].unit = field_units_find(system, event,
								  schema->values[i].name);
}

void field_units_set_named(struct hist_schema *schema, const char *event)
{
	const char *colon = strchr(event, ':');
	char system[64];

	if (!colon || (size_t)(colon - event) >= sizeof(system))
		return;
	memcpy(system, event, colon - event);
	system[colon - event] = '\0';
	field_units_set(schema, system, colon + 1);
}
