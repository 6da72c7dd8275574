/* SPDX-License-Identifier: GPL-2.0 */
/*
 * signals.h - read the signals that end the program from a descriptor
 *
 * signals_catch() blocks SIGINT, SIGTERM, SIGQUIT, SIGCHLD, and SIGHUP unless it is ignored, as
 * under nohup(1).  They are then read from a signalfd(2), so that they never interrupt a change.
 *
 * Code that waits for another machine asks signals_patience() how long it may wait.  SIGTERM,
 * SIGHUP, SIGQUIT and any second signal limit the time to SIGNALS_GRACE_MS.  The first SIGINT
 * does not, so that Ctrl-C ends a recording completely also on a slow line.
 *
 * The state is global, as signals belong to the process.
 */
#ifndef TRACECMD_BASE_SIGNALS_H
#define TRACECMD_BASE_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>

/* The cleanup after it still fits into one second after SIGTERM. */
#define SIGNALS_GRACE_MS 800

/* Returns a descriptor to poll, or -errno. */
int signals_catch(void);

/* Close @fd; the signals remain blocked. */
void signals_close(int fd);

/* Close @fd; the signals end the program again. */
void signals_release(int fd);

/*
 * signals_ending - read all signals; returns the one that ends the program, or 0
 * *@forward: the caller must send it to its command.  A signal of the terminal, such as Ctrl-C,
 * has also reached the command.
 */
int signals_ending(int fd, bool *forward);

/* In a child before exec: no signal is blocked, and SIGPIPE ends it.  Async-signal-safe. */
void signals_reset_child(void);

/* The descriptor of signals_catch(), or -1. */
int signals_fd(void);

/*
 * signals_patience - limit a wait of @ms milliseconds; -1: no limit
 * 0 if the time after a signal is over.  Signals that it reads remain for signals_ending().
 */
int signals_patience(int ms);
/* True if such signals exist. */
bool signals_are_pending(void);

/* True if a signal that ends the program has arrived. */
bool signals_have_arrived(void);

#endif
