/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session_engine.h - the histograms of a session as a program of our own engine
 *
 * Where no kernel counts: over recorded events, and over live ones.
 */
#ifndef TRACECMD_SESSION_SESSION_ENGINE_H
#define TRACECMD_SESSION_SESSION_ENGINE_H

#include "lib/engine/engine.h"
#include "tracecmd/session/session.h"

/*
 * compile_session - all triggers of @s, behind session_look(), in the order in which
 * session_attach() would set them
 * Events of synthetic objects are made of their definitions.  Each histogram gets its
 * number in the engine and its table.  The session must outlive the engine.
 * 0, or -errno after a message.
 */
int compile_session(struct hist_engine **engine, struct session *s,
		    const struct hist_engine_machine *machine);

/*
 * The counts of all @runs into the snapshots of one event's histograms
 * Times and sequence numbers are the caller's.  0 or -ENOMEM without a message.
 */
int compile_snapshot_source(struct source *source, struct hist_run *const *runs,
			    unsigned int nruns);

/* Hits that helpers of --latency and --sql had no room for, as source_helper_drops(). */
void compile_tell_helper_drops(const struct session *s, struct hist_run *const *runs,
			       unsigned int nruns);

#endif
