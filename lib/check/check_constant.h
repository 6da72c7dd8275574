/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * check_constant.h - constants in filters, whose numbers differ between kernels
 *
 *   prev_state & SLEEPING && !(prev_state & PREEMPTED)
 *
 * Both are bits of a task state:
 *
 *   PREEMPTED  the bit that marks a preempted task, which is printed as "R+": 256 since Linux 4.14,
 *              and 512 to 4096 before
 *   SLEEPING   the bits of tasks that are not runnable, such as S and D
 *
 * The print fmt of the event tells which bits they are, also for a file from another kernel.
 * A kernel accepts only the numbers.
 */
#ifndef LIB_CHECK_CHECK_CONSTANT_H
#define LIB_CHECK_CHECK_CONSTANT_H

#include "lib/event/event.h"

/*
 * hist_check_replace_constants - copy @text, a filter or a trigger, with numbers for constants
 * @event: the event that the filter is for.  A constant that is not compared with a number of
 * @event remains, and hist_filter_parse() refuses it.
 * 0, with the copy in *@result, malloc'ed; -ENOMEM.
 */
int hist_check_replace_constants(char **result, const char *text, const struct hist_event *event);

#endif
