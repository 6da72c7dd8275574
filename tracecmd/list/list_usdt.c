// SPDX-License-Identifier: GPL-2.0
/*
 * list_usdt.c - the statically defined probes of a program or library, and their arguments
 *
 * An argument that the kernel cannot fetch, or that has no type of its own, is listed with the
 * reason.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/text.h"
#include "tracecmd/base/message.h"
#include "tracecmd/elf/usdt_arg.h"
#include "tracecmd/elf/usdt_notes.h"
#include "tracecmd/list/list.h"
#include "tracecmd/plan/probe.h"

/* Number of arguments that all @n places have. */
static unsigned int count_args(const struct usdt_place *places, size_t n)
{
	unsigned int least = usdt_arg_count(places[0].args), args;
	size_t i;

	for (i = 1; i < n; i++) {
		args = usdt_arg_count(places[i].args);
		least = args < least ? args : least;
	}
	return least;
}

static void json_probe(struct list *l, const struct usdt_notes *notes,
		       const struct usdt_place *places, size_t n)
{
	unsigned int number, args = count_args(places, n);
	struct hist_error error = { 0 };
	char name[16], type[4];
	int ret;

	json_object_begin(l->json, NULL);
	list_member(l, "provider", places[0].provider);
	list_member(l, "name", places[0].name);
	json_u64(l->json, "places", n);
	json_bool(l->json, "semaphore", places[0].semaphore);
	json_array_begin(l->json, "arguments");
	for (number = 1; number <= args; number++) {
		ret = usdt_arg_type(type, notes->machine, places, n, number, &error);
		snprintf(name, sizeof(name), "arg%u", number);
		json_object_begin(l->json, NULL);
		list_member(l, "name", name);
		list_member(l, "type", ret ? NULL : type);
		list_member(l, "lacks", ret ? error.what : NULL);
		json_object_end(l->json);
	}
	json_array_end(l->json);
	json_object_end(l->json);
}

static void text_probe(struct list *l, const struct usdt_notes *notes,
		       const struct usdt_place *places, size_t n)
{
	unsigned int number, args = count_args(places, n);
	struct hist_error error = { 0 };
	char type[4];
	int ret;

	list_put(l, places[0].provider, 0);
	hist_strbuf_char(&l->text, ':');
	list_put(l, places[0].name, 0);
	hist_strbuf_printf(&l->text, " - %zu location%s%s\n", n, text_plural(n),
			   places[0].semaphore ? ", semaphore" : "");
	for (number = 1; number <= args; number++) {
		ret = usdt_arg_type(type, notes->machine, places, n, number, &error);
		hist_strbuf_printf(&l->text, "    arg%u ", number);
		list_line(l, ret ? error.what : type);
	}
}

int list_usdt(struct list *l, const char *name)
{
	struct usdt_notes notes = { 0 };
	struct hist_error error = { 0 };
	char *path = NULL;
	size_t i, n;
	int ret;

	ret = probe_find_file(name, &path, &error);
	if (!ret)
		ret = usdt_notes_read(&notes, path, &error);
	if (ret)
		message_report_of(ret, &error, "--usdt");
	if (l->json)
		json_array_begin(l->json, "usdt");
	for (i = 0; !ret && i < notes.n; i += n) {
		n = usdt_notes_count_same(&notes, i);
		if (l->json)
			json_probe(l, &notes, notes.places + i, n);
		else
			text_probe(l, &notes, notes.places + i, n);
	}
	if (l->json)
		json_array_end(l->json);
	else if (!ret && !notes.n)
		hist_strbuf_str(&l->text,
				"The file has no USDT probes (it has no section .note.stapsdt).\n");
	else if (!ret)
		hist_strbuf_str(&l->text, "To count a probe: trace-cmd hist record "
				"--usdt PATH:PROVIDER:PROBE -k arg1\n");
	usdt_notes_clear(&notes);
	free(path);
	return ret;
}
