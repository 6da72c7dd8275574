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

/* True if @glob is the name of one function. */
static bool function_names_is_name(const char *glob)
{
	return !strpbrk(glob, "*?[");
}

/* --- parse --- */

static const char *function_names_find_unit(const char *text)
{
	const char *colon = strrchr(text, ':');

	return colon && (!strcmp(colon, ":usecs") || !strcmp(colon, ":nsecs")) ? colon : NULL;
}

static bool function_names_is_glob(const char *text)
{
	return *text && *text != '!' && !text[strspn(text, NAME_CHARS GLOB_CHARS)];
}

/* Split @text at its colon; @own is a copy of it. */
static bool function_names_parse_glob(struct function_glob *glob, const char *text, char *own)
{
	char *colon = strchr(own, ':');

	*glob = (struct function_glob){
		.text = text,
		.name = own,
		.is_name = function_names_is_name(text),
	};
	if (colon) {
		*colon = '\0';
		glob->module = own;
		glob->name = colon + 1;
	}
	return function_names_is_glob(glob->name) &&
	       (!glob->module || function_names_is_glob(glob->module));
}

int function_names_parse(struct function_names *f, const char *option, const char *text,
			 bool has_unit, struct hist_error *refusal)
{
	const char *unit = has_unit ? function_names_find_unit(text) : NULL;
	size_t len = unit ? (size_t)(unit - text) : strlen(text);
	char *rest, *glob;

	memset(f, 0, sizeof(*f));
	f->has_unit = has_unit;
	f->globs_len = len;
	f->usecs = !strcmp(text + len, ":usecs");
	f->text = strndup(text, len);
	f->parts = strndup(text, len);
	if (!f->text || !f->parts)
		return -ENOMEM;
	for (rest = f->text; (glob = strsep(&rest, ","));) {
		char *own = f->parts + (glob - f->text);

		own[strlen(glob)] = '\0';
		f->is_all |= !strcmp(glob, "*");
		if (f->nglobs == FUNCTION_GLOBS_MAX)
			return hist_error_set(refusal, -EINVAL,
					      "%s %s: at most %d patterns are "
					      "allowed",
					      option, text, FUNCTION_GLOBS_MAX);
		if (!function_names_parse_glob(&f->globs[f->nglobs++], glob, own))
			return hist_error_set(refusal, -EINVAL,
					      "%s %s: \"%s\" is neither a function "
					      "name nor a pattern with *, ? or [...]\n"
					      "use FUNCTION, or MODULE:FUNCTION",
					      option, text, glob);
	}
	return 0;
}

/* --- match --- */

static bool function_glob_has_name(const struct function_glob *glob, const struct function_name *n)
{
	return !fnmatch(glob->name, n->name, FNM_NOESCAPE);
}

static bool function_glob_has_module(const struct function_glob *glob,
				     const struct function_name *n)
{
	return !glob->module || (n->module && !fnmatch(glob->module, n->module, FNM_NOESCAPE));
}

static bool function_glob_matches(const struct function_glob *glob, const struct function_name *n)
{
	return function_glob_has_module(glob, n) && function_glob_has_name(glob, n);
}

static uint32_t match_globs(const struct function_names *f, const struct function_name *name)
{
	uint32_t set = 0;
	unsigned int i;

	for (i = 0; i < f->nglobs; i++) {
		if (function_glob_matches(&f->globs[i], name))
			set |= UINT32_C(1) << i;
	}
	return set;
}

static int function_names_compare(const void *a, const void *b)
{
	const struct function_name *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : strcmp(x->module ? x->module : "", y->module ? y->module : "");
}

static void function_names_sort(struct function_names *f)
{
	struct function_name *a, *b;
	unsigned int i;

	if (f->nall)
		qsort(f->all, f->nall, sizeof(*f->all), function_names_compare);
	for (i = 1; i < f->nall; i++) {
		a = &f->all[i - 1];
		b = &f->all[i];
		if (strcmp(a->name, b->name))
			continue;
		a->is_shared = b->is_shared = true;
		if (!function_names_compare(a, b))
			a->is_double = b->is_double = true;
	}
}

/* A kprobe names a function, or a function of a module, only if no other one is called the same. */
static bool function_names_is_ambiguous(const struct function_name *n)
{
	return n->is_double || (n->is_shared && !n->module);
}

/* Leave out the ambiguous names, and count each of them once. */
static void drop_ambiguous(struct function_names *f)
{
	const struct function_name *name, *last = NULL;
	unsigned int i, n = 0;

	for (i = 0; i < f->n; i++) {
		name = &f->names[i];
		if (!function_names_is_ambiguous(name)) {
			f->names[n++] = *name;
			continue;
		}
		f->nambiguous += !last || function_names_compare(last, name);
		last = name;
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
	const struct function_name *n = f->all, *end = n + f->nall;

	for (; n < end && strcmp(n->name, name); n++)
		;
	return n < end;
}

/*
 * The name of the list that is most like the glob, with its module if the glob has one; malloc'ed.
 * NULL: none, or the glob is a pattern, or no memory.
 */
static char *function_names_find_near(const struct function_names *f,
				      const struct function_glob *glob)
{
	char **all = calloc(f->nall + 1ul, sizeof(*all)), *copy = NULL;
	unsigned int i, n = 0;
	const char *near;

	for (i = 0; all && i < f->nall && glob->is_name; i++) {
		const struct function_name *name = &f->all[i];

		if (asprintf(&all[n], "%s%s%s", glob->module && name->module ? name->module : "",
			     glob->module && name->module ? ":" : "", name->name) < 0)
			break;
		n++;
	}
	near = n ? hist_suggest(glob->text, (const char *const *)all, n) : NULL;
	/* the same function in another place is nearer than a similar name */
	for (i = 0; glob->module && i < f->nall && n; i++) {
		if (!strcmp(f->all[i].name, glob->name))
			near = all[i];
	}
	copy = near ? strdup(near) : NULL;
	while (n)
		free(all[--n]);
	free(all);
	return copy;
}

static bool function_names_has_module(const struct function_names *f,
				      const struct function_glob *glob)
{
	unsigned int i = 0;

	while (i < f->nall && !(f->all[i].module && function_glob_has_module(glob, &f->all[i])))
		i++;
	return i < f->nall;
}

static int refuse_module(const struct function_names *f, const char *option,
			 const struct function_glob *glob, const char *near,
			 struct hist_error *refusal)
{
	if (function_names_has_module(f, glob))
		return near ? hist_error_set(refusal, -EINVAL,
					     "%s %s: the module has no traceable function with "
					     "this name\ndid you mean \"%s\"?",
					     option, glob->text, near)
			    : hist_error_set(refusal, -EINVAL,
					     "%s %s: no traceable function of the module "
					     "matches\nsee available_filter_functions in tracefs",
					     option, glob->text);
	/* "vfs_read:msecs" */
	if (f->has_unit && glob == &f->globs[f->nglobs - 1] &&
	    (is_listed(f, glob->module) || !function_names_is_name(glob->module)))
		return hist_error_set(refusal, -EINVAL,
				      "%s %s: unknown unit \"%s\", and no module \"%s\" "
				      "is loaded\nuse nsecs or usecs, or MODULE:FUNCTION",
				      option, glob->text, glob->name, glob->module);
	return hist_error_set(refusal, -EINVAL,
			      "%s %s: no module \"%s\" with traceable functions is "
			      "loaded\n%s%s%s",
			      option, glob->text, glob->module,
			      near ? "did you mean \"" : "load the module first", near ? near : "",
			      near ? "\"?" : "");
}

static int refuse_glob(const struct function_names *f, const char *option,
		       const struct function_glob *glob, const struct query_source *source,
		       struct hist_error *refusal)
{
	char *near = function_names_find_near(f, glob);
	struct hist_kallsyms *symbols = NULL;
	const char *text = glob->text, *other;
	int ret;

	if (source->recording) {
		ret = near ? hist_error_set(refusal, -EINVAL,
					    "%s %s: no function of the recording has this "
					    "name\ndid you mean \"%s\"?",
					    option, text, near)
			   : hist_error_set(refusal, -EINVAL,
					    "%s %s: no function of the recording has a name "
					    "that matches",
					    option, text);
		free(near);
		return ret;
	}
	other = glob->module ? NULL : find_other_name(text, source, &symbols);
	if (other && is_listed(f, other))
		ret = hist_error_set(refusal, -EINVAL,
				     "%s %s: the kernel traces this function under "
				     "another name\nuse \"%s\"",
				     option, text, other);
	else if (glob->module)
		ret = refuse_module(f, option, glob, near, refusal);
	else if (near)
		ret = hist_error_set(refusal, -EINVAL,
				     "%s %s: this kernel has no traceable function "
				     "with this name\ndid you mean \"%s\"?",
				     option, text, near);
	else
		ret = hist_error_set(refusal, -EINVAL,
				     "%s %s: no traceable function of this kernel "
				     "matches\nsee available_filter_functions in tracefs",
				     option, text);
	hist_kallsyms_free(symbols);
	free(near);
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
				    const struct query_source *source, struct hist_error *refusal)
{
	static const char file[] = "available_filter_functions";
	struct hist_strbuf list = { 0 };
	int ret = source->ops->list_functions(source, &list);

	if (!ret && !list.error) {
		f->list = hist_strbuf_string(&list);
		if (!f->list)
			return -ENOMEM;
		return *f->list || !source->recording
			       ? 0
			       : hist_error_set(refusal, -EINVAL,
						"%s: the recording has no names of functions\n"
						"record as root, or use %s '*'",
						option, option);
	}
	hist_strbuf_free(&list);
	if (!ret || ret == -ENOMEM)
		return -ENOMEM;
	if (ret == -ENOENT)
		return hist_error_set(refusal, -EOPNOTSUPP,
				      "%s: this kernel cannot trace functions "
				      "(CONFIG_DYNAMIC_FTRACE)",
				      option);
	if (ret == -EPERM || ret == -EACCES)
		return hist_error_set(refusal, ret,
				      "%s: %s\ncount tracepoints with -e, or check if "
				      "kernel_lockdown(7) or a security module denies this file",
				      file, strerror(-ret));
	return hist_error_set(refusal, ret, "%s: %s", file, strerror(-ret));
}

/* "NAME", "NAME [MODULE]" or "NAME\t[MODULE]", which is cut into strings. */
static struct function_name function_names_parse_line(char *line)
{
	char *end = line + strcspn(line, " \t"), *module = end + strspn(end, " \t"), *close;
	struct function_name name = { .name = line };

	if (*module == '[') {
		close = strchr(module, ']');
		if (close)
			*close = '\0';
		name.module = module + 1;
	}
	*end = '\0';
	return name;
}

static int function_names_split_list(struct function_names *f)
{
	char *line, *rest = f->list;

	while ((line = strsep(&rest, "\n"))) {
		if (!*line)
			continue;
		if (array_add(&f->all, f->nall, sizeof(*f->all)))
			return -ENOMEM;
		f->all[f->nall++] = function_names_parse_line(line);
	}
	function_names_sort(f);
	return 0;
}

int function_names_read(struct function_names *f, const char *option, struct query *query,
			const struct query_source *source, struct hist_error *refusal)
{
	uint32_t *sets = NULL, set, found = 0;
	unsigned int i;
	int ret;

	ret = function_names_read_list(f, option, source, refusal);
	if (!ret)
		ret = function_names_split_list(f);
	for (i = 0; !ret && i < f->nall; i++) {
		set = match_globs(f, &f->all[i]);
		if (!set)
			continue;
		if (array_add(&f->names, f->n, sizeof(*f->names)) ||
		    array_add(&sets, f->n, sizeof(*sets))) {
			ret = -ENOMEM;
			break;
		}
		sets[f->n] = set;
		f->names[f->n++] = f->all[i];
		found |= set;
	}
	for (i = 0; !ret && i < f->nglobs; i++) {
		if (found >> i & 1)
			continue;
		ret = found && source->recording && query
			      ? query_add_note(
					query, true,
					"%s %s: no function of the recording has a name that "
					"matches",
					option, f->globs[i].text)
			      : refuse_glob(f, option, &f->globs[i], source, refusal);
	}
	if (!ret) {
		drop_redundant(f, sets, f->n);
		drop_ambiguous(f);
	}
	free(sets);
	return ret;
}

/* --- what probes and tracers get --- */

static int function_names_add_place(struct function_names *f, const char *module, const char *name)
{
	char *place;

	if (array_add(&f->places, f->nplaces, sizeof(*f->places)) ||
	    asprintf(&place, "%s%s%s", module ? module : "", module ? ":" : "", name) < 0)
		return -ENOMEM;
	f->places[f->nplaces++] = place;
	return 0;
}

static void function_names_clear_places(struct function_names *f)
{
	while (f->nplaces)
		free(f->places[--f->nplaces]);
}

static int function_names_add_kprobes(struct function_names *f)
{
	unsigned int i, j;
	int ret = 0;

	for (i = 0; !ret && i < f->n; i++) {
		const struct function_name *n = &f->names[i];
		bool asked = false;

		for (j = 0; j < f->nglobs; j++)
			asked |= f->globs[j].module && function_glob_matches(&f->globs[j], n);
		ret = function_names_add_place(f, asked || n->is_shared ? n->module : NULL,
					       n->name);
	}
	return ret;
}

/* True if functions outside of the module of the glob have a name that matches. */
static bool function_names_needs_module(const struct function_names *f,
					const struct function_glob *glob)
{
	unsigned int i = 0;

	while (i < f->nall && (!function_glob_has_name(glob, &f->all[i]) ||
			       function_glob_has_module(glob, &f->all[i])))
		i++;
	return i < f->nall;
}

/* 1: an fprobe cannot name the functions of @glob. */
static int function_names_add_fprobes(struct function_names *f, const struct function_glob *glob)
{
	unsigned int i;
	int ret = 0;

	if (!function_names_needs_module(f, glob))
		return function_names_add_place(f, NULL, glob->name);
	for (i = 0; !ret && i < f->nall; i++) {
		if (!function_glob_matches(glob, &f->all[i]))
			continue;
		ret = f->all[i].is_shared ? 1 : function_names_add_place(f, NULL, f->all[i].name);
	}
	return ret;
}

int function_names_find_places(struct function_names *f, bool *fprobes)
{
	unsigned int i;
	int ret = 0;

	function_names_clear_places(f);
	for (i = 0; !ret && *fprobes && i < f->nglobs; i++)
		ret = function_names_add_fprobes(f, &f->globs[i]);
	if (*fprobes && ret != 1)
		return ret;
	function_names_clear_places(f);
	*fprobes = false;
	return function_names_add_kprobes(f);
}

bool function_names_look_up(char *list, const char *symbol, char **near)
{
	struct function_names f = { .list = list, .text = strdup(symbol), .parts = strdup(symbol) };
	struct function_glob glob;
	bool found = false;
	unsigned int i;

	*near = NULL;
	if (!f.text || !f.parts || !function_names_parse_glob(&glob, f.text, f.parts) ||
	    function_names_split_list(&f))
		goto out;
	for (i = 0; i < f.nall && !found; i++)
		found = function_glob_matches(&glob, &f.all[i]);
	if (!found)
		*near = function_names_find_near(&f, &glob);
out:
	function_names_clear(&f);
	return found;
}

int function_names_check_overlap(const struct function_names *f, const char *option,
				 struct hist_error *refusal)
{
	unsigned int i;

	for (i = 0; i < f->n; i++) {
		uint32_t set = match_globs(f, &f->names[i]), low = set & -set;

		if (set == low)
			continue;
		return hist_error_set(refusal, -EINVAL,
				      "%s: %s matches both patterns \"%s\" and "
				      "\"%s\", and would be counted twice\n"
				      "use patterns that do not overlap, or --engine user",
				      option, f->names[i].name, f->globs[__builtin_ctz(set)].text,
				      f->globs[__builtin_ctz(set & ~low)].text);
	}
	return 0;
}

void function_names_clear(struct function_names *f)
{
	function_names_clear_places(f);
	free(f->places);
	free(f->text);
	free(f->parts);
	free(f->names);
	free(f->all);
	free(f->list);
	memset(f, 0, sizeof(*f));
}
