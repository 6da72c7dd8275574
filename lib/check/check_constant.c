// SPDX-License-Identifier: LGPL-2.1
/*
 * check_constant.c - constants in filters, whose numbers differ between kernels and machines
 *
 * The text is only split into words and strings, because the parser refuses a wrong constant and
 * gives the reason.  The field of a comparison is the last word before the constant.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strbuf.h"
#include "lib/base/text.h"
#include "lib/check/check_constant.h"
#include "lib/event/address.h"
#include "lib/event/machine_names.h"
#include "lib/event/print_names.h"

/* The bits of task states that all kernels have: TASK_REPORT in include/linux/sched.h. */
#define STATES_ALWAYS 0xff

struct state_bits {
	uint64_t preempted, sleeping;
};

/* In the print fmt, the name of a preempted task ends in '+', and other runnable tasks are "R". */
static int check_constant_read_states(struct state_bits *states, const struct hist_event *event,
				       const struct hist_event_field *field)
{
	struct hist_strbuf name = { 0 };
	struct hist_print_names *names;
	uint64_t bit;
	int ret = hist_print_names_new(&names, event, field);

	*states = (struct state_bits){ .sleeping = STATES_ALWAYS };
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	for (bit = 1; bit; bit <<= 1) {
		if (!hist_print_names_put(names, bit, hist_strbuf_clear(&name)))
			continue;
		if (name.data[name.len - 1] == '+')
			states->preempted |= bit;
		else if (*name.data != 'R')
			states->sleeping |= bit;
	}
	states->sleeping &= ~states->preempted;
	ret = name.error;
	hist_strbuf_free(&name);
	hist_print_names_free(names);
	return ret;
}

static void check_constant_put_preempted(struct hist_strbuf *b, const struct hist_event *event,
					 const struct hist_event_field *field)
{
	struct state_bits states;

	hist_strbuf_fail(b, check_constant_read_states(&states, event, field));
	hist_strbuf_u64(b, states.preempted);
}

static void check_constant_put_sleeping(struct hist_strbuf *b, const struct hist_event *event,
					const struct hist_event_field *field)
{
	struct state_bits states;

	hist_strbuf_fail(b, check_constant_read_states(&states, event, field));
	hist_strbuf_u64(b, states.sleeping);
}

/* (irq == 11 || irq == 16) */
static void check_constant_put_shared(struct hist_strbuf *b, const struct hist_event *event,
				      const struct hist_event_field *field)
{
	size_t i = 0, len, start = b->len;
	const char *first;
	uint64_t irq;

	if (!hist_machine_names_has_interrupts(event->machine)) {
		hist_strbuf_printf(b, "%s >= 0", field->name);
		return;
	}
	while (hist_machine_names_next_shared(event->machine, &i, &irq, &first, &len))
		hist_strbuf_printf(b, "%s%s == %" PRIu64, b->len > start ? " || " : "(",
				   field->name, irq);
	hist_strbuf_printf(b, b->len > start ? ")" : "%s < 0", field->name);
}

/* !(irq == 11 && name != "ahci" || irq == 16 && name != "uhci_hcd:usb1") */
static void check_constant_put_first(struct hist_strbuf *b, const struct hist_event *event,
				     const struct hist_event_field *field)
{
	size_t i = 0, len, start = b->len;
	const char *first;
	uint64_t irq;

	while (event->machine &&
	       hist_machine_names_next_shared(event->machine, &i, &irq, &first, &len)) {
		/* a filter cannot have the name */
		if (memchr(first, '"', len))
			continue;
		hist_strbuf_printf(b, "%sirq == %" PRIu64 " && %s != \"%.*s\"",
				   b->len > start ? " || " : "!(", irq, field->name, (int)len,
				   first);
	}
	hist_strbuf_str(b, b->len > start ? ")" : "irq >= 0");
}

static const struct constant {
	const char *word;
	bool of_string; /* it is compared with a string field, not with a number */
	const char
		*compares; /* the operator; the constant replaces the field and the operator, too */
	void (*put)(struct hist_strbuf *b, const struct hist_event *event,
		    const struct hist_event_field *field);
} constants[] = {
	{ "PREEMPTED", false, NULL, check_constant_put_preempted },
	{ "SLEEPING", false, NULL, check_constant_put_sleeping },
	{ "SHARED", false, "==", check_constant_put_shared },
	{ "FIRST_HANDLER", true, "==", check_constant_put_first },
};

static size_t check_constant_word_len(const char *text)
{
	size_t len = 0;

	while (text_is_word(text[len]))
		len++;
	return len;
}

static const struct hist_event_field *check_constant_find_field(const struct hist_event *event,
								const char *word, size_t len)
{
	const struct hist_event_field *field;
	unsigned int i;

	for (i = 0; (field = hist_event_field(event, i)); i++) {
		if (text_equals(word, len, field->name))
			return field;
	}
	return NULL;
}

/*
 * The constant that the word at @text is, after @between, which begins with @field; or NULL.
 */
static const struct constant *check_constant_find(const char *text, size_t len,
						  const struct hist_event_field *field,
						  const char *between)
{
	const struct constant *c;

	for (c = constants; field && c < constants + sizeof(constants) / sizeof(*constants); c++) {
		if (!text_equals(text, len, c->word))
			continue;
		between += strlen(field->name);
		between += strspn(between, " ");
		return (c->of_string ? hist_field_is_string(field) : hist_field_is_number(field)) &&
		       (!c->compares || !strncmp(between, c->compares, strlen(c->compares))) ? c :
											      NULL;
	}
	return NULL;
}

int hist_check_replace_constants(char **result, const char *text, const struct hist_event *event)
{
	const struct hist_event_field *field = NULL;
	const struct constant *constant;
	uint64_t address;
	struct hist_strbuf b = { 0 };
	const char *close, *field_at = text;
	size_t len, field_len = 0;

	for (; *text; text += len) {
		len = field ? hist_address_parse(hist_field_address(field), text,
						 event->big_endian, &address) : 0;
		if (len) {
			hist_strbuf_u64(&b, address);
			continue;
		}
		len = check_constant_word_len(text);
		constant = check_constant_find(text, len, field, field_at);
		if (constant) {
			if (constant->compares && !b.error)
				b.len = field_len;
			constant->put(&b, event, field);
			continue;
		}
		if (len) {
			field = check_constant_find_field(event, text, len);
			field_at = text;
			field_len = b.len;
		} else {
			close = *text == '"' || *text == '\'' ? strchr(text + 1, *text) : NULL;
			len = close ? (size_t)(close - text) + 1 : 1;
		}
		hist_strbuf_add(&b, text, len);
	}
	*result = hist_strbuf_string(&b);
	return *result ? 0 : -ENOMEM;
}
