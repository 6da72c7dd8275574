// SPDX-License-Identifier: GPL-2.0
/*
 * top_feed.c - snapshots of histograms of ours, or of somebody else's
 *
 * What is attached to goes into the same struct source as what is ours, so
 * that both are read the same way.  Its histograms are those that the hist file
 * shows at the start; what is set later is not seen.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/top/top_feed.h"
#include "tracecmd/trigger/traced_event_raw.h"

/* "INSTANCE/SYS:EVENT" to the instance's directory ("" at the top) and the event. */
static int split(const char *what, char **dir, const char **event)
{
	const char *slash = strchr(what, ':') ? strchr(what, '/') : NULL;
	int len = slash ? slash - what : 0, n;

	*event = slash ? slash + 1 : what;
	if (slash && (!len || what[0] == '.' || slash > strchr(what, ':'))) {
		complain("--attach %s: not an event: give [INSTANCE/]SYS:EVENT", what);
		return -EINVAL;
	}
	n = slash ? asprintf(dir, "instances/%.*s/", len, what) : asprintf(dir, "%s", "");
	if (n < 0) {
		*dir = NULL;
		return complain_errno("--attach", -ENOMEM);
	}
	return 0;
}

/* One block of the hist file as a histogram of the source. */
static int add_block(struct source *source, const struct hist_text_block *block)
{
	struct source_hist *h;

	if (array_add(&source->hists, source->nhists, sizeof(*h)))
		return -ENOMEM;
	h = memset(&source->hists[source->nhists++], 0, sizeof(*h));
	return source_learn_block(source, h, block);
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

static int attach(struct top_feed *feed, const char *what, enum plan_read how)
{
	struct session *s = &feed->session;
	struct source *source = &s->sources[s->nsources];
	const char *event;
	char *path;
	int ret;

	ret = split(what, &feed->dirs[s->nsources], &event);
	if (ret)
		return ret;
	s->nsources++;
	ret = source_find(source, s->target, event);
	if (ret)
		return ret;
	if (asprintf(&path, "%sevents/%s/%s/hist", feed->dirs[s->nsources - 1], source->system,
		     source->name) < 0)
		return complain_errno("--attach", -ENOMEM);
	ret = s->target->ops->open(s->target, path, &source->file);
	free(path);
	if (ret) {
		source->file = -1;
		if (ret == -ENOENT)
			complain("--attach %s: no hist file there: is the name of the instance right?",
				 what);
		else
			complain_errno(what, ret);
		return ret;
	}
	ret = s->target->ops->reread(s->target, source->file, &feed->text);
	if (ret)
		return complain_errno(what, ret);
	ret = find_blocks(source, &feed->text);
	if (!ret && !source->nhists) {
		complain("--attach %s: no histogram is running there: start one with -e", what);
		ret = -ENOENT;
	}
	if (ret)
		return ret;
	if (asprintf(&path, "%sevents/%s/%s", feed->dirs[s->nsources - 1], source->system,
		     source->name) < 0)
		return complain_errno("--attach", -ENOMEM);
	ret = source_raw_open(source, s->target, path, how);
	free(path);
	return ret;
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
	feed->dirs = calloc(options->nattach + 1, sizeof(*feed->dirs));
	if (!feed->session.sources || !feed->dirs)
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

/* What only feeds other histograms of a chain is not shown. */
static bool is_shown(const struct top_feed *feed, unsigned int e, unsigned int h)
{
	return feed->attached || !feed->session.plan->events[e].hists[h].hidden;
}

/* "INSTANCE/SYS:EVENT#1" into @buf. */
static void name_of(const struct top_feed *feed, unsigned int e, unsigned int h, char *buf,
		    size_t len)
{
	const struct source *source = &feed->session.sources[e];
	const char *dir = feed->attached ? feed->dirs[e] : "", *name = source->full_name;
	char number[16] = "";

	if (*dir)
		dir += strlen("instances/");
	if (!feed->attached && feed->session.plan->events[e].title)
		name = feed->session.plan->events[e].title;
	if (source->nhists > 1)
		snprintf(number, sizeof(number), "#%u", h);
	snprintf(buf, len, "%s%s%s", dir, name, number);
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

/* What is fed, and where the next histogram goes. */
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

/* Histograms of others: their time does not matter, and nothing is paused. */
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
		return session_tick(s, feed_source, &f);
	for (e = 0; !ret && e < s->nsources; e++) {
		ret = read_attached(feed, &s->sources[e]);
		if (!ret)
			ret = feed_source(&f, &s->sources[e]);
	}
	return ret;
}

int top_feed_close(struct top_feed *feed)
{
	unsigned int i;

	for (i = 0; feed->dirs && i < feed->session.nsources; i++)
		free(feed->dirs[i]);
	free(feed->dirs);
	feed->dirs = NULL;
	free(feed->text.data);
	return session_close(&feed->session);
}
