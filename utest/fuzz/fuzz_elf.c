// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz_elf.c - any bytes as a program with symbols and USDT probes
 */
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tracecmd/elf/elf_symbol.h"
#include "tracecmd/elf/usdt.h"
#include "tracecmd/elf/usdt_notes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct usdt_notes notes = { 0 };
	struct elf_place place;
	static int fd = -1;
	struct hist_error error = { 0 };
	char path[64], *definition;

	if (fd < 0)
		fd = memfd_create("elf", 0);
	if (ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert(!elf_symbol_find(path, "main", 0, &place, &error) || *error.what);
	elf_offset_check(path, 0x100, &place, &error);
	if (!usdt_notes_read(&notes, path, &error) && notes.n &&
	    !usdt_define("p:g/e", path, notes.places[0].provider, notes.places[0].name, "",
			 &definition, &error))
		free(definition);
	usdt_notes_clear(&notes);
	return 0;
}
