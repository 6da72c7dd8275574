/* SPDX-License-Identifier: GPL-2.0 */
/*
 * shell_command.h - send a command line to a remote shell, and read its answer
 */
#ifndef TRACECMD_TARGET_SHELL_COMMAND_H
#define TRACECMD_TARGET_SHELL_COMMAND_H

#include "tracecmd/target/target_remote.h"

#define SHELL_NONCE 32

struct shell_line {
	struct remote_end end; /* of the wire, only its io and the bytes after the handshake */
	char nonce[SHELL_NONCE + 1];
	unsigned int number; /* of the last line that was sent */
	struct target_buf out; /* the output of this line */
};

/* Draw the nonce; @s is zero except @end. -errno; shell_line_end() is then also required. */
int shell_line_init(struct shell_line *s);
/* Tell the remote shell to exit, and free all members of @s. */
void shell_line_end(struct shell_line *s);

/* Run one line, formatted as by printf(). 0, or the -errno that its error message names. */
int shell_runf(struct shell_line *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
