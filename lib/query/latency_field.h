/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * latency_field.h - the fields of the synthetic event of a latency
 */
#ifndef LIB_QUERY_LATENCY_FIELD_H
#define LIB_QUERY_LATENCY_FIELD_H

#include "lib/event/event.h"

/* Write "use one of: a, b, ..." to @text, with as many of @names as fit. */
void latency_field_list_names(char *text, size_t size, const char *const *names, unsigned int n);

/*
 * The type of the synthetic field: the type of @f if synthetic events support it, otherwise an
 * unsigned type of the same size. Signed fields become unsigned too: the variable that carries
 * the value is unsigned, and the kernel refuses a different type.
 */
const char *latency_field_type(const struct hist_event_field *f);

#endif
