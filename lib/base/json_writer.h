/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * json_writer.h - write JSON to a stream, as it comes
 *
 * Commas, nesting, indentation and escapes are the writer's business.  Errors
 * are sticky: write on and ask json_writer_free() at the end.  Bytes that are
 * not valid UTF-8 are written as U+FFFD (RFC 8259 wants UTF-8).
 */
#ifndef LIB_BASE_JSON_WRITER_H
#define LIB_BASE_JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json_writer;

/* @f stays the caller's.  @pretty: one member a line, two spaces a level. */
struct json_writer *json_writer_new(FILE *f, bool pretty);
/* Ends the line; returns 0 or the first error as -errno. NULL gives -ENOMEM. */
int json_writer_free(struct json_writer *w);
/* The first error so far as -errno, for those who want to stop early. */
int json_writer_error(const struct json_writer *w);

/*
 * json_one_line - while on, objects and arrays that are begun stay on one line
 * with all that is in them: for the rows of a pretty document.
 */
void json_one_line(struct json_writer *w, bool on);

/* Between two documents of one stream, each on its line (NDJSON, without @pretty). */
void json_next_line(struct json_writer *w);

void json_object_begin(struct json_writer *w);
void json_object_end(struct json_writer *w);
void json_array_begin(struct json_writer *w);
void json_array_end(struct json_writer *w);
void json_name(struct json_writer *w, const char *name);
void json_string(struct json_writer *w, const char *s);
void json_string_len(struct json_writer *w, const char *s, size_t len);
/* Integers beyond 2^53 are written as decimal strings (SPEC of trace-cmd-hist/1). */
void json_u64(struct json_writer *w, uint64_t v);
void json_s64(struct json_writer *w, int64_t v);
void json_bool(struct json_writer *w, bool v);
void json_null(struct json_writer *w);
/* A fixed-point number: value / 10^digits, "12.34" for (1234, 2). */
void json_fixed(struct json_writer *w, uint64_t value, unsigned int digits);
/* The shortest of 15 or 17 digits that reads back as @v; null for what is no number. */
void json_double(struct json_writer *w, double v);

#endif
