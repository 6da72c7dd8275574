/* SPDX-License-Identifier: GPL-2.0 */
/*
 * expression.h - a hist expression that the user types, counted over the events of a file
 *
 *   SYSTEM:EVENT hist:keys=... [if FILTER]
 *   s:NAME TYPE FIELD[; TYPE FIELD]...; SYSTEM:EVENT hist:...; SYSTEM:EVENT hist:...
 *
 * The trigger is what `trace-cmd hist replay -e SYSTEM:EVENT -R 'hist:...'` takes, the kernel's
 * language as our engine has it (lib/engine/engine.h).  Several of them, with ';' between, are
 * set one after another, so that the later ones refer to variables of the earlier; "s:"
 * defines a synthetic event, as in the kernel's dynamic_events.  What is shown is the last
 * one.  ';' in quotes does not separate.
 *
 * What was counted is a recording like any other, in memory: its snapshots are the columns
 * of the heat map, the first of them empty, and its only histogram is the last trigger's.
 */
#ifndef KERNELSHARK_PLUGIN_MODEL_EXPRESSION_H
#define KERNELSHARK_PLUGIN_MODEL_EXPRESSION_H

#include "kernelshark-plugin/model/recording.h"

#ifdef __cplusplus
extern "C" {
#endif

#include "lib/base/strbuf.h"
#include "lib/expr/expr.h"
#include "lib/ringbuf/events.h"

struct expression;

/*
 * expression_parse - understand @text for the events in @buffer of @events
 * Looks up names of symbols in @events, so one thread at a time; @events must outlive the
 * expression.  0; -EINVAL with *@error filled, its span counting in @text; -ENOMEM.
 * On failure *@e is untouched.
 */
int expression_parse(struct expression **e, struct hist_events *events, unsigned int buffer,
		     const char *text, struct hist_error *error);
void expression_free(struct expression *e);

/* "kmem:kmalloc": of the last trigger.  Valid as long as @e. */
const char *expression_event(const struct expression *e);

/* Events with from <= time <= to, times as hist_events_time() has them. */
struct expression_window {
	uint64_t from, to; /* 0 and UINT64_MAX: all */
	/*
	 * Snapshots in between, at most; 0, or a window without an end, or a clock that does not
	 * count ns: one at the end.
	 */
	unsigned int columns;
	unsigned int threads; /* at most; 0: one for each CPU that we have */
};

struct expression_result {
	struct recording *recording; /* one reference, the caller's */
	uint64_t hits;	  /* of the last trigger, behind its filter */
	uint64_t matched; /* events of any trigger, before filters */
	uint64_t lost;	  /* that the recorder missed in the window; */
	bool lost_more;	  /* or more: nobody counted them all */
	uint64_t bad_pages, damaged, no_stack; /* struct hist_replay_result */
};

/*
 * Called now and then with what is done of 1000, and the hits at the last snapshot.
 * False: give up.  In the thread that counts.
 */
typedef bool expression_progress(void *data, unsigned int done, uint64_t hits);

/*
 * expression_count - count the events of the window
 * @progress may be NULL.  -ECANCELED: it said so; -EIO, -ENOMEM, or what memfd_create(2) gave,
 * with a sentence in @why.  On failure *@result is untouched.
 */
int expression_count(struct expression *e, const struct expression_window *window,
		     expression_progress *progress, void *data,
		     struct expression_result *result, char *why, size_t why_len);

/*
 * "74245 events kmem:kmalloc, 12.000000 to 19.000000, none lost"; times of the file, or without
 * them where @window is all.
 */
void expression_tell(struct hist_strbuf *b, const char *event,
		     const struct expression_window *window,
		     const struct expression_result *result);

/* The @i'th sentence about what could not be counted, beside lost events; false: no more. */
bool expression_note(const struct expression_result *result, unsigned int i, char *buf, size_t len);

/* What can stand at a place of an expression. */
struct expression_words {
	char **words;
	size_t n;
};

/*
 * expression_complete - the words that can stand where @text[*@start] to @text[@cursor] is,
 * and begin with what is there; in bytes, sorted as they are to be offered
 * Events and fields are those of the file.  Nothing is looked up that expression_parse() or
 * a count in another thread would change.  0 or -ENOMEM; @words is to be cleared in any case.
 */
int expression_complete(struct expression_words *words, const struct hist_events *events,
			const char *text, size_t cursor, size_t *start);
void expression_words_clear(struct expression_words *words);

#ifdef __cplusplus
}
#endif

#endif
