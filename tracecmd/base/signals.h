/* SPDX-License-Identifier: GPL-2.0 */
/*
 * signals.h - signals that end the program, as data to be read
 *
 * From signals_catch() on, SIGINT, SIGTERM, SIGQUIT, SIGCHLD and SIGHUP (unless
 * it is ignored, as under nohup(1)) wait in
 * a file descriptor, so that no way out is missed and none comes in between.
 *
 * A state that waits for another machine asks signals_patience() how long it may
 * wait: SIGTERM, SIGHUP, SIGQUIT and a second signal of any kind leave it
 * SIGNALS_GRACE_MS.  The first SIGINT sets no limit, so that Ctrl-C ends a
 * recording in order also on a slow line.
 *
 * Signals belong to the process, so their state does as well.
 */
#ifndef TRACECMD_BASE_SIGNALS_H
#define TRACECMD_BASE_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>

/* After it, what has to be cleaned up still fits into the second that SIGTERM has. */
#define SIGNALS_GRACE_MS 800

/* A file that has become too large (ulimit -f) is an error of write(2), and not the end. */
void signals_file_size(void);

/* A file descriptor to poll, or -errno. */
int signals_catch(void);

/* Closes it; they stay blocked. */
void signals_close(int fd);

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

/* For one who waits elsewhere: the descriptor of signals_catch(), or -1. */
int signals_fd(void);

/*
 * signals_patience - how many of @ms (-1: any) may still be spent on waiting
 * 0 when a signal's time is over.  What it takes from the descriptor stays for
 * signals_ending(); signals_noted() says that there is such.
 */
int signals_patience(int ms);
bool signals_noted(void);

/* Has one come that ends us? */
bool signals_came(void);

#endif
