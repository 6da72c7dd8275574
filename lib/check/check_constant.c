// SPDX-License-Identifier: LGPL-2.1
/*
 * check_constant.c - constants in filters, whose numbers differ between kernels
 *
 * The text is only split into words and strings, because the parser refuses a wrong constant and
 * gives the reason.  The field of a comparison is the last word before the constant.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strbuf.h"
#include "lib/base/text.h"
#include "lib/event/print_names.h"
#include "lib/check/check_constant.h"

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

static size_t check_constant_word_len(const char *text)
{
	size_t len = 0;

	while (text_is_word(text[len]))
		len++;
	return len;
}

/* The field of @event that @word names, if it is a number; or NULL. */
static const struct hist_event_field *check_constant_find_field(const struct hist_event *event,
								 const char *word, size_t len)
{
	const struct hist_event_field *field;
	unsigned int i;

	for (i = 0; (field = hist_event_field(event, i)); i++) {
		if (text_equals(word, len, field->name))
			return field->type == HIST_FIELD_NUMBER ? field : NULL;
	}
	return NULL;
}

int hist_check_replace_constants(char **result, const char *text, const struct hist_event *event)
{
	const struct hist_event_field *field = NULL;
	struct hist_strbuf b = { 0 };
	struct state_bits states;
	bool preempted;
	const char *close;
	size_t len;

	for (; *text; text += len) {
		len = check_constant_word_len(text);
		preempted = text_equals(text, len, "PREEMPTED");
		if (field && (preempted || text_equals(text, len, "SLEEPING"))) {
			hist_strbuf_fail(&b, check_constant_read_states(&states, event, field));
			hist_strbuf_u64(&b, preempted ? states.preempted : states.sleeping);
			continue;
		}
		if (len) {
			field = check_constant_find_field(event, text, len);
		} else {
			close = *text == '"' || *text == '\'' ? strchr(text + 1, *text) : NULL;
			len = close ? (size_t)(close - text) + 1 : 1;
		}
		hist_strbuf_add(&b, text, len);
	}
	*result = hist_strbuf_string(&b);
	return *result ? 0 : -ENOMEM;
}
