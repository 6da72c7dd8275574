/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * sql.h - make --sql a histogram, or the triggers of a JOIN and the synthetic event between
 *
 * The text of the query is adapted (sql_text.c), libtracefs parses it (query_sql.parse() of
 * source.h), its answer is read (sql_found.c) and becomes events of the query (sql_expand.c).
 *
 * libtracefs is asked what it can answer.  It only knows blanks and newlines, and strings in double
 * quotes.  It crashes if the first selected field is a value, and never ends if a field is selected
 * twice.
 */
#ifndef LIB_QUERY_SQL_H
#define LIB_QUERY_SQL_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/error.h"
#include "lib/base/strbuf.h"
#include "lib/expr/expr.h"
#include "lib/expr/synth.h"
#include "lib/query/source.h"

/* --- the text before libtracefs parses it --- */

/* A word of the query; @len 0: a character that is none, or the end. */
struct sql_word {
	const char *at;
	size_t len;
};

struct sql_text {
	char *text;		/* for libtracefs */
	char *bare;		/* @text with blanks in place of its strings, of equal length */
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

/* --- what libtracefs made of the query --- */

struct sql_found_trigger {
	char *event; /* "SYS:EVENT" */
	struct hist_expr *expr;
};

/*
 * It comes from a process that parsed foreign input (tracecmd/base/confine.h), and is foreign
 * itself: all of it is parsed again before it is used. Initialize with zeros.
 */
struct sql_found {
	struct hist_synth *synth; /* of a JOIN; otherwise NULL */
	char *definition;	  /* of @synth, or NULL */
	/* A query without a JOIN has only @start. */
	struct sql_found_trigger start, end;
};

/*
 * sql_found_read - read the shell commands that tracefs_hist_echo_cmd() or tracefs_synth_echo_cmd()
 * print
 * @name: of the synthetic event.
 * 0; -EINVAL: they are others, or not what a query can become; -ENOMEM.  Call sql_found_clear() in
 * any case.
 */
int sql_found_read(struct sql_found *found, const struct hist_strbuf *commands, const char *name);
void sql_found_clear(struct sql_found *found);

/*
 * The variable that END passes as field @n of the synthetic event, if it is a difference of times;
 * or NULL.
 */
const struct hist_variable *sql_found_time(const struct sql_found *found, unsigned int n);

/* --- the expansion --- */

/*
 * sql_expand - add what the query means to @query
 * @event: of kind QUERY_SQL, with its histograms; not one of the array of @query.
 * @unique: for the name of the synthetic event.
 * A query without JOIN defines its own histogram and accepts no other.
 * Returns as latency_expand(); or what query_sql.parse() gave.
 */
int sql_expand(struct query *query, const struct query_event *event, const char *unique,
	       const struct query_source *source, struct hist_error *refusal);

#endif
