/* SPDX-License-Identifier: GPL-2.0 */
/*
 * serve.h - the target's side of the protocol
 *
 * One connection, one host: its verbs are done on a target, its changes are on
 * an undo list here, and all of them are taken back when the connection ends,
 * in whatever way.  Memory: under 200 KiB, and for each open hist file what
 * text_delta.h says (60 bytes a row, at most 26 MiB).
 */
#ifndef TARGET_SERVE_SERVE_H
#define TARGET_SERVE_SERVE_H

#include "target/local/target.h"
#include "target/wire/wire.h"

/* Open files of one host. */
#define SERVE_FILES 64
/* A host that sends no whole request for so long is considered lost. */
#define SERVE_IDLE_S 120

/*
 * serve - shake hands, then carry out verbs until the end
 * @journals: a directory for the journal (undo_journal.h), or -1 for none.
 * @version: of the program.  @idle_s: the time for the handshake and between whole
 * requests; 0 is without a limit.  0 when the host has closed the connection; -errno
 * of the wire, or -EPROTO for what is no request.  Everything is taken back in
 * any case; what could not be is in @left.
 */
int serve(struct wire *w, struct hist_target *target, int journals, const char *version,
	  unsigned int idle_s, unsigned int *left);

/*
 * serve_stdio - the same for a program: tracefs of this machine, over stdin and stdout
 * Finds tracefs, or tells the host why not.  Ends also at SIGHUP, SIGINT and
 * SIGTERM, and after @idle_s seconds without a whole request.  The exit status: 0, or 2 after
 * a sentence in @why.
 */
int serve_stdio(const char *version, unsigned int idle_s, char *why, size_t why_len);

#endif
