// SPDX-License-Identifier: GPL-2.0
/*
 * list_presets.c - the presets: what each counts, the path of its recipe, and if the
 * target supports it
 */
#include <errno.h>
#include <string.h>

#include "tracecmd/base/command.h"
#include "tracecmd/list/list.h"
#include "tracecmd/plan/preset.h"

/* The engine that counts a preset on the target. */
enum preset_engine { COUNTS_KERNEL, COUNTS_USER, COUNTS_NOTHING };

/* 1 with @why if @t lacks a need of @recipe for the kernel, or for user-space if @engine. */
static int list_presets_find_missing(struct hist_target *t, const struct recipe *recipe,
				     bool engine, char *why,
				     size_t why_len)
{
	unsigned int i;
	int ret;

	for (i = 0; t && i < recipe->needs.n; i++) {
		ret = preset_find_missing(t, recipe->needs.names[i], engine, why, why_len);
		if (ret)
			return ret;
	}
	return 0;
}

/* @why: what the kernel lacks to count the preset, or what both engines lack.  Or -errno. */
static int list_presets_find_engine(const struct list *l, const struct recipe *recipe, char *why,
				    size_t why_len)
{
	char both[256];
	int ret = list_presets_find_missing(l->target, recipe, false, why, why_len);

	if (ret <= 0)
		return ret ? ret : COUNTS_KERNEL;
	ret = l->engine ? list_presets_find_missing(l->target, recipe, true, both, sizeof(both)) :
		1;
	if (ret <= 0)
		return ret ? ret : COUNTS_USER;
	if (l->engine)
		snprintf(why, why_len, "%s", both);
	return COUNTS_NOTHING;
}

static int json_preset(struct list *l, const char *name, const char *path,
		       const struct recipe *recipe, const char *error)
{
	char why[256];
	int by = recipe ? list_presets_find_engine(l, recipe, why, sizeof(why)) : COUNTS_NOTHING;
	unsigned int i;

	if (by < 0)
		return by;
	json_object_begin(l->json, NULL);
	list_member(l, "name", name);
	list_member(l, "path", path);
	list_member(l, "error", error);
	if (recipe) {
		list_member(l, "summary", recipe->summary);
		list_member(l, "explanation", recipe->explanation);
		list_member(l, "argument", recipe->argument);
		list_member(l, "argument_default", recipe->argument_default);
		list_member(l, "since", recipe->since);
		json_array_begin(l->json, "needs");
		for (i = 0; i < recipe->needs.n; i++)
			json_string(l->json, NULL, recipe->needs.names[i]);
		json_array_end(l->json);
		if (l->target)
			json_bool(l->json, "usable", by != COUNTS_NOTHING);
		else
			json_null(l->json, "usable");
		list_member(l, "engine", !l->target || by == COUNTS_NOTHING ? NULL :
				       by == COUNTS_USER ? "user" : "kernel");
		list_member(l, "lacks", by == COUNTS_NOTHING ? why : NULL);
	}
	json_object_end(l->json);
	return json_writer_error(l->json);
}

static int text_preset(struct list *l, const char *name, const char *path,
		       const struct recipe *recipe, const char *error)
{
	const char *line, *end;
	char why[256];
	int by;

	list_put(l, name, 0);
	if (error) {
		hist_strbuf_str(&l->text, ": invalid recipe: ");
		list_put(l, error, 0);
		hist_strbuf_str(&l->text, "\n    ");
		list_put(l, path, 0);
		hist_strbuf_str(&l->text, "\n\n");
		return l->text.error;
	}
	if (recipe->argument) {
		hist_strbuf_str(&l->text, "[:");
		list_put(l, recipe->argument, 0);
		if (recipe->argument_default) {
			hist_strbuf_char(&l->text, '=');
			list_put(l, recipe->argument_default, 0);
		}
		hist_strbuf_char(&l->text, ']');
	}
	hist_strbuf_str(&l->text, " - ");
	list_line(l, recipe->summary);
	for (line = recipe->explanation; line && *line; line = *end ? end + 1 : end) {
		char text[1024];

		end = strchrnul(line, '\n');
		snprintf(text, sizeof(text), "%.*s", (int)(end - line), line);
		hist_strbuf_str(&l->text, "    ");
		list_line(l, text);
	}
	hist_strbuf_str(&l->text, "    file: ");
	list_line(l, path);
	by = list_presets_find_engine(l, recipe, why, sizeof(why));
	if (by < 0)
		return by;
	if (by != COUNTS_KERNEL) {
		hist_strbuf_str(&l->text, by == COUNTS_USER ? "    only with --engine user: " :
							      "    not supported: ");
		list_line(l, why);
	}
	hist_strbuf_char(&l->text, '\n');
	return l->text.error;
}

static int list_presets_print_preset(const char *name, const char *path,
				     const struct recipe *recipe, const char *error,
				     void *data)
{
	struct list *l = data;

	return l->json ? json_preset(l, name, path, recipe, error)
		       : text_preset(l, name, path, recipe, error);
}

int list_presets(struct list *l)
{
	int ret;

	if (l->json)
		json_array_begin(l->json, "presets");
	ret = preset_list(list_presets_print_preset, l);
	if (l->json)
		json_array_end(l->json);
	else if (!ret)
		hist_strbuf_str(&l->text, "To use a preset: trace-cmd hist record --preset NAME[:ARG]\n"
				"To change a preset, copy its file under a new name to "
				"~/.config/trace-cmd-hist/recipes.\n");
	return ret ? message_error_errno("presets", ret) : 0;
}
