/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * cut.h - shorten the labels of rows, so that rows that differ do not read alike
 *
 * A label that is too wide gets a mark in its middle.  Labels that would then be equal, but are
 * not, get their common begin shortened instead, and show the text in which they differ.  If that
 * does not separate them either, they get a number: " #3" is the third row.  Equal labels stay
 * equal.
 *
 * Labels are UTF-8 that is escaped already (escape.h), without NUL bytes.  A cut does not split a
 * character.
 *
 * Order of calls: init, add*, fit, then read the texts; fit can be called again for another width.
 * Errors are kept: after the first one hist_cut_fit() returns it, and the list can only be freed.
 */
#ifndef LIB_LABEL_CUT_H
#define LIB_LABEL_CUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/strbuf.h"

#define HIST_CUT_MARK "\xe2\x80\xa6"
#define HIST_CUT_MARK_ASCII "~"

/* The width of @len bytes of text, in any unit; that of a longer text is not smaller. */
typedef double hist_cut_measure(void *data, const char *text, size_t len);

/* Measures columns of a terminal, or characters of a monospace font.  @data is unused. */
hist_cut_measure hist_cut_columns;

struct hist_cut_item {
	char *label, *text; /* @text: NULL if the label fits */
	double width;	    /* of the label */
};

struct hist_cut {
	hist_cut_measure *measure;
	void *data;
	const char *mark;
	struct hist_cut_item *items;
	uint32_t n, room;
	double widest; /* label; 0 without labels */
	int error;     /* 0 or -ENOMEM */
};

/* hist_cut_init - begin an empty list.  @measure: of all texts; @mark: must stay valid. */
void hist_cut_init(struct hist_cut *cut, hist_cut_measure *measure, void *data, const char *mark);
void hist_cut_free(struct hist_cut *cut); /* not the struct */

/* hist_cut_add - add a copy of the label of the next row; the error of @label is kept */
void hist_cut_add(struct hist_cut *cut, const struct hist_strbuf *label);

/* hist_cut_fit - cut all labels to @width.  Returns 0 or -ENOMEM. */
int hist_cut_fit(struct hist_cut *cut, double width);

/* hist_cut_text - the text of row @i, at most as wide as the last fit; valid until the next fit */
const char *hist_cut_text(const struct hist_cut *cut, uint32_t i);

/* hist_cut_is_cut - true if the text of row @i differs from its label */
static inline bool hist_cut_is_cut(const struct hist_cut *cut, uint32_t i)
{
	return cut->items[i].text != NULL;
}

#endif
