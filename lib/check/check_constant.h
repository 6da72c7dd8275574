/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * check_constant.h - constants in filters, whose numbers differ between kernels and machines
 *
 *   prev_state & SLEEPING && !(prev_state & PREEMPTED)
 *
 * Two are bits of a task state.  The print fmt of the event tells which bits they are, also for a
 * file from another kernel:
 *
 *   PREEMPTED  the bit that marks a preempted task, which is printed as "R+": 256 since Linux 4.14,
 *              and 512 to 4096 before
 *   SLEEPING   the bits of tasks that are not runnable, such as S and D
 *
 * Two are for the handlers of interrupts, of which a line has several if devices share it.  The
 * names of the machine (machine_names.h) tell which lines these are:
 *
 *   irq == SHARED           the line has several handlers; true for all lines if they are not known
 *   name == FIRST_HANDLER   the kernel calls this handler of the line first; true if not known
 *
 * A kernel accepts only numbers and names.
 */
#ifndef LIB_CHECK_CHECK_CONSTANT_H
#define LIB_CHECK_CHECK_CONSTANT_H

#include "lib/event/event.h"

/*
 * hist_check_replace_constants - copy @text, a filter or a trigger, without its constants
 * @event: the event that the filter is for, with the names of its machine.  A constant that is not
 * compared with a number of
 * @event remains, and hist_filter_parse() refuses it.
 * 0, with the copy in *@result, malloc'ed; -ENOMEM.
 */
int hist_check_replace_constants(char **result, const char *text, const struct hist_event *event);

#endif
