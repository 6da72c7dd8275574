/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * saved_fields.h - what onmax() and onchange() print below a row
 */
#ifndef LIB_HIST_SAVED_FIELDS_H
#define LIB_HIST_SAVED_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/hist/schema.h"

struct hist_strbuf;

/* Fills saved[] of @schema.  -ENOMEM: some may be filled, for saved_free(). */
int saved_make(struct hist_schema *schema, const struct hist_expr *expr,
	       const struct hist_event *event);
int saved_copy(struct hist_schema *to, const struct hist_schema *from);
void saved_free(struct hist_schema *schema);

/* "%10llu", or with the sign of the field. */
void saved_print_number(struct hist_strbuf *b, const struct hist_saved_desc *saved, uint64_t value);

/*
 * saved_sign - the kernel's text, whose numbers have no sign, in @b with signs
 * False: @text may stay as it is, or @b has an error.
 */
bool saved_sign(const struct hist_schema *schema, const char *text, size_t len,
		struct hist_strbuf *b);

#endif
