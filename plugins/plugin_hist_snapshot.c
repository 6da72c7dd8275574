// SPDX-License-Identifier: LGPL-2.1
/*
 * plugin_hist_snapshot.c - a libtraceevent plugin that shows snapshot markers as sentences
 *
 * `trace-cmd hist record` writes a line into trace_marker at each snapshot
 * (trace-cmd-hist-snapshots(7), SNAPSHOT MARKERS).  The line is an ftrace:print event
 * with this text:
 *
 *	hist-snapshot: sched:sched_switch#1 seq=3 hits=1041 entries=12 dropped=0
 *
 * Programs that print events with libtraceevent and this plugin show it as
 *
 *	histogram sched:sched_switch#1 snapshot 3: 1041 hits, 12 entries, none dropped
 *
 * "#0" is omitted.  Any program may write into trace_marker.  A text is a snapshot
 * marker only if all of its bytes have the form that the recorder writes.
 * libtraceevent prints any other text as usual.
 *
 * Invariant: the plugin does not write before the whole text is parsed.  Digits are
 * copied, so a number cannot change.  The text does not depend on the byte order; the
 * format in the file gives its offset.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>
#include <trace-seq.h>

/* libtraceevent looks up only these two symbols; all others are hidden. */
#define EXPORTED __attribute__((visibility("default")))

int EXPORTED TEP_PLUGIN_LOADER(struct tep_handle *tep);
void EXPORTED TEP_PLUGIN_UNLOADER(struct tep_handle *tep);

/* A piece of the text of an event, not terminated. */
struct piece {
	const char *text;
	size_t len;
};

struct mark {
	struct piece event, number, seq, hits, entries, dropped;
};

static bool snapshot_mark_parse_word(struct piece *rest, const char *word)
{
	size_t len = strlen(word);

	if (rest->len < len || memcmp(rest->text, word, len))
		return false;
	rest->text += len;
	rest->len -= len;
	return true;
}

/* Parse SYSTEM:EVENT up to a '#': visible ASCII, because it is printed unescaped. */
static bool snapshot_mark_parse_event(struct piece *rest, struct piece *event)
{
	size_t n = 0;

	while (n < rest->len && rest->text[n] > ' ' && rest->text[n] <= '~' &&
	       rest->text[n] != '#')
		n++;
	*event = (struct piece){ rest->text, n };
	rest->text += n;
	rest->len -= n;
	return memchr(event->text, ':', n);
}

/* Parse a number of at most `max` in the form of printf: no sign, no leading zeros. */
static bool snapshot_mark_parse_number(struct piece *rest, struct piece *number, uint64_t max)
{
	uint64_t value = 0;
	unsigned int digit;
	size_t n = 0;

	while (n < rest->len && rest->text[n] >= '0' && rest->text[n] <= '9') {
		digit = rest->text[n] - '0';
		if (value > (max - digit) / 10)
			return false;
		value = value * 10 + digit;
		n++;
	}
	*number = (struct piece){ rest->text, n };
	rest->text += n;
	rest->len -= n;
	return n == 1 || (n && number->text[0] != '0');
}

/*
 * The kernel ends each text with a newline and a NUL, and pads the record after the
 * NUL.  A text without a NUL was truncated.
 */
static bool snapshot_mark_at_end(const struct piece *rest)
{
	return rest->len >= 2 && rest->text[0] == '\n' && !rest->text[1];
}

static bool snapshot_mark_parse(struct piece rest, struct mark *m)
{
	return snapshot_mark_parse_word(&rest, "hist-snapshot: ") &&
	       snapshot_mark_parse_event(&rest, &m->event) &&
	       snapshot_mark_parse_word(&rest, "#") &&
	       snapshot_mark_parse_number(&rest, &m->number, UINT32_MAX) &&
	       snapshot_mark_parse_word(&rest, " seq=") &&
	       snapshot_mark_parse_number(&rest, &m->seq, UINT32_MAX) &&
	       snapshot_mark_parse_word(&rest, " hits=") &&
	       snapshot_mark_parse_number(&rest, &m->hits, UINT64_MAX) &&
	       snapshot_mark_parse_word(&rest, " entries=") &&
	       snapshot_mark_parse_number(&rest, &m->entries, UINT64_MAX) &&
	       snapshot_mark_parse_word(&rest, " dropped=") &&
	       snapshot_mark_parse_number(&rest, &m->dropped, UINT64_MAX) &&
	       snapshot_mark_at_end(&rest);
}

static bool is_digit(const struct piece *number, char digit)
{
	return number->len == 1 && number->text[0] == digit;
}

/* Find the text of the event: the field "buf", up to the end of the record. */
static int find_text(const struct tep_event *event, const struct tep_record *record,
		     struct piece *text)
{
	const struct tep_format_field *buf = tep_find_field((struct tep_event *)event, "buf");

	if (!buf || buf->offset < 0 || record->size < 0 || buf->offset > record->size)
		return -ENOENT;
	text->text = (const char *)record->data + buf->offset;
	text->len = record->size - buf->offset;
	/* kernels give it the size 0, but a file may contain another */
	if (buf->size > 0 && (size_t)buf->size < text->len)
		text->len = buf->size;
	return 0;
}

/* Returns nonzero if libtraceevent has to print the event itself. */
static int print_mark(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
		      void *context)
{
	struct piece text;
	struct mark m;

	(void)context;
	if (find_text(event, record, &text) || !snapshot_mark_parse(text, &m))
		return 1;
	trace_seq_printf(s, "histogram %.*s", (int)m.event.len, m.event.text);
	if (!is_digit(&m.number, '0'))
		trace_seq_printf(s, "#%.*s", (int)m.number.len, m.number.text);
	trace_seq_printf(s, " snapshot %.*s: %.*s %s, %.*s %s, ", (int)m.seq.len, m.seq.text,
			 (int)m.hits.len, m.hits.text, is_digit(&m.hits, '1') ? "hit" : "hits",
			 (int)m.entries.len, m.entries.text,
			 is_digit(&m.entries, '1') ? "entry" : "entries");
	if (is_digit(&m.dropped, '0'))
		trace_seq_puts(s, "none dropped");
	else
		trace_seq_printf(s, "%.*s dropped", (int)m.dropped.len, m.dropped.text);
	return 0;
}

int TEP_PLUGIN_LOADER(struct tep_handle *tep)
{
	tep_register_event_handler(tep, -1, "ftrace", "print", print_mark, NULL);
	return 0;
}

void TEP_PLUGIN_UNLOADER(struct tep_handle *tep)
{
	tep_unregister_event_handler(tep, -1, "ftrace", "print", print_mark, NULL);
}
