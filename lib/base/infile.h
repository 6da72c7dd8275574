/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * infile.h - open a file that a user names, or that is beside such a file, for reading
 *
 * The one place where such a file is opened.  A symbolic link of another user in a directory that
 * others can write to is not followed (file_place.h), opening a FIFO does not wait, and a terminal
 * does not become the controlling one.  The caller checks what kind of file it got.
 */
#ifndef LIB_BASE_INFILE_H
#define LIB_BASE_INFILE_H

#include "lib/base/error.h"
#include "lib/base/file_place.h"

/*
 * infile_open - open the file @path for reading
 * Returns a descriptor, or -errno with @error.
 */
int infile_open(const char *path, struct hist_error *error);

/*
 * infile_open_beside - open the side file @name in the directory of the file @of, for reading
 * It must be a regular file that belongs to @owner, and unless it may be @linked, has no other name
 * if another user can make files in the directory.
 * -EPERM: it is another file, which is not opened.  -ENOENT, or another -errno.
 */
int infile_open_beside(const struct file_place *of, const char *name, uid_t owner, bool linked);

#endif
