// SPDX-License-Identifier: LGPL-2.1
/*
 * sql_text.c - the text of a --sql query before libtracefs parses it
 *
 * The words are those of sqlhist.l of libtracefs: no case, "\" before a word that is not a keyword,
 * and no escapes in strings.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/strbuf.h"
#include "lib/base/text.h"
#include "lib/expr/expr.h"
#include "lib/query/sql.h"

/* How much of a string or a name a message shows. */
#define SHOWN 32

/* A selected field, or a calculation without a @name. */
struct sql_item {
	struct sql_word all, name, label;
	bool is_cast, is_value; /* CAST(), CAST(.. AS _COUNTER_) */
};

struct sql_items {
	struct sql_item *items;
	unsigned int n;
	const char *rest; /* FROM, or NULL */
};

static int sql_text_refuse(struct hist_error *error, const char *what, const char *at, size_t len,
			   const char *rest)
{
	return hist_error_set(error, -EINVAL, "--sql: %s%.*s%s%s", what,
			      (int)(len < SHOWN ? len : SHOWN), at, len < SHOWN ? "" : "..", rest);
}

/* Copy the string at *@from with its quotes to *@to, and blanks to *@bare. */
static int sql_text_copy_string(const char **from, char **to, char **bare, struct hist_error *error)
{
	const char *start = *from, *end = strchr(start + 1, *start), *c;

	if (!end)
		return sql_text_refuse(error, "a quote is missing after ", start,
				       strcspn(start, "\r\n"), "");
	for (c = start + 1; c < end; c++) {
		if ((unsigned char)*c < ' ' || *c == 127)
			return sql_text_refuse(error,
					       "the string contains a control "
					       "character: ",
					       start, c - start, "");
		if (*c == '"')
			return sql_text_refuse(error,
					       "a string cannot contain double quotes: ", start,
					       end + 1 - start, "");
	}
	memset(*bare, ' ', end + 1 - start);
	*bare += end + 1 - start;
	*(*to)++ = '"';
	*to = mempcpy(*to, start + 1, end - start - 1);
	*(*to)++ = '"';
	*from = end + 1;
	return 0;
}

static int sql_text_copy(struct sql_text *t, const char *from, struct hist_error *error)
{
	char *to = t->text, *bare = t->bare;
	int ret;

	while (*from) {
		if (*from == '"' || *from == '\'') {
			ret = sql_text_copy_string(&from, &to, &bare, error);
			if (ret)
				return ret;
			continue;
		}
		*to = strchr("\t\n\v\f\r", *from) ? ' ' : *from;
		*bare++ = *to++;
		from++;
	}
	*to = *bare = '\0';
	return 0;
}

/* Take a word or a character from *@at. */
static struct sql_word sql_text_take(const char **at, const char *end)
{
	struct sql_word w;

	while (*at < end && **at == ' ')
		(*at)++;
	if (*at < end && **at == '\\')
		(*at)++;
	w.at = *at;
	while (*at < end && (text_is_word(**at) || **at == '.'))
		(*at)++;
	w.len = *at - w.at;
	if (!w.len && *at < end)
		(*at)++;
	return w;
}

static bool sql_text_is(const struct sql_word *w, const char *keyword)
{
	return w->len == strlen(keyword) && !strncasecmp(w->at, keyword, w->len);
}

static bool sql_text_is_same(const struct sql_word *a, const struct sql_word *b)
{
	return a->len && a->len == b->len && !memcmp(a->at, b->at, a->len);
}

/* Read FIELD, (FIELD), CAST(FIELD AS TYPE) or a calculation, and the name behind it. */
static void sql_text_read_item(struct sql_item *item)
{
	const char *at = item->all.at, *end = at + item->all.len;
	struct sql_word w, last = { 0 };
	bool is_calculation = false;

	do
		w = sql_text_take(&at, end);
	while (!w.len && at < end && *w.at == '(');
	item->is_cast = sql_text_is(&w, "cast");
	if (item->is_cast) {
		sql_text_take(&at, end);
		item->name = sql_text_take(&at, end);
		sql_text_take(&at, end);
		w = sql_text_take(&at, end);
		item->is_value = text_equals(w.at, w.len, "_COUNTER_") ||
				 text_equals(w.at, w.len, "__COUNTER__");
	} else {
		item->name = w;
	}
	while (at < end) {
		w = sql_text_take(&at, end);
		is_calculation |= !item->is_cast && w.at < end && (*w.at == '+' || *w.at == '-');
		if (w.len && !sql_text_is(&w, "as"))
			last = w;
	}
	/* the type of a cast is no name */
	if (!item->is_cast || last.at > (const char *)memrchr(item->all.at, ')', item->all.len))
		item->label = last;
	if (is_calculation)
		item->name.len = 0;
}

static int sql_text_add_item(struct sql_items *all, const char *start, const char *end)
{
	struct sql_item *item;

	while (start < end && *start == ' ')
		start++;
	while (end > start && end[-1] == ' ')
		end--;
	if (array_add(&all->items, all->n, sizeof(*item)))
		return -ENOMEM;
	item = &all->items[all->n++];
	*item = (struct sql_item){ .all = { start, end - start } };
	sql_text_read_item(item);
	return 0;
}

/* The selected items.  There are none if the query is not SELECT .. FROM: the library says so. */
static int sql_text_find_items(const struct sql_text *t, struct sql_items *all)
{
	const char *at = t->bare, *end = at + strlen(at), *start;
	struct sql_word w = sql_text_take(&at, end);
	unsigned int depth = 0;

	if (!sql_text_is(&w, "select"))
		return 0;
	for (start = at; at < end;) {
		w = sql_text_take(&at, end);
		if (!depth && sql_text_is(&w, "from")) {
			all->rest = w.at;
			return sql_text_add_item(all, start, w.at);
		}
		if (w.len || w.at == end)
			continue;
		depth += *w.at == '(';
		depth -= *w.at == ')' && depth;
		if (*w.at == ',' && !depth) {
			if (sql_text_add_item(all, start, w.at))
				return -ENOMEM;
			start = at;
		}
	}
	return 0;
}

/* libtracefs has one object for a name, and links it into the list of what is selected again. */
static int sql_text_refuse_doubles(const struct sql_items *all, bool joins,
				   struct hist_error *error)
{
	const struct sql_item *a, *b;
	const char *at = all->rest;
	struct sql_word event;
	unsigned int i, k;

	if (!at)
		return 0;
	sql_text_take(&at, at + strlen(at));
	event = sql_text_take(&at, at + strlen(at));
	for (i = 0; i < all->n; i++) {
		b = &all->items[i];
		for (k = 0; k < i; k++) {
			a = &all->items[k];
			if (!sql_text_is_same(&a->name, &b->name) &&
			    !sql_text_is_same(&a->label, &b->name))
				continue;
			if (joins || !(a->is_cast || b->is_cast) ||
			    memchr(b->name.at, '.', b->name.len))
				return hist_error_set(
					error, -EINVAL,
					"--sql: %.*s is selected "
					"twice\nselect it once",
					b->name.len < SHOWN ? (int)b->name.len : SHOWN, b->name.at);
			return hist_error_set(error, -EINVAL,
					      "--sql: %.*s is selected twice\n"
					      "write the event before it at one place: %.*s.%.*s",
					      (int)b->name.len, b->name.at, (int)event.len,
					      event.at, (int)b->name.len, b->name.at);
		}
	}
	return 0;
}

/* Move the values behind the keys, if the first item is a value. */
static int sql_text_order(struct sql_text *t, const struct sql_items *all)
{
	struct hist_strbuf text = { 0 }, bare = { 0 };
	const struct sql_item *item;
	size_t head, n = 0;
	unsigned int i, values;

	head = all->items[0].all.at - t->bare;
	hist_strbuf_add(&text, t->text, head);
	hist_strbuf_add(&bare, t->bare, head);
	for (values = 0; values < 2; values++) {
		for (i = 0; i < all->n; i++) {
			item = &all->items[i];
			if (item->is_value != values)
				continue;
			hist_strbuf_str(&text, n ? ", " : "");
			hist_strbuf_str(&bare, n++ ? ", " : "");
			hist_strbuf_add(&text, t->text + (item->all.at - t->bare), item->all.len);
			hist_strbuf_add(&bare, item->all.at, item->all.len);
		}
	}
	hist_strbuf_printf(&text, " %s", t->text + (all->rest - t->bare));
	hist_strbuf_printf(&bare, " %s", all->rest);
	sql_text_clear(t);
	t->text = hist_strbuf_string(&text);
	t->bare = hist_strbuf_string(&bare);
	return t->text && t->bare ? 0 : -ENOMEM;
}

static bool sql_text_joins(const struct sql_text *t)
{
	const char *at = t->bare, *end = at + strlen(at);
	struct sql_word w;

	while (at < end) {
		w = sql_text_take(&at, end);
		if (sql_text_is(&w, "join"))
			return true;
	}
	return false;
}

static int sql_text_compare(const void *a, const void *b)
{
	const struct sql_word *x = a, *y = b;
	int order = memcmp(x->at, y->at, x->len < y->len ? x->len : y->len);

	return order ? order : (x->len > y->len) - (x->len < y->len);
}

static int sql_text_find_words(struct sql_text *t)
{
	const char *at;
	size_t len;

	for (at = t->bare; *at; at += len + !len) {
		for (len = 0; text_is_word(at[len]); len++)
			;
		if (!len)
			continue;
		if (array_add(&t->words, t->nwords, sizeof(*t->words)))
			return -ENOMEM;
		t->words[t->nwords++] = (struct sql_word){ at, len };
	}
	if (t->nwords)
		qsort(t->words, t->nwords, sizeof(*t->words), sql_text_compare);
	return 0;
}

int sql_text_read(struct sql_text *t, const char *query, struct hist_error *error)
{
	size_t len = strlen(query);
	struct sql_items all = { 0 };
	bool joins;
	int ret;

	*t = (struct sql_text){ 0 };
	if (len > HIST_TEXT_MAX)
		return hist_error_set(error, -EINVAL,
				      "--sql: the query has %zu bytes; at most %d are "
				      "possible",
				      len, HIST_TEXT_MAX);
	t->text = malloc(len + 1);
	t->bare = malloc(len + 1);
	ret = t->text && t->bare ? sql_text_copy(t, query, error) : -ENOMEM;
	if (ret)
		return ret;
	joins = sql_text_joins(t);
	ret = sql_text_find_items(t, &all);
	if (!ret)
		ret = sql_text_refuse_doubles(&all, joins, error);
	if (!ret && all.rest && all.items[0].is_value && !joins)
		ret = sql_text_order(t, &all);
	if (!ret)
		ret = sql_text_find_words(t);
	free(all.items);
	return ret;
}

bool sql_text_names(const struct sql_text *t, const char *word)
{
	const struct sql_word wanted = { word, strlen(word) };

	return t->nwords && bsearch(&wanted, t->words, t->nwords, sizeof(wanted), sql_text_compare);
}

void sql_text_clear(struct sql_text *t)
{
	free(t->text);
	free(t->bare);
	free(t->words);
	*t = (struct sql_text){ 0 };
}
