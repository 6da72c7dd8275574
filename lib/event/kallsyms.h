/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * kallsyms.h - names of kernel addresses, as the kernel prints them
 *
 * The names come from the text of /proc/kallsyms, of this machine or from a recording.  The look-up
 * follows kallsyms_lookup() in kernel/kallsyms.c and find_kallsyms_symbol() in
 * kernel/module/kallsyms.c.
 */
#ifndef LIB_EVENT_KALLSYMS_H
#define LIB_EVENT_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for any result of hist_kallsyms_format(): KSYM_NAME_LEN, offset, size, a module's name. */
#define HIST_SYMBOL_MAX 640

struct hist_kallsyms;

/*
 * hist_kallsyms_new - parse the whole text of /proc/kallsyms of a kernel
 * @text: @len bytes, malloc'ed; the function takes ownership, also on failure.
 * 0; -EPERM: all addresses are 0, as for users without permission; -EBADMSG: not such a file, or
 * the bounds of the kernel's code are missing; -ENOMEM.
 */
int hist_kallsyms_new(struct hist_kallsyms **symbols, char *text, size_t len);
void hist_kallsyms_free(struct hist_kallsyms *symbols);

/*
 * hist_kallsyms_parse - parse untrusted text, of which lines that are not symbols are skipped
 * An incomplete last line is skipped too.  0, -EBADMSG (too many symbols) or -ENOMEM.
 */
int hist_kallsyms_parse(struct hist_kallsyms **symbols, const char *text, size_t len);

/* The symbol that an address lies in. */
struct hist_symbol {
	const char
		*name; /* "func", or "func [module]" for a module; valid as long as the symbols */
	uint64_t offset;  /* from the start of the symbol to the address */
	/*
	 * Bytes up to the next symbol, as the kernel counts them.  0: unknown, because no symbol of
	 * the same module follows.
	 */
	uint64_t size;
	const struct hist_kallsyms *list; /* for hist_kallsyms_next_name(); NULL: no other names */
	uint64_t address;		  /* of its start */
	size_t others;			  /* index of the next other name; 0: not searched yet */
};

/*
 * hist_kallsyms_next_name - set the name to the next other one of the same address
 * "SyS_write" and "sys_write" are the same function.  False after the last one.
 */
bool hist_kallsyms_next_name(struct hist_symbol *symbol);

/* The next name of a function, from *@i = 0 on, as hist_symbol.name; NULL after the last one. */
const char *hist_kallsyms_next_function(const struct hist_kallsyms *symbols, size_t *i);

/* hist_kallsyms_find - 0, or -ENOENT if @address is not in any symbol */
int hist_kallsyms_find(const struct hist_kallsyms *symbols, uint64_t address,
		       struct hist_symbol *symbol);

/*
 * hist_kallsyms_format - what "%pS" prints for @address, in @buf of HIST_SYMBOL_MAX bytes
 * "vfs_read+0x9c/0x2f0 [module]" (__sprint_symbol() in kernel/kallsyms.c).  Returns the length, or
 * -ENOENT if the text does not determine the result.  The text does not show where the last
 * function of a module ends.  It also does not show all other code (BPF, trampolines, ftrace's code
 * of modules that have been initialized).
 */
int hist_kallsyms_format(const struct hist_kallsyms *symbols, uint64_t address, char *buf);

#endif
