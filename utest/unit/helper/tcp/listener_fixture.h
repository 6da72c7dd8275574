/* SPDX-License-Identifier: GPL-2.0 */
/*
 * listener_fixture.h - a listener on the loopback that follows a script
 *
 * A thread takes one connection.  It keeps what a good listener would write to
 * its file, and counts what may not be.
 */
#ifndef UTEST_UNIT_TARGET_TCP_LISTENER_FIXTURE_H
#define UTEST_UNIT_TARGET_TCP_LISTENER_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>

enum listener_script {
	LISTENER_GOOD,
	LISTENER_OTHER,	      /* greets as something else */
	LISTENER_HANGS_UP,    /* takes the connection and drops it */
	LISTENER_VERSION_2,   /* answers the version with "V2" */
	LISTENER_NO_OK,	      /* hangs up where OK is due */
	LISTENER_WANTS_CPUS,  /* answers with two ports */
	LISTENER_REFUSES,     /* answers with NOT_SUPP */
	LISTENER_BREAKS_OFF,  /* drops the connection after @limit bytes of the file */
	LISTENER_GIVES_UP,    /* sends NOT_SUPP after them, and reads on */
	LISTENER_WAITS,	      /* reads no more after them, until listener_go_on() */
	LISTENER_NEVER_ENDS,  /* does not hang up after CLOSE */
};

struct listener;

/* NULL after a message to stderr. */
struct listener *listener_new(enum listener_script script, size_t limit);
/* "127.0.0.1:PORT" */
const char *listener_address(const struct listener *l);
void listener_go_on(struct listener *l);
/* Until so much of the file has arrived, or the connection has ended. */
void listener_wait(struct listener *l, size_t bytes);

struct listener_file {
	unsigned char *data;
	size_t len;
	unsigned int messages, empty, longest; /* of SEND_DATA, with the header */
	unsigned int cpus, page_size, options; /* of TINIT */
	bool finished, closed; /* FIN_DATA, CLOSE */
	bool odd; /* a message that does not belong there */
};

/* Waits for the thread's end.  The file is the listener's. */
const struct listener_file *listener_join(struct listener *l);
void listener_free(struct listener *l);

#endif
