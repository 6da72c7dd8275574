/* SPDX-License-Identifier: GPL-2.0 */
/*
 * undo_messages.h - what was taken back, in words
 */
#ifndef TRACECMD_UNDO_UNDO_MESSAGES_H
#define TRACECMD_UNDO_UNDO_MESSAGES_H

#include <stdio.h>

#include "target/undo/undo_list.h"

/* A line for each thing on @done, an error line on @trouble; NULL prints nothing. */
struct undo_streams {
	FILE *done;
	FILE *trouble;
};

/* Puts it on the streams, which must stay. */
struct undo_report undo_tell(struct undo_streams *streams);

#endif
