/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * file_place.h - find the directory and the name that a path leads to
 *
 * A path is resolved once.  The caller then uses descriptors of what was checked, so that another
 * user cannot replace it between the check and the use.
 */
#ifndef LIB_BASE_FILE_PLACE_H
#define LIB_BASE_FILE_PLACE_H

#include <stdbool.h>
#include <sys/stat.h>

struct file_place {
	int dir;	  /* O_PATH descriptor of the directory of the file; -1: unknown */
	char *name;	  /* of the file in @dir; not a symbolic link */
	int fd;		  /* O_PATH descriptor of the file; -1: the file does not exist */
	struct stat file; /* of @fd */
	struct stat in;	  /* of @dir */
	bool foreign;	  /* not found because of a symbolic link of another user */
};

/*
 * file_place_find - resolve @path to a file, which may not exist yet
 * As with fs.protected_symlinks (proc(5)), a symbolic link of another user in a directory that
 * others can write to is not followed: -EACCES, and @foreign is set.  Only the kernel knows
 * the target of a link of /proc: @dir is then -1.  0, or -errno; call file_place_clear() in any
 * case.
 */
int file_place_find(struct file_place *place, const char *path);

/* The same for the directory of @path alone: the file, or a link of this name, is not looked at. */
int file_place_find_dir(struct file_place *place, const char *path);

/*
 * file_place_find_beside - find the file @name, without a slash, in the directory of @other
 * A link is not followed: @file is then the link.  The result has descriptors of its own.
 */
int file_place_find_beside(struct file_place *place, const struct file_place *other,
			   const char *name);
void file_place_clear(struct file_place *place);

/* True if others than the owner of the directory @in can make files in it. */
bool file_place_is_shared(const struct stat *in);

/* The same, or its owner is neither root nor us. */
bool file_place_is_others(const struct stat *in);

/* For a sentence about such a file or link. */
#define FILE_PLACE_WHY_FOREIGN \
	"because another user owns it and other users can write to its directory"

/* True if the file or link @st in a shared directory @in belongs neither to its owner nor to us. */
bool file_place_is_foreign(const struct stat *in, const struct stat *st);

/* The suffix of the name in @path, ".dat" of "r.dat"; the end of @path if the name has none. */
const char *file_place_suffix(const char *path);

static inline bool file_place_is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

#endif
