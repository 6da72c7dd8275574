/* SPDX-License-Identifier: GPL-2.0 */
/*
 * file_events.h - the names of the events that a file knows
 */
#ifndef KERNELSHARK_PLUGIN_MODEL_FILE_EVENTS_H
#define KERNELSHARK_PLUGIN_MODEL_FILE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/ringbuf/events.h"

/* A list of words, each malloc'ed.  Begin with all zero. */
struct word_list {
	char **words;
	size_t n;
};

void word_list_clear(struct word_list *names);

/* Adds @len bytes as a word, unless it is there already.  -ENOMEM leaves the list as it was. */
int word_list_add(struct word_list *names, const char *word, size_t len);

/* "kmem", "sched": all systems, in the order of the file.  -ENOMEM. */
int file_events_systems(struct word_list *names, const struct hist_events *events);
/* "kmalloc", "kfree": the events of @system.  -ENOMEM. */
int file_events_of(struct word_list *names, const struct hist_events *events, const char *system);

/* The @i-th event of the file; @name of @len bytes in its format.  False behind the last. */
bool file_events_at(const struct hist_events *events, unsigned int i, const char **system,
		    const char **name, size_t *len);

#endif
