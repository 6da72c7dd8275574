// SPDX-License-Identifier: GPL-2.0
/*
 * traced_event.c - find an event, set its triggers, and read its histograms
 *
 * Errors that can be detected in advance are reported before the first write: unknown events and
 * syntax errors here, everything else in trigger_context.c.  Errors that only the kernel can detect
 * are explained from its error_log.
 *
 * The kernel looks up the other event of enable_hist when that trigger is written
 * (event_enable_trigger_parse() in trace_events_trigger.c), but looks up its histograms at each
 * hit.  Switch triggers are set after all histograms, so that none of them acts on only a part of
 * the histograms.
 *
 * hist_raw has numbers, and the `hist` text also has the names of symbols and system calls.  If a
 * number has no name yet, the text is read at once: it is the snapshot, and later hist_raw reads
 * use its names.  The frames of stacks are named by the kernel's symbols.  The symbols are loaded
 * at the first stack, and again if they lack an address, for example after a module was loaded.  If
 * they still lack it, all later reads use the text.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/check/check.h"
#include "lib/check/check_hist.h"
#include "lib/query/function_field.h"
#include "lib/query/guard.h"
#include "tracecmd/base/message.h"
#include "tracecmd/kernel/event_suggest.h"
#include "tracecmd/kernel/kernel_symbols.h"
#include "tracecmd/target/target_path.h"
#include "tracecmd/trigger/foreign_triggers.h"
#include "tracecmd/trigger/traced_event.h"

struct traced_reader {
	int file; /* handle of the hist file */
	bool reads_raw;
	int raw;	/* handle of hist_raw then */
	bool text_next; /* read the text once, for names that hist_raw does not contain */
	bool took_raw;	/* the last read was of hist_raw */
	struct hist_kallsyms *symbols; /* of the target's kernel; loaded for the first stack */
};

static bool is_recording(const struct hist_target *t)
{
	return !t->ops->write;
}

static const char *where(const struct hist_target *t)
{
	return is_recording(t) ? " in the recording" : "";
}

/* The kernel of this machine is not that of a recording. */
static const char *where_to_look(const struct hist_target *t)
{
	return is_recording(t) ? "" : "run 'trace-cmd hist list'";
}

static void traced_event_report_unknown(struct hist_target *t, const char *system, const char *name)
{
	char near[128];
	bool has_system = event_suggest_nearest(t, system, name, near, sizeof(near));
	const char *what = has_system ? "event" : "event system";

	if (*near)
		message_error("%s:%s: no such %s\ndid you mean \"%s\"?", system, name, what, near);
	else
		message_error("%s:%s: no such %s%s\n%s", system, name, what, where(t),
			      where_to_look(t));
}

/* The system of event @name; NULL after a message if it is not unique. */
static char *traced_event_find_system(struct hist_target *t, const char *name)
{
	struct target_buf buf = { 0 };
	const char **systems;
	char *found = NULL;
	size_t n, i;

	systems = kernel_list_entries(t, "events", &buf, &n);
	for (i = 0; i < n && systems; i++) {
		if (target_existsf(t, "events/%s/%s/trigger", systems[i], name) <= 0)
			continue;
		if (found) {
			message_error("%s: the event exists in both %s and %s\nuse SYS:EVENT",
				      name, found, systems[i]);
			free(found);
			found = NULL;
			goto out;
		}
		found = strdup(systems[i]);
	}
	if (!found)
		message_error("%s: no such event%s\n%s", name, where(t), where_to_look(t));
out:
	free(systems);
	free(buf.data);
	return found;
}

int traced_event_set_title(struct traced_event *s, const char *title)
{
	char *copy = strdup(title);

	if (!copy)
		return message_error_memory();
	free(s->title);
	s->title = copy;
	return 0;
}

int traced_event_expect(struct traced_event *s, struct hist_target *t, const char *name,
			const char *system)
{
	const char *colon = strpbrk(name, ":/");

	memset(s, 0, sizeof(*s));
	s->system = colon ? strndup(name, colon - name) : system ? strdup(system) : NULL;
	s->name = strdup(colon ? colon + 1 : name);
	if (!s->name || ((colon || system) && !s->system))
		return message_error_memory();
	if (!*s->name || strpbrk(s->name, ":/.") || (colon && (!*s->system || s->system[0] == '.')))
		return message_refuse(-EINVAL, "%s: not an event name\nuse SYS:EVENT",
				      name);
	if (!s->system)
		s->system = traced_event_find_system(t, s->name);
	if (!s->system)
		return -EINVAL;
	if (asprintf(&s->full_name, "%s:%s", s->system, s->name) < 0) {
		s->full_name = NULL;
		return message_error_memory();
	}
	return traced_event_set_title(s, s->full_name);
}

int traced_event_read_format(struct traced_event *s, struct hist_target *t)
{
	struct target_buf buf = { 0 };
	int ret;

	ret = target_readf(t, &buf, "events/%s/%s/format", s->system, s->name);
	if (ret == -ENOENT) {
		traced_event_report_unknown(t, s->system, s->name);
	} else if (ret) {
		message_error_errno(s->full_name, ret);
	} else {
		s->format = buf.data;
		s->format_len = buf.len;
		ret = hist_event_parse(&s->event, s->system, buf.data, buf.len);
		if (!ret)
			s->event->big_endian = t->big_endian;
		if (!ret && s->function_field)
			ret = function_field_rename(s->event, s->function_field);
		return ret ? message_refuse(ret, "%s: cannot parse the format file: %s",
					    s->full_name, strerror(-ret)) : 0;
	}
	free(buf.data);
	return ret;
}

int traced_event_set_function_field(struct traced_event *s, const char *field)
{
	int ret = 0;

	s->function_field = field;
	if (field && s->event)
		ret = function_field_rename(s->event, field);
	return ret ? message_error_errno(s->full_name, ret) : 0;
}

/* Refuse events of system ftrace, which cannot be enabled and have no trigger file. */
static int check_own(const struct traced_event *s, struct hist_target *t)
{
	if (strcmp(s->system, "ftrace") ||
	    target_existsf(t, "events/%s/%s/trigger", s->system, s->name) > 0)
		return 0;
	return message_refuse(-EINVAL, "%s: events of the ftrace system cannot have hist "
			      "triggers, except ftrace:print\n"
			      "%s", s->full_name, strcmp(s->name, "function") &&
			      strncmp(s->name, "funcgraph", 9) ? "choose an event from 'trace-cmd "
			      "hist list'" : "use --function FUNCTION to count the calls to a "
			      "function");
}

int traced_event_find(struct traced_event *s, struct hist_target *t, const char *name)
{
	int ret = traced_event_expect(s, t, name, NULL);

	if (!ret)
		ret = traced_event_read_format(s, t);
	return ret ? ret : check_own(s, t);
}

struct traced_hist *traced_event_new_hist(struct traced_event *s, bool hidden)
{
	unsigned int n = s->nhelpers + s->nhists, at = hidden ? s->nhelpers : n;
	struct traced_hist *h;

	if (array_add(&s->triggers, n, sizeof(*h)))
		return NULL;
	h = &s->triggers[at];
	memmove(h + 1, h, (n - at) * sizeof(*h));
	s->nhelpers += hidden;
	s->nhists += !hidden;
	s->hists = s->triggers + s->nhelpers;
	*h = (struct traced_hist){ .source = s };
	return h;
}

struct traced_hist *traced_event_next_hist(struct traced_event *sources, unsigned int n,
					   const struct traced_hist *h)
{
	struct traced_event *s = h ? h->source : sources;
	unsigned int i = h ? h - s->hists + 1 : 0;

	for (; n && s < sources + n; s++, i = 0) {
		if (i < s->nhists)
			return &s->hists[i];
	}
	return NULL;
}

bool traced_event_is_repeated(const struct traced_event *sources, unsigned int i)
{
	const char *name = sources[i].full_name;

	while (i--) {
		if (!strcmp(sources[i].full_name, name))
			return true;
	}
	return false;
}

static void traced_event_clear_triggers(struct traced_hist *h)
{
	unsigned int i;

	for (i = 0; i < h->ntriggers; i++) {
		hist_text_parser_free(h->triggers[i].parser);
		hist_schema_free(h->triggers[i].part.schema);
		hist_expr_free(h->triggers[i].expr);
		free(h->triggers[i].printed);
	}
	free(h->triggers);
	h->triggers = NULL;
	h->ntriggers = 0;
}

/* Let @h have @n triggers, instead of those that it has. */
static int traced_event_set_triggers(struct traced_hist *h, unsigned int n)
{
	traced_event_clear_triggers(h);
	h->triggers = calloc(n, sizeof(*h->triggers));
	if (!h->triggers)
		return -ENOMEM;
	h->ntriggers = n;
	return 0;
}

int traced_event_add_hist(struct traced_event *s, const struct query_hist *hist, const char *clock)
{
	struct traced_hist *h = traced_event_new_hist(s, hist->hidden);
	struct hist_error error = { 0 };
	char *bad;
	int ret;

	if (!h)
		return message_error_memory();
	ret = hist_check_make_expr(&h->expr, hist, s->event, clock, &error, &bad);
	message_report_expression(ret, bad, &error);
	free(bad);
	if (ret)
		return ret;
	h->asked = guard_remove(h->expr->text);
	if (!h->asked || traced_event_set_triggers(h, 1))
		return message_error_memory();
	return 0;
}

int traced_event_split_hist(struct traced_hist *h, const struct hist_event *event,
			    struct hist_error *error)
{
	struct fine_log2_parts parts;
	unsigned int i;
	int ret = fine_log2_split(&parts, h->expr, event, error);

	if (ret || !parts.n)
		return ret;
	fine_log2_clear(&h->parts);
	h->parts = parts;
	ret = traced_event_set_triggers(h, parts.n);
	for (i = 0; !ret && i < h->ntriggers; i++)
		ret = hist_expr_parse(&h->triggers[i].expr, h->parts.part[i].trigger, error);
	return ret;
}

const struct hist_expr *traced_event_trigger_expr(const struct traced_hist *h, unsigned int i)
{
	return h->triggers[i].expr ? h->triggers[i].expr : h->expr;
}

char *traced_event_list_triggers(const struct traced_hist *h)
{
	struct hist_strbuf b = { 0 };
	unsigned int i;

	for (i = 0; i < h->parts.n; i++)
		hist_strbuf_printf(&b, "%s%s", i ? "\n" : "", h->parts.part[i].trigger);
	return hist_strbuf_string(&b);
}

/* True if @at points to the ": error: " at the end of an occurrence of @head in @text. */
static bool traced_event_follows_head(const char *text, const char *at, const char *head)
{
	size_t len = strlen(head), end = at - text + strlen(": error: ");

	return end >= len && !memcmp(text + end - len, head, len);
}

/*
 * The newest entry of error_log about this event, as written by the kernel; it points into @buf.
 * NULL if there is no such entry.
 */
static char *error_log_entry(struct traced_event *s, struct hist_target *t, const char *instance,
			     struct target_buf *buf)
{
	char *mark = NULL, *at;
	char head[256];

	if (target_readf(t, buf, "%s/error_log", instance))
		return NULL;
	/* an entry about a filter has a different head, which does not name the event */
	snprintf(head, sizeof(head), "] hist:%s:%s: error: ", s->system, s->name);
	for (at = buf->data; at && (at = strstr(at, ": error: ")); at += strlen(": error: ")) {
		if (traced_event_follows_head(buf->data, at, head) ||
		    traced_event_follows_head(buf->data, at, "] event filter parse error: error: "))
			mark = at + strlen(": error: ");
	}
	return mark;
}

/* Print the kernel's reason with its caret, or else the likely reason with a hint. */
static void traced_event_report_refused(struct traced_event *s, struct hist_target *t,
					const char *instance,
					const struct hist_expr *expr, int ret)
{
	struct target_buf buf = { 0 };
	struct hist_error error = { 0 };
	char *line, *rest;

	rest = error_log_entry(s, t, instance, &buf);
	line = strsep(&rest, "\n");
	if (line)
		error.hint[0] = '\0';
	else if (!hist_refusal_explain(expr, s->event, -ret, &error))
		strcpy(error.hint, "see \"If the kernel rejects a trigger\" in "
				   "trace-cmd-hist-record(1)");
	message_error("%s: the kernel rejects \"%s\": %s\n%s", s->title, expr->text,
		      line ? line : error.what, error.hint);
	if (rest)
		message_report_place(rest);
	free(buf.data);
}

/*
 * traced_event_write_trigger - add @text to the undo log, then write it to the trigger file of @s
 * The kernel gets its own names of fields (function_field.h). If the undo log fails, this function
 * reports the error and writes nothing. If the kernel refuses @text, the undo entry is cancelled
 * and *@refused is the -errno, which the caller explains; otherwise *@refused is 0.
 */
static int traced_event_write_trigger(const struct traced_event *s, struct hist_target *t,
				      struct undo *undo, const char *text, int *refused)
{
	char *own = function_field_to_kernel(text, s->function_field), *path = NULL;
	int ret;

	*refused = 0;
	if (!own || asprintf(&path, "%s/trigger", s->dir) < 0) {
		free(own);
		return message_error_memory();
	}
	ret = undo_note(undo, UNDO_NOTE_TRIGGER, path, own);
	if (ret) {
		message_error("%s: cannot write to the undo log: %s", own, strerror(-ret));
	} else {
		ret = *refused = target_write_str(t, path, own, true);
		if (ret)
			undo_cancel(undo);
	}
	free(path);
	free(own);
	return ret;
}

static int traced_event_attach_trigger(struct traced_event *s, const struct hist_expr *expr,
				       struct hist_target *t, struct undo *undo,
				       const char *instance)
{
	int refused, ret = traced_event_write_trigger(s, t, undo, expr->text, &refused);

	if (refused == -EEXIST)
		message_error("%s: another program has already set an equal trigger\n"
			      "change the keys, values or actions, or leave out -B to use a "
			      "private instance", s->full_name);
	else if (refused)
		traced_event_report_refused(s, t, instance, expr, ret);
	return ret;
}

static int traced_event_attach_hist(struct traced_hist *h, struct hist_target *t,
				    struct undo *undo, const char *instance)
{
	int ret = foreign_triggers_check_paused(h->expr, t, h->source->dir);
	unsigned int i;

	for (i = 0; !ret && i < h->ntriggers; i++)
		ret = traced_event_attach_trigger(h->source, traced_event_trigger_expr(h, i), t,
						  undo, instance);
	return ret;
}

static uint64_t traced_event_find_number(const void *part, uint64_t num)
{
	return fine_log2_find_number(part, num);
}

/* The expression of @block, with the names of the event. */
static int traced_event_parse_printed(const struct traced_hist *h,
				      const struct hist_text_block *block,
				      struct hist_expr **expr)
{
	char *text = strndup(block->trigger, block->trigger_len), *own = NULL;
	int ret = -ENOMEM;

	if (text)
		own = function_field_from_kernel(text, h->source->function_field);
	if (own)
		ret = hist_expr_parse(expr, own, NULL);
	free(text);
	free(own);
	return ret;
}

/* Make the table, with the schema of the only trigger, or of what is split. */
static int traced_event_make_table(struct traced_hist *h, const struct hist_schema *schema)
{
	struct hist_schema *whole = NULL;
	int ret = 0;

	if (h->table)
		return 0;
	if (h->parts.n)
		ret = hist_schema_make(&whole, h->expr, h->source->event);
	if (ret)
		return ret;
	h->table = hist_table_new(whole ? whole : schema);
	hist_schema_free(whole);
	return h->table ? 0 : -ENOMEM;
}

/* Identify trigger number @i of @h from now on by the text of @block. */
static int traced_event_learn_trigger(struct traced_hist *h, unsigned int i,
				      const struct hist_text_block *block,
				      const struct hist_expr *printed)
{
	struct traced_trigger *trigger = &h->triggers[i];
	struct hist_schema *schema;
	int ret = hist_schema_make(&schema, printed, h->source->event);

	if (ret)
		return ret;
	trigger->printed = strndup(block->trigger, block->trigger_len);
	ret = trigger->printed ? traced_event_make_table(h, schema) : -ENOMEM;
	if (!ret && h->parts.n) {
		trigger->part = (struct hist_text_part){ schema, h->parts.key,
							 traced_event_find_number,
							 &h->parts.part[i] };
		schema = NULL;
	}
	if (!ret)
		trigger->parser = trigger->part.schema ?
			hist_text_parser_new_part(h->table, &trigger->part) :
			hist_text_parser_new(h->table);
	hist_schema_free(schema);
	return ret ? ret : trigger->parser ? 0 : -ENOMEM;
}

int traced_event_learn_block(struct traced_hist *h, const struct hist_text_block *block)
{
	struct hist_expr *printed = NULL;
	int ret = traced_event_parse_printed(h, block, &printed);

	if (!ret)
		ret = traced_event_set_triggers(h, 1);
	if (!ret)
		ret = traced_event_learn_trigger(h, 0, block, printed);
	if (ret) {
		hist_expr_free(printed);
		return ret;
	}
	h->expr = printed;
	h->asked = guard_remove(h->expr->text);
	return h->asked ? 0 : -ENOMEM;
}

/* The triggers of all histograms of @s that are recorded. */
static unsigned int traced_event_count_triggers(const struct traced_event *s)
{
	unsigned int i, n = 0;

	for (i = 0; i < s->nhists; i++)
		n += s->hists[i].ntriggers;
	return n;
}

/* Learn the blocks of @text after the first @skip, which are those of @s in their order. */
static int traced_event_learn_text(struct traced_event *s, const struct target_buf *text,
				   unsigned int skip)
{
	struct hist_expr *printed = NULL;
	struct traced_hist *h = s->hists;
	struct hist_text_block block;
	unsigned int i = 0;
	size_t pos = 0;
	int ret = 0;

	while (!ret && h < s->hists + s->nhists &&
	       hist_text_next_block(text->data, text->len, &pos, &block) == 1) {
		if (skip) {
			skip--;
			continue;
		}
		ret = traced_event_parse_printed(h, &block, &printed);
		if (!ret)
			ret = traced_event_learn_trigger(h, i, &block, printed);
		hist_expr_free(printed);
		printed = NULL;
		if (++i == h->ntriggers) {
			h++;
			i = 0;
		}
	}
	return ret;
}

/*
 * Find the blocks of the new triggers: they are the last blocks of the hist file, because the
 * kernel adds triggers at the end. From now on each block is identified by its printed trigger,
 * because other programs may add or remove triggers on this event in a shared instance.
 */
static int traced_event_learn_blocks(struct traced_event *s, struct hist_target *t)
{
	unsigned int blocks = 0, ours = traced_event_count_triggers(s);
	struct hist_text_block block;
	struct target_buf buf = { 0 };
	size_t pos = 0;
	int ret;

	ret = traced_reader_read_text(s, t, &buf);
	if (ret)
		goto out;
	while ((ret = hist_text_next_block(buf.data, buf.len, &pos, &block)) == 1)
		blocks++;
	if (ret || blocks < ours)
		ret = -EBADMSG;
	else
		ret = traced_event_learn_text(s, &buf, blocks - ours);
out:
	free(buf.data);
	return ret ? message_refuse(ret, "%s: cannot parse the hist file: %s", s->full_name,
				    strerror(-ret)) : 0;
}

int traced_event_attach(struct traced_event *s, struct hist_target *t, struct undo *undo,
			const char *dir)
{
	unsigned int i;
	int ret = 0;

	if (asprintf(&s->dir, "%s/events/%s/%s", dir, s->system, s->name) < 0) {
		s->dir = NULL;
		return message_error_memory();
	}
	if (!s->nhists && !s->nhelpers)
		return 0;
	if (target_existsf(t, "%s/hist", s->dir) <= 0)
		return message_refuse(-EOPNOTSUPP, "%s: this kernel has no hist triggers "
				      "(CONFIG_HIST_TRIGGERS)\nuse --engine user", s->full_name);
	for (i = 0; i < s->nhelpers + s->nhists && !ret; i++)
		ret = traced_event_attach_hist(&s->triggers[i], t, undo, dir);
	if (ret || !s->nhists)
		return ret;
	ret = traced_reader_open(s, t);
	return ret ? message_error_errno(s->full_name, ret) : traced_event_learn_blocks(s, t);
}

void traced_event_clear_hist(struct traced_hist *h)
{
	uint32_t seq = h->snap.seq;
	unsigned int i;

	h->cut_before = h->snap.losses[HIST_LOSS_CUT_KEYS];
	hist_table_clear(h->table);
	hist_snapshot_clear(&h->snap);
	h->snap.seq = seq;
	for (i = 0; i < h->ntriggers; i++)
		h->triggers[i].hits = 0;
	h->cleared = true;
}

/* Parse the blocks of a split histogram, whose totals are added up. */
static int traced_event_join_blocks(struct traced_hist *h, struct hist_error *error)
{
	const uint32_t mine = HIST_SNAP_AMBIGUOUS | HIST_SNAP_PAUSED | HIST_SNAP_RESET;
	uint64_t hits = 0, entries = 0, dropped = 0;
	struct hist_snapshot *snap = &h->snap;
	struct traced_trigger *trigger;
	uint32_t flags = 0;
	unsigned int i;
	int ret;

	for (i = 0; i < h->ntriggers; i++) {
		trigger = &h->triggers[i];
		snap->hits = trigger->hits;
		ret = hist_text_parse(trigger->parser, &trigger->block, snap, error);
		if (ret)
			return ret;
		trigger->hits = snap->hits;
		hits += snap->hits;
		entries += snap->entries;
		dropped += snap->dropped;
		flags |= snap->flags & mine;
	}
	snap->hits = hits;
	snap->entries = entries;
	snap->dropped = dropped;
	snap->flags |= flags;
	return 0;
}

static int traced_event_parse_blocks(struct traced_hist *h, struct hist_error *error)
{
	if (h->ntriggers > 1)
		return traced_event_join_blocks(h, error);
	return hist_text_parse(h->triggers->parser, &h->triggers->block, &h->snap, error);
}

/*
 * A histogram that another program cleared starts again.  If it is split, only one trigger may have
 * been cleared: what the others count since then is not known.
 */
static int traced_event_parse_hist(struct traced_hist *h, struct hist_error *error)
{
	int ret = traced_event_parse_blocks(h, error);

	if (ret || !(h->snap.flags & HIST_SNAP_RESET))
		return ret;
	if (h->ntriggers > 1)
		return hist_error_set(error, -ESTALE,
				      "another program cleared one of the triggers that count "
				      ".log2=K\nleave out -B to use a private instance");
	traced_event_clear_hist(h);
	return traced_event_parse_blocks(h, error);
}

/* The trigger of @s that the kernel prints as @printed, or NULL. */
static struct traced_trigger *traced_event_find_trigger(struct traced_event *s,
							const char *printed, size_t len,
							struct traced_hist **hist)
{
	unsigned int i, k;

	for (i = 0; i < s->nhists; i++) {
		*hist = &s->hists[i];
		for (k = 0; k < s->hists[i].ntriggers; k++) {
			struct traced_trigger *trigger = &s->hists[i].triggers[k];

			if (strlen(trigger->printed) == len && !memcmp(trigger->printed, printed,
								       len))
				return trigger;
		}
	}
	return NULL;
}

static int traced_event_refuse_removed(const struct traced_event *s)
{
	return message_refuse(-ENOENT, "%s: another program removed the trigger", s->full_name);
}

/* Forget the blocks of the last read. */
static void traced_event_forget_blocks(struct traced_event *s)
{
	unsigned int i, k;

	for (i = 0; i < s->nhists; i++) {
		for (k = 0; k < s->hists[i].ntriggers; k++)
			s->hists[i].triggers[k].block.rows = NULL;
	}
}

/* -ENOENT, after a message, if a trigger of @s has no block. */
static int traced_event_check_found(const struct traced_event *s)
{
	unsigned int i, k;

	for (i = 0; i < s->nhists; i++) {
		for (k = 0; k < s->hists[i].ntriggers; k++) {
			if (!s->hists[i].triggers[k].block.rows)
				return traced_event_refuse_removed(s);
		}
	}
	return 0;
}

/* End a read: set HIST_SNAP_RESET of the histograms that were cleared. */
static void traced_event_note_cleared(struct traced_event *s)
{
	unsigned int i;

	for (i = 0; i < s->nhists; i++) {
		if (s->hists[i].cleared)
			s->hists[i].snap.flags |= HIST_SNAP_RESET;
		s->hists[i].cleared = false;
	}
}

static void traced_event_warn_ambiguous(const struct traced_event *s, struct traced_hist *h)
{
	if (!(h->snap.flags & HIST_SNAP_AMBIGUOUS) || h->reported_ambiguous)
		return;
	message_warning("%s: some names in the hist file are ambiguous (line breaks, "
			"braces, blanks at the end), so some rows may be wrong", s->full_name);
	h->reported_ambiguous = true;
}

/*
 * traced_event_parse - parse the text of the hist file into the snapshots of the histograms
 * A histogram that another program cleared starts again, with HIST_SNAP_RESET.
 * -EBADMSG: not the text of a hist file; -ENOENT: a trigger of @s was removed.
 */
static int traced_event_parse(struct traced_event *s, const struct target_buf *text)
{
	struct traced_trigger *trigger;
	struct hist_text_block block;
	struct hist_error error = { 0 };
	struct traced_hist *h;
	size_t pos = 0;
	int ret;

	traced_event_forget_blocks(s);
	while ((ret = hist_text_next_block(text->data, text->len, &pos, &block)) == 1) {
		trigger = traced_event_find_trigger(s, block.trigger, block.trigger_len, &h);
		if (trigger)
			trigger->block = block;
	}
	if (ret)
		return message_refuse(ret, "%s: cannot parse the hist file", s->full_name);
	ret = traced_event_check_found(s);
	for (h = s->hists; !ret && h < s->hists + s->nhists; h++) {
		ret = traced_event_parse_hist(h, &error);
		if (ret == -ESTALE)
			return message_report_of(ret, &error, "%s", s->full_name);
		if (ret)
			return message_report_of(ret, &error, "%s: cannot parse the hist file",
						 s->full_name);
		traced_event_warn_ambiguous(s, h);
	}
	if (!ret)
		traced_event_note_cleared(s);
	return ret;
}

/* --- enable_hist and disable_hist --- */

int traced_event_add_switch(struct traced_event *s, const char *text)
{
	struct hist_error error = { 0 };
	int ret;

	if (array_add(&s->switches, s->nswitches, sizeof(*s->switches)))
		return message_error_memory();
	ret = hist_switch_parse(&s->switches[s->nswitches], text, &error);
	if (ret)
		return message_report_expression(ret, text, &error);
	s->nswitches++;
	return 0;
}

int traced_event_attach_switches(struct traced_event *s, struct hist_target *t, struct undo *undo)
{
	int ret = 0, refused;
	unsigned int i;

	for (i = 0; i < s->nswitches && !ret; i++) {
		const char *text = s->switches[i]->text;

		ret = traced_event_write_trigger(s, t, undo, text, &refused);
		if (refused == -EEXIST)
			message_error("%s: a trigger of another program already enables or "
				      "disables this event\n"
				      "leave out -B to use a private instance",
				      text);
		else if (refused)
			message_error("%s: the kernel rejects \"%s\": %s", s->title, text,
				      strerror(-refused));
	}
	return ret;
}

static void traced_event_clear_hists(struct traced_event *s)
{
	struct traced_hist *h;

	for (h = s->triggers; h && h < s->triggers + s->nhelpers + s->nhists; h++) {
		traced_event_clear_triggers(h);
		fine_log2_clear(&h->parts);
		hist_raw_reader_free(h->reader);
		hist_table_free(h->table);
		hist_snapshot_clear(&h->snap);
		hist_expr_free(h->expr);
		free(h->asked);
	}
	free(s->triggers);
}

static void traced_event_clear_switches(struct traced_event *s)
{
	unsigned int i;

	for (i = 0; i < s->nswitches; i++)
		hist_switch_free(s->switches[i]);
	free(s->switches);
}

/* --- the reader --- */

int traced_reader_open(struct traced_event *s, struct hist_target *t)
{
	struct traced_reader *r = calloc(1, sizeof(*r));
	char *path = NULL;
	int ret;

	ret = r && asprintf(&path, "%s/hist", s->dir) >= 0 ? t->ops->open(t, path, &r->file)
							   : -ENOMEM;
	free(path);
	if (ret)
		free(r);
	else
		s->reader = r;
	return ret;
}

int traced_reader_read_text(const struct traced_event *s, struct hist_target *t,
			    struct target_buf *text)
{
	return t->ops->reread(t, s->reader->file, text);
}

static int traced_reader_refuse_raw(const struct traced_event *s, const char *why)
{
	return message_refuse(-EOPNOTSUPP, "--read raw: %s: %s\nleave out --read", s->full_name,
			      why);
}

/* The reason why hist_raw in @dir cannot be used for the histograms of @s, or NULL. */
static const char *find_obstacle(const struct traced_event *s, struct hist_target *t,
				 const char *dir)
{
	const char *obstacle = NULL;
	struct hist_schema *schema;
	unsigned int i;
	int ret;

	if (!t->ops->snapshot)
		return "hist_raw cannot be read with --target";
	if (target_existsf(t, "%s/hist_raw", dir) <= 0)
		return "this kernel does not have hist_raw";
	for (i = 0; i < s->nhists && !obstacle; i++) {
		/* the event may not exist yet; traced_reader_open_raw() checks again */
		ret = hist_schema_make(&schema, s->hists[i].expr, s->event);
		if (ret == -ENOMEM)
			return strerror(-ret);
		if (ret)
			continue;
		if (!hist_raw_can_read(schema))
			obstacle = "hist_raw does not contain the values of save()";
		else if (s->hists[i].ntriggers > 1)
			obstacle = "several triggers count .log2=K, which are joined as text";
		hist_schema_free(schema);
	}
	return obstacle;
}

int traced_reader_check_raw(const struct traced_event *s, struct hist_target *t, enum plan_read how)
{
	const char *obstacle = NULL;

	/* check an event that each kernel has, because the event of @s may not exist yet */
	if (how == PLAN_READ_RAW && s->nhists)
		obstacle = find_obstacle(s, t, "events/ftrace/print");
	return obstacle ? traced_reader_refuse_raw(s, obstacle) : 0;
}

int traced_reader_open_raw(struct traced_event *s, struct hist_target *t, const char *dir,
			   enum plan_read how)
{
	const char *obstacle;
	unsigned int i;
	char *path;
	int ret;

	if (how == PLAN_READ_TEXT)
		return 0;
	obstacle = find_obstacle(s, t, dir);
	if (obstacle)
		return how == PLAN_READ_RAW ? traced_reader_refuse_raw(s, obstacle) : 0;
	for (i = 0; i < s->nhists; i++) {
		s->hists[i].reader = hist_raw_reader_new(s->hists[i].table);
		if (!s->hists[i].reader)
			return message_error_memory();
	}
	if (asprintf(&path, "%s/hist_raw", dir) < 0)
		return message_error_memory();
	ret = t->ops->open(t, path, &s->reader->raw);
	s->reader->reads_raw = !ret;
	if (ret && how == PLAN_READ_RAW)
		message_error_errno(path, ret);
	else
		ret = 0;
	free(path);
	return ret;
}

void traced_reader_close_raw(struct traced_event *s, struct hist_target *t)
{
	struct traced_reader *r = s->reader;

	if (r->reads_raw)
		t->ops->close(t, r->raw);
	r->reads_raw = false;
	hist_kallsyms_free(r->symbols);
	r->symbols = NULL;
}

/* Does nothing if no file is open. */
static void traced_reader_close(struct traced_event *s, struct hist_target *t)
{
	if (!s->reader)
		return;
	traced_reader_close_raw(s, t);
	t->ops->close(t, s->reader->file);
	free(s->reader);
	s->reader = NULL;
}

/* Load the symbols again. False if they cannot be read: stacks are then read as text. */
static bool load_symbols(struct traced_event *s, struct hist_target *t)
{
	struct hist_kallsyms *symbols;

	/* not an error: the text contains the names */
	if (kernel_symbols_read(t, &symbols) || !symbols)
		return false;
	hist_kallsyms_free(s->reader->symbols);
	s->reader->symbols = symbols;
	return true;
}

/*
 * -ENODEV after a trigger was removed is rare, so a repeated read succeeds. The file of a removed
 * event returns it each time; the limit ends the loop.
 */
#define TEXT_TRIES 5

int traced_reader_fetch(struct traced_event *s, struct hist_target *t, struct target_buf *buf)
{
	unsigned int tries = 0;
	int ret;

	s->reader->took_raw = s->reader->reads_raw && !s->reader->text_next;
	s->reader->text_next = false;
	if (s->reader->took_raw)
		return t->ops->snapshot(t, s->reader->raw, buf);
	do {
		ret = t->ops->reread(t, s->reader->file, buf);
	} while (ret == -ENODEV && ++tries < TEXT_TRIES);
	return ret;
}

static int read_block(struct traced_event *s, struct traced_hist *h, const struct hist_raw *raw,
		      const struct hist_raw_block *block, struct hist_error *error)
{
	int ret;

	ret = hist_raw_read(h->reader, s->reader->symbols, raw, block, &h->snap, error);
	if (ret || !(h->snap.flags & HIST_SNAP_RESET))
		return ret;
	traced_event_clear_hist(h);
	return hist_raw_read(h->reader, s->reader->symbols, raw, block, &h->snap, error);
}

/* Like read_block(), but load the symbols again if an address is missing, and try once more. */
static int read_block_named(struct traced_event *s, struct hist_target *t, struct traced_hist *h,
			    const struct hist_raw *raw, const struct hist_raw_block *block,
			    struct hist_error *error)
{
	int ret = read_block(s, h, raw, block, error);

	if (ret == -EADDRNOTAVAIL && load_symbols(s, t))
		ret = read_block(s, h, raw, block, error);
	return ret;
}

static int take_raw(struct traced_event *s, struct hist_target *t, const struct target_buf *buf)
{
	struct hist_error error = { 0 };
	struct hist_raw_block block;
	unsigned int found = 0;
	struct traced_hist *h;
	struct hist_raw raw;
	size_t pos = 0;
	int ret;

	ret = hist_raw_open(&raw, buf->data, buf->len);
	if (ret)
		return message_refuse(ret, "%s: cannot parse hist_raw: %s\nuse --read text",
				      s->full_name, strerror(-ret));
	while (hist_raw_next_block(&raw, &pos, &block)) {
		if (!traced_event_find_trigger(s, block.trigger, block.trigger_len, &h))
			continue;
		found++;
		ret = read_block_named(s, t, h, &raw, &block, &error);
		if (ret == -EADDRNOTAVAIL)
			traced_reader_close_raw(s, t);
		if (ret == -EADDRNOTAVAIL || ret == -ENOENT) {
			s->reader->text_next = s->reader->reads_raw;
			return -EAGAIN;
		}
		if (ret)
			return message_refuse(ret, "%s: cannot parse hist_raw: %s\nuse --read text",
					      s->full_name, hist_error_what(&error, ret));
	}
	if (found < s->nhists)
		return traced_event_refuse_removed(s);
	traced_event_note_cleared(s);
	return 0;
}

int traced_reader_take(struct traced_event *s, struct hist_target *t, const struct target_buf *buf)
{
	unsigned int i;

	if (s->reader->took_raw)
		return take_raw(s, t, buf);
	/* the text is newer than the last hist_raw snapshot */
	for (i = 0; i < s->nhists; i++) {
		if (s->hists[i].reader)
			hist_raw_note_text(s->hists[i].reader);
	}
	return traced_event_parse(s, buf);
}

void traced_event_clear(struct traced_event *s, struct hist_target *t)
{
	traced_reader_close(s, t);
	traced_event_clear_hists(s);
	hist_event_free(s->event);
	traced_event_clear_switches(s);
	free(s->system);
	free(s->name);
	free(s->full_name);
	free(s->title);
	free(s->format);
	free(s->dir);
	memset(s, 0, sizeof(*s));
}
