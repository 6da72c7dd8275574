// SPDX-License-Identifier: GPL-2.0
/*
 * trace_meta.c - collect the part of a trace.dat before the snapshots
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "tracecmd/output/trace_meta.h"
#include "tracecmd/target/target_path.h"

static int trace_meta_add_format(struct trace_meta *c, const char *system, const char *text,
				 size_t len)
{
	if (array_add(&c->formats, c->nformats, sizeof(*c->formats)))
		return -ENOMEM;
	c->formats[c->nformats++] =
		(struct tracedat_format){ .system = system, .text = text, .len = len };
	return 0;
}

static int add_ftrace(struct trace_meta *c, struct hist_target *t)
{
	struct target_buf names = { 0 }, *buf;
	const char *name;
	int ret;

	ret = t->ops->list(t, "events/ftrace", &names);
	for (name = names.data; !ret && name < names.data + names.len; name += strlen(name) + 1) {
		ret = array_add(&c->texts, c->ntexts, sizeof(*buf));
		if (ret)
			break;
		buf = memset(&c->texts[c->ntexts++], 0, sizeof(*buf));
		/* the directory also contains files */
		ret = target_readf(t, buf, "events/ftrace/%s/format", name);
		if (!ret)
			ret = trace_meta_add_format(c, "ftrace", buf->data, buf->len);
		else if (ret == -ENOENT || ret == -ENOTDIR)
			ret = 0;
	}
	free(names.data);
	return ret;
}

/* Add the formats grouped by system; an event that is given twice is added once. */
static int trace_meta_add_events(struct trace_meta *c, const struct traced_event *sources,
				 unsigned int n)
{
	unsigned int i, j;
	int ret = 0;

	for (i = 0; i < n && !ret; i++) {
		for (j = 0; j < i && strcmp(sources[j].system, sources[i].system); j++)
			;
		if (j < i)
			continue;
		for (j = i; j < n && !ret; j++) {
			if (strcmp(sources[j].system, sources[i].system))
				continue;
			/* an event that only the engine generates has no format text */
			if (sources[j].format && !traced_event_is_repeated(sources, j))
				ret = trace_meta_add_format(c, sources[j].system, sources[j].format,
							    sources[j].format_len);
		}
	}
	return ret;
}

/* Add the formats of the events of both arrays. */
static int add_all_events(struct trace_meta *c, const struct trigger_set *set,
			  const struct traced_event *more, unsigned int n)
{
	struct traced_event *all = calloc(set->nsources + n + 1ul, sizeof(*all));
	int ret;

	if (!all)
		return -ENOMEM;
	memcpy(all, set->sources, set->nsources * sizeof(*all));
	if (n)
		memcpy(all + set->nsources, more, n * sizeof(*all));
	ret = trace_meta_add_events(c, all, set->nsources + n);
	free(all);
	return ret;
}

int trace_meta_read(struct trace_meta *c, const struct trigger_set *set,
		    const struct traced_event *more, unsigned int nmore, const char *clock_text)
{
	struct hist_target *t = set->target;
	int ret;

	memset(c, 0, sizeof(*c));
	ret = target_readf(t, &c->page, "events/header_page");
	if (!ret)
		ret = target_readf(t, &c->event, "events/header_event");
	if (!ret)
		ret = add_ftrace(c, t);
	if (!ret)
		ret = add_all_events(c, set, more, nmore);
	if (ret)
		return ret;
	c->dat = (struct tracedat_contents){
		.machine = {
			.uname = t->uname,
			.trace_clock = clock_text,
			.cpus = t->cpus,
			.page_size = t->page_size,
			.long_size = t->long_size,
			.big_endian = t->big_endian,
		},
		.header_page = c->page.data,
		.header_event = c->event.data,
		.formats = c->formats,
		.nformats = c->nformats,
		.compression = HIST_COMPRESS_ZSTD,
	};
	return 0;
}

void trace_meta_clear(struct trace_meta *c)
{
	unsigned int i;

	for (i = 0; i < c->ntexts; i++)
		free(c->texts[i].data);
	free(c->texts);
	free(c->formats);
	free(c->page.data);
	free(c->event.data);
	memset(c, 0, sizeof(*c));
}
