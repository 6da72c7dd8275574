/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * glob.h - strings of a filter, compared as the kernel compares them
 *
 * Source: filter_parse_regex(), filter_build_regex() and regex_match_*() in
 * kernel/trace/trace_events_filter.c, glob_match_len() in lib/glob.c.  They have their own ideas:
 * a pattern that begins with a digit is no pattern; "*x" looks at the end of an array
 * and not of the string in it; "*x*" looks behind the NUL, too.
 */
#ifndef LIB_ENGINE_GLOB_H
#define LIB_ENGINE_GLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pattern_kind {
	PATTERN_FULL,
	PATTERN_FRONT,
	PATTERN_MIDDLE,
	PATTERN_END,
	PATTERN_GLOB,
};

struct pattern {
	enum pattern_kind kind;
	char *text;
	uint32_t len;
	bool invert; /* "!..." of a glob */
};

/* @is_glob: the operator is ~.  -ENOMEM. */
int pattern_init(struct pattern *pattern, const char *text, bool is_glob);
void pattern_clear(struct pattern *pattern);

/* @len: of the array, or as the event says; @room: how much can be read, if that is 0. */
bool pattern_match(const struct pattern *pattern, const char *s, uint32_t len, uint32_t room);

#endif
