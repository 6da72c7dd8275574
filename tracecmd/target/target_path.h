/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target_path.h - operations on a path that printf() makes, and the life of a connection
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

/*
 * For loops that wait for a long time: target_keepalive_ms() returns the longest time that
 * poll() may sleep, in ms (-1: no limit). After this time call target_keepalive(), which
 * pings the target. -errno if the connection to the target is lost.
 */
int target_keepalive_ms(const struct hist_target *t);
int target_keepalive(struct hist_target *t);

#endif
