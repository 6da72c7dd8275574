// SPDX-License-Identifier: LGPL-2.1
/*
 * episodes.c - the worst episodes of a report, with their stories, as columns and as sentences
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/escape.h"
#include "lib/base/reason.h"
#include "lib/label/label.h"
#include "lib/label/number.h"
#include "lib/report/episodes.h"
#include "lib/series/series.h"

uint64_t hist_report_episode_ns(const struct hist_report_episode *e)
{
	return e->story && e->what.end > e->what.start ? e->what.end - e->what.start : 0;
}

bool hist_report_episode_excess(const struct hist_report_episode *e, uint64_t *ns)
{
	uint64_t latency = hist_report_episode_ns(e);

	*ns = latency > e->what.threshold ? latency - e->what.threshold : 0;
	return latency && e->what.threshold;
}

uint64_t hist_report_episode_wall(const struct hist_report_episode *e)
{
	uint64_t wall = e->what.end + (uint64_t)e->wall_offset;

	return e->has_wall && (int64_t)wall > 0 ? wall : 0;
}

/* --- columns --- */

static bool episode_number(struct episode_cell *cell, uint64_t number)
{
	*cell = (struct episode_cell){ .type = EPISODE_NUMBER, .number = number };
	return true;
}

static bool episode_text(struct episode_cell *cell, const char *text)
{
	*cell = (struct episode_cell){ .type = EPISODE_TEXT, .text = text };
	return text && *text;
}

static bool episode_bool(struct episode_cell *cell, bool value)
{
	*cell = (struct episode_cell){ .type = EPISODE_BOOL, .number = value };
	return true;
}

static bool get_rank(struct episode_cell *cell, const struct hist_report_episode *e)
{
	return episode_number(cell, e->rank);
}

static bool get_histogram(struct episode_cell *cell, const struct hist_report_episode *e)
{
	episode_text(cell, e->histogram);
	return true;
}

static bool get_host(struct episode_cell *cell, const struct hist_report_episode *e)
{
	episode_text(cell, e->host ? e->host : "");
	return true;
}

static bool get_key(struct episode_cell *cell, const struct hist_report_episode *e)
{
	episode_text(cell, e->what.key);
	return true;
}

static bool get_start(struct episode_cell *cell, const struct hist_report_episode *e)
{
	return episode_number(cell, e->story ? e->what.start : e->what.end);
}

static bool get_end(struct episode_cell *cell, const struct hist_report_episode *e)
{
	return episode_number(cell, e->what.end);
}

static bool get_latency(struct episode_cell *cell, const struct hist_report_episode *e)
{
	return episode_number(cell, hist_report_episode_ns(e)) && e->story;
}

static bool get_threshold(struct episode_cell *cell, const struct hist_report_episode *e)
{
	return episode_number(cell, e->what.threshold) && e->what.threshold;
}

static bool get_excess(struct episode_cell *cell, const struct hist_report_episode *e)
{
	uint64_t ns;
	bool known = hist_report_episode_excess(e, &ns);

	return episode_number(cell, ns) && known;
}

static bool get_cpu(struct episode_cell *cell, const struct hist_report_episode *e)
{
	return episode_number(cell, e->what.cpu);
}

static bool get_captured(struct episode_cell *cell, const struct hist_report_episode *e)
{
	return episode_bool(cell, e->captured);
}

static bool get_cut(struct episode_cell *cell, const struct hist_report_episode *e)
{
	return episode_bool(cell, e->what.flags & HIST_EPISODE_CUT);
}

static bool get_irqs_off(struct episode_cell *cell, const struct hist_report_episode *e)
{
	return e->story && e->story->has & HIST_STORY_HAS_IRQS_OFF &&
	       episode_number(cell, e->story->irqs_off);
}

static bool get_preempt_off(struct episode_cell *cell, const struct hist_report_episode *e)
{
	return e->story && e->story->has & HIST_STORY_HAS_PREEMPT_OFF &&
	       episode_number(cell, e->story->preempt_off);
}

static bool get_wall(struct episode_cell *cell, const struct hist_report_episode *e)
{
	uint64_t wall = hist_report_episode_wall(e);

	return wall && episode_number(cell, wall);
}

const struct episode_column episode_columns[] = {
	{ "episode", get_rank },
	{ "histogram", get_histogram },
	{ "host", get_host },
	{ "key", get_key },
	{ "start_ns", get_start },
	{ "end_ns", get_end },
	{ "latency_ns", get_latency },
	{ "cpu", get_cpu },
	{ "captured", get_captured },
	{ "cut", get_cut },
	{ "irqs_off_ns", get_irqs_off },
	{ "preempt_off_ns", get_preempt_off },
	{ "threshold_ns", get_threshold },
	{ "excess_ns", get_excess },
	{ "wall_ns", get_wall },
	{ NULL, NULL },
};

static bool get_kind(struct episode_cell *cell, const struct hist_story_part *part, uint64_t all)
{
	(void)all;
	return episode_text(cell, hist_story_kind_name(part->what.kind));
}

static bool get_name(struct episode_cell *cell, const struct hist_story_part *part, uint64_t all)
{
	(void)all;
	episode_text(cell, part->what.name);
	return true;
}

/* The number of a kind: a process ID, an interrupt, or a vector. */
static bool get_number_of(struct episode_cell *cell, const struct hist_story_part *part,
			  enum hist_story_kind kind)
{
	*cell = (struct episode_cell){ .type = EPISODE_SIGNED, .number = part->what.number };
	return part->what.kind == kind && part->what.has_number;
}

static bool get_pid(struct episode_cell *cell, const struct hist_story_part *part, uint64_t all)
{
	(void)all;
	return get_number_of(cell, part, HIST_STORY_TASK);
}

static bool get_prio(struct episode_cell *cell, const struct hist_story_part *part, uint64_t all)
{
	(void)all;
	*cell = (struct episode_cell){ .type = EPISODE_SIGNED, .number = (int64_t)part->what.prio };
	return part->what.has_prio;
}

static bool get_irq(struct episode_cell *cell, const struct hist_story_part *part, uint64_t all)
{
	(void)all;
	return get_number_of(cell, part, HIST_STORY_IRQ);
}

static bool get_vec(struct episode_cell *cell, const struct hist_story_part *part, uint64_t all)
{
	(void)all;
	return get_number_of(cell, part, HIST_STORY_SOFTIRQ);
}

static bool get_self(struct episode_cell *cell, const struct hist_story_part *part, uint64_t all)
{
	(void)all;
	return episode_bool(cell, part->self);
}

static bool get_ns(struct episode_cell *cell, const struct hist_story_part *part, uint64_t all)
{
	(void)all;
	return episode_number(cell, part->ns);
}

static bool get_percent(struct episode_cell *cell, const struct hist_story_part *part, uint64_t all)
{
	*cell = (struct episode_cell){ .type = EPISODE_PERCENT,
				       .number = hist_number_share(part->ns, all) };
	return true;
}

static bool get_spans(struct episode_cell *cell, const struct hist_story_part *part, uint64_t all)
{
	(void)all;
	return episode_number(cell, part->spans);
}

static bool get_longest(struct episode_cell *cell, const struct hist_story_part *part, uint64_t all)
{
	(void)all;
	return episode_number(cell, part->longest);
}

static bool get_part_excess(struct episode_cell *cell, const struct hist_story_part *part,
			    uint64_t all)
{
	(void)all;
	return episode_number(cell, part->excess) && part->has_excess;
}

const struct episode_part_column episode_part_columns[] = {
	{ "kind", true, get_kind },
	{ "name", true, get_name },
	{ "pid", false, get_pid },
	{ "prio", false, get_prio },
	{ "irq", false, get_irq },
	{ "vec", false, get_vec },
	{ "self", false, get_self },
	{ "ns", false, get_ns },
	{ "percent", false, get_percent },
	{ "spans", false, get_spans },
	{ "longest_ns", false, get_longest },
	{ "part_excess_ns", false, get_part_excess },
	{ NULL, false, NULL },
};

/* --- sentences --- */

/* Most notes of one episode. */
#define EPISODE_NOTES 4

void hist_report_frame_put(struct hist_strbuf *b, const struct hist_story_frame *what,
			   unsigned int flags)
{
	switch (what->kind) {
	case HIST_STORY_TASK:
		if (*what->name)
			hist_escape(b, what->name, strlen(what->name), flags);
		else
			hist_strbuf_str(b, "task");
		if (what->has_number)
			hist_strbuf_printf(b, "/%" PRId64, what->number);
		if (what->has_prio) {
			hist_strbuf_str(b, " [");
			hist_label_put_priority(b, what->prio, flags & HIST_LABEL_NUMBERS);
			hist_strbuf_char(b, ']');
		}
		return;
	case HIST_STORY_IRQ:
	case HIST_STORY_SOFTIRQ:
		hist_strbuf_str(b, hist_story_kind_name(what->kind));
		/* the name of a softirq says all */
		if (what->has_number && !(what->kind == HIST_STORY_SOFTIRQ && *what->name))
			hist_strbuf_printf(b, " %" PRId64, what->number);
		break;
	case HIST_STORY_OTHER:
		hist_strbuf_printf(b, "other tasks and interrupts");
		return;
	case HIST_STORY_ASLEEP:
		hist_strbuf_str(b, *what->name ? "asleep (" : "asleep");
		hist_strbuf_str(b, what->name);
		hist_strbuf_str(b, *what->name ? ")" : "");
		return;
	default:
		hist_strbuf_str(b, hist_story_kind_name(what->kind));
		return;
	}
	if (*what->name) {
		hist_strbuf_char(b, ' ');
		hist_escape(b, what->name, strlen(what->name), flags);
	}
}

static void hist_report_parts_put(struct hist_strbuf *b, const struct hist_story_part *parts,
				  uint32_t n, uint64_t all, unsigned int flags)
{
	uint32_t i, share;

	for (i = 0; i < n; i++) {
		share = hist_number_share(parts[i].ns, all);
		/* a part of less than 1 % is not a culprit */
		if (i && share < 100)
			return;
		hist_strbuf_printf(b, "%s%u %% ", i ? "; " : "", (share + 50) / 100);
		hist_report_frame_put(b, &parts[i].what, flags);
	}
}

void hist_report_total_put(struct hist_strbuf *b, const struct hist_report_episodes *list,
			   uint32_t most, unsigned int flags)
{
	hist_report_parts_put(b, list->total, list->ntotal < most ? list->ntotal : most, list->ns,
			      flags);
}

void hist_report_excess_put(struct hist_strbuf *b, const struct hist_report_episodes *list,
			    uint32_t most, unsigned int flags)
{
	hist_report_parts_put(b, list->excess, list->nexcess < most ? list->nexcess : most,
			      list->excess_ns, flags);
}

void hist_report_offset_put(struct hist_strbuf *b, uint64_t ns)
{
	hist_strbuf_char(b, '+');
	hist_unit_put(b, ns, false, HIST_UNIT_NS);
}

/*
 * A note: a sentence, with a hint (reason.h) or, if @time is not UINT64_MAX, a duration after it.
 */
struct episode_note {
	const char *text;
	uint64_t time;
};

static unsigned int hist_report_list_notes(const struct hist_report_episode *e,
					   struct episode_note notes[])
{
	const struct hist_story *story = e->story;
	unsigned int n = 0;

	if (!story) {
		notes[n++] = (struct episode_note){
			"the threshold was a filter, which marks only the end of "
			"an episode; its start is unknown",
			UINT64_MAX
		};
		return n;
	}
	if (story->cut)
		notes[n++] = (struct episode_note){ "the recorded events begin after the start of "
						    "the episode, so the time before the first "
						    "event is unknown\nrecord with a larger ring "
						    "buffer (-b)",
						    UINT64_MAX };
	if (!(story->has & HIST_STORY_HAS_SWITCHES))
		notes[n++] = (struct episode_note){ "how long each task ran is unknown\nrecord "
						    "sched:sched_switch too", UINT64_MAX };
	else if (!(story->has & (HIST_STORY_HAS_IRQS | HIST_STORY_HAS_SOFTIRQS)))
		notes[n++] = (struct episode_note){ "interrupts were not recorded, so the times of "
						    "tasks include the time of "
						    "interrupts", UINT64_MAX };
	if (story->has & HIST_STORY_HAS_IRQS_OFF)
		notes[n++] =
			(struct episode_note){ "interrupts were disabled for ", story->irqs_off };
	if (story->has & HIST_STORY_HAS_PREEMPT_OFF)
		notes[n++] = (struct episode_note){ "preemption was disabled for ",
						    story->preempt_off };
	return n;
}

bool hist_report_episode_note(const struct hist_report_episode *e, unsigned int i,
			      struct hist_strbuf *note, const char **hint)
{
	struct episode_note notes[EPISODE_NOTES];

	if (i >= hist_report_list_notes(e, notes))
		return false;
	hist_strbuf_add(note, notes[i].text, reason_split_hint(notes[i].text, hint));
	if (notes[i].time != UINT64_MAX)
		hist_unit_put(note, notes[i].time, false, HIST_UNIT_NS);
	return true;
}

bool hist_report_stack_get(const struct hist_report_episode *e, unsigned int i,
			   struct hist_report_stack *stack)
{
	const struct hist_story *s = e->story;
	const struct hist_story_part *part = s->parts, *end = part + s->nparts;
	bool waits = s->nparts && part->what.kind == HIST_STORY_ASLEEP && s->waker.nstack;

	while (part < end && !part->nstack)
		part++;
	if (part < end && !i--) {
		*stack = (struct hist_report_stack){ part, part->stack, part->nstack };
		return true;
	}
	*stack = (struct hist_report_stack){ NULL, s->waker.stack, s->waker.nstack };
	return waits && !i;
}

void hist_report_stack_title_put(struct hist_strbuf *b, const struct hist_report_episode *e,
				 const struct hist_report_stack *stack, unsigned int flags)
{
	bool asleep = stack->part && stack->part->what.kind == HIST_STORY_ASLEEP;

	hist_strbuf_str(b, !stack->part ? "kernel stack of the waker " : "kernel stack of ");
	hist_report_frame_put(b, !stack->part ? &e->story->waker.what :
				 asleep ? &e->story->task : &stack->part->what, flags);
	if (asleep)
		hist_strbuf_str(b, " while asleep");
}

void hist_report_symbol_put(struct hist_strbuf *b, const struct hist_report_episode *e,
			    uint64_t address, unsigned int flags)
{
	struct hist_symbol symbol;
	int ret = e->events ? hist_events_symbol(e->events, address, &symbol) : -ENOENT;

	if (ret == -ENOMEM)
		hist_strbuf_fail(b, ret);
	if (!ret) {
		hist_escape(b, symbol.name, strlen(symbol.name), flags);
		return;
	}
	hist_strbuf_str(b, "0x");
	hist_strbuf_hex(b, address);
}

void hist_report_episodes_free(struct hist_report_episodes *list)
{
	uint32_t i;

	for (i = 0; i < list->n; i++)
		hist_story_free(list->list[i].story);
	free(list->list);
	free(list->total);
	free(list->excess);
	*list = (struct hist_report_episodes){ 0 };
}

bool hist_report_episode_is_of(const struct hist_report_episode *e,
			       const struct hist_series_info *info)
{
	const char *host = info->def.host;

	return !strcmp(e->what.event, info->def.event) &&
	       !strcmp(e->host ? e->host : "", host ? host : "");
}
