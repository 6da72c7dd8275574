/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tracefs_dir.h - a target for the tracefs directory of the local machine
 *
 * Every path is opened relative to the directory and stays below the directory. Paths
 * with "..", absolute paths and symbolic links are refused. This uses openat2(2);
 * before Linux 5.6, each part of the path is opened separately with O_NOFOLLOW. A later
 * mount at another place has no effect.
 *
 * The functions implement struct hist_target_ops and are also available to targets that
 * extend it.
 */
#ifndef TARGET_LOCAL_TRACEFS_DIR_H
#define TARGET_LOCAL_TRACEFS_DIR_H

#include "target/local/target.h"

struct confined {
	struct hist_target target;
	int dir;
};

/*
 * confined_open - initialize a target over the directory descriptor @dir, which it owns afterwards
 * Fills in host, uname and the other fields of the target. -ENOMEM; confined_close() is
 * also required after a failure.
 */
int confined_open(struct confined *c, const struct hist_target_ops *ops, int dir);
void confined_close(struct confined *c);

/*
 * confined_find - find the tracefs directory; mount tracefs if it is not mounted
 * Returns a descriptor, or -EACCES, -ENODEV... with a sentence in @why.
 */
int confined_find(char *why, size_t why_len);

/*
 * confined_new - check access to the tracefs directory @dir, and create a target for it
 * @ops: NULL for the functions below. @path names @dir in @why; NULL: "tracefs". Closes @dir on
 * failure: -EACCES..., -ENOMEM.
 */
int confined_new(struct hist_target **target, const struct hist_target_ops *ops, int dir,
		 const char *path, char *why, size_t why_len);

void confined_free(struct hist_target *t);
int confined_read(struct hist_target *t, const char *path, struct target_buf *buf);
int confined_open_file(struct hist_target *t, const char *path, int *handle);
int confined_reread(struct hist_target *t, int handle, struct target_buf *buf);
int confined_reread_pieces(struct hist_target *t, int handle, target_take take, void *arg);
void confined_close_file(struct hist_target *t, int handle);
int confined_write(struct hist_target *t, const char *path, const char *data, size_t len,
		   bool append);
int confined_list(struct hist_target *t, const char *path, struct target_buf *buf);
/* See hist_target_ops.descriptor. */
int confined_descriptor(struct hist_target *t, const char *path);
int confined_mkdir(struct hist_target *t, const char *path);
int confined_rmdir(struct hist_target *t, const char *path);
int confined_exists(struct hist_target *t, const char *path);
/* Only for the clocks of clock_gettime(2); otherwise -ENOTSUP. */
int confined_clock(struct hist_target *t, const char *clock, const char *instance,
		   uint64_t *now);

#endif
