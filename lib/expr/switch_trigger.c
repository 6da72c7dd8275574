// SPDX-License-Identifier: LGPL-2.1
/*
 * switch_trigger.c - parse enable and disable triggers for histograms
 *
 * The kernel reads SYSTEM:EVENT[:COUNT] up to the first blank; only "if FILTER" may follow.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/expr/expr_parts.h"
#include "lib/expr/filter.h"
#include "lib/expr/switch_trigger.h"

#define ENABLE "enable_hist"
#define DISABLE "disable_hist"

/* The length of the command's name, or 0. */
static size_t command_len(const char *s)
{
	size_t n = !strncmp(s, ENABLE, strlen(ENABLE))	   ? strlen(ENABLE)
		   : !strncmp(s, DISABLE, strlen(DISABLE)) ? strlen(DISABLE)
							   : 0;

	return n && (!s[n] || s[n] == ':' || hist_is_space(s[n])) ? n : 0;
}

bool hist_switch_is_trigger(const char *text)
{
	return command_len(text + strspn(text, HIST_SPACES));
}

/* "N", or the forms of event_trigger_print(): ":count=N" with the rest, or ":unlimited". */
static bool parse_count(struct hist_switch *sw, const char *s, size_t len)
{
	static const char printed[] = "count=";
	size_t head = sizeof(printed) - 1;

	if (text_equals(s, len, "unlimited"))
		return true;
	if (!text_starts_with(s, len, printed))
		head = 0;
	if (!hist_expr_parse_number(s + head, len - head, &sw->count))
		return false;
	sw->is_spent = !sw->count;
	return true;
}

static int parse_target(struct hist_switch *sw, size_t at, size_t len, struct hist_error *error)
{
	const char *s = sw->text + at, *end = s + len, *colon, *count;
	size_t n;

	colon = memchr(s, ':', len);
	count = colon ? memchr(colon + 1, ':', end - colon - 1) : NULL;
	n = colon ? (count ? count : end) - colon - 1 : 0;
	if (!colon || colon == s || !n) {
		hist_expr_error_set(error, at, len, "no event to enable or disable");
		return hist_expr_error_hint(error, "write " ENABLE ":SYS:EVENT");
	}
	sw->system = strndup(s, colon - s);
	sw->event = strndup(colon + 1, n);
	if (!sw->system || !sw->event)
		return -ENOMEM;
	sw->event_span = (struct hist_span){ at, colon + 1 + n - s };
	if (!count)
		return 0;
	count++;
	sw->count_span = (struct hist_span){ count - sw->text, end - count };
	if (parse_count(sw, count, end - count))
		return 0;
	hist_expr_error_set(error, sw->count_span.start, sw->count_span.len,
			    "\"%.*s\" is not a count", HIST_SHOW(end - count), count);
	return hist_expr_error_hint(error, "write a number, or leave it out");
}

static int parse_filter(struct hist_switch *sw, size_t at, struct hist_error *error)
{
	const char *s = sw->text + at;
	int ret;

	if (strncmp(s, "if", 2) || (s[2] && !hist_is_space(s[2]))) {
		hist_expr_error_set(error, at, strcspn(s, " \t"), "unexpected \"%.*s\"",
				    HIST_SHOW(strcspn(s, " \t")), s);
		return hist_expr_error_hint(error, "write \"if\" before a filter");
	}
	at += 2;
	at += strspn(sw->text + at, HIST_SPACES);
	s = sw->text + at;
	if (!*s)
		return hist_expr_error_set(error, at, 0, "no filter after \"if\"");
	sw->filter = strdup(s);
	sw->filter_start = at;
	if (!sw->filter)
		return -ENOMEM;
	ret = hist_filter_parse(&sw->filter_tree, s, strlen(s), at, NULL);
	return ret == -EINVAL ? 0 : ret;
}

static int switch_parse_text(struct hist_switch *sw, struct hist_error *error)
{
	size_t at = command_len(sw->text), i, len;
	int ret;

	for (i = 0; sw->text[i]; i++)
		if ((unsigned char)sw->text[i] < ' ' && sw->text[i] != '\t')
			return hist_expr_error_set(error, i, 1, "unexpected control character");
	if (!at) {
		hist_expr_error_set(error, 0, strcspn(sw->text, ": \t"),
				    "not an enable or disable trigger");
		return hist_expr_error_hint(error, "begin with " ENABLE " or " DISABLE);
	}
	sw->enable = sw->text[0] == 'e';
	if (sw->text[at])
		at++;
	at += strspn(sw->text + at, HIST_SPACES);
	len = strcspn(sw->text + at, " \t");
	ret = parse_target(sw, at, len, error);
	at += len;
	at += strspn(sw->text + at, HIST_SPACES);
	if (!ret && sw->text[at])
		ret = parse_filter(sw, at, error);
	return ret;
}

int hist_switch_parse(struct hist_switch **result, const char *text, struct hist_error *error)
{
	struct hist_switch *sw = calloc(1, sizeof(*sw));
	size_t start, len;
	int ret = -ENOMEM;

	if (!sw)
		return -ENOMEM;
	start = hist_expr_trim(text, &len);
	sw->text = strndup(text + start, len);
	if (sw->text)
		ret = switch_parse_text(sw, error);
	if (ret) {
		if (ret == -EINVAL && error)
			error->at.start += start;
		hist_switch_free(sw);
		return ret;
	}
	*result = sw;
	return 0;
}

void hist_switch_free(struct hist_switch *sw)
{
	if (!sw)
		return;
	hist_filter_free(sw->filter_tree);
	free(sw->filter);
	free(sw->system);
	free(sw->event);
	free(sw->text);
	free(sw);
}
