/* SPDX-License-Identifier: GPL-2.0 */
/*
 * elf_fixture.h - small ELF files of all classes and byte orders, with symbols and USDT notes
 *
 * libelf writes them.  A file has two segments that a formula of one offset cannot mix up: code
 * and data are at other distances from their addresses.
 */
#ifndef UTEST_UNIT_TRACECMD_ELF_ELF_FIXTURE_H
#define UTEST_UNIT_TRACECMD_ELF_ELF_FIXTURE_H

#include <stdbool.h>
#include <stdint.h>

#define ELF_FIXTURE_CODE 0x10000 /* the address of the code */
#define ELF_FIXTURE_CODE_OFFSET 0x400
#define ELF_FIXTURE_CODE_SIZE 0x100
#define ELF_FIXTURE_DATA 0x20000
#define ELF_FIXTURE_DATA_OFFSET 0x600
#define ELF_FIXTURE_DATA_SIZE 0x40

struct elf_fixture_symbol {
	const char *name; /* NULL: the end of a list */
	unsigned char type, bind, other;
	bool undefined;
	uint64_t value, size;
};

struct elf_fixture_note {
	const char *provider, *name, *args; /* @provider is NULL: the end of a list */
	uint64_t place, base, semaphore;
	const char *owner; /* NULL: "stapsdt" */
	uint32_t type; /* 0: 3, the type of a probe */
	uint32_t cut; /* so many bytes are missing at the end */
};

struct elf_fixture {
	int class, order, type, machine; /* 0: 64 bits, little endian, ET_DYN, x86-64 */
	const struct elf_fixture_symbol *symtab, *dynsym;
	const struct elf_fixture_note *notes;
	uint64_t base; /* the address of .stapsdt.base; 0: no such section */
};

/* Write the file at @path; a failure ends the test. */
void elf_fixture_write(const char *path, const struct elf_fixture *elf);

/* The class and the byte order number @i of four. */
struct elf_fixture elf_fixture_form(unsigned int i);

#endif
