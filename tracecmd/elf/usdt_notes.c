// SPDX-License-Identifier: GPL-2.0
/* usdt_notes.c - read the statically defined probes (USDT) of a program or library */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/expr/expr.h"
#include "tracecmd/elf/elf_file.h"
#include "tracecmd/elf/usdt_notes.h"

#define NOTE_SECTION ".note.stapsdt"
#define BASE_SECTION ".stapsdt.base"
#define NOTE_NAME "stapsdt"
#define NOTE_TYPE 3

/* The section @name, or NULL. */
static Elf_Scn *find_section(const struct elf_file *f, const char *name, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	const char *found;
	size_t names;

	if (elf_getshdrstrndx(f->elf, &names))
		return NULL;
	while ((section = elf_nextscn(f->elf, section))) {
		if (!gelf_getshdr(section, header))
			continue;
		found = elf_strptr(f->elf, names, header->sh_name);
		if (found && !strcmp(found, name))
			return section;
	}
	return NULL;
}

/* Address number @i at the start of a note; the note has the byte order of the file. */
static uint64_t read_address(const struct elf_file *f, const unsigned char *desc, unsigned int i)
{
	unsigned int size = f->header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4, b;
	bool big = f->header.e_ident[EI_DATA] == ELFDATA2MSB;
	uint64_t address = 0;

	for (b = 0; b < size; b++)
		address = address << 8 | desc[i * size + (big ? b : size - 1 - b)];
	return address;
}

/* The next string of a note, malloc'ed; NULL: it does not end, or no memory. */
static char *take_string(const char **at, const char *end)
{
	const char *text = *at, *nul = memchr(text, '\0', end - text);

	if (!nul)
		return NULL;
	*at = nul + 1;
	return strdup(text);
}

static void clear_place(struct usdt_place *p)
{
	free(p->provider);
	free(p->name);
	free(p->args);
}

static int add_note(struct usdt_notes *notes, const struct elf_file *f, uint64_t base,
		    const unsigned char *desc, size_t len)
{
	size_t head = 3 * (f->header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4);
	const char *at = (const char *)desc + head, *end = (const char *)desc + len;
	struct usdt_place place = { 0 };
	uint64_t pc, semaphore, move;
	GElf_Phdr segment;

	if (len < head)
		return 0;
	move = base ? base - read_address(f, desc, 1) : 0;
	pc = read_address(f, desc, 0) + move;
	semaphore = read_address(f, desc, 2);
	if (!elf_file_find_segment(f, pc, false, PF_X, &segment))
		return 0;
	place.offset = pc - segment.p_vaddr + segment.p_offset;
	if (semaphore) {
		if (!elf_file_find_segment(f, semaphore + move, false, 0, &segment))
			return 0;
		place.semaphore = semaphore + move - segment.p_vaddr + segment.p_offset;
	}
	if (array_add(&notes->places, notes->n, sizeof(*notes->places)))
		return -ENOMEM;
	place.provider = take_string(&at, end);
	place.name = place.provider ? take_string(&at, end) : NULL;
	place.args = place.name ? take_string(&at, end) : NULL;
	if (place.args && strlen(place.args) <= HIST_TEXT_MAX)
		notes->places[notes->n++] = place;
	else
		clear_place(&place);
	return 0;
}

static int read_notes(struct usdt_notes *notes, const struct elf_file *f)
{
	GElf_Shdr header, base = { 0 };
	Elf_Scn *section = find_section(f, NOTE_SECTION, &header);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	size_t at = 0, next, name, desc;
	GElf_Nhdr note;
	int ret = 0;

	if (!find_section(f, BASE_SECTION, &base))
		base.sh_addr = 0;
	while (!ret && data && (next = gelf_getnote(data, at, &note, &name, &desc))) {
		const char *text = data->d_buf;

		if (note.n_type == NOTE_TYPE && note.n_namesz == sizeof(NOTE_NAME) &&
		    !memcmp(text + name, NOTE_NAME, sizeof(NOTE_NAME)))
			ret = add_note(notes, f, base.sh_addr, (const unsigned char *)text + desc,
				       note.n_descsz);
		at = next;
	}
	return ret;
}

static int compare_probes(const struct usdt_place *a, const struct usdt_place *b)
{
	int diff = strcmp(a->provider, b->provider);

	return diff ? diff : strcmp(a->name, b->name);
}

static int compare_places(const void *a, const void *b)
{
	const struct usdt_place *x = a, *y = b;
	int diff = compare_probes(x, y);

	return diff ? diff : (x->offset > y->offset) - (x->offset < y->offset);
}

/* Sort, and keep one of equal places: the linker can merge equal code. */
static void sort_places(struct usdt_notes *notes)
{
	size_t i, n = 0;

	if (notes->n)
		qsort(notes->places, notes->n, sizeof(*notes->places), compare_places);
	for (i = 0; i < notes->n; i++) {
		if (n && !compare_places(&notes->places[n - 1], &notes->places[i]))
			clear_place(&notes->places[i]);
		else
			notes->places[n++] = notes->places[i];
	}
	notes->n = n;
}

int usdt_notes_read(struct usdt_notes *notes, const char *path, struct hist_error *error)
{
	struct elf_file f;
	int ret = elf_file_open(&f, path, error);

	if (!ret) {
		notes->machine = f.header.e_machine;
		ret = read_notes(notes, &f);
		if (ret)
			hist_error_set(error, ret, "out of memory");
		sort_places(notes);
	}
	elf_file_close(&f);
	return ret;
}

void usdt_notes_clear(struct usdt_notes *notes)
{
	while (notes->n)
		clear_place(&notes->places[--notes->n]);
	free(notes->places);
	notes->places = NULL;
}

size_t usdt_notes_count_same(const struct usdt_notes *notes, size_t first)
{
	size_t i = first + 1;

	while (i < notes->n && !compare_probes(&notes->places[first], &notes->places[i]))
		i++;
	return i - first;
}
