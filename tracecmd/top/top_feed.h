/* SPDX-License-Identifier: GPL-2.0 */
/*
 * top_feed.h - read the histograms that `trace-cmd hist top` shows
 *
 * They are histograms of a session (session.h), or existing ones of other programs.  The latter are
 * only read: the kernel is not changed.
 *
 * Functions return 0 or -errno after a message on stderr.
 */
#ifndef TRACECMD_TOP_TOP_FEED_H
#define TRACECMD_TOP_TOP_FEED_H

#include "tracecmd/base/options.h"
#include "tracecmd/session/session.h"
#include "tracecmd/top/top_model.h"

/* Initialize with zeros. */
struct top_feed {
	struct session session;
	bool attached; /* to histograms of other programs: the session has no undo log */
	struct target_buf text; /* the hist file that was read last, if attached */
};

/*
 * Start the plan, or attach to "[INSTANCE/]SYS:EVENT" of @attach if it has words.  Options such as
 * --latency become events of the plan.  Call top_feed_close() in any case, before the plan is
 * cleared.
 */
int top_feed_open(struct top_feed *feed, struct plan *plan, const struct option_words *attach);

/* Add the histograms to the model, in the order in which they are read; @raw_names: --raw-names. */
int top_feed_introduce(struct top_feed *feed, struct top_model *m, bool raw_names);

/* Read all histograms into the model. */
int top_feed_read(struct top_feed *feed, struct top_model *m);

int top_feed_close(struct top_feed *feed);

#endif
