/* SPDX-License-Identifier: GPL-2.0 */
/*
 * grammar.h - texts made by a grammar, for unit tests and fuzzers
 *
 * Each choice of the grammar takes a byte of @data; without bytes it takes the first alternative,
 * which ends.  The same bytes give the same text.
 */
#ifndef UTEST_UNIT_LIB_QUERY_GRAMMAR_H
#define UTEST_UNIT_LIB_QUERY_GRAMMAR_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/strbuf.h"

struct grammar {
	const uint8_t *data;
	size_t len;
	unsigned int depth;
};

/* Append a query of --sql over sched_switch, sched_waking, sys_enter and sys_exit; often a wrong one. */
void grammar_add_sql(struct grammar *g, struct hist_strbuf *text);

/* Append the text of a recipe file; often a wrong one. */
void grammar_add_recipe(struct grammar *g, struct hist_strbuf *text);

#endif
