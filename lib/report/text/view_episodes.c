// SPDX-License-Identifier: LGPL-2.1
/*
 * view_episodes.c - the stories of the worst episodes as text
 *
 * An episode has a head, the parts with the largest first, and the time line.  Parts and spans that
 * do not fit are summed up in one line, so both lists cover the whole time.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/text.h"
#include "lib/label/label.h"
#include "lib/label/number.h"
#include "lib/report/episodes.h"
#include "lib/report/text/views.h"

#define PARTS_SHOWN 6
#define SPANS_SHOWN 8
#define STACK_SHOWN 10
#define CULPRITS_SHOWN 4
#define TIME_COLUMN 9

struct episode_text {
	struct hist_strbuf out;
	FILE *f;
	unsigned int flags;
	const struct hist_report_episode *e;
};

/* A duration, right-aligned. */
static void episode_text_put_time(struct episode_text *t, uint64_t ns, bool offset)
{
	struct hist_strbuf b = { 0 };

	if (offset)
		hist_report_offset_put(&b, ns);
	else
		hist_unit_put(&b, ns, false, HIST_UNIT_NS);
	hist_strbuf_pad(&t->out, b.len, TIME_COLUMN);
	hist_strbuf_append(&t->out, &b);
	hist_strbuf_free(&b);
}

static void episode_text_put_share(struct episode_text *t, uint64_t ns, uint64_t all)
{
	uint32_t share = hist_number_share(ns, all);

	hist_strbuf_pad(&t->out, 2 + hist_strbuf_u64_width(share / 100), 9);
	hist_strbuf_fixed(&t->out, share, 2);
	hist_strbuf_str(&t->out, " % ");
	episode_text_put_time(t, ns, false);
	hist_strbuf_str(&t->out, "  ");
}

static void episode_text_put_head(struct episode_text *t, const struct hist_report_episodes *list)
{
	const struct hist_report_episode *e = t->e;
	struct hist_strbuf *b = &t->out;
	uint64_t excess;

	hist_strbuf_printf(b, "# episode %" PRIu32 " of %" PRIu32 ": ", e->rank, list->found);
	if (e->story) {
		hist_unit_put(b, hist_report_episode_ns(e), false, HIST_UNIT_NS);
		hist_strbuf_str(b, ", ");
	}
	hist_escape(b, e->histogram, strlen(e->histogram), t->flags);
	if (*e->what.key) {
		hist_strbuf_str(b, ", ");
		hist_escape(b, e->what.key, strlen(e->what.key), t->flags);
	}
	hist_strbuf_str(b, e->story ? "\n# from " : "\n# at ");
	if (e->story) {
		hist_label_put_time(b, e->what.start + e->time_offset, true);
		hist_strbuf_str(b, " to ");
	}
	hist_label_put_time(b, e->what.end + e->time_offset, true);
	hist_strbuf_printf(b, ", CPU %u\n", e->what.cpu);
	hist_view_put_when(b, hist_report_episode_wall(e), NULL);
	if (!hist_report_episode_excess(e, &excess))
		return;
	hist_strbuf_str(b, "# ");
	hist_unit_put(b, excess, false, HIST_UNIT_NS);
	hist_strbuf_str(b, " above the threshold of ");
	hist_unit_put(b, e->what.threshold, false, HIST_UNIT_NS);
	hist_strbuf_char(b, '\n');
}

/* "# task: waiter/17 [98], woken by irq 27 virtio0-input (in dd/123 [120]) on CPU 1" */
static void episode_text_put_task(struct episode_text *t)
{
	const struct hist_story *s = t->e->story;
	const struct hist_story_waker *waker = &s->waker;
	uint32_t i;

	if (!s->has_task)
		return;
	hist_strbuf_str(&t->out, "# task: ");
	hist_report_frame_put(&t->out, &s->task, t->flags);
	if (waker->found) {
		hist_strbuf_str(&t->out, ", woken by ");
		hist_report_frame_put(&t->out, &waker->what, t->flags);
		if (waker->what.kind == HIST_STORY_IRQ || waker->what.kind == HIST_STORY_SOFTIRQ) {
			hist_strbuf_str(&t->out, " during ");
			hist_report_frame_put(&t->out, &waker->task, t->flags);
		}
		hist_strbuf_printf(&t->out, " on CPU %" PRIu32, waker->cpu);
	}
	hist_strbuf_char(&t->out, '\n');
	for (i = 0; i < s->nmoves && i < 3; i++) {
		hist_strbuf_printf(&t->out, "# moved from CPU %" PRIu32 " to CPU %" PRIu32 " at ",
				   s->moves[i].from, s->moves[i].to);
		hist_report_offset_put(&t->out, s->moves[i].time - s->start);
		hist_strbuf_char(&t->out, '\n');
	}
	if (s->nmoves > i)
		hist_strbuf_printf(&t->out, "# moved %" PRIu32 " more time%s\n", s->nmoves - i,
				   text_plural(s->nmoves - i));
}

static void episode_text_put_notes(struct episode_text *t)
{
	struct hist_strbuf note = { 0 };
	const char *hint;
	unsigned int i;

	for (i = 0; hist_report_episode_note(t->e, i, hist_strbuf_clear(&note), &hint); i++) {
		hist_strbuf_str(&t->out, "# note: ");
		hist_strbuf_append(&t->out, &note);
		hist_strbuf_char(&t->out, '\n');
		if (*hint)
			hist_strbuf_printf(&t->out, "# hint: %s\n", hint);
	}
	hist_strbuf_free(&note);
}

static void episode_text_put_parts(struct episode_text *t)
{
	const struct hist_story *s = t->e->story;
	uint64_t all = hist_report_episode_ns(t->e), rest = 0;
	uint32_t shown = s->nparts > PARTS_SHOWN ? PARTS_SHOWN - 1 : s->nparts, i;

	hist_strbuf_str(&t->out, "\n  where the time went\n");
	for (i = 0; i < shown; i++) {
		episode_text_put_share(t, s->parts[i].ns, all);
		hist_report_frame_put(&t->out, &s->parts[i].what, t->flags);
		if (s->parts[i].what.kind == HIST_STORY_ASLEEP && s->waker.found) {
			hist_strbuf_str(&t->out, " until woken by ");
			hist_report_frame_put(&t->out, &s->waker.what, t->flags);
		}
		hist_strbuf_str(&t->out, s->parts[i].self ? " itself\n" : "\n");
	}
	for (; i < s->nparts; i++)
		rest += s->parts[i].ns;
	if (shown < s->nparts) {
		episode_text_put_share(t, rest, all);
		hist_strbuf_printf(&t->out, "%" PRIu32 " other%s\n", s->nparts - shown,
				   text_plural(s->nparts - shown));
	}
}

static void episode_text_put_stacks(struct episode_text *t)
{
	struct hist_report_stack stack;
	unsigned int n, i;

	for (n = 0; hist_report_stack_get(t->e, n, &stack); n++) {
		hist_strbuf_str(&t->out, "\n  ");
		hist_report_stack_title_put(&t->out, t->e, &stack, t->flags);
		hist_strbuf_char(&t->out, '\n');
		for (i = 0; i < stack.n && i < STACK_SHOWN; i++) {
			hist_strbuf_str(&t->out, "    ");
			hist_report_symbol_put(&t->out, t->e, stack.addresses[i], t->flags);
			hist_strbuf_char(&t->out, '\n');
		}
		if (i < stack.n)
			hist_strbuf_printf(&t->out, "    %u more\n", stack.n - i);
	}
}

static int episode_text_put_line(struct episode_text *t)
{
	const struct hist_story *s = t->e->story;
	struct hist_story_span *spans = calloc(s->nspans + 1ul, sizeof(*spans));
	uint32_t i, n;

	if (!spans)
		return -ENOMEM;
	if (s->nspans)
		memcpy(spans, s->spans, s->nspans * sizeof(*spans));
	n = hist_story_shorten(spans, s->nspans, SPANS_SHOWN, true);
	hist_strbuf_str(&t->out, "\n  timeline\n");
	for (i = 0; i < n; i++) {
		hist_strbuf_str(&t->out, "  ");
		episode_text_put_time(t, spans[i].from - s->start, true);
		hist_strbuf_str(&t->out, "  ");
		episode_text_put_time(t, spans[i].to - spans[i].from, false);
		hist_strbuf_str(&t->out, "  ");
		hist_report_frame_put(&t->out, &s->parts[spans[i].part].what, t->flags);
		if (spans[i].merged > 1)
			hist_strbuf_printf(&t->out, " and others, %" PRIu32 " spans",
					   spans[i].merged);
		hist_strbuf_char(&t->out, '\n');
	}
	free(spans);
	return 0;
}

int view_episodes_print(FILE *f, const struct hist_report_episodes *list,
			const struct hist_view_style *style)
{
	struct episode_text t = { .f = f, .flags = style->utf8 ? 0 : HIST_ESCAPE_ASCII };
	uint32_t i;
	int ret = 0;

	for (i = 0; !ret && i < list->n; i++) {
		t.e = &list->list[i];
		if (i)
			hist_strbuf_char(&t.out, '\n');
		episode_text_put_head(&t, list);
		if (t.e->story)
			episode_text_put_task(&t);
		episode_text_put_notes(&t);
		if (t.e->story && hist_report_episode_ns(t.e)) {
			episode_text_put_parts(&t);
			episode_text_put_stacks(&t);
			ret = episode_text_put_line(&t);
		}
		hist_strbuf_drain(&t.out, f);
	}
	if (!ret && list->ns) {
		hist_strbuf_printf(&t.out, "\n# %s%" PRIu32 " episode%s, ",
				   list->n > 1 ? "total of " : "", list->n, text_plural(list->n));
		hist_unit_put(&t.out, list->ns, false, HIST_UNIT_NS);
		hist_strbuf_str(&t.out, ": ");
		hist_report_total_put(&t.out, list, CULPRITS_SHOWN, t.flags);
		hist_strbuf_char(&t.out, '\n');
	}
	if (!ret && list->excess_ns) {
		hist_strbuf_str(&t.out, "# time above the threshold, ");
		hist_unit_put(&t.out, list->excess_ns, false, HIST_UNIT_NS);
		hist_strbuf_str(&t.out, ": ");
		hist_report_excess_put(&t.out, list, CULPRITS_SHOWN, t.flags);
		hist_strbuf_char(&t.out, '\n');
	}
	hist_strbuf_fail(&t.out, ret);
	ret = hist_strbuf_flush(&t.out, f);
	hist_strbuf_free(&t.out);
	return ret;
}
