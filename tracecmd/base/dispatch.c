// SPDX-License-Identifier: GPL-2.0
/*
 * dispatch.c - find and run the stock trace-cmd
 *
 * The dispatcher is the trace-cmd next to /proc/self/exe.  The stock trace-cmd is the first other
 * one in PATH after the dispatcher, otherwise the first one before it.  Device and inode are
 * compared, so that links and other spellings of a directory are recognised.
 *
 * PATH may lead to a second copy of the dispatcher, or to a script that calls it.  Two rules
 * prevent an endless loop: a program that this process tried is not tried again (an environment
 * variable lists them, and exec keeps the process id), and the depth of calls is limited.
 */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/file_place.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/dispatch.h"
#include "tracecmd/base/message.h"

#define STOCK_NAME "trace-cmd"
#define TRIED_ENV "TRACE_CMD_HIST_TRIED" /* DEPTH PID DEV:INO... */
#define MAX_DEPTH 32

/* What was tried. */
struct tried {
	unsigned int depth;
	char *files; /* " DEV:INO" of each */
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

/* The program in the directory @dir of @len bytes, malloc'ed, or NULL.  "" is the current one. */
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

/* The first program in PATH that was not tried; with @after, only after the dispatcher @self. */
static char *dispatch_search_path(const struct stat *self, const struct tried *tried, bool after,
				  struct stat *st)
{
	const char *path = getenv("PATH") ?: "/usr/local/bin:/usr/bin:/bin", *end;
	char *program;

	for (;; path = end + 1) {
		end = strchrnul(path, ':');
		program = program_in(path, end - path, st);
		if (program && self && file_place_is_same(st, self))
			after = false;
		else if (program && !after && !tried_has(tried, st))
			return program;
		free(program);
		if (!*end)
			return NULL;
	}
}

/* The program to become, malloc'ed, and its *@st; or NULL. */
static char *find_next(const struct tried *tried, struct stat *st)
{
	char path[DISPATCH_PATH_MAX];
	struct stat self;
	char *program;

	/* trace-cmd-hist, which is next to the dispatcher, asks for the stock trace-cmd too */
	if (!dispatch_path_of(path, STOCK_NAME) || stat(path, &self))
		return dispatch_search_path(NULL, tried, false, st);
	program = dispatch_search_path(&self, tried, true, st);
	return program ? program : dispatch_search_path(&self, tried, false, st);
}

bool dispatch_path_of(char path[DISPATCH_PATH_MAX], const char *name)
{
	ssize_t len = readlink("/proc/self/exe", path, PATH_MAX);
	char *slash = len > 0 ? memrchr(path, '/', len) : NULL;

	if (slash)
		strcpy(slash + 1, name);
	return slash;
}

char *dispatch_find_stock(void)
{
	struct tried none = { .files = "" };
	struct stat st;

	return find_next(&none, &st);
}

int dispatch_exec_stock(char **argv)
{
	char *program = NULL;
	struct tried tried;
	struct stat st;

	if (tried_load(&tried))
		goto no_memory;
	if (tried.depth >= MAX_DEPTH) {
		message_error(STOCK_NAME ": the program started itself %u times and did not find "
			      "the stock trace-cmd\n"
			      "remove scripts named trace-cmd from PATH", tried.depth);
		goto out;
	}
	program = find_next(&tried, &st);
	if (!program) {
		message_error(STOCK_NAME ": not found in PATH\ninstall the package trace-cmd");
		goto out;
	}
	if (tried_store(&tried, &st))
		goto no_memory;
	execv(program, argv);
	message_error("%s: %s", program, strerror(errno));
	goto out;

no_memory:
	message_error("out of memory");
out:
	free(program);
	free(tried.files);
	return EXIT_TROUBLE;
}
