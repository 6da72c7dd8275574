/* SPDX-License-Identifier: GPL-2.0 */
/*
 * elf_symbol.h - find the file offset of a function in a program or library
 *
 * The kernel defines a uprobe by a file offset. Symbols are searched in .symtab, then in .dynsym.
 * The PT_LOAD segment that contains the symbol's address gives its offset (System V ABI, chapters
 * 4 and 5):
 *
 * 	offset = st_value - p_vaddr + p_offset
 *
 * The formula is valid for ET_EXEC and for ET_DYN (PIE and libraries).
 */
#ifndef TRACECMD_ELF_ELF_SYMBOL_H
#define TRACECMD_ELF_ELF_SYMBOL_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct elf_place {
	uint64_t offset; /* in the file */
	int machine;	 /* e_machine: EM_X86_64... */
};

/*
 * elf_symbol_find - find the place @plus bytes after the start of the function @symbol in @path
 * 0, or -errno with a sentence in @error.  -ENOENT: no such symbol; the sentence has a similar
 * name, or says that the file is stripped.  -EINVAL: not a function (IFUNC, TLS, data), several
 * functions with the name, or @plus after the end.  -ENOEXEC: not an ELF program or library.
 */
int elf_symbol_find(const char *path, const char *symbol, uint64_t plus, struct elf_place *place,
		    struct hist_error *error);

/* elf_offset_check - check that @offset of the file is code; returns like elf_symbol_find() */
int elf_offset_check(const char *path, uint64_t offset, struct elf_place *place,
		     struct hist_error *error);

#endif
