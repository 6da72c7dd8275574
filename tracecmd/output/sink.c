// SPDX-License-Identifier: GPL-2.0
/*
 * sink.c - list of the sinks that a recording is written to
 */
#include "tracecmd/base/message.h"
#include "tracecmd/output/sink.h"

int sink_define(struct sink *s, const struct hist_definition *def, struct hist_table *table)
{
	int number = hist_series_define(s->series, def, table);

	return number < 0 ? message_error_errno(s->name, number) : number;
}

int sink_add(struct sink *s, int hist, const struct hist_snapshot *snap)
{
	int ret = hist_series_add(s->series, hist, snap);

	return ret ? message_error_errno(s->name, ret) : 0;
}

int sink_finish(struct sink *s)
{
	int ret = hist_series_finish(s->series);

	return ret ? message_error_errno(s->name, ret) : 0;
}

/* Return 0 for the failure of a spare sink, which does not end the recording. */
static int sinks_tolerate_failure(struct sinks *s, const struct sink *sink, int ret)
{
	if (!ret || !sink->spare)
		return ret;
	s->lost = true;
	return 0;
}

int sinks_run(struct sinks *s, enum sink_phase phase)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < s->n; i++) {
		if (s->list[i]->ops->phase[phase])
			ret = s->list[i]->ops->phase[phase](s->list[i]);
	}
	return ret;
}

int sinks_begin(struct sinks *s, const struct tracedat_contents *contents)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < s->n; i++)
		ret = s->list[i]->ops->begin(s->list[i], contents);
	return ret;
}

int sinks_define(struct sinks *s, const struct hist_definition *def, struct hist_table *table)
{
	unsigned int i;
	int number = 0;

	for (i = 0; number >= 0 && i < s->n; i++)
		number = s->list[i]->ops->define(s->list[i], def, table);
	return number;
}

int sinks_begin_interval(struct sinks *s, bool last)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < s->n; i++) {
		if (s->list[i]->ops->interval)
			ret = sinks_tolerate_failure(s, s->list[i],
						     s->list[i]->ops->interval(s->list[i], last));
	}
	return ret;
}

int sinks_add(struct sinks *s, int hist, const struct hist_snapshot *snap)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < s->n; i++)
		ret = sinks_tolerate_failure(s, s->list[i],
					     s->list[i]->ops->add(s->list[i], hist, snap));
	return ret;
}

void sinks_poll(const struct sinks *s, struct pollfd *fds)
{
	unsigned int i;

	for (i = 0; i < s->n; i++)
		fds[i] = (struct pollfd){
			.fd = s->list[i]->ops->fd ? s->list[i]->ops->fd(s->list[i]) : -1,
			.events = POLLIN,
		};
}

int sinks_check(struct sinks *s, const struct pollfd *fds)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < s->n; i++) {
		if (fds[i].revents)
			ret = sinks_tolerate_failure(s, s->list[i],
						     s->list[i]->ops->check(s->list[i]));
	}
	return ret;
}

int sinks_end(struct sinks *s)
{
	unsigned int i = s->n;
	int ret = 0;

	while (!ret && i--)
		ret = sinks_tolerate_failure(s, s->list[i], s->list[i]->ops->end(s->list[i]));
	return ret;
}

void sinks_finish(struct sinks *s, int signals)
{
	unsigned int i;

	for (i = 0; i < s->n; i++) {
		if (s->list[i]->ops->finish && s->list[i]->ops->finish(s->list[i], signals))
			s->lost = true;
	}
}

void sinks_clear(struct sinks *s)
{
	while (s->n--)
		s->list[s->n]->ops->clear(s->list[s->n]);
	s->n = 0;
}
