// SPDX-License-Identifier: LGPL-2.1
/*
 * expr_word.c - the words, numbers, operators and lists that all parts of an expression consist of
 *
 * The kernel distinguishes an expression from a field by operators alone (contains_operator()),
 * after it has replaced ".sym-offset" with ".symXoffset"; this file does the same.
 */
#include "lib/expr/expr_parts.h"

#define SYM_OFFSET ".sym-offset"

bool hist_expr_is_word(const char *s, size_t len)
{
	size_t i;

	if (!len || text_is_digit(*s))
		return false;
	for (i = 0; i < len; i++)
		if (!text_is_word(s[i]))
			return false;
	return true;
}

bool hist_expr_parse_number(const char *s, size_t len, uint64_t *value)
{
	unsigned int base = 10, digit;
	uint64_t v = 0;
	size_t i = 0;

	if (len > 1 && *s == '+') {
		s++;
		len--;
	}
	if (len > 2 && s[0] == '0' && (s[1] | 0x20) == 'x') {
		base = 16;
		i = 2;
	} else if (len > 1 && s[0] == '0') {
		base = 8;
		i = 1;
	}
	if (i == len)
		return false;
	for (; i < len; i++) {
		if (text_is_digit(s[i]))
			digit = s[i] - '0';
		else if ((s[i] | 0x20) >= 'a' && (s[i] | 0x20) <= 'f')
			digit = (s[i] | 0x20) - 'a' + 10;
		else
			return false;
		if (digit >= base || v > (UINT64_MAX - digit) / base)
			return false;
		v = v * base + digit;
	}
	*value = v;
	return true;
}

const char *hist_expr_find_operator(const char *s, const char *end)
{
	while (s < end) {
		if (text_starts_with(s, end - s, SYM_OFFSET)) {
			s += strlen(SYM_OFFSET);
			continue;
		}
		if (*s && strchr("+-*/()", *s))
			return s;
		s++;
	}
	return NULL;
}

size_t hist_expr_trim(const char *text, size_t *len)
{
	size_t start = strspn(text, HIST_SPACES);

	*len = strlen(text + start);
	while (*len && hist_is_space(text[start + *len - 1]))
		--*len;
	return start;
}

const char *hist_expr_next_item(const char **list, const char *end, size_t *len)
{
	const char *word = *list, *comma = memchr(word, ',', end - word);
	const char *stop = comma ? comma : end;

	*list = comma ? comma + 1 : NULL;
	while (word < stop && text_is_blank(*word))
		word++;
	while (stop > word && text_is_blank(stop[-1]))
		stop--;
	*len = stop - word;
	return word;
}
