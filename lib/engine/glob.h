/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * glob.h - match strings of a filter as the kernel does
 *
 * The kernel has these special cases: a text that begins with a digit is not a pattern; "*x"
 * compares the end of the array, not of the string in it; "*x*" also searches after the NUL.
 *
 * Source: filter_parse_regex(), filter_build_regex() and regex_match_*() in
 * kernel/trace/trace_events_filter.c, glob_match_len() in lib/glob.c.
 */
#ifndef LIB_ENGINE_GLOB_H
#define LIB_ENGINE_GLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum glob_pattern_kind {
	GLOB_PATTERN_FULL,
	GLOB_PATTERN_FRONT,
	GLOB_PATTERN_MIDDLE,
	GLOB_PATTERN_END,
	GLOB_PATTERN_GLOB,
};

struct glob_pattern {
	enum glob_pattern_kind kind;
	char *text;
	uint32_t len;
	bool invert; /* "!..." of a glob */
};

/* @is_glob: the operator is ~.  -ENOMEM. */
int glob_pattern_init(struct glob_pattern *pattern, const char *text, bool is_glob);
void glob_pattern_clear(struct glob_pattern *pattern);

/* @len: of the array, or from the event; @room: number of readable bytes, if @len is 0. */
bool glob_pattern_match(const struct glob_pattern *pattern, const char *s, uint32_t len,
			uint32_t room);

#endif
