// SPDX-License-Identifier: LGPL-2.1
/*
 * syscalls.c - the names of system calls, as kernels print them for .syscall
 *
 * A machine has the names of several tables (syscall_tables.c).  They are parsed once into one
 * block: an array with the offset of each number's name, followed by the names.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/event/syscall_names.h"

struct hist_syscalls {
	uint32_t n;
	char *names;
	uint32_t at[]; /* offset in @names, 0 if there is no name */
};

/* The names of a table, for the numbers from @first on. */
struct part {
	const char *table;
	uint32_t first;
};

#define PARTS_MAX 8

static const struct {
	const char *machine; /* a pattern of fnmatch(3) */
	struct part parts[PARTS_MAX + 1];
} machines[] = {
	{ "x86_64", { { syscalls_common, 0 }, { syscalls_x86_64, 0 } } },
	{ "i[3-6]86", { { syscalls_common, 0 }, { syscalls_i386, 0 } } },
	{ "aarch64", { { syscalls_common, 0 }, { syscalls_arm64, 0 } } },
	{ "arm64", { { syscalls_common, 0 }, { syscalls_arm64, 0 } } },
	{ "arm*", { { syscalls_common, 0 }, { syscalls_arm, 0 } } },
	{ "riscv64", { { syscalls_common, 0 }, { syscalls_arm64, 0 }, { syscalls_riscv64, 0 } } },
	{ "mips", { { syscalls_common, 4000 }, { syscalls_o32, 4000 } } },
	{ "mips64", { { syscalls_common, 4000 }, { syscalls_o32, 4000 },
		      { syscalls_o32_compat, 4000 },
		      { syscalls_common, 5000 }, { syscalls_n64, 5000 },
		      { syscalls_common, 6000 }, { syscalls_n64, 6000 }, { syscalls_n32, 6000 } } },
};

/* The last word of "Linux HOST RELEASE MACHINE". */
static const char *syscalls_find_machine(const char *uname)
{
	const char *blank = strrchr(uname, ' ');

	return blank ? blank + 1 : uname;
}

static const struct part *find_parts(const char *machine)
{
	size_t i;

	for (i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		if (!fnmatch(machines[i].machine, machine, 0))
			return machines[i].parts;
	return NULL;
}

/* Read a name of a table, and the number before it if there is one.  False at the end. */
static bool syscalls_next_name(const char **table, uint32_t *number, const char **name, size_t *len)
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

static int syscalls_new(struct hist_syscalls **result, const char *uname)
{
	const struct part *parts = uname ? find_parts(syscalls_find_machine(uname)) : NULL, *part;
	uint32_t number, n = 0, end = 1;
	const char *at, *name;
	struct hist_syscalls *s;
	size_t len, size = 1;

	if (!parts)
		return -ENOENT;
	/* each name gets "sys_" before it and a NUL after it */
	for (part = parts; part->table; part++) {
		for (at = part->table, number = 0; syscalls_next_name(&at, &number, &name, &len);
		     number++) {
			n = part->first + number < n ? n : part->first + number + 1;
			size += len + 5;
		}
	}
	s = calloc(1, sizeof(*s) + n * sizeof(*s->at) + size);
	if (!s)
		return -ENOMEM;
	s->n = n;
	s->names = (char *)(s->at + n);
	for (part = parts; part->table; part++) {
		for (at = part->table, number = 0; syscalls_next_name(&at, &number, &name, &len);
		     number++) {
			s->at[part->first + number] = *name == '-' ? 0 : end;
			memcpy(s->names + end, "sys_", 4);
			memcpy(s->names + end + 4, name, len);
			end += len + 5;
		}
	}
	*result = s;
	return 0;
}

static int syscalls_new_compat(struct hist_syscalls **result, const char *uname)
{
	static const struct {
		const char *machine, *compat;
	} pairs[] = { { "x86_64", "i386" }, { "i[3-6]86", "i386" }, { "aarch64", "arm" },
		      { "arm*", "arm" } };
	size_t i;

	for (i = 0; uname && i < sizeof(pairs) / sizeof(*pairs); i++)
		if (!fnmatch(pairs[i].machine, syscalls_find_machine(uname), 0))
			return syscalls_new(result, pairs[i].compat);
	return -ENOENT;
}

int hist_syscalls_new(struct hist_syscalls **result, const char *uname, bool compat)
{
	return compat ? syscalls_new_compat(result, uname) : syscalls_new(result, uname);
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
