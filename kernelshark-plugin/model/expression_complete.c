// SPDX-License-Identifier: GPL-2.0
/*
 * expression_complete.c - completions at the cursor of an expression
 *
 * The text before the cursor is reduced to the part that the user is typing: the last
 * statement, then its event, trigger or filter, the attribute, the field, its modifier.
 * Earlier text may be invalid. An unknown context gives no completions.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernelshark-plugin/model/expression_private.h"
#include "lib/base/text.h"
#include "lib/expr/modifier_fit.h"
#include "lib/ringbuf/file_events.h"

/* The completion state: a part of the text, up to the cursor. */
struct completion {
	struct names *words;
	struct hist_events *events;
	struct hist_event *event; /* of the statement, or NULL */
	const char *at;	/* the beginning of the word to complete */
	size_t len;
	int ret;
};

static void complete_offer_word(struct completion *c, const char *word, size_t len)
{
	if (!c->ret && len >= c->len && !memcmp(word, c->at, c->len))
		c->ret = names_add_new(c->words, word, len);
}

static void offer_text(struct completion *c, const char *word)
{
	complete_offer_word(c, word, strlen(word));
}

/* Set the beginning of the word to @at. */
static void complete_begin_word(struct completion *c, const char *at)
{
	c->len -= at - c->at;
	c->at = at;
}

/* Offer "kmem:kmalloc "; without a system, also match any part of the event name. */
static void offer_events(struct completion *c)
{
	const char *system, *name;
	bool bare = !memchr(c->at, ':', c->len);
	unsigned int i;
	char full[256];
	size_t len;
	int n;

	for (i = 0; !c->ret && file_events_get(c->events, i, &system, &name, &len); i++) {
		n = snprintf(full, sizeof(full), "%s:%.*s", system, (int)len, name);
		if (!len || n < 0 || (size_t)n >= sizeof(full))
			continue;
		if (bare && memmem(name, len, c->at, c->len))
			c->ret = names_add_new(c->words, full, n);
		else
			complete_offer_word(c, full, n);
	}
	names_sort(c->words);
}

/* True if the field is allowed, without or with a modifier. */
static bool complete_is_usable(const struct completion *c, const char *name, bool is_key)
{
	enum hist_modifier m;

	for (m = HIST_MOD_NONE; m < HIST_MOD_ASCENDING; m++) {
		if (hist_modifier_fits(m, name, c->event, is_key) == HIST_FITS)
			return true;
	}
	return false;
}

static void offer_fields(struct completion *c, bool is_key)
{
	static const char *const others[] = { "common_timestamp", "common_cpu", "common_comm",
						"common_stacktrace" };
	const struct hist_event_field *field;
	unsigned int i;

	for (i = 0; i < c->event->nfields; i++) {
		field = hist_event_field(c->event, i);
		if (complete_is_usable(c, field->name, is_key))
			offer_text(c, field->name);
	}
	for (i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (complete_is_usable(c, others[i], is_key))
			offer_text(c, others[i]);
	}
	if (!is_key)
		offer_text(c, "hitcount");
}

/* After "name."; ".buckets=" needs a number. */
static void offer_modifiers(struct completion *c, const char *name, size_t len, bool is_key)
{
	char *field = strndup(name, len);
	enum hist_modifier m;

	if (!field) {
		c->ret = -ENOMEM;
		return;
	}
	for (m = HIST_MOD_NONE + 1; m < HIST_MOD_ASCENDING; m++) {
		if (hist_modifier_fits(m, field, c->event, is_key) == HIST_FITS)
			offer_text(c, m == HIST_MOD_BUCKETS ? "buckets=" : hist_modifier_name(m));
	}
	free(field);
}

static bool is_attribute(const char *at, size_t len, const char *const *names)
{
	for (; *names; names++) {
		if (text_equals(at, len, *names))
			return true;
	}
	return false;
}

static const char *const keys_names[] = { "keys", "key", NULL };
static const char *const values_names[] = { "values", "vals", "val", NULL };
static const char *const sort_names[] = { "sort", NULL };

/* Iterate over the attributes of @trigger before @end; false after the last. */
static bool next_attribute(const char **at, const char *end, const char **name, size_t *name_len,
			   const char **value, size_t *value_len)
{
	const char *colon, *equal;

	if (*at >= end)
		return false;
	colon = memchr(*at, ':', end - *at);
	if (!colon)
		colon = end;
	equal = memchr(*at, '=', colon - *at);
	*name = *at;
	*name_len = (equal ? equal : colon) - *at;
	*value = equal ? equal + 1 : colon;
	*value_len = colon - *value;
	*at = colon + (colon < end);
	return true;
}

/* For sort=: the keys and values of the trigger, without their modifiers. */
static void offer_sorts(struct completion *c, const char *trigger)
{
	const char *at = trigger, *name, *value, *comma;
	size_t name_len, value_len, item;

	while (next_attribute(&at, c->at, &name, &name_len, &value, &value_len)) {
		if (!is_attribute(name, name_len, keys_names) &&
		    !is_attribute(name, name_len, values_names))
			continue;
		for (; value_len; value += item, value_len -= item) {
			comma = memchr(value, ',', value_len);
			item = comma ? (size_t)(comma - value) : value_len;
			complete_offer_word(c, value, strcspn(value, ".,:") < item ?
					    strcspn(value, ".,:") : item);
			item += comma != NULL;
		}
	}
	offer_text(c, "hitcount");
}

static bool has_attribute(const char *trigger, const char *end, const char *const *names)
{
	const char *name, *value;
	size_t name_len, value_len;

	while (next_attribute(&trigger, end, &name, &name_len, &value, &value_len)) {
		if (is_attribute(name, name_len, names))
			return true;
	}
	return false;
}

static void offer_attributes(struct completion *c, const char *trigger)
{
	if (!has_attribute(trigger, c->at, keys_names)) {
		offer_text(c, "keys=");
		return;
	}
	if (!has_attribute(trigger, c->at, values_names))
		offer_text(c, "vals=");
	if (!has_attribute(trigger, c->at, sort_names))
		offer_text(c, "sort=");
	offer_text(c, "size=");
}

/* After the last comma of a list, of which *@dot is the last dot; NULL: it has none. */
static void complete_begin_item(struct completion *c, const char **dot)
{
	const char *comma = memrchr(c->at, ',', c->len);

	if (comma)
		complete_begin_word(c, comma + 1);
	*dot = memrchr(c->at, '.', c->len);
}

/* "FIELD[.MODIFIER][,FIELD[.MODIFIER]]...": c->at is its beginning. */
static void complete_fields(struct completion *c, bool is_key)
{
	const char *dot;

	complete_begin_item(c, &dot);
	if (dot) {
		const char *name = c->at;

		complete_begin_word(c, dot + 1);
		offer_modifiers(c, name, dot - name, is_key);
		return;
	}
	offer_fields(c, is_key);
}

/* "FIELD[.ORDER]...": @trigger has the keys and values; NULL: any field is offered. */
static void complete_sort(struct completion *c, const char *trigger)
{
	const char *dot;

	complete_begin_item(c, &dot);
	if (dot) {
		complete_begin_word(c, dot + 1);
		offer_text(c, "ascending");
		offer_text(c, "descending");
	} else if (trigger) {
		offer_sorts(c, trigger);
	} else {
		offer_fields(c, true);
		offer_text(c, "hitcount");
	}
}

/* After the "=" of an attribute: c->at is its value. */
static void complete_items(struct completion *c, const char *attribute, const char *trigger)
{
	size_t name_len = c->at - 1 - attribute;

	if (is_attribute(attribute, name_len, keys_names))
		complete_fields(c, true);
	else if (is_attribute(attribute, name_len, values_names))
		complete_fields(c, false);
	else if (is_attribute(attribute, name_len, sort_names))
		complete_sort(c, trigger);
}

/* Offer fields at the beginning of a condition. */
static void complete_filter(struct completion *c)
{
	const char *filter = c->at, *at = c->at + c->len, *before;
	unsigned int i;

	while (at > filter && text_is_word(at[-1]))
		at--;
	for (before = at; before > filter && strchr(BLANKS, before[-1]); before--)
		;
	if (before > filter && !strchr("&|(!", before[-1]))
		return;
	complete_begin_word(c, at);
	for (i = 0; i < c->event->nfields; i++)
		offer_text(c, hist_event_field(c->event, i)->name);
	offer_text(c, "comm");
	offer_text(c, "cpu");
}

/* Find the last " if " before the cursor, which begins the filter; NULL: none. */
static const char *complete_filter_of(const char *trigger, const char *end)
{
	const char *at;

	for (at = trigger; at + 4 <= end; at++) {
		if (strchr(BLANKS, at[0]) && at[1] == 'i' && at[2] == 'f' && strchr(BLANKS, at[3]))
			return at + 4;
	}
	return NULL;
}

/* c->at is after the event and the following blanks. */
static void complete_trigger(struct completion *c)
{
	const char *end = c->at + c->len, *trigger, *filter, *colon, *equal;

	if (!text_starts_with(c->at, c->len, "hist:")) {
		offer_text(c, "hist:keys=");
		return;
	}
	trigger = c->at + strlen("hist:");
	filter = complete_filter_of(trigger, end);
	if (filter) {
		complete_begin_word(c, filter);
		complete_filter(c);
		return;
	}
	if (end > trigger && memchr(trigger, ' ', end - trigger)) {
		complete_begin_word(c, (const char *)memrchr(trigger, ' ', end - trigger) + 1);
		offer_text(c, "if ");
		return;
	}
	colon = memrchr(trigger, ':', end - trigger);
	complete_begin_word(c, colon ? colon + 1 : trigger);
	equal = memchr(c->at, '=', c->len);
	if (equal) {
		const char *attribute = c->at;

		complete_begin_word(c, equal + 1);
		complete_items(c, attribute, trigger);
	} else {
		offer_attributes(c, trigger);
	}
}

/* The statement that contains the cursor. */
static const char *complete_find_statement(const char *text)
{
	size_t len;

	while (text[len = expression_statement_len(text)])
		text += len + 1;
	return text + strspn(text, BLANKS);
}

static void complete_statement(struct completion *c, const char *text)
{
	size_t word;

	c->at = complete_find_statement(text);
	c->len = strlen(c->at);
	word = strcspn(c->at, BLANKS);
	if (word == c->len) {
		offer_events(c);
	} else if (strncmp(c->at, "s:", 2)) {
		/* for unknown events, fields are not offered */
		c->ret = file_events_parse(&c->event, c->events, c->at, word);
		complete_begin_word(c, c->at + word + strspn(c->at + word, BLANKS));
		if (!c->ret && c->event)
			complete_trigger(c);
	}
}

/* --- options --- */

static bool complete_show_preset(void *data, const struct expression_preset *preset)
{
	struct completion *c = data;

	offer_text(c, preset->name);
	return !c->ret;
}

/* Those of the first buffer that has events. */
static void complete_preset(struct completion *c)
{
	unsigned int buffer = 0;
	int ret;

	while (buffer + 1 < hist_events_nbuffers(c->events) &&
	       !hist_events_buffer(c->events, buffer)->bytes)
		buffer++;
	ret = expression_list_presets(c->events, buffer, complete_show_preset, c);
	if (ret)
		c->ret = ret;
}

/* "START:KEY[,KEY]..END:KEY[,KEY][:UNIT]" */
static void complete_latency(struct completion *c)
{
	const char *side = c->at, *end = c->at + c->len, *dots, *colon;

	while ((dots = strstr(side, "..")))
		side = dots + 2;
	complete_begin_word(c, side);
	colon = memchr(side, ':', end - side);
	colon = colon ? memchr(colon + 1, ':', end - colon - 1) : NULL;
	if (!colon) {
		offer_events(c);
		return;
	}
	hist_event_free(c->event);
	c->event = NULL;
	c->ret = file_events_parse(&c->event, c->events, side, colon - side);
	if (memchr(colon + 1, ':', end - colon - 1)) {
		complete_begin_word(c, (const char *)memrchr(side, ':', end - side) + 1);
		offer_text(c, "usecs");
		offer_text(c, "nsecs");
	} else if (!c->ret && c->event) {
		complete_begin_word(c, colon + 1);
		complete_fields(c, true);
	}
}

static void complete_tracer(struct completion *c)
{
	offer_text(c, "timerlat");
	offer_text(c, "osnoise");
	offer_text(c, "hwlat");
	offer_text(c, "function");
	offer_text(c, "function_graph");
}

static void complete_keys(struct completion *c)
{
	if (c->event)
		complete_fields(c, true);
}

static void complete_values(struct completion *c)
{
	if (c->event)
		complete_fields(c, false);
}

static void complete_order(struct completion *c)
{
	if (c->event)
		complete_sort(c, NULL);
}

static void complete_condition(struct completion *c)
{
	if (c->event)
		complete_filter(c);
}

static void complete_raw(struct completion *c)
{
	if (c->event)
		complete_trigger(c);
}

/* What may follow an option; NULL: nothing is offered. */
static const struct {
	const char *option;
	void (*complete)(struct completion *c);
} complete_values_of[] = {
	{ "--preset", complete_preset }, { "--latency", complete_latency }, { "-e", offer_events },
	{ "-k", complete_keys },	 { "-v", complete_values },	    { "-s", complete_order },
	{ "-f", complete_condition },	 { "-R", complete_raw },	    { "--tracer", complete_tracer },
	{ "--function", NULL },		 { "--function-latency", NULL },    { "--synthetic", NULL },
};

#define N_OPTIONS (sizeof(complete_values_of) / sizeof(*complete_values_of))

static void complete_option(struct completion *c)
{
	unsigned int i;

	for (i = 0; i < N_OPTIONS; i++)
		offer_text(c, complete_values_of[i].option);
}

/* Remember the event of a whole option, for its histograms: of --latency that of END. */
static void complete_take_value(struct completion *c, const char *option, const char *value)
{
	const char *at = value, *dots, *colon;
	size_t len = strlen(value);

	if (!strcmp(option, "--latency")) {
		while ((dots = strstr(at, "..")))
			at = dots + 2;
		colon = strchr(at, ':');
		colon = colon ? strchr(colon + 1, ':') : NULL;
		len = colon ? (size_t)(colon - at) : strlen(at);
	} else if (strcmp(option, "-e")) {
		return;
	}
	hist_event_free(c->event);
	c->event = NULL;
	c->ret = file_events_parse(&c->event, c->events, at, len);
}

/* Find the word at the end of @text, and the option before it, which is malloc'ed; NULL: none. */
static char *complete_find_option(struct completion *c, const char *text)
{
	struct expression_word word;
	const char *at = text;
	char *option = NULL;

	while (!c->ret) {
		c->ret = expression_next_word(&word, &at);
		c->at = word.at;
		/* a quotation without an end, or the last word, goes up to the cursor */
		if (c->ret == -EINVAL || !word.word || !*at) {
			c->at += *c->at == '"' || *c->at == '\'';
			if (c->ret == -EINVAL)
				c->ret = 0;
			free(word.word);
			break;
		}
		if (c->ret)
			break;
		if (option) {
			complete_take_value(c, option, word.word);
			free(word.word);
			free(option);
			option = NULL;
		} else if (*word.word == '-' && !strchr(word.word, '=')) {
			option = word.word;
		} else {
			free(word.word);
		}
	}
	c->len = strlen(c->at);
	return option;
}

static void complete_options(struct completion *c, const char *text)
{
	char *option = complete_find_option(c, text);
	unsigned int i = 0;

	if (!c->ret && !option) {
		complete_option(c);
	} else if (!c->ret) {
		while (i < N_OPTIONS && strcmp(option, complete_values_of[i].option))
			i++;
		if (i < N_OPTIONS && complete_values_of[i].complete)
			complete_values_of[i].complete(c);
	}
	free(option);
}

int expression_complete(struct names *words, struct hist_events *events,
			const char *text, size_t cursor, size_t *start)
{
	struct completion c = { .words = words, .events = events };
	char *copy = strndup(text, cursor);

	*start = cursor;
	if (!copy)
		return -ENOMEM;
	if (expression_is_options(copy))
		complete_options(&c, copy);
	else
		complete_statement(&c, copy);
	*start = c.at - copy;
	hist_event_free(c.event);
	free(copy);
	return c.ret;
}
