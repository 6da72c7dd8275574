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

/* The lowest @size bytes of @n, in the byte order of the host. */
static void synth_fire_put_number(unsigned char *to, uint64_t n, unsigned int size)
{
	bool big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	memcpy(to, (const char *)&n + (big_endian ? sizeof(n) - size : 0), size);
}

static void synth_fire_put_field(unsigned char *record, const struct hist_event_field *field,
				 uint64_t value,
				 uint32_t *end)
{
	unsigned char *to = record + field->offset;
	const void *from = (const void *)(uintptr_t)value;
	const uint64_t *stack;
	uint32_t len, loc;

	if (field->type == HIST_FIELD_STACK) {
		/* trace_stack() copies the words up to the first 0; the first one is their number */
		stack = from;
		for (len = 0; len < ENGINE_STACK_DEPTH * 8 && stack[len / 8]; len += 8)
			;
	} else if (field->type == HIST_FIELD_STRING) {
		len = strlen(from) + 1;
	} else {
		synth_fire_put_number(to, value, field->size);
		return;
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

/* Copy common_flags to common_pid from the source event. */
static void put_common(unsigned char *record, const struct hit *hit)
{
	uint32_t pid = load_u32(hit->data + 4, hit->swap);

	memcpy(record + 2, hit->data + 2, 2);
	memcpy(record + 4, &pid, sizeof(pid));
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
	unsigned int i;

	if (!on->ntriggers)
		return 0;
	b->len = 0;
	if (!hist_strbuf_reserve(b, room))
		return b->error;
	/* strings and stacks fill what follows */
	memset(b->data, 0, end);
	put_common((unsigned char *)b->data, hit);
	for (i = 0; i < on->nfields; i++)
		synth_fire_put_field((unsigned char *)b->data, hist_event_field(on->own, i),
				     refs[action->params[i]], &end);
	fired.data = (const unsigned char *)b->data;
	fired.len = end;
	return trigger_hit_event(run, on, &fired);
}
