/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * symbols.h - addresses of the kernel's code as the kernel prints them
 *
 * Made from the text of /proc/kallsyms.  Names are those of "%pS" (
 * __sprint_symbol() in kernel/kallsyms.c): "vfs_read+0x9c/0x2f0 [module]".
 * The file does not say where the last function of a module ends, and what
 * other code there is (BPF, trampolines): such an address has no name here.
 */
#ifndef TRACEHIST_SYMBOLS_H
#define TRACEHIST_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

/* Longer than any: KSYM_NAME_LEN, offset and size, a module's name. */
#define HIST_SYMBOL_MAX 640

struct hist_symbols;

/*
 * hist_symbols_new - from the text of /proc/kallsyms
 * @text: @len bytes, malloc'ed; taken over also on failure.
 * -EPERM: all addresses are 0, as for those without permission; -EBADMSG: not
 * such a file, or without the bounds of the kernel's code; -ENOMEM.
 */
int hist_symbols_new(struct hist_symbols **symbols, char *text, size_t len);
void hist_symbols_free(struct hist_symbols *symbols);

/*
 * hist_symbols_name - what "%pS" prints for @address, into @buf of HIST_SYMBOL_MAX
 * Its length, or -ENOENT.
 */
int hist_symbols_name(const struct hist_symbols *symbols, uint64_t address, char *buf);

#endif
