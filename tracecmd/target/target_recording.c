// SPDX-License-Identifier: GPL-2.0
/*
 * target_recording.c - target operations for the recorded events of a trace.dat
 *
 * A path is split into the directory `events`, a system, an event and a file. Each name is looked
 * up in the list of formats.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/ringbuf/events.h"
#include "lib/ringbuf/file_events.h"
#include "tracecmd/target/target_recording.h"

struct recording {
	struct hist_target target;
	struct hist_events *events;
	char *clock_text; /* "[mono]" if the file has no text */
};

/* "events/SYSTEM/EVENT/FILE"; missing parts are "". */
struct path {
	char system[128], event[128], file[64];
};

static struct recording *target_recording_from_target(struct hist_target *t)
{
	return (struct recording *)t;
}

static bool take_part(const char **at, char *part, size_t room)
{
	size_t len = strcspn(*at, "/");

	if (len >= room)
		return false;
	memcpy(part, *at, len);
	part[len] = '\0';
	*at += len + ((*at)[len] == '/');
	return true;
}

/* False if @path is not in `events`, or has more parts than the file of an event. */
static bool target_recording_split_path(struct path *p, const char *path)
{
	memset(p, 0, sizeof(*p));
	if (!strcmp(path, "events"))
		return true;
	if (strncmp(path, "events/", strlen("events/")))
		return false;
	path += strlen("events/");
	return take_part(&path, p->system, sizeof(p->system)) &&
	       take_part(&path, p->event, sizeof(p->event)) &&
	       take_part(&path, p->file, sizeof(p->file)) && !*path;
}

static bool has_system(const struct recording *r, const char *wanted)
{
	const char *system, *text;
	unsigned int i;
	size_t len;

	for (i = 0; hist_events_format_at(r->events, i, &system, &text, &len); i++) {
		if (!strcmp(system, wanted))
			return true;
	}
	return false;
}

static bool has_event(const struct recording *r, const struct path *p)
{
	const char *text;
	size_t len;

	return !hist_events_format(r->events, p->system, p->event, &text, &len);
}

/* "SYSTEM:EVENT\n" of each format */
static int read_available_events(const struct recording *r, struct target_buf *buf)
{
	const char *system, *name;
	unsigned int i;
	size_t len;
	int ret = target_buf_append(buf, "", 0);

	for (i = 0; !ret && file_events_get(r->events, i, &system, &name, &len); i++) {
		if (!len)
			continue;
		ret = target_buf_append(buf, system, strlen(system));
		if (!ret)
			ret = target_buf_append(buf, ":", 1);
		if (!ret)
			ret = target_buf_append(buf, name, len);
		if (!ret)
			ret = target_buf_append(buf, "\n", 1);
	}
	return ret;
}

static int recording_read(struct hist_target *t, const char *path, struct target_buf *buf)
{
	const struct recording *r = target_recording_from_target(t);
	const struct hist_events_machine *machine = hist_events_machine(r->events);
	const char *text = NULL;
	struct path p;
	size_t len;
	int ret;

	buf->len = 0;
	if (!strcmp(path, "trace_clock"))
		text = r->clock_text;
	else if (!strcmp(path, "events/header_page"))
		text = machine->header_page;
	else if (!strcmp(path, "events/header_event"))
		text = machine->header_event;
	if (!strcmp(path, "available_events"))
		return read_available_events(r, buf);
	if (text)
		return target_buf_append(buf, text, strlen(text));
	if (!target_recording_split_path(&p, path))
		return -ENOENT;
	ret = hist_events_format(r->events, p.system, p.event, &text, &len);
	if (ret)
		return ret;
	if (!strcmp(p.file, "format"))
		return target_buf_append(buf, text, len);
	return strcmp(p.file, "trigger") ? -ENOENT : target_buf_append(buf, "", 0);
}

static int recording_exists(struct hist_target *t, const char *path)
{
	static const char *const files[] = { "", "format", "trigger", "enable" };
	const struct recording *r = target_recording_from_target(t);
	struct path p;
	size_t i;

	if (!strcmp(path, "trace_clock"))
		return 1;
	if (!target_recording_split_path(&p, path))
		return 0;
	if (!*p.event || (!*p.file && !strcmp(p.event, "enable")))
		return !*p.system || has_system(r, p.system);
	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		if (!strcmp(p.file, files[i]))
			return has_event(r, &p);
	}
	return 0;
}

static int recording_list(struct hist_target *t, const char *path, struct target_buf *names)
{
	const struct recording *r = target_recording_from_target(t);
	struct names found = { 0 };
	struct path p;
	size_t i;
	int ret;

	names->len = 0;
	if (!target_recording_split_path(&p, path) || *p.event)
		return -ENOENT;
	ret = file_events_list(&found, r->events, *p.system ? p.system : NULL);
	for (i = 0; !ret && i < found.n; i++)
		ret = target_buf_append(names, found.names[i], strlen(found.names[i]) + 1);
	names_clear(&found);
	if (!ret && !names->len)
		return *p.system ? -ENOENT : target_buf_append(names, "", 0);
	return ret;
}

static void recording_free(struct hist_target *t)
{
	struct recording *r = target_recording_from_target(t);

	free(r->clock_text);
	free(t->uname);
	free(t->host);
	free(r);
}

static const struct hist_target_ops recording_ops = {
	.read = recording_read,
	.list = recording_list,
	.exists = recording_exists,
	.free = recording_free,
};

int target_recording_new(struct hist_target **target, struct hist_events *events,
			 unsigned int number)
{
	const struct hist_events_buffer *buffer = hist_events_buffer(events, number);
	const struct hist_events_machine *machine = hist_events_machine(events);
	struct recording *r = calloc(1, sizeof(*r));

	if (!r)
		return -ENOMEM;
	r->events = events;
	r->target = (struct hist_target){
		.ops = &recording_ops,
		.uname = strdup(machine->uname ? machine->uname : ""),
		.host = strdup(machine->host ? machine->host : ""),
		.cpus = machine->cpus,
		.page_size = machine->page_size,
		.long_size = machine->user_long_size,
		.big_endian = machine->layout.big_endian,
	};
	if (asprintf(&r->clock_text, buffer->clock_text ? "%s" : "[%s]",
		     buffer->clock_text ? buffer->clock_text : buffer->clock) < 0)
		r->clock_text = NULL;
	if (!r->clock_text || !r->target.uname || !r->target.host) {
		recording_free(&r->target);
		return -ENOMEM;
	}
	*target = &r->target;
	return 0;
}
