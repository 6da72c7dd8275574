/* SPDX-License-Identifier: GPL-2.0 */
/*
 * outfile.h - a file that is written for -o: it gets its name when it is whole
 *
 * It is made in the directory where it will be, without a name, or with a temporary one if the
 * file system or a missing /proc demands it.  An older file of the name stays until then, and gives
 * the new one its permissions.  What is not a regular file (/dev/null, a pipe) is written directly.
 *
 * Two programs that write one file at once would lose one of the results: the older file is locked
 * as long as it is to be replaced, and the new one as long as it is written.
 *
 * Functions return 0 or -errno after a message.
 */
#ifndef TRACECMD_BASE_OUTFILE_H
#define TRACECMD_BASE_OUTFILE_H

#include <stdbool.h>
#include <sys/types.h>

#include "tracecmd/base/file_place.h"

struct outfile {
	const char *path; /* for messages: the user's, which must stay; NULL: not open */
	struct file_place place;
	int older; /* the file to be replaced, locked, or -1 */
	int fd;	   /* for reading and writing; what is written directly, for writing */
	char *temporary; /* name in place.dir, while it has one */
	bool direct;
	bool named;
};

/* Could @path be made, or replaced by a regular file?  Changes nothing. */
int outfile_look(const char *path);

/* @direct: also what is not a regular file. */
int outfile_open(struct outfile *f, const char *path, bool direct);

/* Gives the file its name, over an older one. */
int outfile_publish(struct outfile *f);

/* After the last byte: nothing was lost on the way, and the name still is this file's. */
int outfile_check(const struct outfile *f);

/* The file @name in the same directory, which is open as @fd, takes its place. */
int outfile_replace(struct outfile *f, const char *name, int fd);

/* A file that was never published disappears. */
void outfile_close(struct outfile *f);

#endif
