// SPDX-License-Identifier: LGPL-2.1
/*
 * row_order.c - parse the fields that rows are sorted by
 *
 * A field name is looked up among the values first, then among the keys, as the kernel does for
 * sort=.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/rows.h"
#include "lib/base/error.h"
#include "lib/base/strbuf.h"
#include "lib/base/text.h"
#include "lib/expr/expr.h"
#include "lib/expr/field_resolve.h"

/* True if @s is @modifier; .buckets and .log2 may have their "=N". */
static bool is_modifier(const char *s, size_t len, const char *modifier)
{
	const char *equal = memchr(s, '=', len);

	if (!*modifier)
		return false;
	return text_equals(s, len, modifier) ||
	       (equal && (!strcmp(modifier, "buckets") || !strcmp(modifier, "log2")) &&
		text_equals(s, equal - s, modifier));
}

/* Find the field of @name and @modifier (@modifier_len 0: none); false if there is none. */
static bool row_order_find_field(struct hist_sort *sort, const struct hist_schema *schema,
				 const char *name,
				 size_t len, const char *modifier, size_t modifier_len)
{
	unsigned int i, best = UINT32_MAX;

	for (i = 0; i < hist_schema_columns(schema); i++) {
		const struct hist_value_desc *v = &schema->values[i];

		if (!text_equals(name, len, v->name) || v->kind == HIST_VALUE_SAVED)
			continue;
		if (modifier_len ?
		    is_modifier(modifier, modifier_len, hist_schema_value_modifier(v->kind)) :
				   hist_value_is_sum(v->kind)) {
			best = i;
			break;
		}
		/* "hitcount" means hitcount.percent if that is the only one */
		if (!modifier_len && best == UINT32_MAX)
			best = i;
	}
	if (best != UINT32_MAX) {
		sort->index = best;
		return true;
	}
	for (i = 0; i < schema->nkeys; i++) {
		const struct hist_key_desc *k = &schema->keys[i];

		if (!text_equals(name, len, k->name))
			continue;
		if (modifier_len &&
		    !is_modifier(modifier, modifier_len, hist_key_traits(k)->modifier))
			continue;
		sort->is_key = true;
		sort->by_name = modifier_len && hist_key_has_string(k->kind);
		sort->index = i;
		return true;
	}
	return false;
}

int hist_row_order_list(struct names *names, const struct hist_schema *schema)
{
	unsigned int i;
	int ret = 0;

	/* a value with its percentage and its graph has one name */
	for (i = 0; !ret && i < hist_schema_columns(schema); i++)
		if (schema->values[i].kind != HIST_VALUE_SAVED)
			ret = names_add_new(names, schema->values[i].name,
					    strlen(schema->values[i].name));
	for (i = 0; !ret && i < schema->nkeys; i++)
		ret = names_add_new(names, schema->keys[i].name, strlen(schema->keys[i].name));
	return ret;
}

static int row_order_refuse(const struct hist_schema *schema, const char *field, size_t len,
			    struct hist_error *error)
{
	struct names names = { 0 };
	int ret = hist_row_order_list(&names, schema);
	struct hist_strbuf list = { 0 };
	size_t i;

	for (i = 0; i < names.n; i++) {
		hist_strbuf_str(&list, i ? ", " : "");
		hist_strbuf_str(&list, names.names[i]);
	}
	names_clear(&names);
	ret = ret ? ret : list.error;
	if (!ret)
		ret = hist_error_set(error, -EINVAL, "no field \"%.*s\"\nuse one of: %.*s",
				     (int)len, field, (int)list.len, list.data);
	hist_strbuf_free(&list);
	return ret;
}

int hist_row_order_parse(struct hist_row_order *order, const struct hist_schema *schema,
			 const char *text, struct hist_error *error)
{
	struct hist_row_order made = { 0 };

	for (;;) {
		size_t len = strcspn(text, ","), name_len, modifier_len = 0;
		struct hist_sort sort = { 0 };
		const char *dot = len ? memrchr(text, '.', len) : NULL;
		const char *modifier = NULL;

		name_len = len;
		if (dot) {
			size_t last = text + len - dot - 1;

			sort.descending = text_equals(dot + 1, last, "descending");
			if (sort.descending || text_equals(dot + 1, last, "ascending"))
				name_len = dot - text;
		}
		if (!name_len)
			return hist_error_set(error, -EINVAL, "a field name is empty");
		/* a name may contain dots ("stack.stacktrace"), so try the whole text first */
		if (!row_order_find_field(&sort, schema, text, name_len, NULL, 0)) {
			dot = memrchr(text, '.', name_len);
			if (dot) {
				modifier = dot + 1;
				modifier_len = text + name_len - modifier;
			}
			if (!modifier_len ||
			    !row_order_find_field(&sort, schema, text, dot - text, modifier,
						  modifier_len))
				return row_order_refuse(schema, text, name_len, error);
		}
		if (made.n == HIST_SORTS_MAX)
			return hist_error_set(error, -EINVAL, "at most %d fields are allowed",
					      HIST_SORTS_MAX);
		made.sorts[made.n++] = sort;
		if (!text[len])
			break;
		text += len + 1;
	}
	*order = made;
	return 0;
}

bool hist_row_order_from_expr(struct hist_row_order *order, const struct hist_schema *schema,
			      const struct hist_expr *expr)
{
	struct hist_row_order made = { 0 };
	unsigned int i;

	for (i = 0; i < expr->sorts.n && made.n < HIST_SORTS_MAX; i++) {
		const struct hist_field *field = &expr->sorts.field[i];
		const char *modifier = hist_modifier_name(field->modifier);
		const char *name = hist_field_is_printed_cpu(field->name) ? "common_cpu" :
			field->name;
		struct hist_sort sort = { 0 };

		/* if the field has another modifier, this one only repeats how it is printed */
		if (!row_order_find_field(&sort, schema, name, strlen(name), modifier,
					  strlen(modifier)) &&
		    !row_order_find_field(&sort, schema, name, strlen(name), NULL, 0))
			continue;
		sort.by_name = false;
		sort.descending = field->descending;
		made.sorts[made.n++] = sort;
	}
	if (!made.n)
		return false;
	*order = made;
	return true;
}

void hist_row_order_set_largest(struct hist_row_order *order, int value)
{
	memset(order, 0, sizeof(*order));
	if (value < 0)
		return;
	order->n = 1;
	order->sorts[0].index = value;
	order->sorts[0].descending = true;
}

int hist_row_find_main_value(const struct hist_schema *schema, const struct hist_row_order *order)
{
	unsigned int i;

	for (i = 0; order && i < order->n; i++)
		if (!order->sorts[i].is_key &&
		    hist_value_is_sum(schema->values[order->sorts[i].index].kind))
			return order->sorts[i].index;
	for (i = 0; i < schema->nvalues; i++)
		if (!strcmp(schema->values[i].name, "hitcount") &&
		    hist_value_is_sum(schema->values[i].kind))
			return i;
	for (i = 0; i < schema->nvalues; i++)
		if (hist_value_is_sum(schema->values[i].kind))
			return i;
	for (i = 0; i < hist_schema_columns(schema); i++)
		if (schema->values[i].kind != HIST_VALUE_SAVED)
			return i;
	return -1;
}
