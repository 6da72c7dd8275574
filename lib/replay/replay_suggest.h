/* SPDX-License-Identifier: LGPL-2.1 */
/* replay_suggest.h - a command line that counts the events of a file */
#ifndef LIB_REPLAY_REPLAY_SUGGEST_H
#define LIB_REPLAY_REPLAY_SUGGEST_H

#include "lib/base/strbuf.h"
#include "lib/ringbuf/events.h"

/*
 * hist_replay_suggest - append options of `replay` that count something in the file
 * "-e sched:sched_switch -k next_comm": of the events in the first pages, the one that occurs most
 * often.  The words need no quotes in a shell, except '*'.  Nothing is appended if the file has no
 * events that can be counted.  0, or -ENOMEM.
 */
int hist_replay_suggest(struct hist_strbuf *options, const struct hist_events *events);

#endif
