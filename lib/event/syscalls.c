// SPDX-License-Identifier: LGPL-2.1
/*
 * syscalls.c - the names of system calls, as kernels print them for .syscall
 *
 * A table is one text of names and numbers (syscall_tables.c).  It is parsed once into one block:
 * an array with the offset of each number's name, followed by the names.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/event/syscall_names.h"
#include "lib/event/syscall_tables.h"

struct hist_syscalls {
	uint32_t n;
	char *names;
	uint32_t at[]; /* offset in @names, 0 if there is no name */
};

static const char *table_of(const char *machine)
{
	static const struct {
		const char *machine;
		const char *table;
	} tables[] = {
		{ "x86_64", syscalls_x86_64 }, { "i386", syscalls_i386 },
		{ "i486", syscalls_i386 },     { "i586", syscalls_i386 },
		{ "i686", syscalls_i386 },     { "aarch64", syscalls_arm64 },
		{ "arm64", syscalls_arm64 },   { "riscv64", syscalls_riscv64 },
		{ "mips64", syscalls_mips64 }, { "mips", syscalls_mips },
	};
	size_t i;

	for (i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		if (!strcmp(machine, tables[i].machine))
			return tables[i].table;
	return strncmp(machine, "arm", 3) ? NULL : syscalls_arm;
}

/* Read a name of a table, and the number before it if there is one.  False at the end. */
static bool next_word(const char **table, uint32_t *number, const char **name, size_t *len)
{
	const char *s = *table;
	char *end;

	if (*s == '=') {
		*number = strtoul(s + 1, &end, 10);
		s = end + 1;
	}
	*name = s;
	*len = strcspn(s, " ");
	*table = s + *len + (s[*len] == ' ');
	return *len > 0;
}

int hist_syscalls_new(struct hist_syscalls **result, const char *uname)
{
	const char *blank = uname ? strrchr(uname, ' ') : NULL;
	const char *table = uname ? table_of(blank ? blank + 1 : uname) : NULL;
	const char *at = table, *name;
	uint32_t number = 0, end = 1;
	struct hist_syscalls *s;
	size_t len;

	if (!table)
		return -ENOENT;
	for (; next_word(&at, &number, &name, &len); number++)
		;
	/* each name gets "sys_" before it and a NUL after it */
	s = calloc(1, sizeof(*s) + number * sizeof(*s->at) + strlen(table) + number * 5);
	if (!s)
		return -ENOMEM;
	s->n = number;
	s->names = (char *)(s->at + number);
	for (at = table, number = 0; next_word(&at, &number, &name, &len); number++) {
		s->at[number] = end;
		memcpy(s->names + end, "sys_", 4);
		memcpy(s->names + end + 4, name, len);
		end += len + 5;
	}
	*result = s;
	return 0;
}

void hist_syscalls_free(struct hist_syscalls *syscalls)
{
	free(syscalls);
}

const char *hist_syscalls_name(const struct hist_syscalls *syscalls, uint64_t number)
{
	return number < syscalls->n && syscalls->at[number] ? syscalls->names + syscalls->at[number]
							    : NULL;
}
