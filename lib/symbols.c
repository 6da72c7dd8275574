// SPDX-License-Identifier: LGPL-2.1
/*
 * symbols.c - /proc/kallsyms, and what "%pS" makes of an address
 *
 * The kernel's own symbols come first, in the order of their addresses, in
 * which get_symbol_pos() searches; then those of modules, each module's in the
 * order of its symbol table, in which find_kallsyms_symbol() takes the first of
 * the nearest.  A size is the way to the next symbol.  Where that is not known
 * from the file, as behind the last function of a module, there is no answer.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tracehist/symbols.h>

/* Names longer than the kernel's, which has 512 bytes for one, and 64 for a module's. */
#define NAME_MAX_LEN 511
#define MODULE_MAX_LEN 63

struct symbol {
	uint64_t address;
	const char *name;   /* in the text, ends with 0 */
	const char *module; /* ends with 0; NULL: of the kernel itself */
	uint32_t order;
	bool is_code;
};

struct range {
	uint64_t start, end;
};

struct hist_symbols {
	char *text;
	struct symbol *symbols; /* the kernel's own first */
	size_t n, nown, room;
	struct range code, init_code;
};

/* is_mapping_symbol() in include/linux/module_symbol.h */
static bool is_mapping(const char *name)
{
	return (name[0] == '.' && name[1] == 'L') || (name[0] == 'L' && name[1] == '0') ||
	       name[0] == '$';
}

/*
 * Code that is no module's: only %pS knows where it ends.  In modules that have
 * been initialized ftrace may name functions that are gone; they come behind
 * those of all modules.
 */
static bool is_module(const char *module)
{
	return strcmp(module, "bpf") && strncmp(module, "__builtin__", strlen("__builtin__"));
}

static int add(struct hist_symbols *s, const struct symbol *symbol)
{
	struct symbol *p;

	if (s->n == s->room) {
		size_t room = s->room ? s->room * 2 : 4096;

		if (room > UINT32_MAX)
			return -E2BIG;
		p = reallocarray(s->symbols, room, sizeof(*p));
		if (!p)
			return -ENOMEM;
		s->symbols = p;
		s->room = room;
	}
	s->symbols[s->n] = *symbol;
	s->symbols[s->n].order = s->n;
	s->n++;
	return 0;
}

static void note_bound(struct hist_symbols *s, const struct symbol *symbol)
{
	const struct {
		const char *name;
		uint64_t *bound;
	} bounds[] = {
		{ "_stext", &s->code.start },
		{ "_etext", &s->code.end },
		{ "_sinittext", &s->init_code.start },
		{ "_einittext", &s->init_code.end },
	};
	unsigned int i;

	if (symbol->name[0] != '_')
		return;
	for (i = 0; i < sizeof(bounds) / sizeof(*bounds); i++) {
		if (!strcmp(symbol->name, bounds[i].name))
			*bounds[i].bound = symbol->address;
	}
}

/* "ffffffff81000000 T _stext" or "... t init_module\t[nfs]"; the newline is a 0 already. */
static int add_line(struct hist_symbols *s, char *line)
{
	struct symbol symbol = { 0 };
	char *at, *tab;

	symbol.address = strtoull(line, &at, 16);
	if (at == line || at[0] != ' ' || !at[1] || at[2] != ' ' || !at[3])
		return -EBADMSG;
	symbol.is_code = strchr("tTwW", at[1]);
	symbol.name = at + 3;
	tab = strchr(at + 3, '\t');
	if (tab) {
		*tab = '\0';
		at = strchr(tab + 1, ']');
		if (tab[1] != '[' || !at)
			return -EBADMSG;
		*at = '\0';
		symbol.module = tab + 2;
		if (!is_module(symbol.module) || is_mapping(symbol.name))
			return 0;
	}
	if (strlen(symbol.name) > NAME_MAX_LEN ||
	    (symbol.module && strlen(symbol.module) > MODULE_MAX_LEN))
		return -EBADMSG;
	if (symbol.module)
		return add(s, &symbol);
	/* in order, and before all modules, or they are not what is searched in */
	if (s->n != s->nown || (s->n && symbol.address < s->symbols[s->n - 1].address))
		return -EBADMSG;
	s->nown++;
	note_bound(s, &symbol);
	return add(s, &symbol);
}

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static int parse(struct hist_symbols *s, char *text, size_t len)
{
	char *line = text, *end = text + len, *nl;
	int ret = 0;

	while (line < end && !ret) {
		nl = memchr(line, '\n', end - line);
		if (!nl)
			return -EBADMSG;
		*nl = '\0';
		ret = add_line(s, line);
		line = nl + 1;
	}
	if (ret)
		return ret;
	if (!s->nown)
		return -EBADMSG;
	if (!s->symbols[s->nown - 1].address)
		return -EPERM;
	if (s->code.start >= s->code.end)
		return -EBADMSG;
	if (s->n > s->nown)
		qsort(s->symbols + s->nown, s->n - s->nown, sizeof(*s->symbols), by_address);
	return 0;
}

int hist_symbols_new(struct hist_symbols **symbols, char *text, size_t len)
{
	struct hist_symbols *s = calloc(1, sizeof(*s));
	int ret;

	if (!s) {
		free(text);
		return -ENOMEM;
	}
	s->text = text;
	ret = parse(s, text, len);
	if (ret) {
		hist_symbols_free(s);
		return ret;
	}
	*symbols = s;
	return 0;
}

void hist_symbols_free(struct hist_symbols *s)
{
	if (!s)
		return;
	free(s->symbols);
	free(s->text);
	free(s);
}

static bool in_range(const struct range *range, uint64_t address)
{
	return address >= range->start && address < range->end;
}

/* The first of those at the highest address up to @address, and the next address. */
static const struct symbol *nearest(const struct symbol *symbols, size_t n, uint64_t address,
				    const struct symbol **next)
{
	size_t low = 0, high = n, mid, i;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (symbols[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || low == n)
		return NULL;
	*next = &symbols[low];
	for (i = low - 1; i && symbols[i - 1].address == symbols[i].address; i--)
		;
	return &symbols[i];
}

/* What is between two functions of a module is the first one's, if no other memory begins there. */
static bool in_module(const struct symbol *symbol, const struct symbol *next)
{
	return symbol->is_code && next->is_code && !strcmp(symbol->module, next->module);
}

int hist_symbols_name(const struct hist_symbols *s, uint64_t address, char *buf)
{
	const struct symbol *symbol, *next;

	if (in_range(&s->code, address) || in_range(&s->init_code, address)) {
		symbol = nearest(s->symbols, s->nown, address, &next);
	} else {
		symbol = nearest(s->symbols + s->nown, s->n - s->nown, address, &next);
		if (symbol && !in_module(symbol, next))
			symbol = NULL;
	}
	if (!symbol)
		return -ENOENT;
	return snprintf(buf, HIST_SYMBOL_MAX, "%s+0x%llx/0x%llx%s%s%s", symbol->name,
			(unsigned long long)(address - symbol->address),
			(unsigned long long)(next->address - symbol->address),
			symbol->module ? " [" : "", symbol->module ? symbol->module : "",
			symbol->module ? "]" : "");
}
