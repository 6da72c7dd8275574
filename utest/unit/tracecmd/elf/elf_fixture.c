// SPDX-License-Identifier: GPL-2.0
/* elf_fixture.c - small ELF files with symbols and USDT notes */
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "utest/unit/tracecmd/elf/elf_fixture.h"

#define SECTIONS_AT 0x800 /* after both segments */
#define HEADERS_AT 0x6000

/* What is being written, and what is in it so far. */
struct writer {
	Elf *elf;
	bool big, wide;
	char names[128], strings[1024];
	size_t names_len, strings_len, at;
};

static uint32_t writer_add_text(char *texts, size_t *len, size_t room, const char *text)
{
	size_t at = *len;

	CU_ASSERT_FATAL(at + strlen(text) + 1 <= room);
	strcpy(texts + at, text);
	*len += strlen(text) + 1;
	return at;
}

/* Add a section whose content is kept until elf_update(). */
static size_t writer_add_section(struct writer *w, const char *name, uint32_t type, Elf_Type form,
				 void *bytes, size_t len, uint32_t link, uint64_t address)
{
	Elf_Scn *section = elf_newscn(w->elf);
	Elf_Data *data = section ? elf_newdata(section) : NULL;
	unsigned int align = form == ELF_T_NHDR ? 4 : 8; /* notes with 8 have another form */
	GElf_Shdr header;

	CU_ASSERT_PTR_NOT_NULL_FATAL(data);
	*data = (Elf_Data){ .d_buf = bytes, .d_type = form, .d_size = len, .d_align = align,
			    .d_version = EV_CURRENT };
	gelf_getshdr(section, &header);
	header.sh_name = writer_add_text(w->names, &w->names_len, sizeof(w->names), name);
	header.sh_type = type;
	header.sh_offset = w->at;
	header.sh_size = len;
	header.sh_link = link;
	header.sh_addr = address;
	header.sh_addralign = align;
	header.sh_entsize = form == ELF_T_SYM ? gelf_fsize(w->elf, ELF_T_SYM, 1, EV_CURRENT) : 0;
	CU_ASSERT_FATAL(gelf_update_shdr(section, &header));
	w->at += (len + 7) & ~7ull;
	return elf_ndxscn(section);
}

static void writer_add_symbols(struct writer *w, const char *name, uint32_t type,
			       const struct elf_fixture_symbol *symbols, uint32_t link)
{
	static union {
		Elf64_Sym wide[16];
		Elf32_Sym narrow[16];
	} tables[2], *table;
	size_t n = 1;
	GElf_Sym sym;

	if (!symbols)
		return;
	table = &tables[type == SHT_DYNSYM];
	memset(table, 0, sizeof(*table));
	for (; symbols->name; symbols++, n++) {
		CU_ASSERT_FATAL(n < 16);
		sym = (GElf_Sym){ .st_name = writer_add_text(w->strings, &w->strings_len,
							     sizeof(w->strings), symbols->name),
				  .st_info = GELF_ST_INFO(symbols->bind, symbols->type),
				  .st_other = symbols->other, .st_value = symbols->value,
				  .st_size = symbols->size,
				  .st_shndx = symbols->undefined ? SHN_UNDEF : SHN_ABS };
		if (w->wide)
			table->wide[n] = sym;
		else
			table->narrow[n] = (Elf32_Sym){
				sym.st_name, sym.st_value, sym.st_size, sym.st_info, sym.st_other,
				sym.st_shndx };
	}
	writer_add_section(w, name, type, ELF_T_SYM, table,
			   n * gelf_fsize(w->elf, ELF_T_SYM, 1, EV_CURRENT), link, 0);
}

static void put_address(const struct writer *w, unsigned char **to, uint64_t address)
{
	unsigned int size = w->wide ? 8 : 4, i;

	for (i = 0; i < size; i++)
		*(*to)++ = address >> 8 * (w->big ? size - 1 - i : i);
}

static void writer_add_notes(struct writer *w, const struct elf_fixture_note *notes)
{
	static unsigned char bytes[0x2000] __attribute__((aligned(8)));
	unsigned char *to = bytes, *start;
	const char *owner, *texts[3];
	GElf_Nhdr *header;
	unsigned int i;

	for (; notes->provider; notes++) {
		CU_ASSERT_FATAL(to + 512 < bytes + sizeof(bytes));
		owner = notes->owner ? notes->owner : "stapsdt";
		header = (GElf_Nhdr *)to;
		to += sizeof(*header);
		strcpy((char *)to, owner);
		to += (strlen(owner) + 4) & ~3u;
		start = to;
		put_address(w, &to, notes->place);
		put_address(w, &to, notes->base);
		put_address(w, &to, notes->semaphore);
		texts[0] = notes->provider;
		texts[1] = notes->name;
		texts[2] = notes->args;
		for (i = 0; i < 3; i++) {
			strcpy((char *)to, texts[i]);
			to += strlen(texts[i]) + 1;
		}
		to -= notes->cut;
		*header = (GElf_Nhdr){ strlen(owner) + 1, to - start, notes->type ? notes->type : 3 };
		while ((to - bytes) % 4)
			*to++ = '\0';
	}
	writer_add_section(w, ".note.stapsdt", SHT_NOTE, ELF_T_NHDR, bytes, to - bytes, 0, 0);
}

static void writer_add_segments(struct writer *w)
{
	static const GElf_Phdr segments[] = {
		{ .p_type = PT_NOTE, .p_flags = PF_X, .p_offset = 0x1, .p_vaddr = ELF_FIXTURE_CODE,
		  .p_filesz = 0x1000, .p_memsz = 0x1000 },
		{ .p_type = PT_LOAD, .p_flags = PF_R | PF_W, .p_offset = ELF_FIXTURE_DATA_OFFSET,
		  .p_vaddr = ELF_FIXTURE_DATA, .p_filesz = ELF_FIXTURE_DATA_SIZE, .p_memsz = 0x1000 },
		{ .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = ELF_FIXTURE_CODE_OFFSET,
		  .p_vaddr = ELF_FIXTURE_CODE, .p_filesz = ELF_FIXTURE_CODE_SIZE, .p_memsz = 0x1000 },
	};
	GElf_Phdr segment;
	int i;

	CU_ASSERT_FATAL(gelf_newphdr(w->elf, 3) != NULL);
	for (i = 0; i < 3; i++) {
		segment = segments[i];
		CU_ASSERT_FATAL(gelf_update_phdr(w->elf, i, &segment));
	}
}

void elf_fixture_write(const char *path, const struct elf_fixture *elf)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
	int class = elf->class ? elf->class : ELFCLASS64;
	struct writer w = { .names_len = 1, .strings_len = 1, .at = SECTIONS_AT };
	char base[1] = { 0 };
	size_t strings;
	GElf_Ehdr header;

	CU_ASSERT_FATAL(fd >= 0 && elf_version(EV_CURRENT) != EV_NONE);
	w.elf = elf_begin(fd, ELF_C_WRITE, NULL);
	w.wide = class == ELFCLASS64;
	w.big = elf->order == ELFDATA2MSB;
	CU_ASSERT_FATAL(w.elf && gelf_newehdr(w.elf, class));
	gelf_getehdr(w.elf, &header);
	header.e_ident[EI_DATA] = elf->order ? elf->order : ELFDATA2LSB;
	header.e_type = elf->type ? elf->type : ET_DYN;
	header.e_machine = elf->machine ? elf->machine : EM_X86_64;
	header.e_version = EV_CURRENT;
	CU_ASSERT_FATAL(gelf_update_ehdr(w.elf, &header));
	elf_flagelf(w.elf, ELF_C_SET, ELF_F_LAYOUT);
	writer_add_segments(&w);

	/* a table of symbols is before its strings, whose number is known */
	strings = 1 + !!elf->symtab + !!elf->dynsym;
	writer_add_symbols(&w, ".symtab", SHT_SYMTAB, elf->symtab, strings);
	writer_add_symbols(&w, ".dynsym", SHT_DYNSYM, elf->dynsym, strings);
	CU_ASSERT_EQUAL(writer_add_section(&w, ".strtab", SHT_STRTAB, ELF_T_BYTE, w.strings,
					   w.strings_len, 0, 0), strings);
	if (elf->notes)
		writer_add_notes(&w, elf->notes);
	if (elf->base)
		writer_add_section(&w, ".stapsdt.base", SHT_PROGBITS, ELF_T_BYTE, base, 1, 0,
				   elf->base);
	gelf_getehdr(w.elf, &header);
	/* its own name is in it, too */
	header.e_shstrndx = writer_add_section(&w, ".shstrtab", SHT_STRTAB, ELF_T_BYTE, w.names,
					       sizeof(w.names), 0, 0);
	header.e_phoff = gelf_fsize(w.elf, ELF_T_EHDR, 1, EV_CURRENT);
	header.e_shoff = HEADERS_AT;
	CU_ASSERT_FATAL(w.at < HEADERS_AT && gelf_update_ehdr(w.elf, &header));
	CU_ASSERT_FATAL(elf_update(w.elf, ELF_C_WRITE) > 0);
	elf_end(w.elf);
	close(fd);
}

struct elf_fixture elf_fixture_form(unsigned int i)
{
	return (struct elf_fixture){
		.class = i & 1 ? ELFCLASS32 : ELFCLASS64,
		.order = i & 2 ? ELFDATA2MSB : ELFDATA2LSB,
		.type = i & 1 ? ET_EXEC : ET_DYN,
		.machine = i & 2 ? EM_S390 : EM_X86_64,
	};
}
