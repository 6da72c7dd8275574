/* SPDX-License-Identifier: GPL-2.0 */
/*
 * outfile.h - write a file for -o that gets its name when it is complete
 *
 * The file is created in its directory without a name (O_TMPFILE), or with a temporary one if the
 * file system or a missing /proc requires it.  An older file with the name remains until then, and
 * the new file gets its permissions.  Other kinds of files (/dev/null, a pipe) are written
 * directly.
 *
 * This is the one place where the program opens files for writing.  In a directory that others can
 * write to, files, FIFOs and links of other users are refused (file_place.h), and side files get
 * names that nobody can guess.
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

#include "lib/base/file_place.h"

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

/* The same for the file @name in the directory of @of; @path is for messages. */
int outfile_check_beside(const struct file_place *of, const char *name, const char *path);

/* @direct: accept files that are not regular ones. */
int outfile_open(struct outfile *f, const char *path, bool direct);

/*
 * outfile_open_side - open a side file, which only this program and `cleanup` look for
 * It is in the directory of @of.  @path is for messages, and must outlive @f.  f->place.name is its
 * name: @name, with a number that nobody can guess if another user can make files in the directory.
 */
int outfile_open_side(struct outfile *f, const struct file_place *of, const char *name,
		      const char *path);

/*
 * outfile_open_new - the same for a name that no file may have when it is published
 * A file that has the name now is not looked at.
 */
int outfile_open_new(struct outfile *f, const struct file_place *of, const char *name,
		     const char *path);

/* Give the file, which has no name yet, another one. */
int outfile_rename(struct outfile *f, const char *name, const char *path);

/*
 * A file without a name in the directory of @in, for reading and writing: its descriptor, or
 * -errno.
 */
int outfile_open_nameless(const struct file_place *in);

/*
 * outfile_reopen - open and lock the existing file @path, to append to it
 * It must be a regular file.  In a directory that others can write to, it must belong to this user
 * and have no other name.
 */
int outfile_reopen(struct outfile *f, const char *path);

/* Give the file its name, and replace an older file. */
int outfile_publish(struct outfile *f);

/* Give the file its name, and replace nothing.  -EEXIST without a message: the name is taken. */
int outfile_publish_new(struct outfile *f);

/* Check after the last write that no write failed, and that the name still leads to the file. */
int outfile_check(const struct outfile *f);

/* Replace the file by the file @name in the directory @dir of the same disk, open as @fd. */
int outfile_replace(struct outfile *f, int dir, const char *name, int fd);

/*
 * outfile_make_dir - make a directory beside @of that only this user can use, with a name after
 * @name For a program that makes files with names of its own.  Returns a descriptor; *@made is the
 * name, malloc'ed.
 */
int outfile_make_dir(const struct file_place *of, const char *name, char **made);

/* Open the existing file @name in such a directory, for reading and writing: its descriptor. */
int outfile_reopen_in(int dir, const char *name);

/* Close the file.  It is deleted if it was not published. */
void outfile_close(struct outfile *f);

#endif
