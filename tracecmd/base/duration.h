/* SPDX-License-Identifier: GPL-2.0 */
/*
 * duration.h - "250ms", "1.5", "2m" in nanoseconds
 */
#ifndef TRACECMD_BASE_DURATION_H
#define TRACECMD_BASE_DURATION_H

#include <stdint.h>

/*
 * duration_parse - a decimal number with one of ns, us, ms, s, m, h behind it
 * Plain numbers are seconds.  0, or -EINVAL: no number, unknown unit, negative,
 * or more than 2^63 ns (292 years).
 */
int duration_parse(const char *text, uint64_t *ns);

#endif
