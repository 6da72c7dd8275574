/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * kallsyms.h - addresses of the kernel as the kernel prints them
 *
 * Made from the text of /proc/kallsyms, of this machine or out of a recording.  Source of what is
 * found: kallsyms_lookup() in kernel/kallsyms.c and find_kallsyms_symbol() in
 * kernel/module/kallsyms.c.
 */
#ifndef LIB_EVENT_KALLSYMS_H
#define LIB_EVENT_KALLSYMS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Longer than any that hist_symbols_name() gives: KSYM_NAME_LEN, offset and size, a module's name. */
#define HIST_SYMBOL_MAX 640

struct hist_symbols;

/*
 * hist_symbols_new - from the text of /proc/kallsyms, as a kernel gives it
 * @text: @len bytes, malloc'ed; taken over also on failure.
 * -EPERM: all addresses are 0, as for those without permission; -EBADMSG: not
 * such a file, or without the bounds of the kernel's code; -ENOMEM.
 */
int hist_symbols_new(struct hist_symbols **symbols, char *text, size_t len);
void hist_symbols_free(struct hist_symbols *symbols);

/*
 * In pieces, and of whatever origin: what is no symbol is passed over.
 * hist_symbols_begin(); hist_symbols_lines() takes the whole lines of @len bytes and gives how
 * many bytes they are, -EBADMSG (too many) or -ENOMEM; hist_symbols_end(), after which it can be
 * asked.
 */
int hist_symbols_begin(struct hist_symbols **symbols);
ssize_t hist_symbols_lines(struct hist_symbols *symbols, const char *text, size_t len);
void hist_symbols_end(struct hist_symbols *symbols);

/* What an address lies in. */
struct hist_symbol {
	const char *name; /* "func" or, of a module, "func [module]"; valid as long as the symbols */
	uint64_t offset;  /* of the address behind its beginning */
	/*
	 * In bytes as the kernel counts them: up to the next one.  0: nobody knows, as there is no
	 * other behind it in its module.
	 */
	uint64_t size;
};

/* hist_symbols_find - 0, or -ENOENT: none */
int hist_symbols_find(const struct hist_symbols *symbols, uint64_t address,
		      struct hist_symbol *symbol);

/*
 * hist_symbols_name - what "%pS" prints for @address, into @buf of HIST_SYMBOL_MAX
 * "vfs_read+0x9c/0x2f0 [module]" (__sprint_symbol() in kernel/kallsyms.c).  Its length, or -ENOENT:
 * the text does not tell for sure.  It does not say where the last function of a module
 * ends, and what other code there is (BPF, trampolines, ftrace's of modules that have been
 * initialized).
 */
int hist_symbols_name(const struct hist_symbols *symbols, uint64_t address, char *buf);

#endif
