/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target_symbols.h - the symbols of a target's kernel
 */
#ifndef TRACECMD_TARGET_TARGET_SYMBOLS_H
#define TRACECMD_TARGET_TARGET_SYMBOLS_H

#include "lib/event/kallsyms.h"
#include "target/local/target.h"

/*
 * target_symbols - read anew each time, some MB; hist_symbols_free() it
 * *@symbols is NULL if they cannot be had: addresses stay numbers then.  0, or -ENOMEM.
 */
int target_symbols(struct hist_target *t, struct hist_symbols **symbols);

#endif
