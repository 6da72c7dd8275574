// SPDX-License-Identifier: LGPL-2.1
/*
 * kallsyms.c - the text of /proc/kallsyms, and which symbol an address lies in
 *
 * "ADDRESS TYPE NAME", and behind a tab "[MODULE]".  What is kept is an address and a name each.
 * The kernel's own symbols come first, in the order of their addresses; those of modules
 * behind them, each module's in the order of its symbol table.
 *
 * Looked up as the kernel does it: the symbol with the highest address that is not above; of
 * several at one address the first in the list; none from _end on, which is kept as a symbol
 * without a name.
 *
 * Invariant, after hist_symbols_end(): the list is by address, with one symbol at each.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/event/kallsyms.h"

/* A kernel of a distribution has 150,000. */
#define SYMBOLS_MAX (4u << 20)

/* Names longer than the kernel's, which has 512 bytes for one, and 64 for a module's. */
#define NAME_MAX_LEN 511
#define MODULE_MAX_LEN 63

/* In a symbol's name: it is code.  Names are below it. */
#define IS_CODE (UINT32_C(1) << 31)

struct symbol {
	uint64_t address;
	uint32_t name; /* offset in names, with IS_CODE */
} __attribute__((packed, aligned(4)));

struct range {
	uint64_t start, end;
};

struct hist_symbols {
	struct symbol *list;
	size_t n, room;
	char *names; /* with a NUL each */
	size_t len, names_room;
	bool has_data;		      /* not only functions */
	bool is_odd;		      /* no kernel gives such a text */
	bool has_own, has_modules;    /* symbols of the kernel itself, and of modules */
	uint64_t last_own;	      /* address of the kernel's last one */
	struct range code, init_code; /* of the kernel itself */
};

/* One more than the value of each hexadecimal digit; 0 for all else. */
static const unsigned char digits[256] = {
	['0'] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
	['a'] = 11, 12, 13, 14, 15, 16,
};

static const char *name_of(const struct hist_symbols *s, const struct symbol *symbol)
{
	return s->names + (symbol->name & ~IS_CODE);
}

/* Half again as many: memory that is not used is little. */
static int add_symbol(struct hist_symbols *s, uint64_t address, size_t name, bool is_code)
{
	struct symbol *list;
	size_t room;

	if (s->n == s->room) {
		room = s->room / 2 * 3 + 4096;
		if (room > SYMBOLS_MAX)
			return -EBADMSG;
		list = realloc(s->list, room * sizeof(*list));
		if (!list)
			return -ENOMEM;
		s->list = list;
		s->room = room;
	}
	s->list[s->n++] = (struct symbol){ address, name | (is_code ? IS_CODE : 0) };
	return 0;
}

/* Half of the kernel's names are that of the function behind with "__pfx_" before it. */
static bool ends_the_last_name(const struct hist_symbols *s, const char *name, size_t len)
{
	const size_t prefix = sizeof("__pfx_") - 1;

	return s->len > prefix + len && s->n &&
	       (s->list[s->n - 1].name & ~IS_CODE) == s->len - len - 1 - prefix &&
	       !memcmp(s->names + s->len - len - 1, name, len);
}

static int add(struct hist_symbols *s, uint64_t address, const char *name, size_t len, bool is_code)
{
	char *names;
	size_t room;

	if (ends_the_last_name(s, name, len))
		return add_symbol(s, address, s->len - len - 1, is_code);
	if (len >= IS_CODE - s->len)
		return -EBADMSG;
	if (len + 1 > s->names_room - s->len) {
		room = s->names_room / 2 * 3 + len + 65536;
		names = realloc(s->names, room);
		if (!names)
			return -ENOMEM;
		s->names = names;
		s->names_room = room;
	}
	memcpy(s->names + s->len, name, len);
	s->names[s->len + len] = '\0';
	s->len += len + 1;
	return add_symbol(s, address, s->len - len - 1, is_code);
}

static bool is(const char *name, size_t len, const char *other)
{
	return len == strlen(other) && !memcmp(name, other, len);
}

/* is_mapping_symbol() in include/linux/module_symbol.h */
static bool is_mapping(const char *name)
{
	return (name[0] == '.' && name[1] == 'L') || (name[0] == 'L' && name[1] == '0') ||
	       name[0] == '$';
}

/* The kernel's own: in order and before all modules, or they are not what is searched in there. */
static void note_own(struct hist_symbols *s, uint64_t address, const char *name, size_t len)
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

	if (s->has_modules || address < s->last_own || len > NAME_MAX_LEN)
		s->is_odd = true;
	s->has_own = true;
	s->last_own = address;
	if (*name != '_')
		return;
	for (i = 0; i < sizeof(bounds) / sizeof(*bounds); i++) {
		if (is(name, len, bounds[i].name))
			*bounds[i].bound = address;
	}
}

static void note_modules(struct hist_symbols *s, const char *name, const char *tab, const char *end)
{
	s->has_modules = true;
	if (tab - name > NAME_MAX_LEN || end - tab > MODULE_MAX_LEN + 3 || end - tab < 3 ||
	    tab[1] != '[' || end[-1] != ']')
		s->is_odd = true;
}

/*
 * One line, to the line feed at @end.  What is no symbol is passed over: absolute ones, which
 * on x86-64 are offsets of per-CPU variables; marks of ARM ("$a") and, in modules, of others; those
 * whose address was hidden.
 */
static int take_line(struct hist_symbols *s, const char *line, const char *end)
{
	const char *at = line, *tab, *name;
	uint64_t address = 0;
	unsigned int d;
	bool is_code;
	size_t len;
	char type;

	/* a line feed, which is none, stands at @end */
	for (; (d = digits[(unsigned char)*at]); at++)
		address = address << 4 | (d - 1);
	/* " T name" */
	if (at == line || end - at < 4 || at[0] != ' ' || at[2] != ' ') {
		s->is_odd = true;
		return 0;
	}
	type = at[1] | ('a' - 'A');
	name = at + 3;
	len = end - name;
	tab = memchr(name, '\t', len);
	if (type == 'a' || *name == '$' || *name == '\t')
		return 0;
	is_code = type == 't' || type == 'w';
	if (tab)
		note_modules(s, name, tab, end);
	else
		note_own(s, address, name, len);
	if (!address || (tab && is_mapping(name)))
		return 0;
	if (type == 'd' || type == 'b' || type == 'r')
		s->has_data = true;
	/* "func\t[module]": the tab becomes a blank when all is read */
	return add(s, address, name, !tab && is(name, len, "_end") ? 0 : len, is_code);
}

ssize_t hist_symbols_lines(struct hist_symbols *s, const char *text, size_t len)
{
	const char *line = text, *nl;
	int ret;

	while ((nl = memchr(line, '\n', text + len - line))) {
		ret = take_line(s, line, nl);
		if (ret)
			return ret;
		line = nl + 1;
	}
	return line - text;
}

/* By address; at the same, as they were listed, which is the order of their names. */
static int compare(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;
	uint32_t i = x->name & ~IS_CODE, j = y->name & ~IS_CODE;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (i > j) - (i < j);
}

/*
 * The kernel's own symbols come sorted, those of modules in any order behind them, mostly at
 * higher addresses.  Where the list is to be sorted from: nothing behind is below what is before.
 */
static size_t sorted_part(const struct hist_symbols *s)
{
	uint64_t least = UINT64_MAX;
	size_t n, i;

	for (n = 1; n < s->n && s->list[n - 1].address <= s->list[n].address; n++)
		;
	for (i = n; i < s->n; i++)
		if (s->list[i].address < least)
			least = s->list[i].address;
	while (n && n < s->n && s->list[n - 1].address >= least)
		n--;
	return n;
}

static void sort(struct hist_symbols *s)
{
	size_t i, n = sorted_part(s);

	if (n < s->n)
		qsort(s->list + n, s->n - n, sizeof(*s->list), compare);
	for (i = 0, n = 0; i < s->n; i++) {
		if (!n || s->list[n - 1].address != s->list[i].address)
			s->list[n++] = s->list[i];
		else if (!*name_of(s, &s->list[i]))
			/* _end counts whatever else begins there */
			s->list[n - 1] = s->list[i];
	}
	s->n = n;
}

static void blanks_for_tabs(struct hist_symbols *s)
{
	char *tab;
	size_t at;

	for (at = 0; at < s->len; at = tab + 1 - s->names) {
		tab = memchr(s->names + at, '\t', s->len - at);
		if (!tab)
			return;
		*tab = ' ';
	}
}

/* A list without data ends with the code: what is behind it lies in none of its functions. */
static void end_with_code(struct hist_symbols *s)
{
	static const char *const ends[] = { "_etext", "_einittext" };
	unsigned int k;
	size_t i;

	if (s->has_data)
		return;
	for (i = 0; i < s->n; i++)
		for (k = 0; k < 2; k++)
			if (!strcmp(name_of(s, &s->list[i]), ends[k]))
				s->names[s->list[i].name & ~IS_CODE] = '\0';
}

int hist_symbols_begin(struct hist_symbols **symbols)
{
	*symbols = calloc(1, sizeof(**symbols));
	return *symbols ? 0 : -ENOMEM;
}

void hist_symbols_end(struct hist_symbols *s)
{
	end_with_code(s);
	sort(s);
	blanks_for_tabs(s);
}

static int check(const struct hist_symbols *s)
{
	if (s->is_odd || !s->has_own)
		return -EBADMSG;
	if (!s->last_own)
		return -EPERM;
	return s->code.start < s->code.end ? 0 : -EBADMSG;
}

int hist_symbols_new(struct hist_symbols **symbols, char *text, size_t len)
{
	struct hist_symbols *s;
	int ret = hist_symbols_begin(&s);
	ssize_t n;

	if (!ret) {
		n = hist_symbols_lines(s, text, len);
		ret = n < 0 ? n : (size_t)n < len ? -EBADMSG : check(s);
	}
	free(text);
	if (ret) {
		hist_symbols_free(s);
		return ret;
	}
	hist_symbols_end(s);
	*symbols = s;
	return 0;
}

void hist_symbols_free(struct hist_symbols *s)
{
	if (!s)
		return;
	free(s->list);
	free(s->names);
	free(s);
}

/* The last symbol that is not above @address, or NULL. */
static const struct symbol *find(const struct hist_symbols *s, uint64_t address)
{
	size_t low = 0, high = s->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (s->list[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low && *name_of(s, &s->list[low - 1]) ? &s->list[low - 1] : NULL;
}

/* "[module]" at its end, or "". */
static const char *module_of(const struct hist_symbols *s, const struct symbol *symbol)
{
	const char *blank = strrchr(name_of(s, symbol), ' ');

	return blank ? blank + 1 : "";
}

int hist_symbols_find(const struct hist_symbols *s, uint64_t address, struct hist_symbol *found)
{
	const struct symbol *symbol = find(s, address), *next;

	if (!symbol)
		return -ENOENT;
	next = symbol + 1;
	found->name = name_of(s, symbol);
	found->offset = address - symbol->address;
	found->size = 0;
	/* behind the kernel's last symbol is its end, which has no module either */
	if (next < s->list + s->n && !strcmp(module_of(s, symbol), module_of(s, next)))
		found->size = next->address - symbol->address;
	return 0;
}

static bool in_range(const struct range *range, uint64_t address)
{
	return address >= range->start && address < range->end;
}

/*
 * Of the kernel, or of a module, and no other memory begins before the next function.  Code of "bpf"
 * and "__builtin__..." is no module's: only %pS knows where it ends.
 */
static bool is_sure(const struct hist_symbols *s, const struct symbol *symbol, uint64_t address)
{
	const char *module = module_of(s, symbol);

	if (in_range(&s->code, address) || in_range(&s->init_code, address))
		return true;
	return *module && strcmp(module, "[bpf]") &&
	       strncmp(module, "[__builtin__", strlen("[__builtin__")) &&
	       symbol->name & symbol[1].name & IS_CODE;
}

int hist_symbols_name(const struct hist_symbols *s, uint64_t address, char *buf)
{
	struct hist_symbol found;
	const char *module;
	int len;

	/* with a size it is not the last one */
	if (hist_symbols_find(s, address, &found) || !found.size ||
	    !is_sure(s, find(s, address), address))
		return -ENOENT;
	module = strrchr(found.name, ' ');
	len = snprintf(buf, HIST_SYMBOL_MAX, "%.*s+0x%llx/0x%llx%s",
		       module ? (int)(module - found.name) : (int)strlen(found.name), found.name,
		       (unsigned long long)found.offset, (unsigned long long)found.size,
		       module ? module : "");
	return len < HIST_SYMBOL_MAX ? len : -ENOENT;
}
