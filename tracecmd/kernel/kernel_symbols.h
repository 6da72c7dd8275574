/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target_symbols.h - read the symbols of a target's kernel
 */
#ifndef TRACECMD_KERNEL_KERNEL_SYMBOLS_H
#define TRACECMD_KERNEL_KERNEL_SYMBOLS_H

#include "helper/local/target.h"
#include "lib/event/kallsyms.h"

/*
 * kernel_symbols_read - read the symbols, some MB at each call; free with hist_kallsyms_free()
 * *@symbols is NULL if they cannot be read: addresses then remain numbers. 0 or -ENOMEM.
 */
int kernel_symbols_read(struct hist_target *t, struct hist_kallsyms **symbols);

#endif
