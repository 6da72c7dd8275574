// SPDX-License-Identifier: GPL-2.0
/*
 * live_top.c - run the tracer of a plan in the top-level instance
 *
 * Each file that can change what the tracer writes has a row. A file that must have a value, or an
 * empty list, is restored to this value. The undo log gets all notes at once, and the tracer's is
 * the last, so the tracer ends before its filters are removed, which would trace all functions.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/text.h"
#include "tracecmd/base/message.h"
#include "tracecmd/live/live_top.h"
#include "tracecmd/target/target_path.h"

/* A list without entries is "", "no pid" or a comment, as in kernel/trace/ftrace.c. */
#define EMPTY_LIST ""

#define BUFFER_SIZE "buffer_size_kb"

static const struct top_file {
	const char *name;
	const char *value; /* that it must have; NULL: any */
	bool changes;
} files[] = {
	{ "tracing_on", NULL, true },
	{ "trace_clock", NULL, true },
	{ BUFFER_SIZE, NULL, true },
	{ "buffer_percent", NULL, true },
	{ "set_event", EMPTY_LIST, false },
	{ "max_graph_depth", "0", false },
	{ "set_graph_function", EMPTY_LIST, false },
	{ "set_graph_notrace", EMPTY_LIST, false },
	{ "set_ftrace_notrace", EMPTY_LIST, false },
	{ "set_ftrace_filter", EMPTY_LIST, true },
	{ "options/function-fork", "0", true },
	{ "set_ftrace_pid", EMPTY_LIST, true },
	{ "set_ftrace_notrace_pid", EMPTY_LIST, true },
	{ "current_tracer", "nop", true },
};

#define N_FILES (sizeof(files) / sizeof(*files))

static bool has_value(const struct top_file *file, const char *text)
{
	size_t len = strcspn(text, "\n");

	if (!file->value || text_equals(text, len, file->value))
		return true;
	return !strcmp(file->value, EMPTY_LIST) && !text[len + (text[len] == '\n')] &&
	       (*text == '#' || text_equals(text, len, "no pid"));
}

static int refuse_use(const struct trigger_set *s, const char *what, const char *hint)
{
	return message_refuse(-EBUSY,
			      "tracer %s: this kernel runs this tracer only in the top-level "
			      "instance, and %s\n%s, or use --engine kernel",
			      s->plan->query.tracer, what, hint);
}

/* "7 (expanded: 1408)" is a buffer that grows at its first use; "X" are CPUs that differ. */
static const char *size_to_restore(char *text)
{
	char *expanded = strstr(text, "expanded: ");

	text = expanded ? expanded + strlen("expanded: ") : text;
	text[strspn(text, "0123456789")] = '\0';
	return *text ? text : NULL;
}

static int check_files(const struct trigger_set *s)
{
	struct target_buf buf = { 0 };
	char what[128];
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < N_FILES; i++) {
		ret = s->target->ops->read(s->target, files[i].name, &buf);
		if (ret == -ENOENT)
			ret = 0;
		else if (ret)
			message_error_errno(files[i].name, ret);
		else if (!has_value(&files[i], buf.data) ||
			 (!strcmp(files[i].name, BUFFER_SIZE) && !size_to_restore(buf.data))) {
			snprintf(what, sizeof(what), "another program changed the file %s of the "
				 "top-level instance",
				 files[i].name);
			ret = refuse_use(s, what, "stop the other program");
		}
	}
	free(buf.data);
	return ret;
}

/* The tracer empties the ring buffer when it starts. */
static int check_buffer(const struct trigger_set *s)
{
	static const char entries[] = "entries: ";
	struct target_buf buf = { 0 };
	unsigned int cpu;
	const char *at;
	int ret = 0;

	for (cpu = 0; !ret && cpu < s->target->cpus; cpu++) {
		/* no CPU can have this number; an absent CPU has no entries */
		if (target_readf(s->target, &buf, "per_cpu/cpu%u/stats", cpu))
			continue;
		at = strstr(buf.data, entries);
		if (at && strtoull(at + strlen(entries), NULL, 10))
			ret = refuse_use(s, "the tracer would clear the events in the ring buffer",
					 "clear the ring buffer with 'echo > trace' in tracefs");
	}
	free(buf.data);
	return ret;
}

int live_top_check(const struct trigger_set *s)
{
	unsigned int e;
	int ret;

	if (!s->plan->query.tracer_at_top)
		return 0;
	for (e = 0; e < s->nsources; e++) {
		if (s->sources[e].of_tracer || !strcmp(s->sources[e].system, "synthetic"))
			continue;
		return message_refuse(-EOPNOTSUPP, "%s: this kernel runs the \"%s\" tracer only in "
				      "the top-level instance, in which no other events can be "
				      "counted\n"
				      "use --engine kernel, or record the event in a separate "
				      "recording",
				      s->sources[e].full_name, s->plan->query.tracer);
	}
	ret = check_files(s);
	return ret ? ret : check_buffer(s);
}

int live_top_begin(struct hist_target *t, struct undo *undo)
{
	struct target_buf buf = { 0 };
	const char *value;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < N_FILES; i++) {
		if (!files[i].changes)
			continue;
		ret = t->ops->read(t, files[i].name, &buf);
		if (ret == -ENOENT) {
			ret = 0;
			continue;
		}
		value = ret ? NULL : files[i].value ? files[i].value :
			strcmp(files[i].name, BUFFER_SIZE) ? buf.data : size_to_restore(buf.data);
		if (value)
			ret = undo_note(undo, UNDO_NOTE_VALUE, files[i].name, value);
		if (ret)
			message_error_errno(files[i].name, ret);
	}
	free(buf.data);
	return ret;
}
