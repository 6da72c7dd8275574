/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * sql_text.h - the text of a --sql query before libtracefs parses it
 *
 * libtracefs is asked what it can answer.  It only knows blanks and newlines, and strings in double
 * quotes.  It crashes if the first selected field is a value, and never ends if a field is selected
 * twice.
 */
#ifndef LIB_QUERY_SQL_TEXT_H
#define LIB_QUERY_SQL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/error.h"

/* A word of the query; @len 0: a character that is none, or the end. */
struct sql_word {
	const char *at;
	size_t len;
};

struct sql_text {
	char *text; /* for libtracefs */
	char *bare; /* @text with blanks in place of its strings, of equal length */
	struct sql_word *words; /* of @bare, sorted */
	unsigned int nwords;
};

/*
 * sql_text_read - make @t of @query
 * White space outside strings becomes blanks, and 'STRING' becomes "STRING".  Without a JOIN,
 * values are moved behind the keys if the first selected field is a value.
 * 0; -EINVAL with @error; -ENOMEM.  Call sql_text_clear() in any case.
 */
int sql_text_read(struct sql_text *t, const char *query, struct hist_error *error);

/* True if the query, without its strings, contains @word as a whole word. */
bool sql_text_names(const struct sql_text *t, const char *word);

void sql_text_clear(struct sql_text *t);

#endif
