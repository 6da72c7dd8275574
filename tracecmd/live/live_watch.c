// SPDX-License-Identifier: GPL-2.0
/*
 * live_watch.c - pass the hits that a recorder watches from the engine to the recorder
 *
 * A watch is a filter. The parser and the check of triggers handle it as the filter of a trigger.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tracecmd/base/message.h"
#include "tracecmd/live/live_private.h"

static int take_hit(void *arg, unsigned int cpu, uint64_t time, const unsigned char *data,
		    uint32_t len)
{
	struct live_watch *watch = arg;
	struct live *l = watch->live;

	return l->counter.pages.hit(l->counter.pages.arg, watch - l->watches, cpu, time, data, len);
}

static int add_watch(struct live *l, struct live_watch *watch, const struct counter_watch *from)
{
	struct hist_error error = { 0 };
	char *text;
	int ret;

	watch->live = l;
	if (asprintf(&text, "hist:keys=common_pid if %s", from->filter) < 0)
		return message_error_memory();
	ret = hist_expr_parse(&watch->expr, text, &error);
	if (!ret)
		ret = hist_engine_watch(l->engine, from->source->event, watch->expr, take_hit,
					watch, &error);
	message_report_expression(ret == -EOPNOTSUPP ? -EINVAL : ret, text, &error);
	free(text);
	return ret;
}

int live_watch_add(struct live *l)
{
	const struct counter_pages *p = &l->counter.pages;
	unsigned int i;
	int ret = 0;

	if (!p->nwatches)
		return 0;
	l->watches = calloc(p->nwatches, sizeof(*l->watches));
	if (!l->watches)
		return message_error_memory();
	for (i = 0; !ret && i < p->nwatches; i++)
		ret = add_watch(l, &l->watches[i], &p->watches[i]);
	return ret;
}

/* After the engine, which refers to the expressions. */
void live_watch_free(struct live *l)
{
	unsigned int i;

	for (i = 0; l->watches && i < l->counter.pages.nwatches; i++)
		hist_expr_free(l->watches[i].expr);
	free(l->watches);
}
