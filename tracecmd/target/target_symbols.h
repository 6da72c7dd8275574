/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target_symbols.h - read the symbols of a target's kernel
 */
#ifndef TRACECMD_TARGET_TARGET_SYMBOLS_H
#define TRACECMD_TARGET_TARGET_SYMBOLS_H

#include "lib/event/kallsyms.h"
#include "target/local/target.h"

/*
 * target_read_symbols - read the symbols, some MB at each call; free with hist_kallsyms_free()
 * *@symbols is NULL if they cannot be read: addresses then remain numbers. 0 or -ENOMEM.
 */
int target_read_symbols(struct hist_target *t, struct hist_kallsyms **symbols);

#endif
