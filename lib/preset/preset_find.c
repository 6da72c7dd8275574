// SPDX-License-Identifier: LGPL-2.1
/*
 * preset_find.c - find presets by name or alias
 *
 * A recipe file in a directory replaces the preset of the same name in the program, so each name
 * is listed once. Aliases are found by parsing all recipes, because a file can have any.
 */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/names.h"
#include "lib/base/strbuf.h"
#include "lib/base/suggest.h"
#include "lib/base/text_file.h"
#include "lib/preset/preset_find.h"
#include "lib/preset/recipe.h"

#define SUFFIX ".recipe"
#define PLACES 3
/* How many names a hint lists, and how much of a name is enough to list them. */
#define LIKE_MAX 8
#define LIKE_LEAST 3

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

/* True if the file does not exist for this user, which is not an error. */
static bool is_absent(int err)
{
	return err == ENOENT || err == ENOTDIR || err == EACCES;
}

/* Set *@path to that of the file of the preset @name, malloc'ed; NULL: there is no file. */
static int preset_find_path(char **path, const char *name)
{
	int i, ret = 0;
	char file[80], *dir;

	*path = NULL;
	snprintf(file, sizeof(file), "%s" SUFFIX, name);
	for (i = 0; i < PLACES && !ret && !*path; i++) {
		ret = preset_make_place(&dir, i);
		if (!ret && dir)
			ret = preset_join_path(path, dir, file);
		free(dir);
		if (!*path || !access(*path, F_OK))
			continue;
		ret = is_absent(errno) ? 0 : -errno;
		free(*path);
		*path = NULL;
	}
	return ret;
}

/*
 * Read and parse the preset @name, from @path if it is not NULL.  *@p takes both strings.
 * 0, with a recipe or an error in *@p; -errno.
 */
static int preset_load(struct preset *p, char *name, char *path)
{
	int ret = -ENOENT;
	size_t i;

	*p = (struct preset){ .name = name, .path = path };
	if (path)
		ret = text_file_read(&p->text, &p->len, path, &p->error);
	if (path && ret)
		hist_error_set(&p->error, ret, "%s", hist_error_what(&p->error, ret));
	for (i = 0; !path && i < builtin_recipes_count; i++) {
		if (strcmp(builtin_recipes[i].name, name))
			continue;
		p->len = builtin_recipes[i].len;
		p->text = strndup((const char *)builtin_recipes[i].text, p->len);
		ret = p->text ? 0 : -ENOMEM;
	}
	if (!ret)
		/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): the caller frees @p and its text */
		ret = recipe_parse(&p->recipe, p->text, p->len, &p->error);
	return ret == -EINVAL || ret == -EFBIG || is_absent(-ret) ? 0 : ret;
}

static bool preset_has_name(const struct names *all, const char *name)
{
	size_t i;

	for (i = 0; i < all->n; i++) {
		if (!strcmp(all->names[i], name))
			return true;
	}
	return false;
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
		if (recipe_is_name(name))
			ret = names_add_new(all, name, len - tail);
	}
	if (!ret)
		ret = -errno;
	closedir(dir);
	return ret;
}

/* All names, in the order of the places: a user's presets come first. */
static int preset_collect_names(struct names *all)
{
	struct names found;
	int place, ret = 0;
	char *dir;
	size_t i;

	for (place = 0; place < PLACES && !ret; place++) {
		found = (struct names){ 0 };
		ret = preset_make_place(&dir, place);
		if (!ret && dir)
			ret = collect_in(&found, dir);
		names_sort(&found);
		for (i = 0; i < found.n && !ret; i++)
			ret = names_add_new(all, found.names[i], strlen(found.names[i]));
		names_clear(&found);
		free(dir);
	}
	for (i = 0; i < builtin_recipes_count && !ret; i++)
		ret = names_add_new(all, builtin_recipes[i].name, strlen(builtin_recipes[i].name));
	return ret;
}

/* Load the preset @name from the first place that has it. */
static int preset_open_name(struct preset *p, const char *name)
{
	char *copy, *path;
	int ret = preset_find_path(&path, name);

	if (ret)
		return ret;
	copy = strdup(name);
	if (copy)
		return preset_load(p, copy, path);
	free(path);
	return -ENOMEM;
}

/* Call @show for each of @all, until it does not return 0. */
static int preset_show_all(const struct names *all,
			   int (*show)(const struct preset *preset, void *data), void *data)
{
	struct preset preset;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < all->n; i++) {
		preset = (struct preset){ 0 };
		ret = preset_open_name(&preset, all->names[i]);
		if (!ret)
			ret = show(&preset, data);
		preset_close(&preset);
	}
	return ret;
}

int preset_list(int (*show)(const struct preset *preset, void *data), void *data)
{
	struct names all = { 0 };
	int ret = preset_collect_names(&all);

	names_sort(&all);
	if (!ret)
		ret = preset_show_all(&all, show, data);
	names_clear(&all);
	return ret;
}

/* What a name stands for. */
struct search {
	const char *name;
	char *found; /* the name of the preset, malloc'ed */
};

static int preset_compare_aliases(const struct preset *preset, void *data)
{
	struct search *search = data;
	unsigned int i;

	for (i = 0; preset->recipe && i < preset->recipe->naliases; i++) {
		if (strcmp(preset->recipe->aliases[i].name, search->name))
			continue;
		search->found = strdup(preset->name);
		return search->found ? 1 : -ENOMEM;
	}
	return 0;
}

int preset_open(struct preset *p, const char *name)
{
	struct search search = { .name = name };
	struct names all = { 0 };
	char *copy, *path;
	int ret;

	*p = (struct preset){ 0 };
	if (strchr(name, '/')) {
		copy = strdup(name);
		path = strdup(name);
		if (copy && path)
			return preset_load(p, copy, path);
		free(copy);
		free(path);
		return -ENOMEM;
	}
	if (!recipe_is_name(name))
		return -ENOENT;
	ret = preset_collect_names(&all);
	if (!ret && preset_has_name(&all, name))
		ret = preset_open_name(p, name);
	else if (!ret)
		ret = preset_show_all(&all, preset_compare_aliases, &search);
	if (search.found)
		ret = preset_open_name(p, search.found);
	else if (!ret && !p->name)
		ret = -ENOENT;
	free(search.found);
	names_clear(&all);
	return ret;
}

void preset_close(struct preset *p)
{
	free(p->name);
	free(p->path);
	free(p->text);
	recipe_free(p->recipe);
	*p = (struct preset){ 0 };
}

static int preset_add_all_names(const struct preset *preset, void *data)
{
	int ret = names_add_new(data, preset->name, strlen(preset->name));
	unsigned int i;

	for (i = 0; !ret && preset->recipe && i < preset->recipe->naliases; i++)
		ret = names_add_new(data, preset->recipe->aliases[i].name,
				      strlen(preset->recipe->aliases[i].name));
	return ret;
}

/* Does a word of @text, such as "wakeup-latency", begin with @name? */
static bool preset_has_part(const char *text, const char *name)
{
	const char *at = text;

	while ((at = strstr(at, name)) && at != text && at[-1] != '-')
		at++;
	return at;
}

/*
 * Write "wakeup-latency, wakeup-stacks": the names that @name is a part of.
 * Returns their number; more than LIKE_MAX are only counted.
 */
static unsigned int preset_list_like(const struct names *all, const char *name,
				     struct hist_strbuf *list)
{
	unsigned int n = 0;
	size_t i;

	for (i = 0; i < all->n && strlen(name) >= LIKE_LEAST; i++) {
		if (preset_has_part(all->names[i], name) && ++n <= LIKE_MAX)
			hist_strbuf_printf(list, "%s%s", n > 1 ? ", " : "", all->names[i]);
	}
	return n;
}

void preset_refuse_name(const char *name, struct hist_error *error)
{
	const struct preset_absent *absent = preset_find_absent(name);
	struct hist_strbuf like = { 0 };
	struct names all = { 0 };
	const char *near = NULL;
	unsigned int n = 0;

	if (absent) {
		hist_error_set(error, -ENOENT, "--preset %s: no preset replaces this tool: %s\n%s",
			       name, absent->reason, absent->hint);
		return;
	}
	if (!preset_list(preset_add_all_names, &all)) {
		near = hist_suggest(name, (const char *const *)all.names, all.n);
		n = preset_list_like(&all, name, &like);
	}
	if (near)
		hist_error_set(error, -ENOENT, "--preset %s: no such preset\ndid you mean \"%s\"?",
			       name, near);
	else if (n && n <= LIKE_MAX && !like.error)
		hist_error_set(error, -ENOENT, "--preset %s: no such preset\nuse one of: %.*s",
			       name, (int)like.len, like.data);
	else
		hist_error_set(error, -ENOENT,
			       "--preset %s: no such preset\n"
			       "run 'trace-cmd hist list --presets'",
			       name);
	hist_strbuf_free(&like);
	names_clear(&all);
}
