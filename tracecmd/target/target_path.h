/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target_path.h - operations on a path that printf() makes
 */
#ifndef TRACECMD_TARGET_TARGET_PATH_H
#define TRACECMD_TARGET_TARGET_PATH_H

#include "helper/local/target.h"

/* Wrappers of the operations; printf() arguments form the path. -ENAMETOOLONG if it is too long. */
int target_readf(struct hist_target *t, struct target_buf *buf, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int target_pagesf(struct hist_target *t, size_t most, struct target_buf *buf, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
int target_writef(struct hist_target *t, const char *text, bool append, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
int target_existsf(struct hist_target *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
