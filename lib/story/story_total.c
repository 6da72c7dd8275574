// SPDX-License-Identifier: LGPL-2.1
/*
 * story_total.c - the sums of the parts of several stories
 *
 * The name of a task says more than its process ID if several stories are added: a program that
 * delays a task five times may have five process IDs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/story/story.h"

static bool is_same_total(const struct hist_story_frame *a, const struct hist_story_frame *b)
{
	if (a->kind != b->kind || strcmp(a->name, b->name))
		return false;
	if (a->kind == HIST_STORY_TASK)
		return a->has_prio == b->has_prio && a->prio == b->prio;
	return a->has_number == b->has_number && a->number == b->number;
}

static int story_total_add_part(struct hist_story_part **parts, uint32_t *n,
				const struct hist_story_part *part)
{
	static const struct hist_story_frame other = { .kind = HIST_STORY_OTHER };
	const struct hist_story_frame *what = &part->what;
	struct hist_story_part *to;
	uint32_t i;

	for (;;) {
		for (i = 0; i < *n && !is_same_total(&(*parts)[i].what, what); i++)
			;
		if (i < *n || *n < HIST_STORY_PARTS - 1 || what->kind == HIST_STORY_OTHER)
			break;
		what = &other;
	}
	if (i == *n) {
		if (array_add(parts, *n, sizeof(**parts)))
			return -ENOMEM;
		(*parts)[(*n)++] = (struct hist_story_part){ .what = *what, .self = part->self };
		if (what->kind == HIST_STORY_TASK)
			(*parts)[i].what.has_number = false;
	}
	to = &(*parts)[i];
	to->self &= part->self;
	to->ns += part->ns;
	to->excess += part->excess;
	to->has_excess |= part->has_excess;
	to->spans += part->spans;
	if (part->longest > to->longest)
		to->longest = part->longest;
	return 0;
}

int hist_story_add_total(struct hist_story_part **parts, uint32_t *n,
			 const struct hist_story *story)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; !ret && i < story->nparts; i++)
		ret = story_total_add_part(parts, n, &story->parts[i]);
	return ret;
}

int hist_story_list_excess(struct hist_story_part **excess, uint32_t *nexcess,
			   const struct hist_story_part *parts, uint32_t n)
{
	uint32_t i;

	*excess = NULL;
	*nexcess = 0;
	for (i = 0; i < n; i++) {
		if (!parts[i].excess)
			continue;
		if (array_add(excess, *nexcess, sizeof(**excess)))
			return -ENOMEM;
		(*excess)[*nexcess] = parts[i];
		(*excess)[(*nexcess)++].ns = parts[i].excess;
	}
	return 0;
}

/* By time; then by kind and name, so that the order does not depend on the sort. */
static int story_total_compare(const void *a, const void *b)
{
	const struct hist_story_part *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	if (x->what.kind != y->what.kind)
		return x->what.kind < y->what.kind ? -1 : 1;
	return strcmp(x->what.name, y->what.name);
}

void hist_story_sort_total(struct hist_story_part *parts, uint32_t n)
{
	if (n)
		qsort(parts, n, sizeof(*parts), story_total_compare);
}
