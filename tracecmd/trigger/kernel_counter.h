/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kernel_counter.h - hist triggers count in the kernel; their files are read at each tick
 */
#ifndef TRACECMD_TRIGGER_KERNEL_COUNTER_H
#define TRACECMD_TRIGGER_KERNEL_COUNTER_H

#include "tracecmd/trigger/counter.h"

/* -ENOMEM after a message. */
int kernel_counter_new(struct counter **counter);

#endif
