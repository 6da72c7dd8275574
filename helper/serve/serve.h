/* SPDX-License-Identifier: GPL-2.0 */
/*
 * serve.h - server of the target protocol, for one connection to one host
 *
 * The server carries out the requests of the host on a target. Each change gets a note
 * in an undo list on the target. All changes are undone when the connection ends, for
 * any reason. Memory: less than 200 KiB, and for each open hist file the memory that
 * text_delta.h describes (70 to 100 bytes per row, at most 26 MiB).
 */
#ifndef HELPER_SERVE_SERVE_H
#define HELPER_SERVE_SERVE_H

#include "helper/local/target.h"
#include "helper/wire/wire.h"
#include "lib/base/error.h"

/* Maximum number of open files of one host. */
#define SERVE_FILES 64
/* A host that does not send a whole request for this time is considered lost. */
#define SERVE_IDLE_S 120

/*
 * serve - do the handshake, then carry out requests until the connection ends
 * @journals: a directory for the journal (undo_journal.h), or -1 for no journal.
 * @version: of the program. @idle_s: the time limit for the handshake and between whole
 * requests; 0: no limit. Returns 0 if the host closed the connection, -errno of the
 * wire, or -EPROTO for an invalid request. All changes are undone in any case; @left is
 * the number of changes that could not be undone.
 */
int serve(struct wire *w, struct hist_target *target, int journals, const char *version,
	  unsigned int idle_s, unsigned int *left);

/*
 * serve_stdio - serve the local tracefs over stdin and stdout
 * Finds tracefs, or sends the reason of the failure to the host. Also ends at SIGHUP,
 * SIGINT and SIGTERM, and after @idle_s seconds without a whole request. Returns the
 * exit status: 0, or 2 with a sentence in @error.
 */
int serve_stdio(const char *version, unsigned int idle_s, struct hist_error *error);

#endif
