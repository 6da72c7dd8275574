/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * duration.h - parse durations such as "250ms", "1.5" and "2m", and counts
 */
#ifndef LIB_BASE_DURATION_H
#define LIB_BASE_DURATION_H

#include <stdbool.h>
#include <stdint.h>

/* The units of a duration, for messages. */
#define DURATION_UNITS "ns, us, ms, s, m or h"

/*
 * duration_parse - a decimal number with one of ns, us, ms, s, m, h behind it
 * Plain numbers are seconds.  0, or -EINVAL: no number, unknown unit, negative,
 * or more than 2^63 ns (292 years).
 */
int duration_parse(const char *text, uint64_t *ns);

/*
 * duration_lacks_unit - true if @text is a number without a unit, except 0
 * It is seconds for duration_parse(); a caller for whom it could be something else refuses it.
 */
bool duration_lacks_unit(const char *text);

/* True for "ns", "us", "ms", "s", "m" and "h". */
bool duration_is_unit(const char *word);

/* duration_parse_count - parse a decimal number of at most @most.  Returns 0 or -EINVAL. */
int duration_parse_count(uint64_t *count, const char *text, uint64_t most);

#endif
