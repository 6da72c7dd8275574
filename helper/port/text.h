/* SPDX-License-Identifier: GPL-2.0 */
/* text.h - text formatting without printf() */
#ifndef HELPER_PORT_TEXT_H
#define HELPER_PORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sufficient for any number in base 10 or higher, with its NUL. */
#define TEXT_NUMBER_MAX 24

/* Format @n in @base (10 or 16) with at least @digits digits into @to; returns @to. */
char *text_format_number(char *to, uint64_t n, unsigned int base, unsigned int digits);

/* Concatenate strings up to a NULL; malloc'ed, or NULL. */
char *text_join(const char *first, ...) __attribute__((sentinel));

/* Concatenate into @to; truncated to @len bytes, including the NUL. */
void text_join_to(char *to, size_t len, const char *first, ...) __attribute__((sentinel));

struct hist_error; /* lib/base/error.h */

/*
 * text_refuse - set an error to the concatenated texts, and return @err
 * The hint follows the first newline.
 */
int text_refuse(struct hist_error *error, int err, const char *first, ...)
	__attribute__((sentinel));

/* The value of the hexadecimal digit @c; -1 if @c is not a digit. */
int text_parse_digit(char c);

/* Parse @text as a number in @base. False if @text contains anything else or exceeds 64 bits. */
bool text_parse_number(const char *text, unsigned int base, uint64_t *n);

#endif
