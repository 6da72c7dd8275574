/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target_shell.h - target operations through a POSIX shell
 *
 * Each operation sends command lines to the remote shell, and reads their answers.
 */
#ifndef TRACECMD_TARGET_TARGET_SHELL_H
#define TRACECMD_TARGET_TARGET_SHELL_H

#include "lib/base/error.h"
#include "tracecmd/target/target_remote.h"

/*
 * target_shell_new - create a target for a shell that reads lines at the other end of @w
 * Same as target_remote_new(). The target needs cat, mkdir, rmdir, printf, uname and ls; stty on a
 * terminal; dd for pages(). clock() needs an instance,
 * except for "realtime". Each read gets the whole text. A write of
 * more than SHELL_WRITE_MAX bytes is -E2BIG.
 */
int target_shell_new(struct hist_target **target, struct wire *w, const struct remote_link *link,
		     struct hist_error *error);

/* tracefs accepts this in one write(2), also with the newline that is added to a long text. */
#define SHELL_WRITE_MAX 4094

/* --- shell_command.c: one line and its answer --- */

#define SHELL_NONCE 32

struct shell_line {
	struct remote_end end; /* of the wire, only its io and the bytes after the handshake */
	char nonce[SHELL_NONCE + 1];
	unsigned int number;   /* of the last line that was sent */
	struct target_buf out; /* the output of this line */
};

/* Draw the nonce; @s is zero except @end. -errno; shell_line_end() is then also required. */
int shell_line_init(struct shell_line *s);
/* Tell the remote shell to exit, and free all members of @s. */
void shell_line_end(struct shell_line *s);

/* Run one line, formatted as by printf(). 0, or the -errno that its error message names. */
int shell_runf(struct shell_line *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
