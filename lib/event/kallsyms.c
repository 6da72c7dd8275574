// SPDX-License-Identifier: LGPL-2.1
/*
 * kallsyms.c - parse the text of /proc/kallsyms and find the symbol of an address
 *
 * A line is "ADDRESS TYPE NAME", followed by a tab and "[MODULE]" for a module.  The parser keeps
 * an address and a name for each symbol.  The kernel's own symbols come first, in the order of
 * their addresses.  The symbols of the modules follow, each module in the order of its symbol
 * table.
 *
 * The look-up follows the kernel: it finds the symbol with the highest address that is not above
 * the given one, and the first in the list if several have that address.  No symbol is found from
 * _end on; _end is kept as a symbol with an empty name.
 *
 * Invariant after kallsyms_end(): the list is sorted by address, with one symbol per address.
 * The other names follow, also sorted by address.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "lib/base/array.h"
#include "lib/base/strbuf.h"
#include "lib/base/text.h"
#include "lib/event/kallsyms.h"

/* The limit; the kernel of a distribution has about 150,000 symbols. */
#define SYMBOLS_MAX (4u << 20)

/* The kernel's limits are 512 bytes for a name and 64 for a module's name, with the NUL. */
#define NAME_MAX_LEN 511
#define MODULE_MAX_LEN 63

/* Flag in symbol.name: the symbol is code.  The offset of the name is in the bits below. */
#define IS_CODE (UINT32_C(1) << 31)

struct symbol {
	uint64_t address;
	uint32_t name; /* offset in names, with IS_CODE */
} __attribute__((packed, aligned(4)));

struct range {
	uint64_t start, end;
};

struct hist_kallsyms {
	struct symbol *list; /* of @n symbols, and then of the other names of their addresses */
	size_t n, all;
	uint32_t room;
	struct hist_strbuf names;     /* each ends with a NUL */
	bool has_data;		      /* the list has more than functions */
	bool is_odd;		      /* a kernel does not print such a text */
	bool has_own, has_modules;    /* symbols of the kernel itself, and of modules */
	uint64_t last_own;	      /* address of the kernel's last own symbol */
	struct range code, init_code; /* of the kernel itself */
};

/* The value of each hexadecimal digit plus 1; 0 for all other characters. */
static const unsigned char digits[256] = {
	['0'] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
	['a'] = 11, 12, 13, 14, 15, 16,
};

static const char *kallsyms_get_name(const struct hist_kallsyms *s, const struct symbol *symbol)
{
	return s->names.data + (symbol->name & ~IS_CODE);
}

static int add_symbol(struct hist_kallsyms *s, uint64_t address, size_t name, bool is_code)
{
	int ret = s->n < SYMBOLS_MAX ? array_grow(&s->list, &s->room, s->n + 1, sizeof(*s->list))
				     : -EBADMSG;

	if (!ret)
		s->list[s->n++] = (struct symbol){ address, name | (is_code ? IS_CODE : 0) };
	return ret;
}

/*
 * True if the last name ends with @name.  Half of the kernel's names follow the same name with the
 * prefix "__pfx_".
 */
static bool ends_the_last_name(const struct hist_kallsyms *s, const char *name, size_t len)
{
	const size_t prefix = sizeof("__pfx_") - 1;
	const size_t at = s->names.len - len - 1;

	return s->names.len > prefix + len && s->n &&
	       (s->list[s->n - 1].name & ~IS_CODE) == at - prefix &&
	       !memcmp(s->names.data + at, name, len);
}

static int kallsyms_add_symbol(struct hist_kallsyms *s, uint64_t address, const char *name,
			       size_t len, bool is_code)
{
	if (!ends_the_last_name(s, name, len)) {
		if (len >= IS_CODE - s->names.len)
			return -EBADMSG;
		hist_strbuf_add(&s->names, name, len);
		hist_strbuf_char(&s->names, '\0');
		if (s->names.error)
			return s->names.error;
	}
	return add_symbol(s, address, s->names.len - len - 1, is_code);
}

/* is_mapping_symbol() in include/linux/module_symbol.h */
static bool is_mapping(const char *name)
{
	return (name[0] == '.' && name[1] == 'L') || (name[0] == 'L' && name[1] == '0') ||
	       name[0] == '$';
}

/* The kernel's own symbols must be sorted and precede all modules; otherwise the text is odd. */
static void note_own(struct hist_kallsyms *s, uint64_t address, const char *name, size_t len)
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
		if (text_equals(name, len, bounds[i].name))
			*bounds[i].bound = address;
	}
}

static void note_modules(struct hist_kallsyms *s, const char *name, const char *tab,
			 const char *end)
{
	s->has_modules = true;
	if (tab - name > NAME_MAX_LEN || end - tab > MODULE_MAX_LEN + 3 || end - tab < 3 ||
	    tab[1] != '[' || end[-1] != ']')
		s->is_odd = true;
}

/*
 * Parse one line, up to the line feed at @end.  These lines are skipped: absolute symbols, which
 * are offsets of per-CPU variables on x86-64; mapping symbols, of ARM ("$a") and, in modules, of
 * other architectures; symbols with a hidden address.
 */
static int kallsyms_parse_line(struct hist_kallsyms *s, const char *line, const char *end)
{
	const char *at = line, *tab, *name;
	uint64_t address = 0;
	unsigned int d;
	bool is_code;
	size_t len;
	char type;

	/* the loop stops at @end: the line feed there is not a digit */
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
	/* "func\t[module]": kallsyms_end() replaces the tab with a blank */
	return kallsyms_add_symbol(s, address, name,
				   !tab && text_equals(name, len, "_end") ? 0 : len, is_code);
}

/* Parse the complete lines of @len bytes.  Their size in bytes, or -errno. */
static ssize_t kallsyms_parse_lines(struct hist_kallsyms *s, const char *text, size_t len)
{
	const char *line = text, *nl;
	int ret;

	while ((nl = memchr(line, '\n', text + len - line))) {
		ret = kallsyms_parse_line(s, line, nl);
		if (ret)
			return ret;
		line = nl + 1;
	}
	return line - text;
}

/* By address, then in the order of the list, which is the order of the names in memory. */
static int kallsyms_compare_symbols(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;
	uint32_t i = x->name & ~IS_CODE, j = y->name & ~IS_CODE;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (i > j) - (i < j);
}

/*
 * The index from which the list must be sorted: no symbol after it is below a symbol before it.
 * The kernel's own symbols are sorted already.  Those of modules follow in any order, mostly at
 * higher addresses.
 */
static size_t sorted_part(const struct hist_kallsyms *s)
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

static void kallsyms_swap_symbols(struct hist_kallsyms *s, size_t i, size_t j)
{
	struct symbol other = s->list[i];

	s->list[i] = s->list[j];
	s->list[j] = other;
}

static void kallsyms_sort_symbols(struct hist_kallsyms *s)
{
	size_t i, n = sorted_part(s);

	if (n < s->n)
		qsort(s->list + n, s->n - n, sizeof(*s->list), kallsyms_compare_symbols);
	for (i = 0, n = 0; i < s->n; i++) {
		if (!n || s->list[n - 1].address != s->list[i].address)
			kallsyms_swap_symbols(s, n++, i);
		else if (!*kallsyms_get_name(s, &s->list[i]))
			/* _end replaces any other symbol at its address */
			kallsyms_swap_symbols(s, n - 1, i);
	}
	s->all = s->n;
	s->n = n;
	if (s->all > n)
		qsort(s->list + n, s->all - n, sizeof(*s->list), kallsyms_compare_symbols);
}

/* End the code of a list without data at _etext and _einittext, as at _end. */
static void end_with_code(struct hist_kallsyms *s)
{
	static const char *const ends[] = { "_etext", "_einittext" };
	unsigned int k;
	size_t i;

	if (s->has_data)
		return;
	for (i = 0; i < s->n; i++)
		for (k = 0; k < 2; k++)
			if (!strcmp(kallsyms_get_name(s, &s->list[i]), ends[k]))
				s->names.data[s->list[i].name & ~IS_CODE] = '\0';
}

static void kallsyms_end(struct hist_kallsyms *s)
{
	size_t i;

	end_with_code(s);
	kallsyms_sort_symbols(s);
	for (i = 0; i < s->names.len; i++)
		if (s->names.data[i] == '\t')
			s->names.data[i] = ' ';
}

static int kallsyms_check_bounds(const struct hist_kallsyms *s)
{
	if (s->is_odd || !s->has_own)
		return -EBADMSG;
	if (!s->last_own)
		return -EPERM;
	return s->code.start < s->code.end ? 0 : -EBADMSG;
}

int hist_kallsyms_new(struct hist_kallsyms **symbols, char *text, size_t len)
{
	struct hist_kallsyms *s = calloc(1, sizeof(*s));
	int ret = -ENOMEM;
	ssize_t n;

	if (s) {
		n = kallsyms_parse_lines(s, text, len);
		ret = n < 0 ? n : (size_t)n < len ? -EBADMSG : kallsyms_check_bounds(s);
	}
	free(text);
	if (ret) {
		hist_kallsyms_free(s);
		return ret;
	}
	kallsyms_end(s);
	*symbols = s;
	return 0;
}

int hist_kallsyms_parse(struct hist_kallsyms **symbols, const char *text, size_t len)
{
	struct hist_kallsyms *s = calloc(1, sizeof(*s));
	ssize_t n;

	if (!s)
		return -ENOMEM;
	n = kallsyms_parse_lines(s, text, len);
	if (n < 0) {
		hist_kallsyms_free(s);
		return n;
	}
	kallsyms_end(s);
	*symbols = s;
	return 0;
}

void hist_kallsyms_free(struct hist_kallsyms *s)
{
	if (!s)
		return;
	free(s->list);
	hist_strbuf_free(&s->names);
	free(s);
}

/* The index after the symbols from @low to @high that are not above @address. */
static size_t kallsyms_find_after(const struct hist_kallsyms *s, size_t low, size_t high,
				  uint64_t address)
{
	size_t mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (s->list[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The last symbol that is not above @address; NULL if there is none, or if it marks an end. */
static const struct symbol *kallsyms_find_symbol(const struct hist_kallsyms *s, uint64_t address)
{
	size_t low = kallsyms_find_after(s, 0, s->n, address);

	return low && *kallsyms_get_name(s, &s->list[low - 1]) ? &s->list[low - 1] : NULL;
}

/* "[module]" at the end of the name, or "". */
static const char *kallsyms_get_module(const struct hist_kallsyms *s, const struct symbol *symbol)
{
	const char *blank = strrchr(kallsyms_get_name(s, symbol), ' ');

	return blank ? blank + 1 : "";
}

int hist_kallsyms_find(const struct hist_kallsyms *s, uint64_t address, struct hist_symbol *found)
{
	const struct symbol *symbol = kallsyms_find_symbol(s, address), *next;

	if (!symbol)
		return -ENOENT;
	next = symbol + 1;
	found->name = kallsyms_get_name(s, symbol);
	found->offset = address - symbol->address;
	found->size = 0;
	found->list = s;
	found->address = symbol->address;
	found->others = 0;
	/* the entry after the kernel's last symbol is _end, which does not have a module either */
	if (next < s->list + s->n &&
	    !strcmp(kallsyms_get_module(s, symbol), kallsyms_get_module(s, next)))
		found->size = next->address - symbol->address;
	return 0;
}

bool hist_kallsyms_next_name(struct hist_symbol *symbol)
{
	const struct hist_kallsyms *s = symbol->list;

	if (!s || s->n == s->all)
		return false;
	if (!symbol->others)
		symbol->others = kallsyms_find_after(s, s->n, s->all, symbol->address - 1);
	if (symbol->others == s->all || s->list[symbol->others].address != symbol->address)
		return false;
	symbol->name = kallsyms_get_name(s, &s->list[symbol->others++]);
	return true;
}

const char *hist_kallsyms_next_function(const struct hist_kallsyms *s, size_t *i)
{
	while (*i < s->all && !(s->list[*i].name & IS_CODE))
		++*i;
	return *i < s->all ? kallsyms_get_name(s, &s->list[(*i)++]) : NULL;
}

static bool in_range(const struct range *range, uint64_t address)
{
	return address >= range->start && address < range->end;
}

/*
 * True if the symbol's end is certain.  This is so in the kernel's own code, and in a module if
 * this symbol and the next one are code.  Code of "bpf" and "__builtin__..." does not belong to a
 * module; only %pS knows where it ends.
 */
static bool is_sure(const struct hist_kallsyms *s, const struct symbol *symbol, uint64_t address)
{
	const char *module = kallsyms_get_module(s, symbol);

	if (in_range(&s->code, address) || in_range(&s->init_code, address))
		return true;
	return *module && strcmp(module, "[bpf]") &&
	       strncmp(module, "[__builtin__", strlen("[__builtin__")) &&
	       symbol->name & symbol[1].name & IS_CODE;
}

int hist_kallsyms_format(const struct hist_kallsyms *s, uint64_t address, char *buf)
{
	struct hist_symbol found;
	const char *module;
	int len;

	/* the last symbol has size 0, so symbol[1] in is_sure() exists */
	if (hist_kallsyms_find(s, address, &found) || !found.size ||
	    !is_sure(s, kallsyms_find_symbol(s, address), address))
		return -ENOENT;
	module = strrchr(found.name, ' ');
	len = snprintf(buf, HIST_SYMBOL_MAX, "%.*s+0x%llx/0x%llx%s",
		       module ? (int)(module - found.name) : (int)strlen(found.name), found.name,
		       (unsigned long long)found.offset, (unsigned long long)found.size,
		       module ? module : "");
	return len < HIST_SYMBOL_MAX ? len : -ENOENT;
}
