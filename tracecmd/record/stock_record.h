/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stock_record.h - run stock `trace-cmd record` next to a recording, for --events
 *
 * It records the events of the session's instance into a separate file. At the end the histogram
 * sections are added to that file (output_join()). If the recorder is killed, the stock program
 * gets a SIGINT and completes its file.
 *
 * The program does not read a CPU that is plugged in and comes online while it runs. The events of
 * such a CPU stay in its ring buffer: a warning has their number.
 *
 * Functions return 0, or -errno after printing a message to stderr.
 */
#ifndef TRACECMD_RECORD_STOCK_RECORD_H
#define TRACECMD_RECORD_STOCK_RECORD_H

#include <stdbool.h>
#include <sys/types.h>

#include "lib/base/file_place.h"
#include "tracecmd/trigger/counter.h"

struct stock_record {
	pid_t pid;  /* 0: not running */
	char *file; /* "trace.dat.events", in @dir */
	int dir;    /* descriptor of the directory @dir_name while it exists, otherwise -1 */
	int parent; /* the directory of the output file; valid while @dir is */
	char *dir_name; /* in @parent; only this user can use the directory */
	const struct trigger_set *set;
	bool *absent; /* by CPU: it had no ring buffer when the program started */
};

/* Start the program and wait until all events are enabled in the instance. */
int stock_record_start(struct stock_record *r, const struct trigger_set *set,
		       const struct file_place *output);

/* End the program with SIGINT and wait for it. Its file is then complete. */
int stock_record_stop(struct stock_record *r);

/* End the program, if it runs, and remove its file, if it exists. */
void stock_record_clear(struct stock_record *r);

#endif
