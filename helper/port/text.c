// SPDX-License-Identifier: GPL-2.0
/* text.c - format and parse numbers and join strings, without printf() and strtoul() */
#include "helper/port/port.h"

#include "helper/port/text.h"
#include "lib/base/error.h"

char *text_format_number(char *to, uint64_t n, unsigned int base, unsigned int digits)
{
	char reverse[TEXT_NUMBER_MAX];
	unsigned int len = 0, i;

	do {
		reverse[len++] = "0123456789abcdef"[n % base];
		n /= base;
	} while (n || (len < digits && len < sizeof(reverse) - 1));
	for (i = 0; i < len; i++)
		to[i] = reverse[len - 1 - i];
	to[len] = '\0';
	return to;
}

char *text_join(const char *first, ...)
{
	const char *word;
	size_t len = 1, n;
	va_list args;
	char *all, *at;

	va_start(args, first);
	for (word = first; word; word = va_arg(args, const char *))
		len += strlen(word);
	va_end(args);
	all = malloc(len);
	if (!all)
		return NULL;
	at = all;
	va_start(args, first);
	for (word = first; word; word = va_arg(args, const char *)) {
		n = strlen(word);
		memcpy(at, word, n);
		at += n;
	}
	va_end(args);
	*at = '\0';
	return all;
}

void text_join_to(char *to, size_t len, const char *first, ...)
{
	const char *word;
	va_list args;
	size_t at = 0;

	va_start(args, first);
	for (word = first; word; word = va_arg(args, const char *)) {
		for (; *word && at + 1 < len; word++)
			to[at++] = *word;
	}
	va_end(args);
	if (len)
		to[at] = '\0';
}

int text_refuse(struct hist_error *error, int err, const char *first, ...)
{
	char *to = error->what;
	const char *word;
	va_list args;
	size_t at = 0;

	*error = (struct hist_error){ .err = err };
	va_start(args, first);
	for (word = first; word; word = va_arg(args, const char *)) {
		for (; *word; word++) {
			if (*word == '\n' && to == error->what) {
				to = error->hint;
				at = 0;
			} else if (at + 1 < HIST_ERROR_MAX) {
				to[at++] = *word;
			}
		}
	}
	va_end(args);
	return err;
}

int text_parse_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 'a' - 'A';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool text_parse_number(const char *text, unsigned int base, uint64_t *n)
{
	int digit;

	*n = 0;
	if (!*text)
		return false;
	for (; *text; text++) {
		digit = text_parse_digit(*text);
		if (digit < 0 || (unsigned int)digit >= base || *n > (UINT64_MAX - digit) / base)
			return false;
		*n = *n * base + digit;
	}
	return true;
}
