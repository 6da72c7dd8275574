/* SPDX-License-Identifier: LGPL-2.1 */
/* file_events.h - the names of the events in a file */
#ifndef LIB_RINGBUF_FILE_EVENTS_H
#define LIB_RINGBUF_FILE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/names.h"
#include "lib/event/event.h"
#include "lib/ringbuf/events.h"

/*
 * Get the events of @system, such as "kmalloc", "kfree"; NULL: all systems, such as "kmem",
 * "sched". In the order of the file. -ENOMEM.
 */
int file_events_list(struct names *names, const struct hist_events *events,
		     const char *system);

/*
 * Get event number @i of the file; @name points into its format, @len bytes. False
 * after the last.
 */
bool file_events_get(const struct hist_events *events, unsigned int i, const char **system,
		     const char **name, size_t *len);

/* The first system of the file that has the event @name; NULL: none. */
const char *file_events_find_system(const struct hist_events *events, const char *name);

/*
 * Parse the format of the event @name of @system.  -ENOENT: the file does not have it; -EINVAL: its
 * format is not valid; -ENOMEM.
 */
int file_events_read(struct hist_event **event, const struct hist_events *events,
		     const char *system, const char *name);

/*
 * Parse the format of the event @word, "kmem:kmalloc". *@event is unchanged if the file
 * does not have a valid format of it, which is not an error. -ENOMEM.
 */
int file_events_parse(struct hist_event **event, const struct hist_events *events,
		      const char *word, size_t len);

#endif
