// SPDX-License-Identifier: GPL-2.0
/*
 * stacks.c - the kernel stacks of task switches and wake-ups, for --stacks
 *
 * A line of kallsyms for the symbol of each address is enough to find this symbol again.  An
 * address without a symbol gets a line that names the address, because readers would take the
 * symbol before it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/hash.h"
#include "lib/event/event.h"
#include "lib/ringbuf/ring_page.h"
#include "tracecmd/base/message.h"
#include "tracecmd/kernel/kernel_symbols.h"
#include "tracecmd/record/recorder_parts.h"
#include "tracecmd/record/stacks.h"
#include "tracecmd/target/target_path.h"

static const char trigger[] = "stacktrace";

static bool stacks_fit_one(const struct traced_event *event)
{
	return !strcmp(event->full_name, "sched:sched_switch") ||
	       !strcmp(event->full_name, "sched:sched_waking");
}

bool stacks_fit(const struct traced_event *events, unsigned int n)
{
	while (n && !stacks_fit_one(&events[n - 1]))
		n--;
	return n;
}

static void stacks_print(const struct traced_event *events, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (stacks_fit_one(&events[i]) && !traced_event_is_repeated(events, i))
			printf("%s %s\n", events[i].full_name, trigger);
	}
}

static int set_trigger(struct hist_target *t, const char *path, struct undo *undo)
{
	int ret = undo ? undo_note(undo, UNDO_NOTE_TRIGGER, path, trigger) : 0;

	if (ret)
		return message_error_errno(path, ret);
	ret = target_write_str(t, path, trigger, true);
	if (ret && undo)
		undo_cancel(undo);
	/* an event of the plan can occur twice, and another program can use the instance of -B */
	if (!ret || ret == -EEXIST)
		return 0;
	return message_refuse(ret, "--stacks: the kernel rejected the trigger \"%s\": %s\n"
			      "leave out --stacks", trigger, strerror(-ret));
}

int stacks_set(struct hist_target *t, const char *dir, const struct traced_event *events,
	       unsigned int n, struct undo *undo)
{
	char path[TARGET_PATH_MAX];
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < n; i++) {
		if (!stacks_fit_one(&events[i]))
			continue;
		snprintf(path, sizeof(path), "%s/events/%s/%s/trigger", dir, events[i].system,
			 events[i].name);
		ret = set_trigger(t, path, undo);
	}
	return ret;
}

/* --- symbols --- */

/* Find the event kernel_stack; without it, no symbols are collected. */
static int find_event(struct stacks *s, struct hist_target *t)
{
	const struct hist_event_field *caller;
	struct target_buf text = { 0 };
	struct hist_event *event = NULL;
	int ret = 0;

	if (!target_readf(t, &text, "events/ftrace/kernel_stack/format"))
		ret = hist_event_parse(&event, "ftrace", text.data, text.len);
	caller = event ? hist_event_find(event, "caller") : NULL;
	if (caller) {
		s->id = event->id;
		s->offset = caller->offset;
	}
	hist_event_free(event);
	free(text.data);
	return ret == -ENOMEM ? ret : 0;
}

int stacks_load(struct stacks *s, struct hist_target *t)
{
	int ret = find_event(s, t);

	if (!ret)
		ret = kernel_symbols_read(t, &s->symbols);
	if (ret)
		return message_error_memory();
	if (!s->symbols)
		message_note("--stacks: the symbols of the kernel are not available, so stacks "
			     "show addresses");
	return 0;
}

static int add_line(struct stacks *s, uint64_t address)
{
	struct hist_symbol symbol;
	char plain[24];

	if (hist_kallsyms_find(s->symbols, address, &symbol)) {
		snprintf(plain, sizeof(plain), "0x%" PRIx64, address);
		symbol = (struct hist_symbol){ .name = plain };
	}
	/* "NAME [MODULE]" has a tab in kallsyms */
	hist_strbuf_printf(&s->text, "%016" PRIx64 " t %.*s", address - symbol.offset,
			   (int)strcspn(symbol.name, " "), symbol.name);
	if (strchr(symbol.name, ' '))
		hist_strbuf_printf(&s->text, "\t%s", strchr(symbol.name, ' ') + 1);
	hist_strbuf_char(&s->text, '\n');
	return s->text.error;
}

static int add_address(struct stacks *s, uint64_t address)
{
	uint32_t hash = (uint32_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 32), i;

	for (i = hash & s->index.mask; s->index.slots && s->index.slots[i].number;
	     i = (i + 1) & s->index.mask) {
		if (s->index.slots[i].hash == hash &&
		    s->seen[s->index.slots[i].number - 1] == address)
			return 0;
	}
	if (array_add(&s->seen, s->nseen, sizeof(*s->seen)) || hash_index_reserve(&s->index, 1))
		return -ENOMEM;
	s->seen[s->nseen++] = address;
	hash_index_put(&s->index, (struct hash_slot){ s->nseen, hash });
	return add_line(s, address);
}

/* The addresses of the event @data; the rest of the array may be unused. */
static int add_stack(struct stacks *s, const struct hist_target *t, const unsigned char *data,
		     uint32_t len)
{
	uint64_t address;
	uint32_t at;
	int ret = 0;

	for (at = s->offset; !ret && at + t->long_size <= len; at += t->long_size) {
		address = t->long_size == 8 ? bytes_u64(t->big_endian, data + at)
					    : bytes_u32(t->big_endian, data + at);
		if (!address || address == UINT64_MAX)
			break;
		ret = add_address(s, address);
	}
	return ret;
}

int stacks_collect(struct stacks *s, const struct hist_target *t, const struct target_buf *pages)
{
	struct hist_ring_page_layout layout = hist_ring_page_layout(t->big_endian, t->long_size);
	const unsigned char *data;
	struct hist_ring_page page;
	uint32_t len;
	size_t at;
	int ret = 0;

	for (at = 0; !ret && s->symbols && s->id && at + t->page_size <= pages->len;
	     at += t->page_size) {
		if (hist_ring_page_begin(&page, &layout, pages->data + at, t->page_size))
			continue;
		while (!ret && hist_ring_page_next(&page, &data, &len)) {
			if (bytes_u16(t->big_endian, data) == s->id)
				ret = add_stack(s, t, data, len);
		}
	}
	if (!ret && s->text.len) {
		hist_strbuf_char(&s->text, '\0');
		ret = s->text.error;
		s->text.len -= !ret;
	}
	return ret;
}

void stacks_clear(struct stacks *s)
{
	hist_kallsyms_free(s->symbols);
	hist_strbuf_free(&s->text);
	free(s->seen);
	free(s->index.slots);
	*s = (struct stacks){ 0 };
}

/* --- the part of the recorder --- */

static int stacks_print_all(void *part, struct recorder_common *r)
{
	(void)part;
	if (!r->plan->stacks)
		return 0;
	stacks_print(r->session.sources, r->session.nsources);
	stacks_print(r->captured, r->ncaptured);
	return 0;
}

/* A capture of hist triggers has instances of its own, and sets the triggers there. */
static int stacks_start(void *part, struct recorder_common *r)
{
	const struct session *s = &r->session;
	int ret;

	(void)part;
	if (!r->plan->stacks)
		return 0;
	ret = stacks_load(&r->stacks, s->target);
	if (ret || !(r->plan->record_events || s->counter->ops->engine))
		return ret;
	ret = stacks_set(s->target, s->instance.dir, s->sources, s->nsources, s->undo);
	if (ret)
		return ret;
	return stacks_set(s->target, s->instance.dir, r->captured, r->ncaptured, s->undo);
}

/* Append the symbols of all stacks to the file. */
static int stacks_append(void *part, struct recorder_common *r)
{
	int ret;

	(void)part;
	if (!r->stacks.text.len)
		return 0;
	ret = tracedat_append_symbols(r->file->dat, r->stacks.text.data, r->stacks.text.len);
	if (!ret)
		ret = tracedat_link_buffers(r->file->dat);
	return ret ? message_error_errno(r->file->name, ret) : 0;
}

static void stacks_free(void *part, struct recorder_common *r)
{
	(void)part;
	stacks_clear(&r->stacks);
}

const struct recorder_part_ops stacks_part = {
	.phase = {
		[RECORDER_PRINT] = stacks_print_all,
		[RECORDER_START] = stacks_start,
		[RECORDER_APPEND] = stacks_append,
	},
	.free = stacks_free,
};
