/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target_symbols.h - the symbols of a target's kernel
 */
#ifndef TRACECMD_TARGET_SYMBOLS_H
#define TRACECMD_TARGET_SYMBOLS_H

#include <tracehist/symbols.h>

#include "target.h"

/*
 * target_symbols - read anew each time, some MB; hist_symbols_free() it
 * NULL where they can't be had, and without memory: addresses stay numbers then.
 */
struct hist_symbols *target_symbols(struct hist_target *t);

#endif
