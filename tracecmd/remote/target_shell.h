/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target_shell.h - a target with nothing but a POSIX shell
 */
#ifndef TRACECMD_REMOTE_TARGET_SHELL_H
#define TRACECMD_REMOTE_TARGET_SHELL_H

#include "tracecmd/remote/target_remote.h"

/*
 * target_shell_new - a shell reads lines at the other end of @w
 * As target_remote_new().  It needs cat, mkdir, rmdir and printf there, and id,
 * uname and ls for what it is; stty on a terminal; dd for pages().  No time without a mark in an
 * instance; reads whole texts; a write is at most SHELL_WRITE_MAX bytes (-E2BIG).
 */
int target_shell_new(struct hist_target **target, struct wire *w, const struct remote_link *link,
		     char *why, size_t why_len);

/* What tracefs takes in one write(2), with the newline that is added to a long one. */
#define SHELL_WRITE_MAX 4094

#endif
