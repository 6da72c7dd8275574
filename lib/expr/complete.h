/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * complete.h - the words that can follow at the end of a text: fields, modifiers, orders
 *
 * Bash completion and the panel of KernelShark offer these words while a user types.  The text
 * before the word to complete may be invalid.
 */
#ifndef LIB_EXPR_COMPLETE_H
#define LIB_EXPR_COMPLETE_H

#include <stdbool.h>

#include "lib/base/names.h"
#include "lib/event/event.h"

struct hist_complete {
	struct names *words; /* found so far, each once */
	const char *at;	     /* the beginning of the word to complete; the text ends after it */
	size_t len;
	int ret; /* -ENOMEM; the functions do nothing then */
};

/* Add @word if it begins with the word to complete. */
void hist_complete_offer(struct hist_complete *c, const char *word, size_t len);
void hist_complete_offer_text(struct hist_complete *c, const char *word);

/* The word to complete begins at @at, which is inside the present one. */
void hist_complete_begin(struct hist_complete *c, const char *at);

/* "FIELD[.MODIFIER][,...]": keys, or values, of @event; ".buckets=" needs a number. */
void hist_complete_fields(struct hist_complete *c, const struct hist_event *event, bool is_key);

/*
 * hist_complete_order - "NAME[.ORDER][,...]": begin the last item, and offer its orders
 * False: the item does not have a '.', so that the caller offers the names.
 */
bool hist_complete_order(struct hist_complete *c);

/* Fields of @event at the beginning of a condition. */
void hist_complete_filter(struct hist_complete *c, const struct hist_event *event);

#endif
