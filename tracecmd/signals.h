/* SPDX-License-Identifier: GPL-2.0 */
/*
 * signals.h - signals that end the program, as data to be read
 *
 * From signals_catch() on, SIGINT, SIGTERM, SIGQUIT, SIGCHLD and SIGHUP (unless
 * it is ignored, as under nohup(1)) wait in
 * a file descriptor, so that no way out is missed and none comes in between.
 */
#ifndef TRACECMD_SIGNALS_H
#define TRACECMD_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>

/* A file descriptor to poll, or -errno. */
int signals_catch(void);

/* Closes it; the signals end the program again, as before. */
void signals_release(int fd);

/*
 * signals_ending - takes all that wait; the one that is to end us, or 0
 * *@forward: a command of ours has not got it as well, as it has when a
 * terminal's Ctrl-C sent it to all.
 */
int signals_ending(int fd, bool *forward);

/*
 * signals_write - write @data to the descriptor @to, unless a signal comes meanwhile
 * A reader that does not read holds us no longer than that.  0; -EINTR: a signal waits, and a
 * part may be written; -errno of write(2).
 */
int signals_write(int fd, int to, const char *data, size_t len);

#endif
