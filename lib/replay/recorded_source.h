/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * recorded_source.h - the events of a file answer what the expansion of a query asks
 *
 * `replay` and the panel of KernelShark count recorded events with the same options.
 */
#ifndef LIB_REPLAY_RECORDED_SOURCE_H
#define LIB_REPLAY_RECORDED_SOURCE_H

#include "lib/query/source.h"
#include "lib/ringbuf/events.h"

struct recorded_source {
	struct query_source source; /* first */
	struct hist_events *events;
	unsigned int buffer;
	const char *tracer; /* that wrote events, if the caller has looked for it; otherwise NULL */
};

/*
 * Only sets members; @events and @file, its name for messages, must outlive @s. The caller may set
 * @s->tracer, and further members of @s->source.
 */
void recorded_source_init(struct recorded_source *s, struct hist_events *events,
			  unsigned int buffer, const char *file);

/*
 * recorded_source_find_tracer - the tracer that wrote the first event of a tracer
 * @pages: of each CPU, how many are looked at; 0: all. *@tracer is static; "nop": no such event.
 * 0, or the error of a page that cannot be read.
 */
int recorded_source_find_tracer(const struct recorded_source *s, unsigned int pages,
				const char **tracer);

#endif
