/* SPDX-License-Identifier: GPL-2.0 */
/*
 * serve_parts.h - one connection to a host: interface between the serve_*.c files
 *
 * serve.c has the verbs that read and write; serve_undo.c has the verbs that note
 * changes and undo them. Each verb sends its whole answer. A result other than 0 is
 * -errno and ends the connection.
 */
#ifndef HELPER_SERVE_SERVE_PARTS_H
#define HELPER_SERVE_SERVE_PARTS_H

#include "helper/serve/serve.h"
#include "helper/undo/undo_list.h"
#include "helper/wire/text_delta.h"

struct served_file {
	bool used;
	int handle;
	struct text_delta_encoder *encoder;
};

struct server {
	struct wire *wire;
	struct hist_target *target;
	struct undo_list *undo; /* NULL before the first note */
	int journals;
	bool has_journal;
	uint16_t tag; /* of the current request */
	struct target_buf buf;
	struct served_file files[SERVE_FILES];
	char path[TARGET_PATH_MAX];
	char text[WIRE_TEXT_MAX + 1];
};

/* Begin the last frame of an answer; the caller adds fields and calls wire_end(). */
void serve_begin_done(struct server *s, int status);
/* Send an answer that contains only a status. */
int serve_send_status(struct server *s, int status);

int serve_note(struct server *s, struct wire_reader *r);
int serve_cancel(struct server *s, struct wire_reader *r);
int serve_undo(struct server *s, struct wire_reader *r);
int serve_clean(struct server *s, struct wire_reader *r);
/* Undo all noted changes; returns the number of changes that could not be undone. */
unsigned int serve_undo_all(struct server *s);

#endif
