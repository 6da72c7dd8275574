// SPDX-License-Identifier: GPL-2.0
/*
 * traced_reader.c - read the histograms of an attached event, from hist_raw or from the text
 *
 * hist_raw has numbers, and the `hist` text also has the names of symbols and system calls. If a
 * number has no name yet, the text is read at once: it is the snapshot, and later hist_raw reads
 * use its names. The frames of stacks are named by the kernel's symbols. The symbols are loaded at
 * the first stack, and again if they lack an address, for example after a module was loaded. If
 * they still lack it, all later reads use the text.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracecmd/base/message.h"
#include "tracecmd/kernel/kernel_symbols.h"
#include "tracecmd/target/target_path.h"
#include "tracecmd/trigger/traced_reader.h"

struct traced_reader {
	int file;	/* handle of the hist file */
	bool reads_raw;
	int raw;	/* handle of hist_raw then */
	bool text_next; /* read the text once, for names that hist_raw does not contain */
	bool took_raw;	/* the last read was of hist_raw */
	struct hist_kallsyms *symbols; /* of the target's kernel; loaded for the first stack */
};

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

void traced_reader_close(struct traced_event *s, struct hist_target *t)
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
		h = traced_event_find_hist(s, block.trigger, block.trigger_len);
		if (!h)
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
	return traced_event_complete(s, found);
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
