/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tracefs_dir.h - a target that is the tracefs directory of the machine we run on
 *
 * Every path is opened relative to the directory and stays below it: no "..",
 * no absolute path, no symbolic link (openat2(2); before Linux 5.6 each part of
 * the path is opened by itself with O_NOFOLLOW).  A later mount elsewhere
 * changes nothing.
 *
 * The functions are those of struct hist_target_ops, for targets that do more.
 */
#ifndef TARGET_LOCAL_TRACEFS_DIR_H
#define TARGET_LOCAL_TRACEFS_DIR_H

#include "target/local/target.h"

struct confined {
	struct hist_target target;
	int dir;
};

/*
 * confined_open - over the directory @dir, which it takes
 * Fills in the target's host, uname and the rest.  -ENOMEM; confined_close() also then.
 */
int confined_open(struct confined *c, const struct hist_target_ops *ops, int dir);
void confined_close(struct confined *c);

/*
 * confined_find - the tracefs directory, mounted where it was not
 * A descriptor; or -EACCES, -ENODEV... with a sentence in @why.
 */
int confined_find(char *why, size_t why_len);

/* May we use it?  0, or -EACCES... with a sentence in @why. @path: what it is called. */
int confined_check(int dir, const char *path, char *why, size_t why_len);

/* A target of confined_find()'s directory, to be freed by target_free(). */
int confined_new(struct hist_target **target, char *why, size_t why_len);

int confined_read(struct hist_target *t, const char *path, struct target_buf *buf);
int confined_open_file(struct hist_target *t, const char *path, int *handle);
int confined_reread(struct hist_target *t, int handle, struct target_buf *buf);
int confined_reread_pieces(struct hist_target *t, int handle, target_take take, void *arg);
void confined_close_file(struct hist_target *t, int handle);
int confined_write(struct hist_target *t, const char *path, const char *data, size_t len,
		   bool append);
int confined_list(struct hist_target *t, const char *path, struct target_buf *buf);
/* As hist_target_ops.descriptor. */
int confined_descriptor(struct hist_target *t, const char *path);
int confined_mkdir(struct hist_target *t, const char *path);
int confined_rmdir(struct hist_target *t, const char *path);
int confined_exists(struct hist_target *t, const char *path);
/* Only the clocks of clock_gettime(2): else -ENOTSUP. */
int confined_clock(struct hist_target *t, const char *clock, const char *instance,
		   uint64_t *now);

#endif
