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
#include "lib/expr/complete.h"
#include "lib/query/tracer_expand.h"
#include "lib/ringbuf/file_events.h"

/* The completion state: a part of the text, up to the cursor. */
struct completion {
	struct hist_complete to;
	struct hist_events *events;
	struct hist_event *event; /* of the statement, or NULL */
};

/* Offer "kmem:kmalloc "; without a system, also match any part of the event name. */
static void offer_events(struct completion *c)
{
	const char *system, *name;
	bool bare = !memchr(c->to.at, ':', c->to.len);
	unsigned int i;
	char full[256];
	size_t len;
	int n;

	for (i = 0; !c->to.ret && file_events_get(c->events, i, &system, &name, &len); i++) {
		n = snprintf(full, sizeof(full), "%s:%.*s", system, (int)len, name);
		if (!len || n < 0 || (size_t)n >= sizeof(full))
			continue;
		if (bare && memmem(name, len, c->to.at, c->to.len))
			c->to.ret = names_add_new(c->to.words, full, n);
		else
			hist_complete_offer(&c->to, full, n);
	}
	names_sort(c->to.words);
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

	while (next_attribute(&at, c->to.at, &name, &name_len, &value, &value_len)) {
		if (!is_attribute(name, name_len, keys_names) &&
		    !is_attribute(name, name_len, values_names))
			continue;
		for (; value_len; value += item, value_len -= item) {
			comma = memchr(value, ',', value_len);
			item = comma ? (size_t)(comma - value) : value_len;
			hist_complete_offer(&c->to, value, strcspn(value, ".,:") < item ?
					    strcspn(value, ".,:") : item);
			item += comma != NULL;
		}
	}
	hist_complete_offer_text(&c->to, "hitcount");
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
	if (!has_attribute(trigger, c->to.at, keys_names)) {
		hist_complete_offer_text(&c->to, "keys=");
		return;
	}
	if (!has_attribute(trigger, c->to.at, values_names))
		hist_complete_offer_text(&c->to, "vals=");
	if (!has_attribute(trigger, c->to.at, sort_names))
		hist_complete_offer_text(&c->to, "sort=");
	hist_complete_offer_text(&c->to, "size=");
}

/* "FIELD[.ORDER]...": @trigger has the keys and values; NULL: any field is offered. */
static void complete_sort(struct completion *c, const char *trigger)
{
	if (hist_complete_order(&c->to))
		return;
	if (trigger) {
		offer_sorts(c, trigger);
	} else {
		hist_complete_fields(&c->to, c->event, true);
		hist_complete_offer_text(&c->to, "hitcount");
	}
}

/* After the "=" of an attribute: c->to.at is its value. */
static void complete_items(struct completion *c, const char *attribute, const char *trigger)
{
	size_t name_len = c->to.at - 1 - attribute;

	if (is_attribute(attribute, name_len, keys_names))
		hist_complete_fields(&c->to, c->event, true);
	else if (is_attribute(attribute, name_len, values_names))
		hist_complete_fields(&c->to, c->event, false);
	else if (is_attribute(attribute, name_len, sort_names))
		complete_sort(c, trigger);
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

/* c->to.at is after the event and the following blanks. */
static void complete_trigger(struct completion *c)
{
	const char *end = c->to.at + c->to.len, *trigger, *filter, *colon, *equal;

	if (!text_starts_with(c->to.at, c->to.len, "hist:")) {
		hist_complete_offer_text(&c->to, "hist:keys=");
		return;
	}
	trigger = c->to.at + strlen("hist:");
	filter = complete_filter_of(trigger, end);
	if (filter) {
		hist_complete_begin(&c->to, filter);
		hist_complete_filter(&c->to, c->event);
		return;
	}
	if (end > trigger && memchr(trigger, ' ', end - trigger)) {
		hist_complete_begin(&c->to, (const char *)memrchr(trigger, ' ', end - trigger) + 1);
		hist_complete_offer_text(&c->to, "if ");
		return;
	}
	colon = memrchr(trigger, ':', end - trigger);
	hist_complete_begin(&c->to, colon ? colon + 1 : trigger);
	equal = memchr(c->to.at, '=', c->to.len);
	if (equal) {
		const char *attribute = c->to.at;

		hist_complete_begin(&c->to, equal + 1);
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

	c->to.at = complete_find_statement(text);
	c->to.len = strlen(c->to.at);
	word = strcspn(c->to.at, BLANKS);
	if (word == c->to.len) {
		offer_events(c);
	} else if (strncmp(c->to.at, "s:", 2)) {
		/* for unknown events, fields are not offered */
		c->to.ret = file_events_parse(&c->event, c->events, c->to.at, word);
		hist_complete_begin(&c->to, c->to.at + word + strspn(c->to.at + word, BLANKS));
		if (!c->to.ret && c->event)
			complete_trigger(c);
	}
}

/* --- options --- */

static bool complete_show_preset(void *data, const struct expression_preset *preset)
{
	struct completion *c = data;

	hist_complete_offer_text(&c->to, preset->name);
	return !c->to.ret;
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
		c->to.ret = ret;
}

/* "START:KEY[,KEY]..END:KEY[,KEY][:UNIT]" */
static void complete_latency(struct completion *c)
{
	const char *side = c->to.at, *end = c->to.at + c->to.len, *dots, *colon;

	while ((dots = strstr(side, "..")))
		side = dots + 2;
	hist_complete_begin(&c->to, side);
	colon = memchr(side, ':', end - side);
	colon = colon ? memchr(colon + 1, ':', end - colon - 1) : NULL;
	if (!colon) {
		offer_events(c);
		return;
	}
	hist_event_free(c->event);
	c->event = NULL;
	c->to.ret = file_events_parse(&c->event, c->events, side, colon - side);
	if (memchr(colon + 1, ':', end - colon - 1)) {
		hist_complete_begin(&c->to, (const char *)memrchr(side, ':', end - side) + 1);
		hist_complete_offer_text(&c->to, "usecs");
		hist_complete_offer_text(&c->to, "nsecs");
	} else if (!c->to.ret && c->event) {
		hist_complete_begin(&c->to, colon + 1);
		hist_complete_fields(&c->to, c->event, true);
	}
}

static void complete_tracer(struct completion *c)
{
	const char *name;
	unsigned int i;

	for (i = 0; (name = tracer_expand_name(i)); i++)
		hist_complete_offer_text(&c->to, name);
}

static void complete_keys(struct completion *c)
{
	if (c->event)
		hist_complete_fields(&c->to, c->event, true);
}

static void complete_values(struct completion *c)
{
	if (c->event)
		hist_complete_fields(&c->to, c->event, false);
}

static void complete_order(struct completion *c)
{
	if (c->event)
		complete_sort(c, NULL);
}

static void complete_condition(struct completion *c)
{
	if (c->event)
		hist_complete_filter(&c->to, c->event);
}

static void complete_raw(struct completion *c)
{
	if (c->event)
		complete_trigger(c);
}

/* What may follow an option; NULL: nothing is offered, and nothing follows a flag. */
static const struct {
	const char *option;
	void (*complete)(struct completion *c);
	bool is_flag;
} complete_values_of[] = {
	{ .option = "--preset", .complete = complete_preset },
	{ .option = "--latency", .complete = complete_latency },
	{ .option = "-e", .complete = offer_events },
	{ .option = "-k", .complete = complete_keys },
	{ .option = "-v", .complete = complete_values },
	{ .option = "-s", .complete = complete_order },
	{ .option = "-f", .complete = complete_condition },
	{ .option = "-R", .complete = complete_raw },
	{ .option = "--tracer", .complete = complete_tracer },
	{ .option = "--function" },
	{ .option = "--function-latency" },
	{ .option = "--synthetic" },
	{ .option = "--coarse", .is_flag = true },
};

#define N_OPTIONS (sizeof(complete_values_of) / sizeof(*complete_values_of))

static void complete_option(struct completion *c)
{
	unsigned int i;

	for (i = 0; i < N_OPTIONS; i++)
		hist_complete_offer_text(&c->to, complete_values_of[i].option);
}

/* The number of @option in complete_values_of[], or N_OPTIONS. */
static unsigned int complete_find_row(const char *option)
{
	unsigned int i = 0;

	while (i < N_OPTIONS && strcmp(option, complete_values_of[i].option))
		i++;
	return i;
}

static bool complete_has_value(const char *option)
{
	unsigned int i = complete_find_row(option);

	return i == N_OPTIONS || !complete_values_of[i].is_flag;
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
	c->to.ret = file_events_parse(&c->event, c->events, at, len);
}

/* Find the word at the end of @text, and the option before it, which is malloc'ed; NULL: none. */
static char *complete_find_option(struct completion *c, const char *text)
{
	struct expression_word word;
	const char *at = text;
	char *option = NULL;

	while (!c->to.ret) {
		c->to.ret = expression_next_word(&word, &at);
		c->to.at = word.at;
		/* a quotation without an end, or the last word, goes up to the cursor */
		if (c->to.ret == -EINVAL || !word.word || !*at) {
			c->to.at += *c->to.at == '"' || *c->to.at == '\'';
			if (c->to.ret == -EINVAL)
				c->to.ret = 0;
			free(word.word);
			break;
		}
		if (c->to.ret)
			break;
		if (option) {
			complete_take_value(c, option, word.word);
			free(word.word);
			free(option);
			option = NULL;
		} else if (*word.word == '-' && !strchr(word.word, '=') &&
			   complete_has_value(word.word)) {
			option = word.word;
		} else {
			free(word.word);
		}
	}
	c->to.len = strlen(c->to.at);
	return option;
}

static void complete_options(struct completion *c, const char *text)
{
	char *option = complete_find_option(c, text);
	unsigned int i;

	if (!c->to.ret && !option) {
		complete_option(c);
	} else if (!c->to.ret) {
		i = complete_find_row(option);
		if (i < N_OPTIONS && complete_values_of[i].complete)
			complete_values_of[i].complete(c);
	}
	free(option);
}

int expression_complete(struct names *words, struct hist_events *events,
			const char *text, size_t cursor, size_t *start)
{
	struct completion c = { .to = { .words = words }, .events = events };
	char *copy = strndup(text, cursor);

	*start = cursor;
	if (!copy)
		return -ENOMEM;
	if (expression_is_options(copy))
		complete_options(&c, copy);
	else
		complete_statement(&c, copy);
	*start = c.to.at - copy;
	hist_event_free(c.event);
	free(copy);
	return c.to.ret;
}
