/* SPDX-License-Identifier: GPL-2.0 */
/*
 * undo_messages.h - messages about undone changes
 */
#ifndef TRACECMD_UNDO_UNDO_MESSAGES_H
#define TRACECMD_UNDO_UNDO_MESSAGES_H

#include <stdio.h>

#include "target/undo/undo_list.h"

/* Streams for a line per undone change (@done) and for errors (@trouble); NULL prints nothing. */
struct undo_streams {
	FILE *done;
	FILE *trouble;
};

/* A report that prints to @streams, which must outlive it. */
struct undo_report undo_tell(struct undo_streams *streams);

#endif
