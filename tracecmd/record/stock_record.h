/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stock_record.h - stock `trace-cmd record` beside us, for --events
 *
 * It records the events of our instance into a file of its own, in which our
 * sections are put at the end (output_join()).  When we are killed it gets a
 * SIGINT and finishes its file by itself.
 *
 * Functions return 0 or -errno after a message.
 */
#ifndef TRACECMD_RECORD_STOCK_RECORD_H
#define TRACECMD_RECORD_STOCK_RECORD_H

#include <stdbool.h>
#include <sys/types.h>

#include "target/local/target.h"
#include "tracecmd/base/file_place.h"
#include "tracecmd/trigger/instance.h"
#include "tracecmd/trigger/traced_event.h"

struct stock_record {
	pid_t pid;  /* 0: not running */
	char *file; /* "trace.dat.events", in the directory of the output file */
	int dir;    /* that one, while the file is there; -1 */
};

/* Starts it and waits until all events are enabled in the instance. */
int stock_record_start(struct stock_record *r, struct hist_target *t, const struct instance *in,
		       const struct source *sources, unsigned int nsources, const char *pids,
		       const struct file_place *output);

/* Ends it with SIGINT and waits; its file is complete then. */
int stock_record_stop(struct stock_record *r);

/* Ends it, if it runs, and removes the file, if it is still there. */
void stock_record_clear(struct stock_record *r);

#endif
