/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * duration.h - parse durations such as "250ms", "1.5" and "2m", and counts
 */
#ifndef LIB_BASE_DURATION_H
#define LIB_BASE_DURATION_H

#include <stdint.h>

/*
 * duration_parse - a decimal number with one of ns, us, ms, s, m, h behind it
 * Plain numbers are seconds.  0, or -EINVAL: no number, unknown unit, negative,
 * or more than 2^63 ns (292 years).
 */
int duration_parse(const char *text, uint64_t *ns);

/* duration_parse_count - parse a decimal number of at most @most.  Returns 0 or -EINVAL. */
int duration_parse_count(uint64_t *count, const char *text, uint64_t most);

#endif
