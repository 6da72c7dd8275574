/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * saved_fields.h - the text of the lines that onmax() and onchange() print below a row
 */
#ifndef LIB_HIST_SAVED_FIELDS_H
#define LIB_HIST_SAVED_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/hist/schema.h"

struct hist_strbuf;

/* True if the lines are those of HIST_VALUE_WORST. */
bool saved_is_worst(const struct hist_expr *expr);

/* Print as "%10llu", or signed if the field is signed. */
void saved_print_number(struct hist_strbuf *b, const struct hist_saved_desc *saved, uint64_t value);

#endif
