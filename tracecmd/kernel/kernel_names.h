/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target_names.h - read the names of interrupts, block devices and system calls of a target
 */
#ifndef TRACECMD_KERNEL_KERNEL_NAMES_H
#define TRACECMD_KERNEL_KERNEL_NAMES_H

#include "helper/local/target.h"
#include "lib/event/event.h"
#include "lib/event/machine_names.h"

/*
 * kernel_names_set - give @event the names of its machine
 * @names: of the target, made at the first call; the caller calls hist_machine_names_put().  What
 * the target cannot read has no names: a recording does not fail because of them.
 * 0 or -ENOMEM.
 */
int kernel_names_set(struct hist_machine_names **names, struct hist_target *t,
		     struct hist_event *event);

#endif
