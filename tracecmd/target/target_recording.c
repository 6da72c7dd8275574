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

#include "tracecmd/target/target_recording.h"

struct recording {
	struct hist_target target;
	struct hist_events *events;
	const char *clock_text;
	char *clock; /* "[mono]", where the file has no text */
};

/* "events/SYSTEM/EVENT/FILE"; parts that are not there are "". */
struct path {
	char system[128], event[128], file[64];
};

static struct recording *recording_of(struct hist_target *t)
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

/* False where it does not lie in `events`, or is deeper than a file of an event. */
static bool split(struct path *p, const char *path)
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

static int put(struct target_buf *buf, const char *text, size_t len)
{
	int ret = target_buf_reserve(buf, buf->len + len + 1);

	if (ret)
		return ret;
	memcpy(buf->data + buf->len, text, len);
	buf->len += len;
	buf->data[buf->len] = '\0';
	return 0;
}

/* "name: kmalloc\n" is the first line of a format. */
static const char *name_of(const char *text, size_t len, size_t *name_len)
{
	const char *end;

	if (len < strlen("name: ") || memcmp(text, "name: ", strlen("name: ")))
		return NULL;
	text += strlen("name: ");
	end = memchr(text, '\n', len - strlen("name: "));
	*name_len = end ? end - text : 0;
	return end ? text : NULL;
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

static int recording_read(struct hist_target *t, const char *path, struct target_buf *buf)
{
	const struct recording *r = recording_of(t);
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
	if (text)
		return put(buf, text, strlen(text));
	if (!split(&p, path))
		return -ENOENT;
	ret = hist_events_format(r->events, p.system, p.event, &text, &len);
	if (ret)
		return ret;
	if (!strcmp(p.file, "format"))
		return put(buf, text, len);
	return strcmp(p.file, "trigger") ? -ENOENT : put(buf, "", 0);
}

static int recording_exists(struct hist_target *t, const char *path)
{
	static const char *const files[] = { "", "format", "trigger", "enable" };
	const struct recording *r = recording_of(t);
	struct path p;
	size_t i;

	if (!strcmp(path, "trace_clock"))
		return 1;
	if (!split(&p, path))
		return 0;
	if (!*p.event || (!*p.file && !strcmp(p.event, "enable")))
		return !*p.system || has_system(r, p.system);
	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		if (!strcmp(p.file, files[i]))
			return has_event(r, &p);
	}
	return 0;
}

/* Is @name among the names in @buf from @start on? */
static bool is_listed(const struct target_buf *buf, const char *name, size_t len)
{
	const char *at;

	for (at = buf->data; at && at < buf->data + buf->len; at += strlen(at) + 1) {
		if (strlen(at) == len && !memcmp(at, name, len))
			return true;
	}
	return false;
}

static int add_name(struct target_buf *buf, const char *name, size_t len)
{
	int ret;

	if (is_listed(buf, name, len))
		return 0;
	ret = put(buf, name, len);
	return ret ? ret : put(buf, "", 1);
}

static int recording_list(struct hist_target *t, const char *path, struct target_buf *names)
{
	const struct recording *r = recording_of(t);
	const char *system, *text, *name;
	size_t len, name_len;
	unsigned int i;
	struct path p;
	int ret = 0;

	names->len = 0;
	if (!split(&p, path) || *p.event)
		return -ENOENT;
	for (i = 0; !ret && hist_events_format_at(r->events, i, &system, &text, &len); i++) {
		if (!*p.system) {
			ret = add_name(names, system, strlen(system));
		} else if (!strcmp(system, p.system)) {
			name = name_of(text, len, &name_len);
			if (name)
				ret = add_name(names, name, name_len);
		}
	}
	if (!ret && !names->len)
		return *p.system ? -ENOENT : put(names, "", 0);
	return ret;
}

static int recording_open(struct hist_target *t, const char *path, int *handle)
{
	(void)t;
	(void)path;
	(void)handle;
	return -EROFS;
}

static int recording_reread(struct hist_target *t, int handle, struct target_buf *buf)
{
	(void)t;
	(void)handle;
	(void)buf;
	return -EBADF;
}

static void recording_close(struct hist_target *t, int handle)
{
	(void)t;
	(void)handle;
}

static int recording_write(struct hist_target *t, const char *path, const char *data, size_t len,
			   bool append)
{
	(void)t;
	(void)path;
	(void)data;
	(void)len;
	(void)append;
	return -EROFS;
}

static int recording_change(struct hist_target *t, const char *path)
{
	(void)t;
	(void)path;
	return -EROFS;
}

static int recording_clock(struct hist_target *t, const char *clock, const char *instance,
			   uint64_t *now)
{
	(void)t;
	(void)clock;
	(void)instance;
	(void)now;
	return -ENOTSUP;
}

static void recording_free(struct hist_target *t)
{
	struct recording *r = recording_of(t);

	free(r->clock);
	free(t->uname);
	free(t->host);
	free(r);
}

static const struct hist_target_ops recording_ops = {
	.read = recording_read,
	.open = recording_open,
	.reread = recording_reread,
	.close = recording_close,
	.write = recording_write,
	.list = recording_list,
	.mkdir = recording_change,
	.rmdir = recording_change,
	.exists = recording_exists,
	.clock = recording_clock,
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
	r->clock_text = buffer->clock_text;
	if (!r->clock_text && asprintf(&r->clock, "[%s]", buffer->clock) < 0)
		r->clock = NULL;
	if (!r->clock_text)
		r->clock_text = r->clock;
	if (!r->clock_text || !r->target.uname || !r->target.host) {
		recording_free(&r->target);
		return -ENOMEM;
	}
	*target = &r->target;
	return 0;
}
