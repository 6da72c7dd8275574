/* SPDX-License-Identifier: GPL-2.0 */
/*
 * shell_command.h - send a command line to a remote shell, and read its answer
 */
#ifndef TRACECMD_REMOTE_SHELL_COMMAND_H
#define TRACECMD_REMOTE_SHELL_COMMAND_H

#include "tracecmd/remote/target_remote.h"

#define SHELL_NONCE 32

struct shell_line {
	struct wire *wire; /* only its io, and what came with the handshake */
	struct remote_link link;
	bool lost;
	char nonce[SHELL_NONCE + 1];
	unsigned int number; /* of the line sent last */
	struct target_buf out; /* what it printed */
};

/* Takes @w and @link, also on failure, when shell_line_end() is called all the same.  -errno. */
int shell_line_init(struct shell_line *s, struct wire *w, const struct remote_link *link);
/* The shell at the other end ends, or what was there before goes on; frees all but @s. */
void shell_line_end(struct shell_line *s);

/* One line, by printf; 0, or what its failure is called as -errno. */
int shell_runf(struct shell_line *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
