// SPDX-License-Identifier: LGPL-2.1
/*
 * engine_names.c - format task names and addresses as the kernel does
 *
 * Source: __sprint_symbol() in kernel/kallsyms.c.
 */
#include <stdio.h>

#include "lib/engine/engine_names.h"

const char *engine_get_comm(const struct hist_engine_machine *machine, uint32_t pid)
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

bool engine_get_task_comm(const struct hist_engine_machine *machine, const struct hit *hit,
			  char comm[16])
{
	uint32_t pid = load_u32(hit->data + 4, hit->swap);
	const char *name = pid && machine->comm ? machine->comm(machine->data, pid) : NULL;

	memset(comm, 0, 16);
	if (!pid)
		snprintf(comm, 16, "swapper/%u", hit->cpu);
	else if (name)
		memcpy(comm, name, strnlen(name, 15));
	return !pid || name;
}

static bool engine_find_symbol(const struct hist_engine_machine *machine, uint64_t address,
			       struct hist_symbol *symbol)
{
	return machine->symbol && !machine->symbol(machine->data, address, symbol);
}

void engine_put_symbol(struct hist_strbuf *b, const struct hist_engine_machine *machine,
		       uint64_t address)
{
	struct hist_symbol symbol;

	if (engine_find_symbol(machine, address, &symbol)) {
		hist_strbuf_str(b, symbol.name);
	} else {
		hist_strbuf_str(b, "0x");
		hist_strbuf_hex(b, address);
	}
}

void engine_put_symbol_offset(struct hist_strbuf *b, const struct hist_engine_machine *machine,
			      uint64_t address)
{
	struct hist_symbol symbol;
	const char *module;

	if (!engine_find_symbol(machine, address, &symbol)) {
		engine_put_symbol(b, machine, address);
		return;
	}
	module = strstr(symbol.name, " [");
	hist_strbuf_add(b, symbol.name,
			module ? (size_t)(module - symbol.name) : strlen(symbol.name));
	hist_strbuf_str(b, "+0x");
	hist_strbuf_hex(b, symbol.offset);
	/* the size of the last symbol of a module is unknown */
	if (symbol.size) {
		hist_strbuf_str(b, "/0x");
		hist_strbuf_hex(b, symbol.size);
	}
	hist_strbuf_str(b, module ? module : "");
}
