// SPDX-License-Identifier: LGPL-2.1
/*
 * synth_fire.c - generate the synthetic events of trace() actions
 *
 * A field takes 8 bytes, or 256 if it is a string of fixed length.  Dynamic strings and stacks are
 * stored after all fields, and their fields have offset and length.  Byte order is that of the
 * host, and addresses have 64 bits.  A synthetic event has the time, CPU and task of its source
 * event.
 *
 * Source: trace_event_raw_event_synth() in kernel/trace/trace_events_synth.c.
 */
#include <stdlib.h>

#include "lib/engine/run.h"

static void synth_fire_put_bytes(unsigned char *record, const struct hist_event_field *field,
				 uint64_t value, uint32_t *end)
{
	unsigned char *to = record + field->offset;
	const void *from = (const void *)(uintptr_t)value;
	const uint64_t *stack;
	uint32_t len, loc;

	if (hist_field_is_stack(field)) {
		/*
		 * trace_stack() copies the words up to the first 0; the first one is their number
		 */
		stack = from;
		for (len = 0; len < ENGINE_STACK_DEPTH * 8 && stack[len / 8]; len += 8)
			;
	} else {
		len = strlen(from) + 1;
	}
	if (!field->is_dynamic) {
		memcpy(to, from, len);
		return;
	}
	memcpy(record + *end, from, len);
	loc = len << 16 | *end;
	memcpy(to, &loc, sizeof(loc));
	*end += len;
}

int synth_fire_event(struct hist_run *run, const struct engine_action *action,
		     const struct hit *hit,
		     const uint64_t *refs)
{
	const struct engine_event *on = action->synth;
	struct hist_strbuf *b = &run->records[run->nesting - 1];
	uint32_t end = on->record_size;
	size_t room = end + (size_t)on->nfields * ENGINE_STRING_BYTES;
	struct hit fired = { .cpu = hit->cpu, .time = hit->time, .machine = hit->machine };
	const struct hist_event_field *field;
	unsigned char *record;
	unsigned int i;
	uint64_t n;

	if (!on->ntriggers)
		return 0;
	b->len = 0;
	if (!hist_strbuf_reserve(b, room))
		return b->error;
	record = (unsigned char *)b->data;
	/* strings and stacks fill what follows */
	memset(record, 0, end);
	synth_put_common(record, hit);
	for (i = 0; i < on->nfields; i++) {
		field = hist_event_field(on->own, i);
		if (synth_has_bytes(field)) {
			synth_fire_put_bytes(record, field, refs[action->params[i]], &end);
			continue;
		}
		n = synth_number(refs[action->params[i]], field->size);
		memcpy(record + field->offset, &n, sizeof(n));
	}
	fired.data = (const unsigned char *)b->data;
	fired.len = end;
	return trigger_hit_event(run, on, &fired);
}
