// SPDX-License-Identifier: GPL-2.0
/*
 * list_presets.c - the presets: what each counts, its aliases, and if the target supports it;
 * the text of a recipe; the tools that no preset replaces
 */
#include <errno.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/preset/preset_find.h"
#include "tracecmd/base/message.h"
#include "tracecmd/kernel/kernel_needs.h"
#include "tracecmd/list/list.h"

#define NAME_WIDTH 24

/* The engine that counts a preset on the target. */
enum preset_engine { COUNTS_KERNEL, COUNTS_USER, COUNTS_NOTHING };

/* 1 with @error if @t lacks a need of @recipe for the kernel, or for user-space if @engine. */
static int list_presets_find_missing(struct hist_target *t, const struct recipe *recipe,
				     bool engine, struct hist_error *error)
{
	unsigned int i;
	int ret;

	for (i = 0; t && i < recipe->needs.n; i++) {
		ret = kernel_find_missing(t, recipe->needs.names[i], engine, error);
		if (ret)
			return ret;
	}
	return 0;
}

/* @error: what the kernel lacks to count the preset, or what both engines lack.  Or -errno. */
static int list_presets_find_engine(const struct list *l, const struct recipe *recipe,
				    struct hist_error *error)
{
	struct hist_error both = { 0 };
	int ret = list_presets_find_missing(l->target, recipe, false, error);

	if (ret <= 0)
		return ret ? ret : COUNTS_KERNEL;
	ret = l->engine ? list_presets_find_missing(l->target, recipe, true, &both) : 1;
	if (ret <= 0)
		return ret ? ret : COUNTS_USER;
	if (l->engine)
		*error = both;
	return COUNTS_NOTHING;
}

static void json_recipe(struct list *l, const struct recipe *recipe)
{
	unsigned int i;

	list_member(l, "summary", recipe->summary);
	list_member(l, "explanation", recipe->explanation);
	json_array_begin(l->json, "aliases");
	for (i = 0; i < recipe->naliases; i++) {
		json_object_begin(l->json, NULL);
		list_member(l, "name", recipe->aliases[i].name);
		list_member(l, "tools", recipe->aliases[i].tools);
		json_object_end(l->json);
	}
	json_array_end(l->json);
	list_member(l, "argument", recipe->argument);
	list_member(l, "argument_default", recipe->argument_default);
	list_member(l, "since", recipe->since);
	json_array_begin(l->json, "needs");
	for (i = 0; i < recipe->needs.n; i++)
		json_string(l->json, NULL, recipe->needs.names[i]);
	json_array_end(l->json);
	json_array_begin(l->json, "optional");
	for (i = 0; i < recipe->optional.n; i++)
		json_string(l->json, NULL, recipe->optional.names[i]);
	json_array_end(l->json);
}

static int json_preset(struct list *l, const struct preset *p)
{
	struct hist_error error = { 0 };
	int by = COUNTS_NOTHING;

	if (p->recipe)
		by = list_presets_find_engine(l, p->recipe, &error);
	if (by < 0)
		return by;
	json_object_begin(l->json, NULL);
	list_member(l, "name", p->name);
	list_member(l, "path", p->path);
	if (!p->recipe) {
		json_error(l->json, "error", &p->error);
	} else {
		json_null(l->json, "error");
		json_recipe(l, p->recipe);
		if (l->target)
			json_bool(l->json, "usable", by != COUNTS_NOTHING);
		else
			json_null(l->json, "usable");
		list_member(l, "engine", !l->target || by == COUNTS_NOTHING ? NULL :
				       by == COUNTS_USER ? "user" : "kernel");
		list_member(l, "lacks", by == COUNTS_NOTHING ? error.what : NULL);
	}
	json_object_end(l->json);
	return json_writer_error(l->json);
}

/* "NAME[:ARGUMENT]", or "NAME:ARGUMENT" if the preset needs its argument, padded. */
static void put_name(struct list *l, const struct preset *p)
{
	struct hist_strbuf name = { 0 };

	hist_strbuf_str(&name, p->name);
	if (p->recipe && p->recipe->argument)
		hist_strbuf_printf(&name, recipe_needs_argument(p->recipe) ? ":%s" : "[:%s]",
				   p->recipe->argument);
	hist_strbuf_char(&name, '\0');
	list_put(l, name.error ? p->name : name.data, NAME_WIDTH);
	hist_strbuf_char(&l->text, ' ');
	hist_strbuf_fail(&l->text, name.error);
	hist_strbuf_free(&name);
}

/* A line of its own below the preset. */
static void put_remark(struct list *l, const char *what, const char *text)
{
	hist_strbuf_fill(&l->text, ' ', 4);
	hist_strbuf_str(&l->text, what);
	list_line(l, text);
}

static const char *const engine_remarks[] = {
	[COUNTS_USER] = "only with --engine user: ",
	[COUNTS_NOTHING] = "not supported: ",
};

/* Tell once what the kernel lacks for every preset that needs hist triggers. */
static int list_presets_put_lacks(struct list *l)
{
	int ret = l->target ? kernel_find_missing(l->target, "hist", false, &l->lacks) : 0;

	if (ret == 1)
		hist_strbuf_printf(&l->text, "# %s%s, unless a preset says otherwise\n#\n",
				   engine_remarks[l->engine ? COUNTS_USER : COUNTS_NOTHING],
				   l->lacks.what);
	else
		l->lacks = (struct hist_error){ 0 };
	return ret < 0 ? ret : 0;
}

static int text_preset(struct list *l, const struct preset *p)
{
	struct hist_error error = { 0 };
	unsigned int i;
	int by;

	put_name(l, p);
	if (!p->recipe) {
		hist_strbuf_printf(&l->text, "invalid preset file: %s\n", p->error.what);
		if (*p->error.hint)
			put_remark(l, "hint: ", p->error.hint);
		if (p->path)
			put_remark(l, "file: ", p->path);
		return l->text.error;
	}
	list_put(l, p->recipe->summary, 0);
	for (i = 0; i < p->recipe->naliases; i++) {
		hist_strbuf_str(&l->text, i ? ", " : " (");
		list_put(l, p->recipe->aliases[i].name, 0);
	}
	hist_strbuf_str(&l->text, i ? ")\n" : "\n");
	if (p->path)
		put_remark(l, "file: ", p->path);
	by = list_presets_find_engine(l, p->recipe, &error);
	if (by < 0)
		return by;
	if (by != COUNTS_KERNEL && strcmp(error.what, l->lacks.what))
		put_remark(l, engine_remarks[by], error.what);
	return l->text.error;
}

static int list_presets_print(const struct preset *preset, void *data)
{
	struct list *l = data;

	return l->json ? json_preset(l, preset) : text_preset(l, preset);
}

/* The text of a recipe, as a file has it. */
static int list_presets_print_text(struct list *l, const struct preset *p)
{
	if (!p->recipe)
		return message_report_of(-EINVAL, &p->error, "%s", p->path ? p->path : p->name);
	hist_strbuf_add(&l->text, p->text, p->len);
	return l->text.error;
}

static int list_presets_print_named(struct list *l, char **names, unsigned int nnames)
{
	struct preset preset = { 0 };
	struct hist_error error = { 0 };
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < nnames; i++) {
		ret = preset_open(&preset, names[i]);
		if (ret == -ENOENT) {
			preset_refuse_name(names[i], &error);
			return message_report(ret, &error);
		}
		if (!ret)
			ret = l->json ? json_preset(l, &preset)
				      : list_presets_print_text(l, &preset);
		preset_close(&preset);
	}
	return ret;
}

static void put_absent_tools(struct list *l)
{
	size_t i;

	hist_strbuf_str(&l->text, "\nTools of bcc and bpftrace that no preset replaces:\n");
	for (i = 0; i < preset_absents_count; i++) {
		hist_strbuf_str(&l->text, "  ");
		list_wrap(l, preset_absents[i].tools, 2, 2);
		hist_strbuf_fill(&l->text, ' ', 6);
		hist_strbuf_printf(&l->text, "%s;\n", preset_absents[i].reason);
		hist_strbuf_fill(&l->text, ' ', 6);
		hist_strbuf_printf(&l->text, "%s\n", preset_absents[i].hint);
	}
}

static void json_absent_tools(struct list *l)
{
	const struct preset_absent *absent;

	json_array_begin(l->json, "no_preset");
	for (absent = preset_absents; absent < preset_absents + preset_absents_count; absent++) {
		json_object_begin(l->json, NULL);
		list_member(l, "tools", absent->tools);
		list_member(l, "reason", absent->reason);
		list_member(l, "instead", absent->hint);
		json_object_end(l->json);
	}
	json_array_end(l->json);
}

int list_presets(struct list *l, char **names, unsigned int nnames)
{
	int ret = l->json || nnames ? 0 : list_presets_put_lacks(l);

	if (ret)
		return message_error_errno("presets", ret);
	if (l->json)
		json_array_begin(l->json, "presets");
	ret = nnames ? list_presets_print_named(l, names, nnames) :
		       preset_list(list_presets_print, l);
	if (l->json) {
		json_array_end(l->json);
		if (!ret && !nnames)
			json_absent_tools(l);
	} else if (!ret && !nnames) {
		put_absent_tools(l);
		hist_strbuf_str(&l->text,
				"\nTo use a preset: trace-cmd hist record --preset NAME[:ARG]\n"
				"To print a preset in full: trace-cmd hist list --presets NAME\n");
	}
	return ret && ret != -ENOENT && ret != -EINVAL ? message_error_errno("presets", ret) : ret;
}
