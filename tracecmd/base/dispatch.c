// SPDX-License-Identifier: GPL-2.0
/*
 * dispatch.c - the stock trace-cmd
 *
 * The stock trace-cmd is the next one in PATH after the dispatcher, and then those before
 * it.  The dispatcher is the trace-cmd next to /proc/self/exe.  Device and inode are compared,
 * so that a link or another spelling of a directory is recognised.
 *
 * PATH may lead to a second copy of the dispatcher, or to a script that calls it, instead
 * of the stock one.  The dispatcher must not go round in circles: what was tried in
 * this process is kept in the environment (exec keeps the process id) and not
 * tried again, and where new processes are made each time the depth ends it.
 */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tracecmd/base/command.h"
#include "tracecmd/base/dispatch.h"

#define STOCK_NAME "trace-cmd"
#define TRIED_ENV "TRACE_CMD_HIST_TRIED" /* DEPTH PID DEV:INO... */
#define MAX_DEPTH 32

/* What was tried: "DEV:INO" of each, with a space before. */
struct tried {
	unsigned int depth;
	char *files;
};

static int tried_load(struct tried *tried)
{
	const char *env = getenv(TRIED_ENV);
	const char *files = "";
	int pid = 0, end = 0;

	tried->depth = 0;
	if (env && sscanf(env, "%u %d%n", &tried->depth, &pid, &end) == 2 && pid == getpid())
		files = env + end;
	tried->files = strdup(files);
	return tried->files ? 0 : -ENOMEM;
}

static void file_name(char *name, size_t len, const struct stat *st)
{
	snprintf(name, len, " %llx:%llx", (unsigned long long)st->st_dev,
		 (unsigned long long)st->st_ino);
}

static bool tried_has(const struct tried *tried, const struct stat *st)
{
	char name[64];
	const char *p = tried->files;
	size_t len;

	file_name(name, sizeof(name), st);
	len = strlen(name);
	while ((p = strstr(p, name))) {
		if (!p[len] || p[len] == ' ')
			return true;
		p += len;
	}
	return false;
}

static int tried_store(const struct tried *tried, const struct stat *next)
{
	char name[64], *env;
	int ret;

	file_name(name, sizeof(name), next);
	if (asprintf(&env, "%u %d%s%s", tried->depth + 1, (int)getpid(), tried->files, name) < 0)
		return -ENOMEM;
	ret = setenv(TRIED_ENV, env, 1) < 0 ? -ENOMEM : 0;
	free(env);
	return ret;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/*
 * The program in the directory PATH[0..len) as a malloc'ed path, or NULL.  As for
 * a shell, an empty directory is the current one.
 */
static char *program_in(const char *dir, size_t len, struct stat *st)
{
	char *path;

	if (asprintf(&path, "%.*s%s" STOCK_NAME, (int)len, dir, len ? "/" : "./") < 0)
		return NULL;
	if (stat(path, st) < 0 || !S_ISREG(st->st_mode) || access(path, X_OK) < 0) {
		free(path);
		return NULL;
	}
	return path;
}

/* The program to become: *@found and its *@st; -ENOENT, -ENOMEM. */
static int find_next(const struct stat *self, const struct tried *tried, char **found,
		     struct stat *st)
{
	const char *path = getenv("PATH") ?: "/usr/local/bin:/usr/bin:/bin";
	char *before = NULL;
	struct stat before_st = { 0 };
	bool behind = false;

	*found = NULL;
	for (;;) {
		size_t len = strcspn(path, ":");
		char *program = program_in(path, len, st);

		if (program && self && same_file(st, self)) {
			behind = true;
		} else if (program && !tried_has(tried, st)) {
			if (behind || !self) {
				*found = program;
				break;
			}
			/* One before us: the best if there is none behind. */
			if (!before) {
				before = program;
				before_st = *st;
				program = NULL;
			}
		}
		free(program);
		if (!path[len])
			break;
		path += len + 1;
	}
	if (!*found && before) {
		*found = before;
		*st = before_st;
		before = NULL;
	}
	free(before);
	return *found ? 0 : -ENOENT;
}

/* The dispatcher: @st, or NULL.  trace-cmd-hist, next to it, asks for it too. */
static const struct stat *own_dispatcher(struct stat *st)
{
	char path[PATH_MAX + sizeof(STOCK_NAME)];
	ssize_t len = readlink("/proc/self/exe", path, PATH_MAX);
	char *slash = len > 0 ? memrchr(path, '/', len) : NULL;

	if (!slash)
		return NULL;
	strcpy(slash + 1, STOCK_NAME);
	return stat(path, st) ? NULL : st;
}

char *dispatch_find_stock(void)
{
	struct stat self_st, st;
	const struct stat *self = own_dispatcher(&self_st);
	struct tried none = { .files = "" };
	char *program = NULL;

	return find_next(self, &none, &program, &st) ? NULL : program;
}

int dispatch_exec_stock(char **argv)
{
	struct stat self_st, st;
	const struct stat *self = own_dispatcher(&self_st);
	struct tried tried;
	char *program = NULL;
	int ret;

	ret = tried_load(&tried);
	if (ret)
		goto no_memory;
	if (tried.depth >= MAX_DEPTH) {
		complain(STOCK_NAME ": called by itself %u times: "
			 "look for a script of that name in PATH", tried.depth);
		goto out;
	}
	if (find_next(self, &tried, &program, &st)) {
		complain(STOCK_NAME ": not found in PATH: install the package trace-cmd");
		goto out;
	}
	if (tried_store(&tried, &st))
		goto no_memory;
	execv(program, argv);
	complain("%s: %s", program, strerror(errno));
	goto out;

no_memory:
	complain("out of memory");
out:
	free(program);
	free(tried.files);
	return EXIT_TROUBLE;
}
