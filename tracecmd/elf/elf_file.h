/* SPDX-License-Identifier: GPL-2.0 */
/*
 * elf_file.h - open an ELF program or library, and find its segments
 *
 * A PT_LOAD segment maps a part of the file to addresses (System V ABI, chapter 5):
 *
 * 	offset = address - p_vaddr + p_offset
 *
 * The formula is valid for ET_EXEC and for ET_DYN (PIE and libraries).
 */
#ifndef TRACECMD_ELF_ELF_FILE_H
#define TRACECMD_ELF_ELF_FILE_H

#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct elf_file {
	const char *path;
	int fd;
	Elf *elf;
	GElf_Ehdr header;
	GElf_Phdr *segments; /* the PT_LOAD segments */
	size_t nsegments;
	struct hist_error *error; /* gets the sentence of a failure */
};

/* Set the error of @file; the value is @err. */
#define elf_file_refuse(file, err, ...) hist_error_set((file)->error, (err), __VA_ARGS__)

/* 0, or -errno with a sentence in @error; elf_file_close() is required in any case. */
int elf_file_open(struct elf_file *f, const char *path, struct hist_error *error);
void elf_file_close(struct elf_file *f);

/*
 * The segment with all @flags, such as PF_X of code, that has @at, an address or a file offset, in
 * its file part.
 */
bool elf_file_find_segment(const struct elf_file *f, uint64_t at, bool is_offset, uint32_t flags,
			   GElf_Phdr *segment);

#endif
