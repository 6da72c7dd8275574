/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * error.h - an error for the user: errno, sentence, hint, and the place in a text
 *
 * A function that can fail for a reason that errno does not tell takes a struct hist_error.  It
 * returns -errno, and sets the error unless errno says it all (-ENOMEM).  So a caller that shows
 * the error uses hist_error_what(), which falls back to the text of errno.
 *
 * Invariants: the caller initializes with zeros, and an error that is not set stays empty; each
 * text is one sentence without a full stop, at most HIST_ERROR_MAX - 1 bytes; "..." ends a text
 * that was cut.  Texts contain names from outside: who prints them escapes them (escape.h).
 */
#ifndef LIB_BASE_ERROR_H
#define LIB_BASE_ERROR_H

#include <stdarg.h>
#include <stddef.h>

struct hist_strbuf;

/* A part of a text. */
struct hist_span {
	size_t start;
	size_t len;
};

#define HIST_ERROR_MAX 512

struct hist_error {
	int err;		   /* -errno; 0: empty */
	struct hist_span at;	   /* where in the text that was parsed, if its function says so */
	const char *text;	   /* that text, or NULL: a caller's */
	char what[HIST_ERROR_MAX]; /* "unknown modifier \"log3\"" */
	char hint[HIST_ERROR_MAX]; /* "did you mean \"log2\"?", or "" */
};

/*
 * hist_error_set - set the error, and return @err
 * @error: NULL: nobody wants to know.
 * @fmt: the sentence.  The hint follows a newline in it, but not one in an argument.
 */
int hist_error_set(struct hist_error *error, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

int hist_error_vset(struct hist_error *error, int err, const char *fmt, va_list args)
	__attribute__((format(printf, 3, 0)));

/*
 * hist_error_format - format both texts of hist_error_set(), uncut
 * *@len is the length of the sentence, and *@hint is in the same text, or "".  malloc'ed; NULL if
 * out of memory.
 */
char *hist_error_format(const char *fmt, va_list args, size_t *len, const char **hint)
	__attribute__((format(printf, 1, 0)));

/*
 * hist_error_prefix - put a text such as "line 3: " before the sentence
 * @err: what is returned, and the errno of an empty error, whose text is that of errno.
 * If both are too long, the prefix is cut.
 */
int hist_error_prefix(struct hist_error *error, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The sentence; if the error is empty, that of errno -@err, or "out of memory". */
const char *hist_error_what(const struct hist_error *error, int err);

/*
 * hist_error_put - append the lines of an error, its text with a caret, and the hint if there is
 * one PREFIXWHAT hist:keys=bytes_rq
 *               ^~~~~~~~
 *   hint: HINT
 * @err: as in hist_error_what().
 * The text and the caret are left out if the text is NULL or "".  Control characters are escaped
 * (escape.h); the caret still points to the right column.
 */
void hist_error_put(struct hist_strbuf *b, const char *prefix, int err,
		    const struct hist_error *error);

#endif
