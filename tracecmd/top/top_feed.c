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

#include "tracecmd/base/command.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/top/top_feed.h"
#include "tracecmd/trigger/traced_event_raw.h"

#define INSTANCES "instances/"

/* Split "INSTANCE/SYS:EVENT" into the instance, of @len bytes, and the event. */
static int split(const char *what, int *len, const char **event)
{
	const char *colon = strchr(what, ':'), *slash = colon ? strchr(what, '/') : NULL;

	*len = slash ? slash - what : 0;
	*event = slash ? slash + 1 : what;
	if (slash && (!*len || what[0] == '.' || slash > colon)) {
		complain("--attach %s: not an event: give [INSTANCE/]SYS:EVENT", what);
		return -EINVAL;
	}
	return 0;
}

/* One block of the hist file as a histogram of the source. */
static int add_block(struct source *source, const struct hist_text_block *block)
{
	struct source_hist *h = source_new_hist(source, false);

	return h ? source_learn_block(h, block) : -ENOMEM;
}

static int find_blocks(struct source *source, const struct target_buf *text)
{
	struct hist_text_block block;
	size_t pos = 0;
	int ret;

	while ((ret = hist_text_next(text->data, text->len, &pos, &block)) == 1) {
		ret = add_block(source, &block);
		if (ret)
			break;
	}
	if (ret)
		complain("%s: its hist file cannot be understood: %s", source->full_name,
			 strerror(-ret));
	return ret;
}

static int open_hist(struct source *source, struct hist_target *t, const char *what)
{
	char *path;
	int ret;

	if (asprintf(&path, "%s/hist", source->dir) < 0)
		return complain_errno("--attach", -ENOMEM);
	ret = t->ops->open(t, path, &source->file);
	free(path);
	if (!ret)
		return 0;
	source->file = -1;
	if (ret != -ENOENT)
		return complain_errno(what, ret);
	complain("--attach %s: no hist file there: is the name of the instance right?", what);
	return ret;
}

static int attach(struct top_feed *feed, const char *what, enum plan_read how)
{
	struct session *s = &feed->session;
	struct source *source = &s->sources[s->nsources];
	const char *event;
	int ret, len;

	ret = split(what, &len, &event);
	if (ret)
		return ret;
	s->nsources++;
	ret = source_find(source, s->target, event);
	if (ret)
		return ret;
	if (asprintf(&source->dir, "%s%.*s%sevents/%s/%s", len ? INSTANCES : "", len, what,
		     len ? "/" : "", source->system, source->name) < 0) {
		source->dir = NULL;
		return complain_errno("--attach", -ENOMEM);
	}
	ret = open_hist(source, s->target, what);
	if (ret)
		return ret;
	ret = s->target->ops->reread(s->target, source->file, &feed->text);
	if (ret)
		return complain_errno(what, ret);
	ret = find_blocks(source, &feed->text);
	if (!ret && !source->nhists) {
		complain("--attach %s: no histogram is running there: start one with -e", what);
		ret = -ENOENT;
	}
	return ret ? ret : source_raw_open(source, s->target, source->dir, how);
}

static int attach_all(struct top_feed *feed, const struct top_options *options)
{
	const struct plan *plan = &options->plan;
	char why[512];
	unsigned int i;
	int ret;

	feed->attached = true;
	ret = target_open(&feed->session.target, plan->ntargets ? plan->targets[0] : NULL, why,
			  sizeof(why));
	if (ret) {
		complain("%s", why);
		return ret;
	}
	feed->session.sources = calloc(options->nattach, sizeof(*feed->session.sources));
	if (!feed->session.sources)
		return complain_errno("--attach", -ENOMEM);
	for (i = 0; i < options->nattach && !ret; i++)
		ret = attach(feed, options->attach[i], plan->read);
	return ret;
}

int top_feed_open(struct top_feed *feed, struct top_options *options)
{
	struct session *s = &feed->session;
	int ret;

	if (options->nattach)
		return attach_all(feed, options);
	ret = session_look(s, &options->plan);
	if (!ret)
		ret = session_begin(s);
	return ret ? ret : session_attach(s);
}

/* A helper histogram of a chain is not shown. */
static bool is_shown(const struct top_feed *feed, unsigned int e, unsigned int h)
{
	return feed->attached || !feed->session.plan->events[e].hists[h].hidden;
}

/* "INSTANCE/SYS:EVENT#1" into @buf. */
static void name_of(const struct top_feed *feed, unsigned int e, unsigned int h, char *buf,
		    size_t len)
{
	const struct source *source = &feed->session.sources[e];
	const char *name = source->full_name, *instance = "";
	char number[16] = "";

	if (feed->attached && !strncmp(source->dir, INSTANCES, strlen(INSTANCES)))
		instance = source->dir + strlen(INSTANCES);
	if (!feed->attached && feed->session.plan->events[e].title)
		name = feed->session.plan->events[e].title;
	if (source->nhists > 1)
		snprintf(number, sizeof(number), "#%u", h);
	snprintf(buf, len, "%.*s%s%s%s", (int)strcspn(instance, "/"), instance,
		 *instance ? "/" : "", name, number);
}

int top_feed_introduce(struct top_feed *feed, struct top_model *m)
{
	const struct session *s = &feed->session;
	unsigned int e, h;
	char name[600];
	int ret;

	for (e = 0; e < s->nsources; e++) {
		const struct source *source = &s->sources[e];

		for (h = 0; h < source->nhists; h++) {
			if (!is_shown(feed, e, h))
				continue;
			name_of(feed, e, h, name, sizeof(name));
			ret = top_model_add_hist(m, name, source->hists[h].expr->text,
						 source->hists[h].table);
			if (ret)
				return complain_errno(name, ret);
		}
	}
	return 0;
}

/* The state of one read: the model, and the number of the next histogram in it. */
struct feeding {
	struct top_feed *feed;
	struct top_model *model;
	unsigned int number;
};

static int feed_source(void *arg, struct source *source)
{
	struct feeding *f = arg;
	unsigned int e = source - f->feed->session.sources, h;
	uint64_t now = timer_now();
	int ret = 0;

	for (h = 0; h < source->nhists && !ret; h++) {
		if (!is_shown(f->feed, e, h))
			continue;
		ret = top_model_feed(f->model, f->number++, &source->hists[h].snap, now);
		if (ret)
			complain_errno(source->full_name, ret);
	}
	return ret;
}

/* Histograms of other programs are not paused. */
static int read_attached(struct top_feed *feed, struct source *source)
{
	struct hist_target *t = feed->session.target;
	int ret;

	do {
		ret = source_fetch(source, t, &feed->text);
		ret = ret ? complain_errno(source->full_name, ret) :
			    source_take(source, t, &feed->text);
	} while (ret == -EAGAIN);
	return ret;
}

int top_feed_read(struct top_feed *feed, struct top_model *m)
{
	struct feeding f = { feed, m, 0 };
	struct session *s = &feed->session;
	unsigned int e;
	int ret = 0;

	if (!feed->attached)
		return s->counter->ops->tick(s->counter, feed_source, &f);
	for (e = 0; !ret && e < s->nsources; e++) {
		ret = read_attached(feed, &s->sources[e]);
		if (!ret)
			ret = feed_source(&f, &s->sources[e]);
	}
	return ret;
}

int top_feed_close(struct top_feed *feed)
{
	free(feed->text.data);
	return session_close(&feed->session);
}
