/* SPDX-License-Identifier: GPL-2.0 */
/*
 * replay.h - run a replay: open the file, count its events, write or print the result
 */
#ifndef TRACECMD_REPLAY_REPLAY_H
#define TRACECMD_REPLAY_REPLAY_H

#include "tracecmd/replay/replay_options.h"

/* Returns the exit status of the program. */
int replay_run(struct replay_options *options);

#endif
