/* SPDX-License-Identifier: GPL-2.0 */
/*
 * file_place.h - the directory and the name that a path leads to
 *
 * Path names are looked up once.  What was looked at is then used by descriptor, so that another
 * user cannot put something else in its place in between.
 */
#ifndef TRACECMD_BASE_FILE_PLACE_H
#define TRACECMD_BASE_FILE_PLACE_H

#include <stdbool.h>
#include <sys/stat.h>

struct file_place {
	int dir;	  /* O_PATH, of the directory that has it; -1: none */
	char *name;	  /* in it, and not a symbolic link */
	int fd;		  /* O_PATH, of the file itself; -1: there is none yet */
	struct stat file; /* of it */
	struct stat in;	  /* of the directory */
	bool foreign;	  /* not found because of another user's link: see below */
};

/*
 * file_place_find - follow @path to a file, which may be missing
 * As with fs.protected_symlinks(5), a symbolic link of another user in a sticky directory that
 * others can write to is not followed: -EACCES, and @foreign.  A link of /proc leads where only the kernel
 * knows: then @dir is -1.  0, or -errno; file_place_clear() in any case.
 */
int file_place_find(struct file_place *place, const char *path);
void file_place_clear(struct file_place *place);

/* Is it, or the link of which this is, of another user in such a directory? */
bool file_place_foreign(const struct stat *in, const struct stat *st);

#endif
