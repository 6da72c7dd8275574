// SPDX-License-Identifier: GPL-2.0
/* elf_file.c - open an ELF program or library, and find its segments */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/infile.h"
#include "tracecmd/elf/elf_file.h"

void elf_file_close(struct elf_file *f)
{
	free(f->segments);
	elf_end(f->elf);
	if (f->fd >= 0)
		close(f->fd);
}

/* Once, as each symbol or note asks for its segment. */
static int elf_file_read_segments(struct elf_file *f)
{
	GElf_Phdr segment;
	size_t n, i;

	if (elf_getphdrnum(f->elf, &n))
		return 0;
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(f->elf, i, &segment) || segment.p_type != PT_LOAD)
			continue;
		if (array_add(&f->segments, f->nsegments, sizeof(segment)))
			return elf_file_refuse(f, -ENOMEM, "out of memory");
		f->segments[f->nsegments++] = segment;
	}
	return 0;
}

int elf_file_open(struct elf_file *f, const char *path, struct hist_error *error)
{
	struct stat st;

	*f = (struct elf_file){ .path = path, .fd = -1, .error = error };
	f->fd = infile_open(path, error);
	if (f->fd < 0)
		return hist_error_prefix(error, f->fd, "%s: ", path);
	if (fstat(f->fd, &st) < 0)
		return elf_file_refuse(f, -errno, "%s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return elf_file_refuse(f, -EINVAL, "%s: not a regular file", path);
	if (elf_version(EV_CURRENT) == EV_NONE)
		return elf_file_refuse(f, -ENOEXEC, "%s: libelf is too old", path);
	f->elf = elf_begin(f->fd, ELF_C_READ, NULL);
	if (!f->elf || elf_kind(f->elf) != ELF_K_ELF || !gelf_getehdr(f->elf, &f->header))
		return elf_file_refuse(f, -ENOEXEC, "%s: not an ELF file", path);
	if (f->header.e_type != ET_EXEC && f->header.e_type != ET_DYN)
		return elf_file_refuse(f, -ENOEXEC,
				       "%s: neither an executable nor a shared library", path);
	return elf_file_read_segments(f);
}

/* True if @segment has @at, an address or a file offset, in its file part. */
static bool has_place(const GElf_Phdr *segment, uint64_t at, bool is_offset)
{
	uint64_t start = is_offset ? segment->p_offset : segment->p_vaddr;

	return at >= start && at - start < segment->p_filesz;
}

bool elf_file_find_segment(const struct elf_file *f, uint64_t at, bool is_offset, uint32_t flags,
			   GElf_Phdr *segment)
{
	size_t i;

	for (i = 0; i < f->nsegments; i++) {
		*segment = f->segments[i];
		if ((segment->p_flags & flags) == flags && has_place(segment, at, is_offset))
			return true;
	}
	return false;
}
