// SPDX-License-Identifier: GPL-2.0
/*
 * traced_event.c - find an event, set its hist triggers, and read its histograms
 *
 * Errors that can be detected in advance are reported before the first write: unknown events and
 * syntax errors here, everything else in trigger_context.c. Errors that only the kernel can detect
 * are explained from its error_log.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/check/check.h"
#include "lib/check/refusal.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/target/event_suggest.h"
#include "tracecmd/trigger/foreign_triggers.h"
#include "tracecmd/trigger/switch_trigger.h"
#include "tracecmd/trigger/traced_event.h"
#include "tracecmd/trigger/traced_event_raw.h"

static void complain_unknown(struct hist_target *t, const char *system, const char *name)
{
	char near[128];
	bool has_system = near_event(t, system, name, near, sizeof(near));
	const char *before = *near ? ": did you mean \"" : "", *after = *near ? "\"?" : "";

	if (has_system)
		complain("no event \"%s\" in %s%s%s%s", name, system, before, near, after);
	else
		complain("no event system \"%s\"%s%s%s", system, before, near, after);
}

/* The system of event @name; NULL after a message if it is not unique. */
static char *system_of(struct hist_target *t, const char *name)
{
	struct target_buf buf = { 0 };
	const char **systems;
	char *found = NULL;
	size_t n, i;

	systems = target_names(t, "events", &buf, &n);
	for (i = 0; i < n && systems; i++) {
		if (target_existsf(t, "events/%s/%s/trigger", systems[i], name) <= 0)
			continue;
		if (found) {
			complain("-e %s: both %s and %s have an event of this name: give SYS:EVENT",
				 name, found, systems[i]);
			free(found);
			found = NULL;
			goto out;
		}
		found = strdup(systems[i]);
	}
	if (!found)
		complain("no event \"%s\" in any system: give it as SYS:EVENT", name);
out:
	free(systems);
	free(buf.data);
	return found;
}

int source_set_title(struct source *s, const char *title)
{
	char *copy = strdup(title);

	if (!copy)
		return complain_memory();
	free(s->title);
	s->title = copy;
	return 0;
}

int source_expect(struct source *s, struct hist_target *t, const char *name,
		  const char *system)
{
	const char *colon = strpbrk(name, ":/");

	memset(s, 0, sizeof(*s));
	s->file = -1;
	s->system = colon ? strndup(name, colon - name) : system ? strdup(system) : NULL;
	s->name = strdup(colon ? colon + 1 : name);
	if (!s->name || ((colon || system) && !s->system))
		return complain_memory();
	if (!*s->name || strpbrk(s->name, ":/.") || (colon && (!*s->system || s->system[0] == '.'))) {
		complain("-e %s: not an event: give SYS:EVENT", name);
		return -EINVAL;
	}
	if (!s->system)
		s->system = system_of(t, s->name);
	if (!s->system)
		return -EINVAL;
	if (asprintf(&s->full_name, "%s:%s", s->system, s->name) < 0) {
		s->full_name = NULL;
		return complain_memory();
	}
	return source_set_title(s, s->full_name);
}

int source_arrived(struct source *s, struct hist_target *t)
{
	struct target_buf buf = { 0 };
	int ret;

	ret = target_readf(t, &buf, "events/%s/%s/format", s->system, s->name);
	if (ret == -ENOENT) {
		complain_unknown(t, s->system, s->name);
	} else if (ret) {
		complain_errno(s->full_name, ret);
	} else {
		s->format = buf.data;
		s->format_len = buf.len;
		ret = hist_event_parse(&s->event, s->system, buf.data, buf.len);
		if (ret)
			complain("%s: its format file cannot be read: %s", s->full_name,
				 strerror(-ret));
		return ret;
	}
	free(buf.data);
	return ret;
}

/* Refuse events of system ftrace, which cannot be enabled and have no trigger file. */
static int check_own(const struct source *s, struct hist_target *t)
{
	if (strcmp(s->system, "ftrace") ||
	    target_existsf(t, "events/%s/%s/trigger", s->system, s->name) > 0)
		return 0;
	complain("%s: ftrace's own events have no histograms, but for ftrace:print: %s", s->full_name,
		 strcmp(s->name, "function") && strncmp(s->name, "funcgraph", 9) ?
		 "give an event of \"trace-cmd hist list\"" :
		 "count the calls of a function with --kprobe FUNCTION");
	return -EINVAL;
}

int source_find(struct source *s, struct hist_target *t, const char *name)
{
	int ret = source_expect(s, t, name, NULL);

	if (!ret)
		ret = source_arrived(s, t);
	return ret ? ret : check_own(s, t);
}

struct source_hist *source_new_hist(struct source *s, bool hidden)
{
	unsigned int n = s->nhelpers + s->nhists, at = hidden ? s->nhelpers : n;
	struct source_hist *h;

	if (array_add(&s->triggers, n, sizeof(*h)))
		return NULL;
	h = &s->triggers[at];
	memmove(h + 1, h, (n - at) * sizeof(*h));
	s->nhelpers += hidden;
	s->nhists += !hidden;
	s->hists = s->triggers + s->nhelpers;
	*h = (struct source_hist){ .source = s };
	return h;
}

struct source_hist *source_next_hist(struct source *sources, unsigned int n,
				     const struct source_hist *h)
{
	struct source *s = h ? h->source : sources;
	unsigned int i = h ? h - s->hists + 1 : 0;

	for (; s < sources + n; s++, i = 0) {
		if (i < s->nhists)
			return &s->hists[i];
	}
	return NULL;
}

bool source_is_repeated(const struct source *sources, unsigned int i)
{
	const char *name = sources[i].full_name;

	while (i--) {
		if (!strcmp(sources[i].full_name, name))
			return true;
	}
	return false;
}

int source_add_hist(struct source *s, const struct plan_hist *hist, const char *clock)
{
	struct source_hist *h = source_new_hist(s, hist->hidden);
	struct hist_error error;
	char *bad = NULL;
	const char *text;
	int ret;

	if (!h)
		return complain_memory();
	if (hist->raw)
		ret = hist_expr_parse(&h->expr, hist->raw, &error);
	else
		ret = hist_expr_build(&h->expr, hist->keys, hist->values, hist->sort, hist->filter,
				      clock, &error, &bad);
	text = hist->raw ? hist->raw : bad;
	complain_expression(ret, text, &error);
	free(bad);
	return ret;
}

/* True if @at points to the ": error: " at the end of an occurrence of @head in @text. */
static bool follows(const char *text, const char *at, const char *head)
{
	size_t len = strlen(head), end = at - text + strlen(": error: ");

	return end >= len && !memcmp(text + end - len, head, len);
}

/*
 * The newest entry of error_log about this event, as written by the kernel; it points into @buf.
 * NULL if there is no such entry.
 */
static char *error_log_entry(struct source *s, struct hist_target *t, const char *instance,
			     struct target_buf *buf)
{
	char *mark = NULL, *at;
	char head[256];

	if (target_readf(t, buf, "%s/error_log", instance))
		return NULL;
	/* an entry about a filter has a different head, which does not name the event */
	snprintf(head, sizeof(head), "] hist:%s:%s: error: ", s->system, s->name);
	for (at = buf->data; at && (at = strstr(at, ": error: ")); at += strlen(": error: ")) {
		if (follows(buf->data, at, head) ||
		    follows(buf->data, at, "] event filter parse error: error: "))
			mark = at + strlen(": error: ");
	}
	return mark;
}

/* Print one line with the kernel's reason, if known, and the kernel's caret below. */
static void complain_refused(struct source *s, struct hist_target *t, const char *instance,
			     const struct hist_expr *expr, int ret)
{
	const char *text = expr->text;
	struct target_buf buf = { 0 };
	char *line, *rest, why[256];

	rest = error_log_entry(s, t, instance, &buf);
	line = strsep(&rest, "\n");
	if (!line && !hist_explain(HIST_WRITE_SET, expr, s->event, -ret, why, sizeof(why)))
		snprintf(why, sizeof(why), "%s", strerror(-ret));
	complain("%s: the kernel refuses \"%s\": %s", s->title, text, line ? line : why);
	if (rest)
		complain_place(rest);
	free(buf.data);
}

int source_write_trigger(const struct source *s, struct hist_target *t, struct undo *undo,
			 const char *text, int *refused)
{
	char *path;
	int ret;

	*refused = 0;
	if (asprintf(&path, "%s/trigger", s->dir) < 0)
		return complain_memory();
	ret = undo_note(undo, NOTE_TRIGGER, path, text);
	if (ret) {
		complain("%s: cannot note what is to be removed again: %s", text, strerror(-ret));
	} else {
		ret = *refused = target_write_str(t, path, text, true);
		if (ret)
			undo_cancel(undo);
	}
	free(path);
	return ret;
}

static int attach_one(struct source_hist *h, struct hist_target *t, struct undo *undo,
		      const char *instance)
{
	struct source *s = h->source;
	int ret, refused;

	ret = others_check_paused(h->expr, t, s->dir);
	if (ret)
		return ret;
	ret = source_write_trigger(s, t, undo, h->expr->text, &refused);
	if (refused == -EEXIST)
		complain("%s: this trigger is there already, and is not ours: leave out -B, or "
			 "change the expression", s->full_name);
	else if (refused)
		complain_refused(s, t, instance, h->expr, ret);
	return ret;
}

int source_learn_block(struct source_hist *h, const struct hist_text_block *block)
{
	struct hist_schema *schema = NULL;
	struct hist_expr *printed = NULL;
	int ret;

	h->printed = strndup(block->trigger, block->trigger_len);
	ret = h->printed ? hist_expr_parse(&printed, h->printed, NULL) : -ENOMEM;
	if (!ret)
		ret = hist_schema_make(&schema, printed, h->source->event);
	if (!ret) {
		h->table = hist_table_new(schema);
		h->parser = h->table ? hist_text_parser_new(h->table) : NULL;
		ret = h->parser ? 0 : -ENOMEM;
	}
	hist_schema_free(schema);
	if (h->expr)
		hist_expr_free(printed);
	else
		h->expr = printed;
	return ret;
}

/*
 * Find the blocks of the new triggers: they are the last blocks of the hist file, because the
 * kernel adds triggers at the end. From now on each block is identified by its printed trigger,
 * because other programs may add or remove triggers on this event in a shared instance.
 */
static int learn_blocks(struct source *s, struct hist_target *t)
{
	struct hist_text_block block;
	struct target_buf buf = { 0 };
	unsigned int blocks = 0, i = 0;
	size_t pos = 0;
	int ret;

	ret = t->ops->reread(t, s->file, &buf);
	if (ret)
		goto out;
	while ((ret = hist_text_next(buf.data, buf.len, &pos, &block)) == 1)
		blocks++;
	if (ret || blocks < s->nhists) {
		ret = -EBADMSG;
		goto out;
	}
	for (pos = 0; !ret && hist_text_next(buf.data, buf.len, &pos, &block) == 1; i++) {
		if (i < blocks - s->nhists)
			continue;
		ret = source_learn_block(&s->hists[i - (blocks - s->nhists)], &block);
	}
out:
	free(buf.data);
	if (ret)
		complain("%s: its hist file cannot be understood: %s", s->full_name,
			 strerror(-ret));
	return ret;
}

int source_attach(struct source *s, struct hist_target *t, struct undo *undo, const char *dir)
{
	unsigned int i;
	char *path;
	int ret = 0;

	if (asprintf(&s->dir, "%s/events/%s/%s", dir, s->system, s->name) < 0) {
		s->dir = NULL;
		return complain_memory();
	}
	if (!s->nhists && !s->nhelpers)
		return 0;
	if (target_existsf(t, "%s/hist", s->dir) <= 0) {
		complain("%s: this kernel has no hist triggers (CONFIG_HIST_TRIGGERS)", s->full_name);
		return -EOPNOTSUPP;
	}
	for (i = 0; i < s->nhelpers + s->nhists && !ret; i++)
		ret = attach_one(&s->triggers[i], t, undo, dir);
	if (ret || !s->nhists)
		return ret;
	if (asprintf(&path, "%s/hist", s->dir) < 0)
		return complain_memory();
	ret = t->ops->open(t, path, &s->file);
	if (ret) {
		s->file = -1;
		complain("%s: %s", path, strerror(-ret));
	}
	free(path);
	return ret ? ret : learn_blocks(s, t);
}

int source_pause(const struct source_hist *h, struct hist_target *t)
{
	char *text = hist_expr_with(h->expr, "pause");
	int ret = text ? target_writef(t, text, true, "%s/trigger", h->source->dir) : -ENOMEM;

	free(text);
	return ret;
}

void source_clear_hist(struct source_hist *h)
{
	uint32_t seq = h->snap.seq;

	hist_table_clear(h->table);
	hist_snapshot_clear(&h->snap);
	h->snap.seq = seq;
	h->cleared = true;
}

static int parse_block(struct source_hist *h, const struct hist_text_block *block)
{
	int ret;

	ret = hist_text_parse(h->parser, block, &h->snap);
	if (ret || !(h->snap.flags & HIST_SNAP_RESET))
		return ret;
	source_clear_hist(h);
	return hist_text_parse(h->parser, block, &h->snap);
}

struct source_hist *source_hist_of(struct source *s, const char *trigger, size_t len)
{
	unsigned int i;

	for (i = 0; i < s->nhists; i++) {
		struct source_hist *h = &s->hists[i];

		if (strlen(h->printed) == len && !memcmp(h->printed, trigger, len))
			return h;
	}
	return NULL;
}

int source_complete(struct source *s, unsigned int found)
{
	struct source_hist *h;

	if (found < s->nhists) {
		complain("%s: somebody removed the trigger", s->full_name);
		return -ENOENT;
	}
	for (h = s->hists; h < s->hists + s->nhists; h++) {
		if (h->cleared)
			h->snap.flags |= HIST_SNAP_RESET;
		h->cleared = false;
	}
	return 0;
}

int source_parse(struct source *s, const struct target_buf *text)
{
	struct hist_text_block block;
	struct source_hist *h;
	unsigned int found = 0;
	size_t pos = 0;
	int ret;

	while ((ret = hist_text_next(text->data, text->len, &pos, &block)) == 1) {
		h = source_hist_of(s, block.trigger, block.trigger_len);
		if (!h)
			continue;
		found++;
		ret = parse_block(h, &block);
		if (ret) {
			complain("%s: its hist file cannot be read: %s", s->full_name,
				 ret == -EBADMSG ? hist_text_error(h->parser) : strerror(-ret));
			return ret;
		}
		if ((h->snap.flags & HIST_SNAP_AMBIGUOUS) && !h->told_ambiguous) {
			complain("%s: names with line breaks or braces in them: some rows cannot "
				 "be told apart", s->full_name);
			h->told_ambiguous = true;
		}
	}
	if (ret) {
		complain("%s: its hist file is not what a kernel prints", s->full_name);
		return ret;
	}
	return source_complete(s, found);
}

/* A block belongs to a helper if it has the helper's first variable, whose name is unique. */
static bool is_helper(const struct source *s, const struct hist_text_block *block)
{
	const struct hist_clause *clause;
	unsigned int i;

	for (i = 0; i < s->nhelpers; i++) {
		clause = s->triggers[i].expr->clauses;
		if (clause && memmem(block->trigger, block->trigger_len, clause->text,
				     strcspn(clause->text, "=") + 1))
			return true;
	}
	return false;
}

uint64_t source_helper_drops(const struct source *s, struct hist_target *t)
{
	struct hist_text_block block;
	struct target_buf buf = { 0 };
	uint64_t drops = 0;
	size_t pos = 0;
	const char *at;

	if (!s->nhelpers || !s->dir || target_readf(t, &buf, "%s/hist", s->dir))
		goto out;
	while (hist_text_next(buf.data, buf.len, &pos, &block) == 1) {
		/* search backwards: the totals follow the rows, so names cannot forge them */
		for (at = buf.data + pos; at > buf.data && strncmp(at, "\n    Dropped: ", 14); at--)
			;
		if (at > block.trigger && is_helper(s, &block))
			drops += strtoull(at + 14, NULL, 10);
	}
out:
	free(buf.data);
	return drops;
}

void source_clear(struct source *s, struct hist_target *t)
{
	unsigned int i;

	source_raw_close(s, t);
	if (s->file >= 0)
		t->ops->close(t, s->file);
	for (i = 0; i < s->nhelpers + s->nhists; i++) {
		hist_raw_reader_free(s->triggers[i].reader);
		hist_text_parser_free(s->triggers[i].parser);
		hist_table_free(s->triggers[i].table);
		hist_snapshot_clear(&s->triggers[i].snap);
		hist_expr_free(s->triggers[i].expr);
		free(s->triggers[i].printed);
	}
	free(s->triggers);
	hist_event_free(s->event);
	source_clear_switches(s);
	free(s->system);
	free(s->name);
	free(s->full_name);
	free(s->title);
	free(s->format);
	free(s->dir);
	memset(s, 0, sizeof(*s));
	s->file = -1;
}
