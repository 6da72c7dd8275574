// SPDX-License-Identifier: LGPL-2.1
/*
 * glob.c - match strings of a filter as the kernel does
 *
 * The matcher backtracks only to the last "*", because a "*" matches any characters.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/engine/glob.h"

/* The kind of a pattern; *@text is moved to the text to find, which is cut after its end. */
static enum glob_pattern_kind glob_find_kind(char **text, bool *invert)
{
	enum glob_pattern_kind kind = GLOB_PATTERN_FULL;
	char *s = *text;
	size_t i, len;

	*invert = *s == '!';
	s += *invert;
	*text = s;
	len = strlen(s);
	if (*s >= '0' && *s <= '9')
		return GLOB_PATTERN_FULL;
	for (i = 0; i < len; i++) {
		if (strchr("[?\\", s[i]))
			return GLOB_PATTERN_GLOB;
		if (s[i] != '*')
			continue;
		if (!i) {
			kind = GLOB_PATTERN_END;
		} else if (i == len - 1) {
			kind = kind == GLOB_PATTERN_END ? GLOB_PATTERN_MIDDLE : GLOB_PATTERN_FRONT;
			s[i] = '\0';
			break;
		} else {
			return GLOB_PATTERN_GLOB;
		}
	}
	*text += *s == '*';
	return kind;
}

int glob_pattern_init(struct glob_pattern *pattern, const char *text, bool is_glob)
{
	char *s = strdup(text), *found = s;

	*pattern = (struct glob_pattern){ .kind = GLOB_PATTERN_FULL };
	if (!s)
		return -ENOMEM;
	if (is_glob) {
		pattern->kind = glob_find_kind(&found, &pattern->invert);
		memmove(s, found, strlen(found) + 1);
	}
	pattern->text = s;
	pattern->len = strlen(s);
	return 0;
}

void glob_pattern_clear(struct glob_pattern *pattern)
{
	free(pattern->text);
	pattern->text = NULL;
}

/*
 * The class after a "[": 1 if @c is in it, otherwise 0, with *@end after its "]".  -1: it does not
 * end, and the bracket is a plain character.
 */
static int in_class(const char *s, unsigned char c, const char **end)
{
	bool invert = *s == '!', found = false, first = true;
	unsigned char low, high;

	for (s += invert; *s && (first || *s != ']'); first = false) {
		low = high = *s++;
		if (s[0] == '-' && s[1] != ']') {
			high = s[1];
			if (!high)
				return -1;
			s += 2;
		}
		found |= low <= c && c <= high;
	}
	if (!*s)
		return -1;
	*end = s + 1;
	return found != invert;
}

/* Does the first item of *@pattern match @c, which is not NUL?  If so, skip the item. */
static bool take_one(const char **pattern, unsigned char c)
{
	const char *s = *pattern, *end = s + 1;
	int in = -1;

	if (*s == '[')
		in = in_class(s + 1, c, &end);
	else if (*s == '\\')
		end = ++s + 1;
	else if (*s == '?')
		in = 1;
	if (in < 0)
		in = (unsigned char)*s == c;
	if (in)
		*pattern = end;
	return in;
}

static bool glob_match_chars(const char *pattern, const char *s, uint32_t len)
{
	const char *star = NULL;
	uint32_t i = 0, mark = 0;

	for (;;) {
		if (*pattern == '*') {
			star = ++pattern;
			mark = i;
			if (!*pattern)
				return true;
			continue;
		}
		if (i == len || !s[i])
			return !*pattern || !strcmp(pattern, "\\");
		if (take_one(&pattern, s[i])) {
			i++;
		} else if (star) {
			pattern = star;
			i = ++mark;
		} else {
			return false;
		}
	}
}

bool glob_pattern_match(const struct glob_pattern *p, const char *s, uint32_t len, uint32_t room)
{
	size_t n;

	switch (p->kind) {
	case GLOB_PATTERN_FULL:
	case GLOB_PATTERN_FRONT:
		n = strnlen(s, len ? len : room);
		return (p->kind == GLOB_PATTERN_FULL ? n == p->len : n >= p->len) &&
		       !memcmp(s, p->text, p->len);
	case GLOB_PATTERN_MIDDLE:
		return memmem(s, len ? len : strnlen(s, room), p->text, p->len);
	case GLOB_PATTERN_END:
		return len > p->len && !memcmp(s + len - 1 - p->len, p->text, p->len);
	default:
		return glob_match_chars(p->text, s, len);
	}
}
