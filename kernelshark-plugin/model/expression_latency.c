// SPDX-License-Identifier: GPL-2.0
/*
 * expression_latency.c - latencies from one event to another, as expressions
 *
 * "--latency START:KEYS..END:KEYS" is the option of `record`. It stands for a synthetic event
 * with a latency in microseconds, and two triggers.
 */
#include <errno.h>
#include <string.h>

#include "kernelshark-plugin/model/expression_private.h"
#include "lib/base/reason.h"

#define OPTION "--latency"
#define UNIT_LEN strlen(":usecs")
#define SIZE "16384" /* of the tables of START and END, as those of record */

static const struct expression_latency latencies[] = {
	{ "sched_waking", "sched_switch", "pid", "next_pid", "Wake-ups, until the task runs" },
	{ "sched_wakeup", "sched_switch", "pid", "next_pid",
	  "Wake-ups, from the run queue until the task runs" },
	{ "irq_handler_entry", "irq_handler_exit", "irq,common_cpu", "irq,common_cpu",
	  "Interrupt handlers" },
	{ "softirq_entry", "softirq_exit", "vec,common_cpu", "vec,common_cpu", "Softirqs" },
	{ "block_rq_issue", "block_rq_complete", "dev,sector", "dev,sector", "Block requests" },
	{ "block_bio_queue", "block_rq_complete", "dev,sector", "dev,sector",
	  "Block requests, with the wait in the queue" },
	{ "workqueue_queue_work", "workqueue_execute_start", "work", "work",
	  "Work items, from the queue until they run" },
	{ "workqueue_execute_start", "workqueue_execute_end", "work", "work",
	  "Work items, from start to end" },
	{ "sys_enter*", "sys_exit*", "common_pid", "common_pid", "System calls" },
};

#define LATENCIES (sizeof(latencies) / sizeof(*latencies))

static bool expression_latency_is_like(const char *name, const char *pattern)
{
	size_t len = strlen(pattern);

	if (pattern[len - 1] == '*')
		return !strncmp(name, pattern, len - 1);
	return !strcmp(name, pattern);
}

const struct expression_latency *expression_latency_find(const char *start, const char *end)
{
	unsigned int i;

	for (i = 0; i < LATENCIES; i++)
		if (expression_latency_is_like(start, latencies[i].start) &&
		    expression_latency_is_like(end, latencies[i].end))
			return &latencies[i];
	return NULL;
}

/* Without the '*' of a pattern. */
static const char *expression_latency_system(const struct hist_events *events, const char *pattern,
					     char *name, size_t room)
{
	snprintf(name, room, "%.*s", (int)strcspn(pattern, "*"), pattern);
	return file_events_find_system(events, name);
}

bool expression_get_latency(const struct hist_events *events, unsigned int i, const char **title,
			    struct hist_strbuf *text)
{
	char start[64], end[64];
	unsigned int k;

	for (k = 0; k < LATENCIES; k++) {
		const struct expression_latency *l = &latencies[k];
		const char *from = expression_latency_system(events, l->start, start, sizeof(start));
		const char *to = expression_latency_system(events, l->end, end, sizeof(end));

		if (!from || !to || i--)
			continue;
		*title = l->title;
		hist_strbuf_printf(text, OPTION " %s:%s:%s..%s:%s:%s", from, start, l->start_keys, to,
				   end, l->end_keys);
		return true;
	}
	return false;
}

/* One side: its event with the system, and its keys. */
struct latency_side {
	char system[64], name[64];
	const char *keys;
	int nkeys; /* bytes */
};

static int expression_latency_parse_side(struct latency_side *side, const struct hist_events *events,
					 const char *text, size_t len, char *why, size_t why_len)
{
	const char *keys = memrchr(text, ':', len), *name, *system;

	if (!keys || keys == text || keys + 1 == text + len)
		return reason_set(-EINVAL, why, why_len,
				  OPTION " needs START:KEY..END:KEY, such as "
				  "sched:sched_waking:pid..sched:sched_switch:next_pid");
	if (memchr(text, '[', len))
		return reason_set(-EINVAL, why, why_len,
				  OPTION ": the panel does not support filters on START or END");
	side->keys = keys + 1;
	side->nkeys = text + len - side->keys;
	name = memchr(text, ':', keys - text);
	name = name ? name + 1 : text;
	snprintf(side->name, sizeof(side->name), "%.*s", (int)(keys - name), name);
	system = file_events_find_system(events, side->name);
	if (name > text)
		snprintf(side->system, sizeof(side->system), "%.*s", (int)(name - 1 - text), text);
	else if (system)
		snprintf(side->system, sizeof(side->system), "%s", system);
	else
		return reason_set(-EINVAL, why, why_len, OPTION ": no event \"%s\" in any system",
				  side->name);
	return 0;
}

int expression_expand(struct hist_strbuf *to, const struct hist_events *events, const char *text,
		      char *why, size_t why_len)
{
	const char *start = text + strspn(text, BLANKS), *dots, *end, *divided = "/1000", *lat = "lat_us";
	struct latency_side from, till;
	size_t len;
	int ret;

	if (strncmp(start, OPTION, strlen(OPTION)) || !strchr(BLANKS "=", start[strlen(OPTION)])) {
		hist_strbuf_str(to, text);
		return to->error;
	}
	start += strlen(OPTION);
	start += strspn(start, BLANKS "=");
	dots = strstr(start, "..");
	end = dots ? dots + 2 : start;
	len = strcspn(end, BLANKS);
	if (len > UNIT_LEN && !strncmp(end + len - UNIT_LEN, ":nsecs", UNIT_LEN)) {
		divided = "";
		lat = "lat_ns";
		len -= UNIT_LEN;
	} else if (len > UNIT_LEN && !strncmp(end + len - UNIT_LEN, ":usecs", UNIT_LEN)) {
		len -= UNIT_LEN;
	}
	ret = expression_latency_parse_side(&from, events, start, dots ? dots - start : 0, why, why_len);
	if (!ret)
		ret = expression_latency_parse_side(&till, events, end, len, why, why_len);
	if (ret)
		return ret;
	/* START would overwrite the time before END reads it */
	if (!strcmp(from.system, till.system) && !strcmp(from.name, till.name) &&
	    from.nkeys == till.nkeys && !strncmp(from.keys, till.keys, from.nkeys))
		return reason_set(-EINVAL, why, why_len,
				  OPTION ": the panel does not count from one %s to the next\n"
				  "run 'trace-cmd hist replay -o OUTPUT --latency ...', and open OUTPUT",
				  from.name);
	hist_strbuf_printf(to, "s:latency u64 %s; "
			   "%s:%s hist:keys=%.*s:ts=common_timestamp%s:size=" SIZE "; "
			   "%s:%s hist:keys=%.*s:lat=common_timestamp%s-$ts:"
			   "onmatch(%s.%s).trace(latency,$lat):size=" SIZE "; "
			   "synthetic:latency hist:keys=%s.log2:vals=%s", lat, from.system, from.name,
			   from.nkeys, from.keys, divided, till.system, till.name, till.nkeys,
			   till.keys, divided, from.system, from.name, lat, lat);
	return to->error;
}
