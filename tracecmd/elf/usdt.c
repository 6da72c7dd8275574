// SPDX-License-Identifier: GPL-2.0
/* usdt.c - define the event of a statically defined probe (USDT) */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/suggest.h"
#include "tracecmd/elf/usdt.h"
#include "tracecmd/elf/usdt_arg.h"
#include "tracecmd/elf/usdt_notes.h"

/* The type of an argument at all places. */
struct usdt_type {
	bool known;
	int ret;
	char type[4];
};

struct usdt {
	const char *path;
	struct usdt_notes notes;
	const struct usdt_place *places; /* of the probe, in @notes */
	size_t n;
	struct usdt_type types[USDT_ARGS_MAX]; /* read once, as there are many places */
	struct hist_error *error;
};

#define refuse(u, err, ...) hist_error_set((u)->error, (err), __VA_ARGS__)

static int usdt_report_unknown(struct usdt *u, const char *provider, const char *name)
{
	const char **names = NULL, *near;
	size_t i;

	if (!u->notes.n)
		return refuse(u, -ENOENT,
			      "%s: the file has no USDT probes (it has no section .note.stapsdt)\n"
			      "use --uprobe to count the calls to a function",
			      u->path);
	for (i = 0; i < u->notes.n; i++) {
		if (array_add(&names, i, sizeof(*names)))
			break;
		names[i] = u->notes.places[i].name;
	}
	near = hist_suggest(name, names, i);
	if (near) {
		for (i = 0; u->notes.places[i].name != near; i++)
			;
		hist_error_set(u->error, -ENOENT,
			       "%s: no probe \"%s:%s\"\ndid you mean "
			       "\"%s:%s\"?",
			       u->path, provider, name, u->notes.places[i].provider, near);
	} else {
		hist_error_set(u->error, -ENOENT,
			       "%s: no probe \"%s:%s\"\nrun 'trace-cmd hist "
			       "list --usdt PATH'",
			       u->path, provider, name);
	}
	free(names);
	return -ENOENT;
}

static int find_probe(struct usdt *u, const char *provider, const char *name)
{
	size_t i;

	for (i = 0; i < u->notes.n; i += usdt_notes_count_same(&u->notes, i)) {
		if (strcmp(u->notes.places[i].provider, provider) ||
		    strcmp(u->notes.places[i].name, name))
			continue;
		u->places = u->notes.places + i;
		u->n = usdt_notes_count_same(&u->notes, i);
		return 0;
	}
	return usdt_report_unknown(u, provider, name);
}

/* The type of argument @number, from 1, or -EINVAL; @error gets the reason the first time. */
static int usdt_find_type(struct usdt *u, unsigned int number, char type[4],
			  struct hist_error *error)
{
	struct usdt_type *t;

	if (number > USDT_ARGS_MAX)
		return hist_error_set(error, -EINVAL, "a probe has at most %d arguments",
				      USDT_ARGS_MAX);
	t = &u->types[number - 1];
	if (!t->known)
		t->ret = usdt_arg_type(t->type, u->notes.machine, u->places, u->n, number, error);
	t->known = true;
	if (!t->ret)
		memcpy(type, t->type, sizeof(t->type));
	return t->ret;
}

/* Replace the "$argN" at *@at, whose FETCH began at @word, and move *@at after it. */
static int put_arg(struct usdt *u, FILE *to, const struct usdt_place *place, const char *word,
		   const char **at)
{
	char *end, type[4];
	unsigned int number = strtoul(*at + strlen("$arg"), &end, 10);
	bool is_whole = (*at == word || (*at)[-1] == '=') && (!*end || strchr(" \t", *end));
	struct usdt_arg arg;
	int ret;

	if (!number)
		return refuse(u, -EINVAL, "$arg0: the first argument is $arg1");
	ret = usdt_arg_decode(&arg, u->notes.machine, place->args, number, u->error);
	if (!ret && is_whole)
		ret = usdt_find_type(u, number, type, u->error);
	if (ret)
		return hist_error_prefix(u->error, ret, "$arg%u: ", number);
	/* without a name, the field has that of the argument */
	if (is_whole && *at == word)
		fprintf(to, "arg%u=", number);
	fputs(arg.fetch, to);
	if (is_whole)
		fprintf(to, ":%s", type);
	*at = end;
	return 0;
}

/* Append the arguments of the user for one place. */
static int put_user_args(struct usdt *u, FILE *to, const struct usdt_place *place, const char *args)
{
	const char *at = args, *word = args;
	int ret = 0;

	while (!ret && *at) {
		if (strchr(" \t", *at))
			word = at + 1;
		if (!strncmp(at, "$arg", 4) && isdigit((unsigned char)at[4]))
			ret = put_arg(u, to, place, word, &at);
		else
			fputc(*at++, to);
	}
	return ret;
}

/* Append all arguments that each place has and that the kernel can fetch. */
static int put_all_args(struct usdt *u, FILE *to, const struct usdt_place *place)
{
	unsigned int number, n = usdt_arg_count(place->args);
	struct usdt_arg arg;
	char type[4];

	for (number = 1; number <= n; number++) {
		if (usdt_find_type(u, number, type, NULL) ||
		    usdt_arg_decode(&arg, u->notes.machine, place->args, number, NULL))
			continue;
		fprintf(to, " arg%u=%s:%s", number, arg.fetch, type);
	}
	return 0;
}

static int put_place(struct usdt *u, FILE *to, const char *head, const struct usdt_place *place,
		     const char *args)
{
	fprintf(to, "%s%s %s:0x%llx", place == u->places ? "" : "\n", head, u->path,
		(unsigned long long)place->offset);
	if (place->semaphore)
		fprintf(to, "(0x%llx)", (unsigned long long)place->semaphore);
	if (!*args)
		return put_all_args(u, to, place);
	fputc(' ', to);
	return put_user_args(u, to, place, args);
}

int usdt_define(const char *head, const char *path, const char *provider, const char *name,
		const char *args, char **definition, struct hist_error *error)
{
	struct usdt u = { .path = path, .error = error };
	size_t i, len;
	FILE *to;
	int ret;

	*definition = NULL;
	ret = usdt_notes_read(&u.notes, path, error);
	if (!ret)
		ret = find_probe(&u, provider, name);
	if (ret)
		goto out;
	to = open_memstream(definition, &len);
	if (!to) {
		ret = -ENOMEM;
		goto out;
	}
	for (i = 0; i < u.n && !ret; i++)
		ret = put_place(&u, to, head, &u.places[i], args);
	if (fclose(to))
		ret = -ENOMEM;
	if (ret) {
		free(*definition);
		*definition = NULL;
	}
out:
	usdt_notes_clear(&u.notes);
	return ret;
}
