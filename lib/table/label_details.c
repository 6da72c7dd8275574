// SPDX-License-Identifier: LGPL-2.1
/*
 * label_details.c - labels of rows with the details that keep different rows different
 *
 * Strings of a table are unique: two stacks or symbols with one label are two strings, or one
 * string with two addresses.  Stacks are compared by the hashes of their labels.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/hash.h"
#include "lib/table/disambiguate.h"
#include "lib/table/label_details.h"

struct stack_label {
	uint64_t hash;
	uint32_t str;
};

static int stack_label_compare(const void *a, const void *b)
{
	const struct stack_label *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->str > y->str) - (x->str < y->str);
}

/* Mark the stacks that differ from another one only in their offsets. */
static int label_details_mark_stacks(struct label_details *d, const struct hist_table *table,
				     unsigned int key, const uint32_t *entries, uint32_t count)
{
	struct stack_label *labels = malloc(((size_t)count + 1) * sizeof(*labels));
	struct hist_strbuf text = { 0 };
	const struct hist_cell *cell;
	uint32_t i, n = 0;
	int ret;

	if (!labels)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		cell = &hist_table_cells(table, entries[i])[key];
		if (cell->str == HIST_NO_STRING)
			continue;
		hist_label_put(hist_strbuf_clear(&text), table, key, cell, 0);
		labels[n++] = (struct stack_label){ hash_bytes(0, text.data, text.len), cell->str };
	}
	qsort(labels, n, sizeof(*labels), stack_label_compare);
	for (i = 1; i < n; i++)
		if (labels[i].hash == labels[i - 1].hash && labels[i].str != labels[i - 1].str)
			d->ambiguous[labels[i].str] = d->ambiguous[labels[i - 1].str] = true;
	ret = text.error;
	free(labels);
	hist_strbuf_free(&text);
	return ret;
}

int label_details_make(struct label_details *d, const struct hist_table *table,
		       const uint32_t *entries, uint32_t n)
{
	const struct hist_schema *schema = hist_table_schema(table);
	unsigned int key;
	int ret = 0;
	bool any;

	label_details_free(d);
	d->ambiguous = calloc((size_t)hist_table_strings(table) + 1, sizeof(*d->ambiguous));
	if (!d->ambiguous)
		return -ENOMEM;
	for (key = 0; key < schema->nkeys && !ret; key++) {
		if (schema->keys[key].kind == HIST_KEY_STACK)
			ret = label_details_mark_stacks(d, table, key, entries, n);
		else
			ret = disambiguate_symbols(&any, d->ambiguous, table, key, entries, n);
		if (!ret)
			ret = disambiguate_durations(&d->exact[key], table, key, entries, n);
	}
	return ret;
}

void label_details_free(struct label_details *d)
{
	free(d->ambiguous);
	memset(d, 0, sizeof(*d));
}

/* The flags of hist_label_put() that the cell of @key needs. */
static unsigned int label_details_flags(const struct label_details *d,
					const struct hist_schema *schema, unsigned int key,
					const struct hist_cell *cell)
{
	if (!d->ambiguous || cell->str == HIST_NO_STRING || !d->ambiguous[cell->str])
		return 0;
	return schema->keys[key].kind == HIST_KEY_SYM ? HIST_LABEL_ADDRESS :
	       schema->keys[key].kind == HIST_KEY_STACK ? HIST_LABEL_OFFSETS : 0;
}

unsigned int label_details_group_flags(const struct label_details *d,
				       const struct hist_table *table, uint32_t entry)
{
	const struct hist_cell *cells = hist_table_cells(table, entry);
	const struct hist_schema *schema = hist_table_schema(table);
	unsigned int key, flags = 0;

	for (key = 0; key < schema->nkeys; key++)
		flags |= label_details_flags(d, schema, key, &cells[key]);
	return flags;
}

unsigned int label_details_put(const struct label_details *d, struct hist_strbuf *b,
			       const struct hist_table *table, unsigned int key,
			       const struct hist_cell *cell, bool whole, unsigned int flags)
{
	flags |= whole ? HIST_LABEL_ADDRESS | HIST_LABEL_OFFSETS :
			 label_details_flags(d, hist_table_schema(table), key, cell);
	return disambiguate_label(b, table, key, cell, whole || d->exact[key], flags);
}
