/* SPDX-License-Identifier: GPL-2.0 */
/*
 * usdt_notes.h - the statically defined probes (USDT) of a program or library
 *
 * Each place of a probe has a note in the section .note.stapsdt: its name is "stapsdt", its type 3,
 * and its content the addresses of the place, of .stapsdt.base when the file was linked, and of
 * the semaphore (0: none), then the strings provider, name and arguments. A tool that moves the
 * code of a file also moves .stapsdt.base, so the difference of both bases corrects the addresses.
 * Source: <sys/sdt.h> and the page UserSpaceProbeImplementation of SystemTap.
 */
#ifndef TRACECMD_ELF_USDT_NOTES_H
#define TRACECMD_ELF_USDT_NOTES_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct usdt_place {
	char *provider, *name;
	char *args; /* "-4@%edi 8@$5", in the syntax of the assembler */
	uint64_t offset; /* in the file */
	uint64_t semaphore; /* offset in the file; 0: none */
};

struct usdt_notes {
	struct usdt_place *places; /* sorted by provider, name and offset */
	size_t n;
	int machine; /* e_machine of the file */
};

/*
 * usdt_notes_read - read the probes of the file at @path
 * Leaves out a note with a place outside the code. Zero @notes before; usdt_notes_clear() is
 * required in any case. 0; -ENOMEM; another -errno: not a program or library. @error gets a
 * sentence.
 */
int usdt_notes_read(struct usdt_notes *notes, const char *path, struct hist_error *error);
void usdt_notes_clear(struct usdt_notes *notes);

/* The number of places after @first that belong to the same probe, and @first itself. */
size_t usdt_notes_count_same(const struct usdt_notes *notes, size_t first);

#endif
