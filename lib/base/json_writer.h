/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * json_writer.h - write JSON to a stream, value by value
 *
 * The writer adds commas, nesting, indentation and escapes.  Errors are sticky: the caller can go
 * on writing and check json_writer_free() at the end.  Bytes that are not valid UTF-8 are written
 * as U+FFFD (RFC 8259 requires UTF-8).
 */
#ifndef LIB_BASE_JSON_WRITER_H
#define LIB_BASE_JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/base/error.h"

struct json_writer;

/* The caller keeps @f.  @pretty: one member per line, two spaces per level. */
struct json_writer *json_writer_new(FILE *f, bool pretty);
/* Ends the line; returns 0 or the first error as -errno.  -ENOMEM if @w is NULL. */
int json_writer_free(struct json_writer *w);
/* The first error so far as -errno, for callers that stop early. */
int json_writer_error(const struct json_writer *w);

/* Start the next document of one stream on a new line (NDJSON, without @pretty). */
void json_next_line(struct json_writer *w);

/* Each writes one value.  @name: of the member of an object; NULL in an array and at the top. */
void json_object_begin(struct json_writer *w, const char *name);
void json_object_line(struct json_writer *w, const char *name); /* stays on one line */
void json_object_end(struct json_writer *w);
void json_array_begin(struct json_writer *w, const char *name);
void json_array_line(struct json_writer *w, const char *name);
void json_array_end(struct json_writer *w);
/* @s may be NULL for "". */
void json_string(struct json_writer *w, const char *name, const char *s);
void json_string_len(struct json_writer *w, const char *name, const char *s, size_t len);
/*
 * A reason without its hint (reason.h), and the hint as the member "hint" after it if it has one.
 */
void json_reason(struct json_writer *w, const char *name, const char *why);
/* The same of an error. */
void json_error(struct json_writer *w, const char *name, const struct hist_error *error);
/* Integers beyond 2^53 are written as decimal strings, as the format trace-cmd-hist/1 requires. */
void json_number(struct json_writer *w, const char *name, uint64_t v, bool is_signed);
void json_u64(struct json_writer *w, const char *name, uint64_t v);
void json_bool(struct json_writer *w, const char *name, bool v);
void json_null(struct json_writer *w, const char *name);
/* A fixed-point number: value / 10^digits, "12.34" for (1234, 2). */
void json_fixed(struct json_writer *w, const char *name, uint64_t value, unsigned int digits);
/* Write @v with 15 digits if they read back as @v, otherwise with 17; null if not finite. */
void json_double(struct json_writer *w, const char *name, double v);

#endif
