/* SPDX-License-Identifier: GPL-2.0 */
/*
 * list.h - the state and functions that the files of `trace-cmd hist list` share
 *
 * Each part of a list is written as text into a buffer, or as JSON directly to the stream.
 * list_put() escapes names in text.
 *
 * Functions return 0, or -errno after a message on stderr.
 */
#ifndef TRACECMD_LIST_LIST_H
#define TRACECMD_LIST_LIST_H

#include <stdbool.h>
#include <stdio.h>

#include "helper/local/target.h"
#include "lib/base/error.h"
#include "lib/base/json_writer.h"
#include "lib/base/names.h"
#include "lib/base/strbuf.h"
#include "lib/event/event.h"
#include "tracecmd/kernel/capability.h"

struct list {
	struct hist_target *target; /* NULL only for --presets and --usdt, if there is none */
	bool engine; /* the user-space engine can count the events of @target */
	struct capabilities caps;
	FILE *to;
	struct hist_strbuf text;
	struct json_writer *json; /* NULL: as text */
	unsigned int flags;	  /* of hist_escape() */
	bool verbose;
	struct hist_error lacks; /* --presets: what the kernel lacks for all of them, told once */
	bool remote; /* another machine: files of this machine do not describe it */
};

/* Read available_events, and add ftrace:print: "SYSTEM:NAME", sorted. */
int list_names_read(struct names *events, struct hist_target *t);

/*
 * list_name_matches - true if @name, "SYSTEM:NAME", matches @pattern
 * @pattern: "SYSTEM:NAME" or "SYSTEM/NAME", with the wildcards of glob(7) in both parts.
 * A pattern without ':' or '/' is a system or the name of an event.
 */
bool list_name_matches(const char *name, const char *pattern);

/* True if snapshots will be read from hist_raw. */
static inline bool list_reads_raw(const struct list *l)
{
	return l->target->ops->snapshot && capability_is_present(&l->caps, CAP_HIST_RAW);
}

/* Put @s escaped, padded to @width columns; 0: without padding. */
void list_put(struct list *l, const char *s, unsigned int width);

/* Put @s escaped, and "\n". */
void list_line(struct list *l, const char *s);

/* Put words in lines of 79 columns after @indent blanks each, with "\n" at the end. */
void list_wrap(struct list *l, const char *words, unsigned int indent, unsigned int column);

/* A member of the current object of l->json; a NULL @value is written as null. */
void list_member(struct list *l, const char *name, const char *value);

/* The parts of the list.  In JSON each is a member of the object that the caller began. */
int list_events(struct list *l, char **patterns, unsigned int npatterns);
int list_hists(struct list *l);
/* All presets; or the recipes of @names, which are names or aliases. */
int list_presets(struct list *l, char **names, unsigned int nnames);

/* The capabilities of the kernel: names only, or with explanations (-v). */
int list_kernel(struct list *l);

/* The build configuration of this machine's kernel: many kernels do not provide it. */
struct list_config {
	char *text;   /* NULL: not read */
	char *source; /* "/proc/config.gz" */
};

/* Read a file, plain or compressed with gzip, of at most 16 MiB. 0 or -errno. */
int list_config_read_file(struct list_config *config, const char *path);

/*
 * list_config_get - the setting of @option: 'y', 'm', 'n', or '?'
 * @option: name without CONFIG_, of @len bytes.
 * '?': the value is a number or a string, or no configuration was read.
 */
char list_config_get(const struct list_config *config, const char *option, size_t len);

void list_config_clear(struct list_config *config);

#endif
