// SPDX-License-Identifier: LGPL-2.1
/*
 * names.c - tasks and addresses as the kernel prints them
 *
 * __sprint_symbol() in kernel/kallsyms.c.  A recording knows where symbols begin; how
 * long one is, is how far the next one is away.  That is found by asking for addresses: up to
 * its end the offsets grow with them.
 */
#include "names.h"

/* Longer than any function: the last symbol has no end. */
#define SYMBOL_MAX (UINT64_C(1) << 30)

const char *name_comm(const struct hist_engine_machine *machine, uint32_t pid)
{
	const char *name = NULL;

	if (!pid)
		return "<idle>";
	if ((int32_t)pid < 0)
		return "<XXX>";
	if (machine->comm)
		name = machine->comm(machine->data, pid);
	return name ? name : "<...>";
}

static bool find(const struct hist_engine_machine *machine, uint64_t address, const char **name,
		 uint64_t *offset)
{
	return machine->symbol && !machine->symbol(machine->data, address, name, offset);
}

/* Is @address still in the symbol that begins at @start? */
static bool is_within(const struct hist_engine_machine *machine, uint64_t start, uint64_t address)
{
	const char *name;
	uint64_t offset;

	return address >= start && find(machine, address, &name, &offset) &&
	       address - offset == start;
}

/* How long the symbol at @start is, of which @known bytes are known. */
static uint64_t symbol_size(const struct hist_engine_machine *machine, uint64_t start,
			    uint64_t known)
{
	uint64_t low = known, high = known + 1, middle;

	while (high < SYMBOL_MAX && is_within(machine, start, start + high)) {
		low = high;
		high *= 2;
	}
	/* within at @low, not at @high */
	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (is_within(machine, start, start + middle))
			low = middle;
		else
			high = middle;
	}
	return high;
}

void name_symbol(struct hist_strbuf *b, const struct hist_engine_machine *machine, uint64_t address)
{
	const char *name;
	uint64_t offset;

	if (find(machine, address, &name, &offset)) {
		hist_strbuf_str(b, name);
	} else {
		hist_strbuf_str(b, "0x");
		hist_strbuf_hex(b, address);
	}
}

void name_symbol_offset(struct hist_strbuf *b, const struct hist_engine_machine *machine,
			uint64_t address)
{
	const char *name, *at;
	uint64_t offset, size;
	char module[128] = "";

	if (!find(machine, address, &name, &offset)) {
		name_symbol(b, machine, address);
		return;
	}
	/* asking for the size makes @name void */
	at = strstr(name, " [");
	if (at)
		snprintf(module, sizeof(module), "%s", at);
	hist_strbuf_add(b, name, at ? (size_t)(at - name) : strlen(name));
	size = symbol_size(machine, address - offset, offset);
	hist_strbuf_str(b, "+0x");
	hist_strbuf_hex(b, offset);
	hist_strbuf_str(b, "/0x");
	hist_strbuf_hex(b, size);
	hist_strbuf_str(b, module);
}
