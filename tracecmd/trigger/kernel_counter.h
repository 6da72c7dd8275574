/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kernel_counter.h - counter that uses hist triggers and reads their files at each tick
 */
#ifndef TRACECMD_TRIGGER_KERNEL_COUNTER_H
#define TRACECMD_TRIGGER_KERNEL_COUNTER_H

#include "tracecmd/trigger/counter.h"

/* 0, or -ENOMEM after a message. */
int kernel_counter_new(struct counter **counter);

#endif
