/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * saved_fields.h - the lines that onmax() and onchange() print below a row
 */
#ifndef LIB_HIST_SAVED_FIELDS_H
#define LIB_HIST_SAVED_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/hist/schema.h"

struct hist_strbuf;

/* Fill saved[] of @schema.  On -ENOMEM some may be filled; call saved_free(). */
int saved_make(struct hist_schema *schema, const struct hist_expr *expr,
	       const struct hist_event *event);
/* True if the lines are those of HIST_VALUE_WORST. */
bool saved_is_worst(const struct hist_expr *expr);
int saved_copy(struct hist_schema *to, const struct hist_schema *from);
void saved_free(struct hist_schema *schema);

/* Print as "%10llu", or signed if the field is signed. */
void saved_print_number(struct hist_strbuf *b, const struct hist_saved_desc *saved, uint64_t value);

/*
 * saved_restore_signs - rewrite the kernel's text, whose numbers are unsigned, into @b with signs
 * False if @text need not change, or if @b has an error.
 */
bool saved_restore_signs(const struct hist_schema *schema, const char *text, size_t len,
			 struct hist_strbuf *b);

#endif
