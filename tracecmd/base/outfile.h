/* SPDX-License-Identifier: GPL-2.0 */
/*
 * outfile.h - write a file for -o that gets its name when it is complete
 *
 * The file is created in its directory without a name (O_TMPFILE), or with a temporary one if the
 * file system or a missing /proc requires it.  An older file with the name remains until then, and
 * the new file gets its permissions.  Other kinds of files (/dev/null, a pipe) are written
 * directly.
 *
 * Two programs that write one file at the same time would lose one of the results.  Therefore the
 * older file is locked until it is replaced, and the new one while it is written.
 *
 * Functions return 0 or -errno after a message.
 */
#ifndef TRACECMD_BASE_OUTFILE_H
#define TRACECMD_BASE_OUTFILE_H

#include <stdbool.h>
#include <sys/types.h>

#include "tracecmd/base/file_place.h"

struct outfile {
	const char *path; /* of the caller, for messages; NULL: not open */
	struct file_place place;
	int older; /* the locked file to replace, or -1 */
	int fd;	   /* for reading and writing; if @direct, for writing */
	char *temporary; /* name in place.dir, or NULL */
	bool direct; /* not a regular file */
	bool named; /* published */
};

/* Check that @path can be created, or replaced by a regular file.  Changes nothing. */
int outfile_check_path(const char *path);

/* @direct: accept files that are not regular ones. */
int outfile_open(struct outfile *f, const char *path, bool direct);

/* Give the file its name, and replace an older file. */
int outfile_publish(struct outfile *f);

/* Check after the last write that no write failed, and that the name still leads to the file. */
int outfile_check(const struct outfile *f);

/* Replace the file by the file @name, open as @fd, in the same directory. */
int outfile_replace(struct outfile *f, const char *name, int fd);

/* Lock the file @path, open as @fd, which another program may write.  -EBUSY if one does. */
int outfile_lock(const char *path, int fd);

/* Close the file.  It is deleted if it was not published. */
void outfile_close(struct outfile *f);

#endif
