/* SPDX-License-Identifier: GPL-2.0 */
/*
 * text.h - text put together without printf()
 */
#ifndef TARGET_PORT_TEXT_H
#define TARGET_PORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for any number in any base from 10, with its NUL. */
#define WORDS_NUMBER 24

/* @n in @base (10 or 16), at least @digits long, into @to; returns @to. */
char *words_number(char *to, uint64_t n, unsigned int base, unsigned int digits);

/* The strings up to a NULL, one behind the other; malloc'ed, or NULL. */
char *words_join(const char *first, ...) __attribute__((sentinel));

/* The same into @to, cut off at @len with its NUL. */
void words_set(char *to, size_t len, const char *first, ...) __attribute__((sentinel));

/* The whole of @text is a number in @base; false otherwise, or over 64 bits. */
bool words_to_number(const char *text, unsigned int base, uint64_t *n);

#endif
