/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * function_field.h - one name for the field with the address of a traced function
 *
 * The kernel calls this field __probe_ip, __probe_func, ip or func, which depends on the kind of
 * the event. Options, files and output call it "function" on each kernel and with each engine. Only
 * texts for the kernel, and texts from the kernel, have the kernel's name.
 */
#ifndef LIB_QUERY_FUNCTION_FIELD_H
#define LIB_QUERY_FUNCTION_FIELD_H

#include "lib/event/event.h"

#define FUNCTION_FIELD "function"

/*
 * function_field_to_kernel - replace the name "function" in a trigger or filter by @field
 * function_field_from_kernel - the reverse
 * Quoted strings, variables ($function) and the suffix ".function" of a filter are not changed.
 * @field: NULL: nothing is replaced.  Malloc'ed; NULL if out of memory.
 */
char *function_field_to_kernel(const char *text, const char *field);
char *function_field_from_kernel(const char *text, const char *field);

/* Rename @field of @event to "function". 0; -ENOENT: no such field; -ENOMEM. */
int function_field_rename(struct hist_event *event, const char *field);

#endif
