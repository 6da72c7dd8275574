// SPDX-License-Identifier: LGPL-2.1
/*
 * complete.c - the words that can follow at the end of a text: fields, modifiers, orders
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/text.h"
#include "lib/expr/complete.h"
#include "lib/expr/modifier_fit.h"

#define BLANKS " \t\n"

void hist_complete_offer(struct hist_complete *c, const char *word, size_t len)
{
	if (!c->ret && len >= c->len && !memcmp(word, c->at, c->len))
		c->ret = names_add_new(c->words, word, len);
}

void hist_complete_offer_text(struct hist_complete *c, const char *word)
{
	hist_complete_offer(c, word, strlen(word));
}

void hist_complete_begin(struct hist_complete *c, const char *at)
{
	c->len -= at - c->at;
	c->at = at;
}

/* True if the field is allowed, without or with a modifier. */
static bool complete_is_usable(const struct hist_event *event, const char *name, bool is_key)
{
	enum hist_modifier m;

	for (m = HIST_MOD_NONE; m < HIST_MOD_ASCENDING; m++) {
		if (hist_modifier_fits(m, name, event, is_key) == HIST_FITS)
			return true;
	}
	return false;
}

static void complete_names(struct hist_complete *c, const struct hist_event *event, bool is_key)
{
	static const char *const others[] = { "common_timestamp", "common_cpu", "common_comm",
						"common_stacktrace" };
	const struct hist_event_field *field;
	unsigned int i;

	for (i = 0; i < event->nfields; i++) {
		field = hist_event_field(event, i);
		if (complete_is_usable(event, field->name, is_key))
			hist_complete_offer_text(c, field->name);
	}
	for (i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (complete_is_usable(event, others[i], is_key))
			hist_complete_offer_text(c, others[i]);
	}
	if (!is_key)
		hist_complete_offer_text(c, "hitcount");
}

/* After "name."; ".buckets=" needs a number, and .log2 can have one. */
static void complete_modifiers(struct hist_complete *c, const struct hist_event *event,
			       const char *name, size_t len, bool is_key)
{
	char *field = strndup(name, len);
	enum hist_modifier m;

	if (!field) {
		c->ret = -ENOMEM;
		return;
	}
	for (m = HIST_MOD_NONE + 1; m < HIST_MOD_ASCENDING; m++) {
		if (hist_modifier_fits(m, field, event, is_key) != HIST_FITS)
			continue;
		hist_complete_offer_text(c, m == HIST_MOD_BUCKETS ? "buckets=" :
					 hist_modifier_name(m));
		if (m == HIST_MOD_LOG2)
			hist_complete_offer_text(c, "log2=");
	}
	free(field);
}

/* After the last comma of a list.  Returns its last dot; NULL: it has none. */
static const char *complete_begin_item(struct hist_complete *c)
{
	const char *comma = memrchr(c->at, ',', c->len);

	if (comma)
		hist_complete_begin(c, comma + 1);
	return memrchr(c->at, '.', c->len);
}

void hist_complete_fields(struct hist_complete *c, const struct hist_event *event, bool is_key)
{
	const char *dot = complete_begin_item(c), *name = c->at;

	if (!dot) {
		complete_names(c, event, is_key);
		return;
	}
	hist_complete_begin(c, dot + 1);
	complete_modifiers(c, event, name, dot - name, is_key);
}

bool hist_complete_order(struct hist_complete *c)
{
	const char *dot = complete_begin_item(c);

	if (!dot)
		return false;
	hist_complete_begin(c, dot + 1);
	hist_complete_offer_text(c, "ascending");
	hist_complete_offer_text(c, "descending");
	return true;
}

void hist_complete_filter(struct hist_complete *c, const struct hist_event *event)
{
	const char *filter = c->at, *at = c->at + c->len, *before;
	unsigned int i;

	while (at > filter && text_is_word(at[-1]))
		at--;
	for (before = at; before > filter && strchr(BLANKS, before[-1]); before--)
		;
	if (before > filter && !strchr("&|(!", before[-1]))
		return;
	hist_complete_begin(c, at);
	for (i = 0; i < event->nfields; i++)
		hist_complete_offer_text(c, hist_event_field(event, i)->name);
	hist_complete_offer_text(c, "comm");
	hist_complete_offer_text(c, "cpu");
}
