// SPDX-License-Identifier: GPL-2.0
/*
 * elf_symbol.c - find the file offset of a function in a program or library
 *
 * The kernel accepts a uprobe at a place that is not code. Such a probe counts nothing or damages
 * the program's data.
 *
 * Invariant: a returned place is in an executable segment.
 */
#include <elf.h>
#include <errno.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/suggest.h"
#include "lib/base/text.h"
#include "lib/check/check.h"
#include "tracecmd/elf/elf_file.h"
#include "tracecmd/elf/elf_symbol.h"

/* The functions that the file defines, for suggestions. */
struct names {
	const char **names;
	size_t n;
};

#define refuse elf_file_refuse

static bool elf_symbol_is_same_name(const char *name, const char *symbol)
{
	size_t len = strlen(symbol);

	/* in .symtab a versioned symbol may be "name@@VERSION" */
	return !strncmp(name, symbol, len) && (!name[len] || name[len] == '@');
}

static const char *not_a_function(const GElf_Sym *sym)
{
	switch (GELF_ST_TYPE(sym->st_info)) {
	case STT_GNU_IFUNC:
		return "an indirect function (IFUNC), which selects another function at run time\n"
		       "use the name of the function that it selects";
	case STT_TLS:
		return "a thread-local variable, not a function";
	case STT_OBJECT:
	case STT_COMMON:
		return "data, not a function";
	case STT_FUNC:
	case STT_NOTYPE: /* assembler code; elf_file_find_segment() checks that it is code */
		return NULL;
	}
	return "not a function";
}

static int elf_symbol_add_name(struct names *names, const char *name)
{
	if (array_add(&names->names, names->n, sizeof(*names->names)))
		return -ENOMEM;
	names->names[names->n++] = name;
	return 0;
}

/* The results of a search. */
struct found {
	GElf_Sym sym;
	unsigned int defined; /* number of addresses */
	bool imported, has_symtab;
};

static int elf_symbol_read_table(struct found *found, const struct elf_file *f,
				 const GElf_Shdr *header,
				 const GElf_Sym *sym, const char *symbol, struct names *names)
{
	const char *name = elf_strptr(f->elf, header->sh_link, sym->st_name);
	bool global = GELF_ST_BIND(sym->st_info) != STB_LOCAL;
	bool function = GELF_ST_TYPE(sym->st_info) == STT_FUNC && sym->st_shndx != SHN_UNDEF;

	if (!name || !*name)
		return 0;
	if (function && elf_symbol_add_name(names, name))
		return -ENOMEM;
	if (!elf_symbol_is_same_name(name, symbol) || GELF_ST_TYPE(sym->st_info) == STT_FILE ||
	    GELF_ST_TYPE(sym->st_info) == STT_SECTION)
		return 0;
	if (sym->st_shndx == SHN_UNDEF) {
		found->imported = true;
		return 0;
	}
	if (found->defined && found->sym.st_value == sym->st_value)
		return 0;
	/* a global symbol has priority over local ones */
	if (found->defined && GELF_ST_BIND(found->sym.st_info) != STB_LOCAL && !global)
		return 0;
	if (found->defined && GELF_ST_BIND(found->sym.st_info) == STB_LOCAL && global)
		found->defined = 0;
	found->sym = *sym;
	found->defined++;
	return 0;
}

/*
 * The first section of this type: an ELF file has one at most, and a hostile one has many on one
 * table.
 */
static Elf_Scn *elf_symbol_find_table(const struct elf_file *f, unsigned int type,
				      GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(f->elf, section))) {
		if (gelf_getshdr(section, header) && header->sh_type == type)
			return section;
	}
	return NULL;
}

static int elf_symbol_search_table(struct found *found, const struct elf_file *f, unsigned int type,
				   const char *symbol, struct names *names)
{
	GElf_Shdr header;
	Elf_Scn *section = elf_symbol_find_table(f, type, &header);
	Elf_Data *data;
	GElf_Sym sym;
	size_t n, i;

	if (!section)
		return 0;
	found->has_symtab |= type == SHT_SYMTAB;
	data = header.sh_entsize ? elf_getdata(section, NULL) : NULL;
	n = data ? data->d_size / header.sh_entsize : 0;
	for (i = 0; i < n; i++) {
		if (gelf_getsym(data, i, &sym) &&
		    elf_symbol_read_table(found, f, &header, &sym, symbol, names))
			return -ENOMEM;
	}
	return 0;
}

static int elf_symbol_report_unknown(const struct elf_file *f, const char *symbol,
				     const struct found *found, const struct names *names)
{
	const char *near = hist_suggest(symbol, names->names, names->n);

	if (found->imported)
		return refuse(f, -ENOENT,
			      "%s: no function \"%s\": the file imports this function "
			      "from a library\nuse the path of the library",
			      f->path, symbol);
	if (near)
		return refuse(f, -ENOENT, "%s: no function \"%s\"%s\ndid you mean \"%.*s\"?",
			      f->path, symbol,
			      found->has_symtab ? "" : ", and the file is stripped",
			      (int)strcspn(near, "@"), near);
	if (found->has_symtab)
		return refuse(f, -ENOENT, "%s: no function \"%s\"", f->path, symbol);
	return refuse(f, -ENOENT,
		      "%s: no function \"%s\", and the file is stripped\n"
		      "use PATH:0xOFFSET",
		      f->path, symbol);
}

/* Offset of the local entry point, after the code that sets up the TOC for other callers. */
static uint64_t local_entry(const struct elf_file *f, const GElf_Sym *sym)
{
	return f->header.e_machine == EM_PPC64 ? PPC64_LOCAL_ENTRY_OFFSET(sym->st_other) : 0;
}

static int elf_symbol_set_place(const struct elf_file *f, const char *symbol, uint64_t plus,
				const struct found *found, struct elf_place *place)
{
	const char *what = not_a_function(&found->sym);
	GElf_Phdr segment;
	uint64_t at;

	if (what)
		return refuse(f, -EINVAL, "%s: \"%s\" is %s", f->path, symbol, what);
	if (found->defined > 1)
		return refuse(f, -EINVAL, "%s: %u functions have the name \"%s\"\n"
			      "select one by its offset: PATH:0xOFFSET", f->path,
			      found->defined, symbol);
	if (plus && found->sym.st_size && plus >= found->sym.st_size)
		return refuse(f, -EINVAL, "%s: the function \"%s\" is only %llu byte%s long",
			      f->path, symbol, (unsigned long long)found->sym.st_size,
			      text_plural(found->sym.st_size));
	at = found->sym.st_value + (plus ? plus : local_entry(f, &found->sym));
	if (!elf_file_find_segment(f, at, false, PF_X, &segment))
		return refuse(f, -EINVAL, "%s: \"%s\" is not in an executable segment", f->path,
			      symbol);
	place->offset = at - segment.p_vaddr + segment.p_offset;
	place->machine = f->header.e_machine;
	return 0;
}

int elf_symbol_find(const char *path, const char *symbol, uint64_t plus, struct elf_place *place,
		    struct hist_error *error)
{
	struct names names = { 0 };
	struct found found = { 0 };
	struct elf_file f;
	int ret;

	ret = elf_file_open(&f, path, error);
	if (ret)
		goto out;
	ret = elf_symbol_search_table(&found, &f, SHT_SYMTAB, symbol, &names);
	if (!ret && !found.defined)
		ret = elf_symbol_search_table(&found, &f, SHT_DYNSYM, symbol, &names);
	if (ret)
		ret = refuse(&f, ret, "out of memory");
	else if (!found.defined)
		ret = elf_symbol_report_unknown(&f, symbol, &found, &names);
	else
		ret = elf_symbol_set_place(&f, symbol, plus, &found, place);
out:
	free(names.names);
	elf_file_close(&f);
	return ret;
}

int elf_offset_check(const char *path, uint64_t offset, struct elf_place *place,
		     struct hist_error *error)
{
	GElf_Phdr segment;
	struct elf_file f;
	int ret;

	ret = elf_file_open(&f, path, error);
	if (!ret && !elf_file_find_segment(&f, offset, true, PF_X, &segment))
		ret = refuse(&f, -EINVAL, "%s: no code at offset 0x%llx", path,
			     (unsigned long long)offset);
	if (!ret) {
		place->offset = offset;
		place->machine = f.header.e_machine;
	}
	elf_file_close(&f);
	return ret;
}
