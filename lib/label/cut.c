// SPDX-License-Identifier: LGPL-2.1
/*
 * cut.c - shorten the labels of rows, so that rows that differ do not read alike
 *
 * Each round sorts the texts and cuts those again that are equal, although their labels are not.  A
 * new text may equal another one, so that several rounds are needed; numbers settle the last one.
 * A label that fits stays as it is.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/escape.h"
#include "lib/base/utf8.h"
#include "lib/label/cut.h"

#define ROUNDS 5
#define BEGIN_PART 3 /* the common begin has at most this part of the width */

double hist_cut_columns(void *data, const char *text, size_t len)
{
	unsigned int columns = 0;
	size_t at, n;
	uint32_t c;

	(void)data;
	for (at = 0; at < len; at += n) {
		n = utf8_decode(text + at, len - at, &c);
		n = n ? n : 1;
		/* a backslash belongs to an escape that is there already */
		columns += c < 0x7f ? 1 : hist_escape_width(text + at, n, 0);
	}
	return columns;
}

void hist_cut_init(struct hist_cut *cut, hist_cut_measure *measure, void *data, const char *mark)
{
	*cut = (struct hist_cut){ .measure = measure, .data = data, .mark = mark };
}

void hist_cut_free(struct hist_cut *cut)
{
	uint32_t i;

	for (i = 0; i < cut->n; i++) {
		free(cut->items[i].label);
		free(cut->items[i].text);
	}
	free(cut->items);
}

static double cut_width(const struct hist_cut *cut, const char *text, size_t len)
{
	return len ? cut->measure(cut->data, text, len) : 0;
}

void hist_cut_add(struct hist_cut *cut, const struct hist_strbuf *label)
{
	struct hist_cut_item *item;

	if (cut->error || label->error ||
	    array_grow(&cut->items, &cut->room, cut->n + 1ul, sizeof(*item))) {
		cut->error = -ENOMEM;
		return;
	}
	item = &cut->items[cut->n];
	*item = (struct hist_cut_item){ .label = strndup(label->len ? label->data : "",
							 label->len) };
	if (!item->label) {
		cut->error = -ENOMEM;
		return;
	}
	item->width = cut_width(cut, item->label, strlen(item->label));
	cut->widest = item->width > cut->widest ? item->width : cut->widest;
	cut->n++;
}

/* The largest number of bytes up to @at that does not split a character. */
static size_t cut_whole(const char *text, size_t at)
{
	while (at && (text[at] & 0xc0) == 0x80)
		at--;
	return at;
}

/* The smallest number of bytes from @at on that does not split a character. */
static size_t cut_whole_after(const char *text, size_t at)
{
	while ((text[at] & 0xc0) == 0x80)
		at++;
	return at;
}

/* The most bytes of @text that fit into @width. */
static size_t cut_find_begin(const struct hist_cut *cut, const char *text, size_t len, double width)
{
	size_t low = 0, high = len, middle;

	while (low < high) {
		middle = cut_whole_after(text, low + (high - low + 1) / 2);
		if (cut_width(cut, text, middle) <= width)
			low = middle;
		else
			high = cut_whole(text, middle - 1);
	}
	return low;
}

/* The least @at, not below @low, from which on @text fits into @width. */
static size_t cut_find_end(const struct hist_cut *cut, const char *text, size_t low, size_t len,
			   double width)
{
	size_t high = len, middle;

	while (low < high) {
		middle = cut_whole(text, low + (high - low) / 2);
		if (cut_width(cut, text + middle, len - middle) <= width)
			high = middle;
		else
			low = cut_whole_after(text, middle + 1);
	}
	return low;
}

/* Write @text, cut at its end. */
static void cut_put_end(struct hist_strbuf *b, const struct hist_cut *cut, const char *text,
			size_t len, double width)
{
	double mark = cut_width(cut, cut->mark, strlen(cut->mark));

	if (cut_width(cut, text, len) <= width) {
		hist_strbuf_add(b, text, len);
	} else if (mark <= width) {
		hist_strbuf_add(b, text, cut_find_begin(cut, text, len, width - mark));
		hist_strbuf_str(b, cut->mark);
	}
}

/* Write @label, which is too wide, cut in its middle. */
static void cut_put_middle(struct hist_strbuf *b, const struct hist_cut *cut, const char *label,
			   double width)
{
	double room = width - cut_width(cut, cut->mark, strlen(cut->mark));
	size_t len = strlen(label), begin, end;

	if (room < 0)
		return;
	begin = cut_find_begin(cut, label, len, room / 2);
	room -= cut_width(cut, label, begin);
	end = cut_find_end(cut, label, begin, len, room);
	hist_strbuf_add(b, label, begin);
	hist_strbuf_str(b, cut->mark);
	hist_strbuf_add(b, label + end, len - end);
}

/* Write the begin of @label, the text after its first @same bytes, and @number if it is not 0. */
static void cut_put_from(struct hist_strbuf *b, const struct hist_cut *cut, const char *label,
			 size_t same, uint32_t number, double width)
{
	size_t start = b->len;
	char end[16] = "";

	if (number)
		snprintf(end, sizeof(end), " #%" PRIu32, number);
	width -= cut_width(cut, end, strlen(end));
	cut_put_end(b, cut, label, same, width / BEGIN_PART);
	cut_put_end(b, cut, label + same, strlen(label + same),
		    width - cut_width(cut, b->data + start, b->len - start));
	if (width >= 0)
		hist_strbuf_str(b, end);
}

static const char *cut_text(const struct hist_cut_item *item)
{
	return item->text ? item->text : item->label;
}

static int cut_compare(const void *a, const void *b)
{
	const struct hist_cut_item *x = *(struct hist_cut_item *const *)a,
				   *y = *(struct hist_cut_item *const *)b;
	int order = strcmp(cut_text(x), cut_text(y));

	return order ? order : strcmp(x->label, y->label);
}

/* The length of the text with which the labels of a sorted group begin. */
static size_t cut_find_same(struct hist_cut_item *const *group, uint32_t n)
{
	const char *first = group[0]->label, *last = group[n - 1]->label;
	size_t same = 0;

	/* labels in between have it, too */
	while (first[same] && first[same] == last[same])
		same++;
	return cut_whole(first, same);
}

static void cut_set(struct hist_cut *cut, struct hist_cut_item *item, struct hist_strbuf *text)
{
	free(item->text);
	item->text = hist_strbuf_string(text);
	*text = (struct hist_strbuf){ 0 };
	if (!item->text)
		cut->error = -ENOMEM;
}

/* Cut the labels of a group again, which is sorted by label, and whose texts are equal. */
static void cut_separate(struct hist_cut *cut, struct hist_cut_item **group, uint32_t n,
			 double width, bool numbers)
{
	size_t same = cut_find_same(group, n);
	struct hist_strbuf text = { 0 };
	uint32_t i, first = 0, number = 0;

	for (i = 0; i < n; i++) {
		/* the number of the first of equal labels */
		if (!i || strcmp(group[i]->label, group[first]->label)) {
			first = i;
			number = group[i] - cut->items + 1;
		}
		if (!group[i]->text)
			continue;
		cut_put_from(&text, cut, group[i]->label, same, numbers ? number : 0, width);
		cut_set(cut, group[i], &text);
	}
}

/* One round.  Returns whether any texts were equal. */
static bool cut_separate_all(struct hist_cut *cut, struct hist_cut_item **order, double width,
			     bool numbers)
{
	uint32_t i, end;
	bool any = false;

	qsort(order, cut->n, sizeof(*order), cut_compare);
	for (i = 0; i < cut->n && !cut->error; i = end) {
		for (end = i + 1; end < cut->n; end++)
			if (strcmp(cut_text(order[end]), cut_text(order[i])))
				break;
		if (strcmp(order[i]->label, order[end - 1]->label)) {
			cut_separate(cut, order + i, end - i, width, numbers);
			any = true;
		}
	}
	return any;
}

int hist_cut_fit(struct hist_cut *cut, double width)
{
	struct hist_cut_item **order = NULL;
	struct hist_strbuf text = { 0 };
	unsigned int round;
	bool any = false;
	uint32_t i;

	for (i = 0; i < cut->n && !cut->error; i++) {
		struct hist_cut_item *item = &cut->items[i];

		free(item->text);
		item->text = NULL;
		if (item->width <= width)
			continue;
		cut_put_middle(&text, cut, item->label, width);
		cut_set(cut, item, &text);
		any = true;
	}
	if (!any || cut->error)
		return cut->error;
	order = malloc(cut->n * sizeof(*order));
	if (!order) {
		cut->error = -ENOMEM;
		return cut->error;
	}
	for (i = 0; i < cut->n; i++)
		order[i] = &cut->items[i];
	for (round = 1; round <= ROUNDS; round++)
		if (!cut_separate_all(cut, order, width, round == ROUNDS) || cut->error)
			break;
	free(order);
	return cut->error;
}

const char *hist_cut_text(const struct hist_cut *cut, uint32_t i)
{
	return cut_text(&cut->items[i]);
}
