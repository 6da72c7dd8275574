// SPDX-License-Identifier: GPL-2.0
/*
 * preset.c - find recipe files, and add their options to a plan
 */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/names.h"
#include "lib/base/suggest.h"
#include "lib/check/check.h"
#include "tracecmd/base/command.h"
#include "tracecmd/plan/plan_options.h"
#include "tracecmd/plan/preset.h"

#define SUFFIX ".recipe"
#define PLACES 3

/* Options that a recipe may have: those that define what is counted. */
static const char *const allowed[] = {
	"-e", "-R", "-k", "-v", "-s", "-f", "--latency", "--sql", "--kprobe", "--uprobe",
};

/* "@head/@tail", malloc'ed.  0 or -ENOMEM. */
static int preset_join_path(char **path, const char *head, const char *tail)
{
	if (asprintf(path, "%s/%s", head, tail) >= 0)
		return 0;
	*path = NULL;
	return -ENOMEM;
}

/* ../share/trace-cmd-hist/recipes relative to the program. */
static int preset_program_dir(char **dir)
{
	char self[4096], *slash;
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int i;

	/* there may be no /proc */
	if (len <= 0)
		return len && errno != ENOENT ? -errno : 0;
	self[len] = '\0';
	for (i = 0; i < 2; i++) {
		slash = strrchr(self, '/');
		if (!slash)
			return 0;
		*slash = '\0';
	}
	return preset_join_path(dir, self, "share/trace-cmd-hist/recipes");
}

static int preset_user_dir(char **dir)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (config && *config)
		return preset_join_path(dir, config, "trace-cmd-hist/recipes");
	return home && *home ? preset_join_path(dir, home, ".config/trace-cmd-hist/recipes") : 0;
}

/* Directory number @i in the order of the search, malloc'ed; NULL if it does not exist. */
static int preset_make_place(char **dir, int i)
{
	*dir = NULL;
	if (i == 0)
		return preset_user_dir(dir);
	if (i == 1)
		return preset_program_dir(dir);
	*dir = strdup(RECIPE_DIR);
	return *dir ? 0 : -ENOMEM;
}

static bool preset_is_name(const char *name)
{
	size_t len = strlen(name);

	return len && len < 64 && *name != '-' &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
		       len;
}

/* Read a recipe file.  -EINVAL with @why: not a recipe. */
static int preset_load_recipe(struct recipe **recipe, const char *path, char *why, size_t why_len)
{
	char *text;
	size_t len;
	FILE *f;
	int ret;

	f = fopen(path, "re");
	if (!f)
		return -errno;
	text = malloc(RECIPE_FILE_MAX);
	len = text ? fread(text, 1, RECIPE_FILE_MAX, f) : 0;
	if (!text)
		ret = -ENOMEM;
	else if (ferror(f))
		ret = -EIO;
	else
		ret = recipe_parse(recipe, text, len, why, why_len);
	free(text);
	fclose(f);
	return ret;
}

/* True if the file does not exist for this user, which is not an error. */
static bool is_absent(int err)
{
	return err == ENOENT || err == ENOTDIR || err == EACCES;
}

/* Set *@path to that of the recipe @name, malloc'ed.  0; -ENOENT; or another -errno of access(). */
static int preset_find_path(char **path, const char *name)
{
	int i, ret = -ENOENT;
	char file[80], *dir;

	snprintf(file, sizeof(file), "%s" SUFFIX, name);
	for (i = 0; i < PLACES && ret == -ENOENT; i++) {
		ret = preset_make_place(&dir, i);
		if (!ret)
			ret = dir ? preset_join_path(path, dir, file) : -ENOENT;
		free(dir);
		if (ret || !access(*path, F_OK))
			continue;
		ret = is_absent(errno) ? -ENOENT : -errno;
		free(*path);
		*path = NULL;
	}
	return ret;
}

static int collect_in(struct names *all, const char *path)
{
	size_t len, tail = strlen(SUFFIX);
	struct dirent *entry;
	char name[64];
	int ret = 0;
	DIR *dir;

	dir = opendir(path);
	if (!dir)
		return is_absent(errno) ? 0 : -errno;
	while (!ret && (errno = 0, entry = readdir(dir))) {
		len = strlen(entry->d_name);
		if (len <= tail || len - tail >= sizeof(name) ||
		    strcmp(entry->d_name + len - tail, SUFFIX))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)(len - tail), entry->d_name);
		if (preset_is_name(name))
			ret = names_add_new(all, name, len - tail);
	}
	if (!ret)
		ret = -errno;
	closedir(dir);
	return ret;
}

static int preset_collect_names(struct names *all)
{
	int i, ret = 0;
	char *dir;

	for (i = 0; i < PLACES && !ret; i++) {
		ret = preset_make_place(&dir, i);
		if (!ret && dir)
			ret = collect_in(all, dir);
		free(dir);
	}
	names_sort(all);
	return ret;
}

int preset_list(int (*show)(const char *name, const char *path, const struct recipe *recipe,
			    const char *error, void *data),
		void *data)
{
	struct names all = { 0 };
	struct recipe *recipe;
	char why[256], *path = NULL;
	size_t i;
	int ret;

	ret = preset_collect_names(&all);
	for (i = 0; !ret && i < all.n; i++) {
		ret = preset_find_path(&path, all.names[i]);
		if (ret)
			break;
		recipe = NULL;
		ret = preset_load_recipe(&recipe, path, why, sizeof(why));
		if (ret && is_absent(-ret))
			snprintf(why, sizeof(why), "%s", strerror(-ret));
		if (!ret || ret == -EINVAL || is_absent(-ret))
			ret = show(all.names[i], path, recipe, recipe ? NULL : why, data);
		recipe_free(recipe);
		free(path);
	}
	names_clear(&all);
	return ret;
}

int preset_find_missing(struct hist_target *t, const char *what, bool engine, char *why,
			size_t why_len)
{
	static const struct {
		const char *what, *file, *lacks;
		bool of_kernel; /* the user-space engine replaces it */
	} needs[] = {
		{ "hist", "events/sched/sched_switch/hist",
		  "no hist triggers (CONFIG_HIST_TRIGGERS)", true },
		{ "synthetic", "synthetic_events", "no synthetic events (CONFIG_SYNTH_EVENTS)", true },
		{ "uprobes", "uprobe_events", "no uprobe events (CONFIG_UPROBE_EVENTS)", false },
		{ "kprobes", "kprobe_events", "no kprobe events (CONFIG_KPROBE_EVENTS)", false },
	};
	const char *colon = strchr(what, ':'), *lacks = "no event ";
	unsigned int i = 0;
	int ret;

	if (colon) {
		what += strlen("event ");
		ret = target_existsf(t, "events/%.*s/%s/format", (int)(colon - what), what, colon + 1);
	} else {
		while (i < 3 && strcmp(needs[i].what, what))
			i++;
		lacks = needs[i].lacks;
		ret = needs[i].of_kernel && engine ? 1 : target_existsf(t, "%s", needs[i].file);
	}
	if (ret < 0)
		return ret;
	snprintf(why, why_len, "%s%s", lacks, colon ? what : "");
	return !ret;
}

static int without_preset(const char *name)
{
	struct names all = { 0 };
	const char *near = NULL;

	if (!preset_collect_names(&all))
		near = hist_suggest(name, (const char *const *)all.names, all.n);
	if (near)
		message_error("--preset %s: no such preset\ndid you mean \"%s\"?", name, near);
	else
		message_error("--preset %s: no such preset\nrun 'trace-cmd hist list --presets'", name);
	names_clear(&all);
	return -ENOENT;
}

/* The argument becomes a quoted part of filters. */
static int check_argument(const char *name, const struct recipe *recipe, const char *argument)
{
	const char *c;

	if (argument && !recipe->argument)
		return message_refuse(-EINVAL, "--preset %s:%s: this preset does not accept an "
				      "argument", name, argument);
	for (c = argument ? argument : ""; *c; c++) {
		if ((unsigned char)*c >= ' ' && *c != 127 && !strchr("\"'\\", *c))
			continue;
		return message_refuse(-EINVAL, "--preset %s:%s: %s must not contain quotes, "
				      "backslashes or control characters", name, argument,
				      recipe->argument);
	}
	if (argument && !*argument)
		return message_refuse(-EINVAL, "--preset %s: %s is empty\nleave out the colon", name,
				      recipe->argument);
	return 0;
}

static int carry_out(struct plan *plan, const struct recipe *recipe, const char *path,
		     const char *argument)
{
	const struct recipe_option *o;
	unsigned int i, a;
	char *value;
	int ret;

	for (i = 0; i < recipe->noptions; i++) {
		o = &recipe->options[i];
		if (o->with_argument && !argument && !recipe->argument_default)
			continue;
		for (a = 0; a < sizeof(allowed) / sizeof(*allowed); a++) {
			if (!strcmp(allowed[a], o->name))
				break;
		}
		if (a == sizeof(allowed) / sizeof(*allowed) || !*o->value)
			return message_refuse(-EINVAL, "%s: line %u: %s: %s", path, o->line,
					      o->name, *o->value ? "not possible in a recipe" :
					      "needs a value");
		value = (char *)plan_own(plan, recipe_expand_value(recipe, o, argument));
		ret = value ? plan_apply_named_option(plan, o->name, value) : -ENOMEM;
		if (ret)
			return ret == -ENOMEM ? ret : message_refuse(ret, "%s: line %u: cannot apply "
				"%s %s", path, o->line, o->name, o->value);
	}
	return 0;
}

static int add_needs(struct plan *plan, const struct recipe *recipe, const char *name)
{
	const char *preset = plan_own(plan, strdup(name)), *since = NULL, *what;
	unsigned int i;
	int ret;

	if (!preset)
		return -ENOMEM;
	if (recipe->since) {
		since = plan_own(plan, strdup(recipe->since));
		if (!since)
			return -ENOMEM;
	}
	for (i = 0; i < recipe->needs.n; i++) {
		what = plan_own(plan, strdup(recipe->needs.names[i]));
		ret = what ? plan_add_need(plan, what, preset, since) : -ENOMEM;
		if (ret)
			return ret;
	}
	return 0;
}

int preset_add(struct plan *plan, const char *spec)
{
	const char *slash = strrchr(spec, '/');
	const char *colon = strchr(slash ? slash : spec, ':');
	char *name, *path = NULL, why[256];
	const char *argument = colon ? colon + 1 : NULL;
	struct recipe *recipe = NULL;
	int ret = -ENOMEM;

	name = colon ? strndup(spec, colon - spec) : strdup(spec);
	if (!name)
		goto out;
	if (slash)
		path = strdup(name);
	else
		ret = preset_is_name(name) ? preset_find_path(&path, name) : -ENOENT;
	if (!path) {
		if (ret == -ENOENT)
			ret = without_preset(name);
		else if (ret != -ENOMEM)
			message_error("--preset %s: %s", name, strerror(-ret));
		goto out;
	}
	ret = preset_load_recipe(&recipe, path, why, sizeof(why));
	if (ret) {
		if (ret != -ENOMEM)
			message_error("%s: %s", path, ret == -EINVAL ? why : strerror(-ret));
		goto out;
	}
	ret = check_argument(name, recipe, argument);
	if (!ret)
		ret = add_needs(plan, recipe, name);
	if (!ret)
		ret = carry_out(plan, recipe, path, argument);
out:
	recipe_free(recipe);
	free(path);
	free(name);
	return ret;
}
