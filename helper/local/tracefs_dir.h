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
#ifndef HELPER_LOCAL_TRACEFS_DIR_H
#define HELPER_LOCAL_TRACEFS_DIR_H

#include "helper/local/target.h"
#include "lib/base/error.h"

struct tracefs_dir {
	struct hist_target target;
	int dir;
};

/*
 * tracefs_dir_open - initialize a target over the directory descriptor @dir, which it owns
 * afterwards Fills in host, uname and the other fields of the target. -ENOMEM; tracefs_dir_close()
 * is also required after a failure.
 */
int tracefs_dir_open(struct tracefs_dir *c, const struct hist_target_ops *ops, int dir);
void tracefs_dir_close(struct tracefs_dir *c);

/*
 * tracefs_dir_find - find the tracefs directory; mount tracefs if it is not mounted
 * Returns a descriptor, or -EACCES, -ENODEV... with a sentence in @error.
 */
int tracefs_dir_find(struct hist_error *error);

/*
 * tracefs_dir_new - check access to the tracefs directory @dir, and create a target for it
 * @ops: NULL for the functions below. @path names @dir in @error; NULL: "tracefs". Closes @dir on
 * failure: -EACCES..., -ENOMEM.
 */
int tracefs_dir_new(struct hist_target **target, const struct hist_target_ops *ops, int dir,
		    const char *path, struct hist_error *error);

void tracefs_dir_free(struct hist_target *t);
/* See hist_target_ops.pages. */
int tracefs_dir_pages(struct hist_target *t, const char *path, size_t most,
		      struct target_buf *buf);
int tracefs_dir_read(struct hist_target *t, const char *path, struct target_buf *buf);
int tracefs_dir_open_file(struct hist_target *t, const char *path, int *handle);
int tracefs_dir_reread(struct hist_target *t, int handle, struct target_buf *buf);
int tracefs_dir_reread_pieces(struct hist_target *t, int handle, target_take take, void *arg);
void tracefs_dir_close_file(struct hist_target *t, int handle);
int tracefs_dir_write(struct hist_target *t, const char *path, const char *data, size_t len,
		      bool append);
int tracefs_dir_list(struct hist_target *t, const char *path, struct target_buf *buf);
/* See hist_target_ops.descriptor. */
int tracefs_dir_open_descriptor(struct hist_target *t, const char *path);
int tracefs_dir_mkdir(struct hist_target *t, const char *path);
int tracefs_dir_rmdir(struct hist_target *t, const char *path);
int tracefs_dir_path_exists(struct hist_target *t, const char *path);
/* Only for the clocks of clock_gettime(2); otherwise -ENOTSUP. */
int tracefs_dir_clock(struct hist_target *t, const char *clock, const char *instance,
		      uint64_t *now);

#endif
