/* SPDX-License-Identifier: GPL-2.0 */
/*
 * top_feed.h - where `trace-cmd hist top` has its snapshots from
 *
 * Either histograms of its own (session.h), or those that somebody else's
 * triggers keep, which are only read: nothing is written to the kernel then.
 *
 * Functions return 0 or -errno after a message on stderr.
 */
#ifndef TRACECMD_TOP_TOP_FEED_H
#define TRACECMD_TOP_TOP_FEED_H

#include "tracecmd/session/session.h"
#include "tracecmd/top/top_model.h"
#include "tracecmd/top/top_options.h"

struct top_feed {
	struct session session;
	bool attached; /* to histograms of others: the session has no undo */
	char **dirs;   /* then: "instances/x" or "", for each source */
	struct target_buf text; /* then: of the hist file read last */
};

/* Begin with all zero; top_feed_close() on every way out, before the options go. */
/* --latency and the like in the options become events of the plan. */
int top_feed_open(struct top_feed *feed, struct top_options *options);

/* Tells the model of the histograms, in the order in which they are read. */
int top_feed_introduce(struct top_feed *feed, struct top_model *m);

/* Reads all of them, into the model. */
int top_feed_read(struct top_feed *feed, struct top_model *m);

int top_feed_close(struct top_feed *feed);

#endif
