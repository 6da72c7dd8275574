// SPDX-License-Identifier: GPL-2.0
/*
 * top_feed.c - read the histograms that `trace-cmd hist top` shows
 *
 * Histograms of other programs (--attach) become sources like those of the session, so that both
 * are read in the same way.  The hist file is searched for histograms once, at the start.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracecmd/base/message.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/target/target_open.h"
#include "tracecmd/top/top_feed.h"
#include "tracecmd/trigger/traced_reader.h"

#define INSTANCES "instances/"

/* Split "INSTANCE/SYS:EVENT" into the instance, of @len bytes, and the event. */
static int top_feed_split_name(const char *what, int *len, const char **event)
{
	const char *colon = strchr(what, ':'), *slash = colon ? strchr(what, '/') : NULL;

	*len = slash ? slash - what : 0;
	*event = slash ? slash + 1 : what;
	if (slash && (!*len || what[0] == '.' || slash > colon))
		return message_refuse(-EINVAL, "--attach %s: must be [INSTANCE/]SYS:EVENT", what);
	return 0;
}

/* One block of the hist file as a histogram of the source. */
static int top_feed_add_block(struct traced_event *source, const struct hist_text_block *block)
{
	struct traced_hist *h = traced_event_new_hist(source, false);

	return h ? traced_event_learn_block(h, block) : -ENOMEM;
}

static int find_blocks(struct traced_event *source, const struct target_buf *text)
{
	struct hist_text_block block;
	size_t pos = 0;
	int ret;

	while ((ret = hist_text_next_block(text->data, text->len, &pos, &block)) == 1) {
		ret = top_feed_add_block(source, &block);
		if (ret)
			break;
	}
	return ret ? message_refuse(ret, "%s: cannot parse the hist file: %s", source->full_name,
				    strerror(-ret)) : 0;
}

static int open_hist(struct traced_event *source, struct hist_target *t, const char *what)
{
	int ret = traced_reader_open(source, t);

	if (!ret)
		return 0;
	if (ret != -ENOENT)
		return message_error_errno(what, ret);
	return message_refuse(ret, "--attach %s: no hist file\ncheck the name of the instance",
			      what);
}

static int top_feed_attach_event(struct top_feed *feed, const char *what, enum plan_read how)
{
	struct session *s = &feed->session;
	struct traced_event *source = &s->sources[s->nsources];
	const char *event;
	int ret, len;

	ret = top_feed_split_name(what, &len, &event);
	if (ret)
		return ret;
	s->nsources++;
	ret = traced_event_find(source, s->target, event);
	if (ret)
		return ret;
	if (asprintf(&source->dir, "%s%.*s%sevents/%s/%s", len ? INSTANCES : "", len, what,
		     len ? "/" : "", source->system, source->name) < 0) {
		source->dir = NULL;
		return message_error_errno("--attach", -ENOMEM);
	}
	ret = open_hist(source, s->target, what);
	if (!ret)
		ret = session_set_names(s, source);
	if (ret)
		return ret;
	ret = traced_reader_read_text(source, s->target, &feed->text);
	if (ret)
		return message_error_errno(what, ret);
	ret = find_blocks(source, &feed->text);
	if (!ret && !source->nhists)
		ret = message_refuse(-ENOENT, "--attach %s: the event has no hist trigger\n"
				     "use -e to add one", what);
	return ret ? ret : traced_reader_open_raw(source, s->target, source->dir, how);
}

static int attach_all(struct top_feed *feed, const struct plan *plan,
		      const struct option_words *attach)
{
	struct hist_error error = { 0 };
	unsigned int i;
	int ret;

	feed->attached = true;
	ret = target_open(&feed->session.target, plan->ntargets ? plan->targets[0] : NULL, &error);
	if (ret)
		return message_report(ret, &error);
	feed->session.sources = calloc(attach->n, sizeof(*feed->session.sources));
	if (!feed->session.sources)
		return message_error_errno("--attach", -ENOMEM);
	for (i = 0; i < attach->n && !ret; i++)
		ret = top_feed_attach_event(feed, attach->words[i], plan->read);
	return ret;
}

int top_feed_open(struct top_feed *feed, struct plan *plan, const struct option_words *attach)
{
	struct session *s = &feed->session;
	int ret;

	if (attach->n)
		return attach_all(feed, plan, attach);
	ret = session_check(s, plan);
	if (!ret)
		ret = session_begin(s);
	if (!ret)
		ret = session_attach(s);
	return ret ? ret : session_release(s);
}

/* A helper histogram of a chain is not shown. */
static bool top_feed_hist_is_shown(const struct top_feed *feed, unsigned int e, unsigned int h)
{
	return feed->attached || !feed->session.plan->query.events[e].hists[h].hidden;
}

/* "INSTANCE/SYS:EVENT#1" into @buf. */
static void top_feed_format_name(const struct top_feed *feed, unsigned int e, unsigned int h,
				 char *buf,
				 size_t len)
{
	const struct traced_event *source = &feed->session.sources[e];
	const char *name = source->full_name, *instance = "";
	char number[16] = "";

	if (feed->attached && !strncmp(source->dir, INSTANCES, strlen(INSTANCES)))
		instance = source->dir + strlen(INSTANCES);
	if (!feed->attached && feed->session.plan->query.events[e].title)
		name = feed->session.plan->query.events[e].title;
	if (source->nhists > 1)
		snprintf(number, sizeof(number), "#%u", h);
	snprintf(buf, len, "%.*s%s%s%s", (int)strcspn(instance, "/"), instance,
		 *instance ? "/" : "", name, number);
}

int top_feed_introduce(struct top_feed *feed, struct top_model *m, bool raw_names)
{
	const struct session *s = &feed->session;
	struct hist_schema *schema;
	unsigned int e, h, k;
	char name[600];
	int ret;

	for (e = 0; e < s->nsources; e++) {
		const struct traced_event *source = &s->sources[e];

		for (h = 0; h < source->nhists; h++) {
			if (!top_feed_hist_is_shown(feed, e, h))
				continue;
			top_feed_format_name(feed, e, h, name, sizeof(name));
			schema = hist_table_schema(source->hists[h].table);
			for (k = 0; raw_names && k < schema->nkeys; k++)
				schema->keys[k].shows_numbers = true;
			m->clock = s->instance.clock;
			ret = top_model_add_hist(m, name, source->hists[h].asked,
						 source->hists[h].table);
			if (ret)
				return message_error_errno(name, ret);
		}
	}
	return 0;
}

/* The state of one read: the model, and the number of the next histogram in it. */
struct feed_state {
	struct top_feed *feed;
	struct top_model *model;
	unsigned int number;
};

static int top_feed_add_event(void *arg, struct traced_event *source)
{
	struct feed_state *f = arg;
	unsigned int e = source - f->feed->session.sources, h;
	uint64_t now = timer_now();
	int ret = 0;

	for (h = 0; h < source->nhists && !ret; h++) {
		if (!top_feed_hist_is_shown(f->feed, e, h))
			continue;
		ret = top_model_feed(f->model, f->number++, &source->hists[h].snap, now);
		if (ret)
			message_error_errno(source->full_name, ret);
	}
	return ret;
}

/* Histograms of other programs are not paused. */
static int read_attached(struct top_feed *feed, struct traced_event *source)
{
	struct hist_target *t = feed->session.target;
	int ret;

	do {
		ret = traced_reader_fetch(source, t, &feed->text);
		ret = ret ? message_error_errno(source->full_name, ret) :
			    traced_reader_take(source, t, &feed->text);
	} while (ret == -EAGAIN);
	return ret;
}

int top_feed_read(struct top_feed *feed, struct top_model *m)
{
	struct feed_state f = { feed, m, 0 };
	struct session *s = &feed->session;
	unsigned int e;
	int ret = 0;

	if (!feed->attached)
		return session_tick(s, top_feed_add_event, &f);
	for (e = 0; !ret && e < s->nsources; e++) {
		ret = read_attached(feed, &s->sources[e]);
		if (!ret)
			ret = top_feed_add_event(&f, &s->sources[e]);
	}
	return ret;
}

int top_feed_close(struct top_feed *feed)
{
	free(feed->text.data);
	return session_close(&feed->session);
}
