// SPDX-License-Identifier: LGPL-2.1
/*
 * replay_recording.c - connect a recording to an engine, and write the snapshots of a replay
 *
 * The order of events determines which keys a full map drops, so a replay may start again in
 * order.  It then adds the same keys to the same tables, up to the last snapshot in the series.
 *
 * Invariant: snapshot N of the series contains the events before its time, even if the replay
 * started again; times ascend.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/hist/key_names.h"
#include "lib/label/label.h"
#include "lib/replay/replay_recording.h"

static int replay_find_symbol(void *events, uint64_t address, struct hist_symbol *symbol)
{
	return hist_events_symbol(events, address, symbol);
}

static const char *replay_find_comm(void *events, uint32_t pid)
{
	return hist_events_comm(events, pid);
}

/* hist_engine_machine.synthetic_id */
static int replay_get_synthetic_id(void *data, unsigned int wanted)
{
	const struct hist_events *events = data;
	const char *system, *text, *id;
	char number[16];
	unsigned int i;
	size_t len;

	for (i = 0; hist_events_format_at(events, i, &system, &text, &len); i++) {
		id = strcmp(system, "synthetic") ? NULL
						 : memmem(text, len, "\nID:", strlen("\nID:"));
		if (!id || wanted--)
			continue;
		/* the format has no NUL at its end */
		id += strlen("\nID:");
		len -= id - text;
		snprintf(number, sizeof(number), "%.*s",
			 (int)(len < sizeof(number) ? len : sizeof(number)), id);
		return (uint16_t)strtoul(number, NULL, 10);
	}
	return -1;
}

void hist_replay_fill_machine(struct hist_engine_machine *machine, struct hist_events *events,
			      unsigned int buffer)
{
	const struct hist_events_machine *recorded = hist_events_machine(events);

	*machine = (struct hist_engine_machine){
		.layout = recorded->layout,
		.cpus = recorded->cpus,
		.clock_is_ns = hist_clock_is_ns(hist_events_buffer(events, buffer)->clock),
		.uname = recorded->uname,
		.symbol = replay_find_symbol,
		.comm = replay_find_comm,
		.synthetic_id = replay_get_synthetic_id,
		.data = events,
	};
	/* a file without this format has no stacks of the kernel */
	hist_events_format(events, "ftrace", "kernel_stack", &machine->stack_format,
			   &machine->stack_format_len);
}

static int replay_add_names(struct hist_machine_names *names, const struct hist_key_desc *key)
{
	bool is_whole = hist_key_names_flags(key->names) & HIST_NAMES_WHOLE;
	const char *name;
	uint64_t num;
	uint32_t i;
	size_t len;
	int ret = 0;

	for (i = 0; !ret && i < hist_key_names_count(key->names); i++) {
		name = hist_key_names_at(key->names, i, &num, &len);
		if (key->kind == HIST_KEY_SYSCALL) {
			/* the last name of the number */
			name = hist_key_names_find(key->names, num, &len);
			ret = hist_machine_names_add(names, HIST_MACHINE_CALL, num, name, len);
		} else if (is_whole && memchr(name, ':', len))
			ret = hist_machine_names_add(names, HIST_MACHINE_DISK, num, name, len);
		else if (!strcmp(key->name, "irq"))
			ret = hist_machine_names_add(names, HIST_MACHINE_INTERRUPT, num, name, len);
	}
	return ret;
}

int hist_replay_read_names(struct hist_machine_names *names, const char *path)
{
	const struct hist_schema *schema;
	struct hist_series *series;
	unsigned int h, k;
	int ret;

	ret = hist_series_open(&series, path, NULL);
	if (ret)
		return ret == -ENOMEM ? ret : 0;
	for (h = 0; h < hist_series_count(series); h++) {
		schema = hist_series_info(series, h)->def.schema;
		for (k = 0; !ret && k < schema->nkeys; k++)
			ret = replay_add_names(names, &schema->keys[k]);
	}
	hist_series_free(series);
	return ret;
}

int hist_replay_define(struct hist_replay_recording *r, const struct hist_replay_hist *hist)
{
	const struct hist_events_machine *machine = hist_events_machine(r->events);
	const struct hist_events_buffer *buffer = hist_events_buffer(r->events, r->buffer);
	const struct hist_definition def = {
		.event = hist->event,
		.trigger = hist->trigger,
		.engine = "replay",
		.clock = buffer->clock,
		.instance = buffer->name,
		.uname = machine->uname ? machine->uname : "",
		.host = machine->host ? machine->host : "",
	};
	struct hist_replay_hist *p;
	int number;

	p = reallocarray(r->hists, r->nhists + 1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	r->hists = p;
	number = hist_series_define(r->series, &def, hist->table);
	if (number < 0)
		return number;
	p[r->nhists] = *hist;
	p[r->nhists++].number = number;
	return 0;
}

static int replay_count_hists(struct hist_replay_recording *r, const struct hist_replay_moment *m)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < r->nhists; i++)
		ret = hist_engine_snapshot(m->runs, m->nruns, r->hists[i].counter,
					   r->hists[i].table,
					   r->hists[i].snap);
	return ret ? ret : hist_events_names_error(r->events);
}

static bool replay_wants_stack(const struct hist_schema *schema)
{
	unsigned int k = 0;

	while (k < schema->nkeys && schema->keys[k].kind != HIST_KEY_STACK)
		k++;
	return k < schema->nkeys;
}

/* Set what the rows lack so far; at the end, also the events that did not occur. */
static int replay_set_losses(const struct hist_replay_hist *h, const struct hist_replay_moment *m)
{
	uint64_t *losses = h->snap->losses;
	struct hist_run_counts counts, sum = { 0 };
	unsigned int i, absent = 0;
	int ret = 0;

	for (i = 0; i < m->nruns; i++) {
		hist_run_get_counts(m->runs[i], &counts);
		sum.damaged += counts.damaged;
		sum.no_stack += counts.no_stack;
	}
	losses[HIST_LOSS_MISSING_PAGES] = m->damage.missing_pages;
	losses[HIST_LOSS_MISSING_BYTES] = m->damage.missing_bytes;
	losses[HIST_LOSS_DAMAGED_PAGES] = m->damage.damaged_pages;
	losses[HIST_LOSS_DAMAGED_EVENTS] = sum.damaged;
	if (replay_wants_stack(hist_table_schema(h->table)))
		losses[HIST_LOSS_NO_STACK] = sum.no_stack;
	if (m->at_end)
		ret = hist_engine_count_absent(m->runs, m->nruns, h->counter, &absent);
	losses[HIST_LOSS_ABSENT_EVENTS] = absent;
	return ret;
}

int hist_replay_record(struct hist_replay_recording *r, const struct hist_replay_moment *m)
{
	unsigned int i;
	int ret;

	if (m->again)
		r->position = 0;
	ret = replay_count_hists(r, m);
	if (ret || r->position++ < r->written)
		return ret;
	for (i = 0; !ret && i < r->nhists; i++) {
		struct hist_snapshot *snap = r->hists[i].snap;

		/* the last event may come before the end of the last interval */
		if (snap->time < m->time)
			snap->time = m->time;
		snap->seq = r->written;
		snap->wall = r->has_wall ? snap->time : 0;
		snap->events_lost = m->lost;
		/* the first snapshot is what others are subtracted from */
		if (r->written || m->at_end)
			ret = replay_set_losses(&r->hists[i], m);
		if (!ret)
			ret = hist_series_add(r->series, r->hists[i].number, snap);
	}
	r->written++;
	return ret;
}

void hist_replay_clear(struct hist_replay_recording *r)
{
	free(r->hists);
	r->hists = NULL;
	r->nhists = 0;
}
