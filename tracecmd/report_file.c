// SPDX-License-Identifier: GPL-2.0
/*
 * report_file.c - where a report is written to
 *
 * With -o a temporary file in the same directory, renamed at the end.  On a
 * signal that ends us it is removed: the handler only calls unlink() and
 * raises the signal again.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "report_file.h"

static const int ending_signals[] = { SIGINT, SIGTERM, SIGHUP };

/* For the signal handler; NULL when there is nothing to remove. */
static const char *volatile to_remove;

static void remove_and_die(int sig)
{
	if (to_remove)
		unlink(to_remove);
	/* SA_RESETHAND has put the default back */
	raise(sig);
}

static void catch_signals(const char *path)
{
	struct sigaction action = { .sa_handler = remove_and_die, .sa_flags = SA_RESETHAND };
	struct sigaction before;
	unsigned int i;

	to_remove = path;
	for (i = 0; i < sizeof(ending_signals) / sizeof(*ending_signals); i++) {
		/* nohup: what is ignored stays so */
		if (!sigaction(ending_signals[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(ending_signals[i], &action, NULL);
	}
}

static int open_temporary(struct report_file *file)
{
	mode_t mask = umask(0);
	int fd, ret;

	umask(mask);
	if (asprintf(&file->temporary, "%s.XXXXXX", file->path) < 0) {
		file->temporary = NULL;
		return -ENOMEM;
	}
	fd = mkstemp(file->temporary);
	if (fd < 0) {
		ret = -errno;
		free(file->temporary);
		file->temporary = NULL;
		return ret;
	}
	catch_signals(file->temporary);
	file->f = fchmod(fd, 0666 & ~mask) ? NULL : fdopen(fd, "w");
	if (file->f)
		return 0;
	ret = -errno;
	close(fd);
	return ret;
}

static int open_out(struct report_file *file, const char *out)
{
	struct stat st;

	if (stat(out, &st) == 0) {
		if (!S_ISREG(st.st_mode)) {
			file->f = fopen(out, "w");
			return file->f ? 0 : -errno;
		}
		/* the file that a link leads to is the one to replace */
		file->path = realpath(out, NULL);
	} else if (errno == ENOENT) {
		file->path = strdup(out);
	}
	if (!file->path)
		return -errno;
	return open_temporary(file);
}

/* A stream of its own, so that what went wrong with it is ours to tell. */
static int open_stdout(struct report_file *file)
{
	int fd = dup(STDOUT_FILENO), ret;

	if (fd < 0)
		return -errno;
	file->f = fdopen(fd, "w");
	if (file->f)
		return 0;
	ret = -errno;
	close(fd);
	return ret;
}

static void discard(struct report_file *file)
{
	if (file->temporary)
		unlink(file->temporary);
	to_remove = NULL;
	free(file->temporary);
	free(file->path);
	memset(file, 0, sizeof(*file));
}

int report_file_open(struct report_file *file, const char *out)
{
	int ret;

	memset(file, 0, sizeof(*file));
	file->name = out ? out : "standard output";
	ret = out ? open_out(file, out) : open_stdout(file);
	if (ret) {
		complain("%s: %s", file->name, strerror(-ret));
		discard(file);
	}
	return ret;
}

bool report_file_good(struct report_file *file)
{
	return !ferror(file->f);
}

int report_file_close(struct report_file *file, bool keep, int error)
{
	int ret = error;

	if (!file->f)
		return error;
	errno = 0;
	if (fflush(file->f) && !ret)
		ret = errno ? -errno : -EIO;
	if (ferror(file->f) && !ret)
		ret = -EIO;
	/* some file systems tell of a full disk only here */
	if (fclose(file->f) && !ret)
		ret = -errno;
	if (!ret && keep && file->temporary) {
		if (rename(file->temporary, file->path)) {
			ret = -errno;
		} else {
			free(file->temporary);
			file->temporary = NULL;
		}
	}
	if (ret && ret != -EPIPE)
		complain("%s: %s", file->name, strerror(-ret));
	discard(file);
	return ret;
}
