/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * sql_found.h - what libtracefs made of a --sql query
 *
 * It comes from a process that parsed foreign input (tracecmd/base/confine.h), and is foreign
 * itself:
 * all of it is parsed again before it is used.
 */
#ifndef LIB_QUERY_SQL_FOUND_H
#define LIB_QUERY_SQL_FOUND_H

#include "lib/base/strbuf.h"
#include "lib/expr/expr.h"
#include "lib/expr/synth.h"

struct sql_found_trigger {
	char *event; /* "SYS:EVENT" */
	struct hist_expr *expr;
};

/* Initialize with zeros. */
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

#endif
