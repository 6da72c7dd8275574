// SPDX-License-Identifier: LGPL-2.1
/*
 * function_names.c - find the kernel functions that match the globs of an option
 *
 * Each function that matches gets a set of bits, one for each glob. A glob is redundant if each of
 * its functions also has the bit of another glob.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/suggest.h"
#include "lib/event/kallsyms.h"
#include "lib/query/function_names.h"

#define GLOB_CHARS "*?[]-^!"
#define NAME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$"

bool function_names_is_name(const char *glob)
{
	return !strpbrk(glob, "*?[");
}

bool function_names_are_all(const struct function_names *f)
{
	unsigned int i = 0;

	while (i < f->nglobs && strcmp(f->globs[i], "*"))
		i++;
	return i < f->nglobs;
}

static int parse_unit(struct function_names *f, const char *option, const char *unit,
		      struct query_refusal *refusal)
{
	f->usecs = !strcmp(unit, "usecs");
	if (f->usecs || !strcmp(unit, "nsecs"))
		return 0;
	return query_refuse(refusal, -EINVAL, "%s: unknown unit \"%s\"\nuse nsecs or usecs", option,
			    unit);
}

int function_names_parse(struct function_names *f, const char *option, const char *text,
			 bool has_unit, struct query_refusal *refusal)
{
	char *rest, *colon, *glob;
	int ret = 0;

	memset(f, 0, sizeof(*f));
	f->text = strdup(text);
	if (!f->text)
		return -ENOMEM;
	colon = has_unit ? strchr(f->text, ':') : NULL;
	if (colon) {
		*colon = '\0';
		ret = parse_unit(f, option, colon + 1, refusal);
	}
	for (rest = f->text; !ret && (glob = strsep(&rest, ","));) {
		if (!*glob || *glob == '!' || glob[strspn(glob, NAME_CHARS GLOB_CHARS)]) {
			return query_refuse(refusal, -EINVAL, "%s %s: \"%s\" is neither a function "
					    "name nor a pattern with *, ? or [...]", option, text,
					    glob);
		}
		if (f->nglobs == FUNCTION_GLOBS_MAX) {
			return query_refuse(refusal, -EINVAL, "%s %s: at most %d patterns are "
					    "allowed", option, text, FUNCTION_GLOBS_MAX);
		}
		f->globs[f->nglobs++] = glob;
	}
	return ret;
}

static uint32_t match_globs(const struct function_names *f, const char *name)
{
	uint32_t set = 0;
	unsigned int i;

	for (i = 0; i < f->nglobs; i++) {
		if (!fnmatch(f->globs[i], name, FNM_NOESCAPE))
			set |= UINT32_C(1) << i;
	}
	return set;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sort the names, and leave out those that occur twice. */
static void drop_ambiguous(struct function_names *f)
{
	unsigned int i, end, n = 0;

	qsort(f->names, f->n, sizeof(*f->names), compare_names);
	for (i = 0; i < f->n; i = end) {
		for (end = i + 1; end < f->n && !strcmp(f->names[i], f->names[end]); end++)
			;
		if (end > i + 1)
			f->nambiguous++;
		else
			f->names[n++] = f->names[i];
	}
	f->n = n;
}

/* The address of the symbol @name in the text of kallsyms; 0: not found. */
static uint64_t find_symbol(const char *text, const char *name)
{
	const size_t len = strlen(name);
	const char *at, *line;

	for (at = text; (at = strstr(at, name)); at++) {
		line = memrchr(text, '\n', at - text);
		line = line ? line + 1 : text;
		/* "ffffffff810012a0 T NAME" */
		if (at[len] == '\n' && at - line >= 4 && at[-1] == ' ' && at[-3] == ' ')
			return strtoull(line, NULL, 16);
	}
	return 0;
}

/*
 * The name by which the kernel traces the function @glob, which has several names; NULL: none.
 * Valid as long as *@symbols.
 */
static const char *find_other_name(const char *glob, const struct query_source *source,
				   struct hist_kallsyms **symbols)
{
	struct hist_strbuf b = { 0 };
	struct hist_symbol symbol;
	uint64_t address;
	size_t len;
	char *text;
	int ret;

	if (!function_names_is_name(glob) || !source->ops->read_symbols)
		return NULL;
	ret = source->ops->read_symbols(source, &b);
	len = b.len;
	text = hist_strbuf_string(&b);
	if (ret || !text) {
		free(text);
		return NULL;
	}
	address = find_symbol(text, glob);
	/* it takes the text */
	if (hist_kallsyms_new(symbols, text, len) || !address ||
	    hist_kallsyms_find(*symbols, address, &symbol) || symbol.offset)
		return NULL;
	return symbol.name;
}

static bool is_listed(const struct function_names *f, const char *name)
{
	const char *at = f->list, *end = f->list + f->list_len;

	while (at < end && strcmp(at, name))
		at += strlen(at) + 1;
	return at < end;
}

/* The name of the list that is most like @glob; NULL: none, or @glob is a pattern. */
static const char *function_names_find_near(const struct function_names *f, const char *glob)
{
	const char **all = NULL, *near, *at;
	size_t n = 0;

	for (at = f->list; at < f->list + f->list_len && function_names_is_name(glob);
	     at += strlen(at) + 1) {
		if (*at && array_add(&all, n, sizeof(*all)))
			break;
		if (*at)
			all[n++] = at;
	}
	near = n ? hist_suggest(glob, all, n) : NULL;
	free(all);
	return near;
}

static int refuse_glob(const struct function_names *f, const char *option, const char *glob,
		       const struct query_source *source, struct query_refusal *refusal)
{
	const char *near = function_names_find_near(f, glob), *other;
	struct hist_kallsyms *symbols = NULL;
	int ret;

	if (source->recording)
		return near ?
		       query_refuse(refusal, -EINVAL, "%s %s: no function of the recording has this "
				    "name\ndid you mean \"%s\"?", option, glob, near) :
		       query_refuse(refusal, -EINVAL, "%s %s: no function of the recording has a name "
				    "that matches", option, glob);
	other = find_other_name(glob, source, &symbols);
	if (other && is_listed(f, other))
		ret = query_refuse(refusal, -EINVAL, "%s %s: the kernel traces this function under "
				   "another name\nuse \"%s\"", option, glob, other);
	else if (near)
		ret = query_refuse(refusal, -EINVAL, "%s %s: this kernel has no traceable function "
				   "with this name\ndid you mean \"%s\"?", option, glob, near);
	else
		ret = query_refuse(refusal, -EINVAL, "%s %s: no traceable function of this kernel "
				   "matches\nsee available_filter_functions in tracefs", option,
				   glob);
	hist_kallsyms_free(symbols);
	return ret;
}

/* Remove each glob whose functions all match another one. @sets has a set for each function. */
static void drop_redundant(struct function_names *f, const uint32_t *sets, unsigned int n)
{
	unsigned int i, j, k, kept = 0;
	uint32_t gone = 0;

	for (i = 0; i < f->nglobs; i++) {
		for (j = 0; j < f->nglobs; j++) {
			if (i == j || gone >> j & 1)
				continue;
			for (k = 0; k < n && (!(sets[k] >> i & 1) || sets[k] >> j & 1); k++)
				;
			if (k == n)
				break;
		}
		if (j < f->nglobs)
			gone |= UINT32_C(1) << i;
	}
	for (i = 0; i < f->nglobs; i++) {
		if (!(gone >> i & 1))
			f->globs[kept++] = f->globs[i];
	}
	f->nglobs = kept;
}

/* Read the list of the source, whose lines are "NAME" or "NAME [MODULE]". */
static int function_names_read_list(struct function_names *f, const char *option,
				    const struct query_source *source,
				    struct query_refusal *refusal)
{
	static const char file[] = "available_filter_functions";
	struct hist_strbuf list = { 0 };
	int ret = source->ops->list_functions(source, &list);

	if (!ret && !list.error) {
		f->list_len = list.len;
		f->list = hist_strbuf_string(&list);
		if (!f->list)
			return -ENOMEM;
		return f->list_len || !source->recording ? 0 :
		       query_refuse(refusal, -EINVAL, "%s: the recording has no names of functions\n"
				    "record as root, or use %s '*'", option, option);
	}
	hist_strbuf_free(&list);
	if (!ret || ret == -ENOMEM)
		return -ENOMEM;
	if (ret == -ENOENT)
		return query_refuse(refusal, -EOPNOTSUPP, "%s: this kernel cannot trace functions "
				    "(CONFIG_DYNAMIC_FTRACE)", option);
	if (ret == -EPERM || ret == -EACCES)
		return query_refuse(refusal, ret, "%s: %s\ncount tracepoints with -e, or check if "
				    "kernel_lockdown(7) or a security module denies this file", file,
				    strerror(-ret));
	return query_refuse(refusal, ret, "%s: %s", file, strerror(-ret));
}

int function_names_read(struct function_names *f, const char *option, struct query *query,
			const struct query_source *source, struct query_refusal *refusal)
{
	uint32_t *sets = NULL, set, found = 0;
	char *line, *rest;
	unsigned int i;
	int ret;

	ret = function_names_read_list(f, option, source, refusal);
	/* each line becomes a string, of the name only */
	for (rest = f->list; !ret && (line = strsep(&rest, "\n"));) {
		char *blank = line + strcspn(line, " \t");

		memset(blank, '\0', strlen(blank));
		set = *line ? match_globs(f, line) : 0;
		if (!set)
			continue;
		if (array_add(&f->names, f->n, sizeof(*f->names)) ||
		    array_add(&sets, f->n, sizeof(*sets))) {
			ret = -ENOMEM;
			break;
		}
		sets[f->n] = set;
		f->names[f->n++] = line;
		found |= set;
	}
	for (i = 0; !ret && i < f->nglobs; i++) {
		if (found >> i & 1)
			continue;
		ret = found && source->recording && query ?
		      query_add_note(query, true, "%s %s: no function of the recording has a name that "
				     "matches", option, f->globs[i]) :
		      refuse_glob(f, option, f->globs[i], source, refusal);
	}
	if (!ret) {
		drop_redundant(f, sets, f->n);
		drop_ambiguous(f);
	}
	free(sets);
	return ret;
}

int function_names_check_overlap(const struct function_names *f, const char *option,
				 struct query_refusal *refusal)
{
	unsigned int i;

	for (i = 0; i < f->n; i++) {
		uint32_t set = match_globs(f, f->names[i]), low = set & -set;

		if (set == low)
			continue;
		return query_refuse(refusal, -EINVAL, "%s: %s matches both patterns \"%s\" and "
				    "\"%s\", and would be counted twice\n"
				    "use patterns that do not overlap, or --engine user", option,
				    f->names[i], f->globs[__builtin_ctz(set)],
				    f->globs[__builtin_ctz(set & ~low)]);
	}
	return 0;
}

void function_names_clear(struct function_names *f)
{
	free(f->text);
	free(f->names);
	free(f->list);
	memset(f, 0, sizeof(*f));
}
