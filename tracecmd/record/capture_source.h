/* SPDX-License-Identifier: GPL-2.0 */
/*
 * capture_source.h - the events whose hits are compared with a threshold, and the search for hits
 *
 * With --latency these are the synthetic events of the latencies, and the threshold is a time.
 * Otherwise a time is compared with a field of the histogram that is the time up to the event, such
 * as timer_latency of the tracer timerlat; and a filter applies to all events with histograms.
 */
#ifndef TRACECMD_RECORD_CAPTURE_SOURCE_H
#define TRACECMD_RECORD_CAPTURE_SOURCE_H

#include "lib/base/strbuf.h"
#include "lib/event/field_load.h"
#include "tracecmd/plan/plan.h"
#include "tracecmd/session/session.h"
#include "tracecmd/target/cpu_pages.h"

/* An episode in a side file. */
struct captured_episode {
	uint64_t value; /* in the unit of the field */
	unsigned int number; /* of the side file */
};

struct capture_source {
	const struct traced_event *event;
	const char *field; /* with the time, "lat_us"; NULL: the threshold is a filter */
	uint64_t unit_ns;  /* of that field */
	uint64_t threshold; /* of a latency, in ns */
	char *filter;      /* of hits above the threshold, "lat_us >= 1000" */
	uint64_t limit;    /* the least value that would be captured now */
	char *dir;	   /* "instances/NAME" with the ring buffer; NULL: nothing is captured */
	struct cpu_pages frozen; /* the frozen ring buffers of @dir */
	bool armed;	   /* the kernel freezes the ring buffer at the next such hit */
	uint64_t armed_at; /* trace clock: the trigger was set after this time */
	uint64_t begins;   /* trace clock: the ring buffer begins here; 0: before the recording */
	uint64_t first_time; /* the first waiting hit after @armed_at; 0: none */
	unsigned int first_cpu;
	struct captured_episode kept[PLAN_EPISODES_MAX];
	unsigned int nkept;
	uint64_t completed; /* episodes in earlier files (--rotate) */
	uint64_t seen;	  /* hits above the threshold */
	uint64_t waiting; /* of them, at least as large as @limit and not yet captured */
	uint64_t waiting_largest[2]; /* the two largest values of them */
	uint64_t missed;  /* of them, came while another one was saved */
	uint64_t missed_largest; /* the largest value of those */
	uint64_t cut;	  /* episodes for whose beginning the ring buffer was too small */
	bool unsaved;	  /* a side file could not be written */
};

/* A hit in a page of a ring buffer. */
struct capture_hit {
	uint64_t time;
	uint64_t value; /* in the unit of the field; 0 if the threshold is a filter */
	unsigned int cpu;
	struct hist_event_data event; /* in the page */
};

/* A result other than 0 ends the walk and becomes its result. */
typedef int (*capture_source_take)(void *arg, struct capture_source *s,
				   const struct capture_hit *hit);

/*
 * capture_sources_find - find the sources of a checked session
 * *@sources is malloc'ed; the caller frees @filter and @dir of each. 0, or -errno after a message.
 */
int capture_sources_find(struct capture_source **sources, unsigned int *n,
			 const struct plan *plan, const struct session *session);

/* Capture what has the threshold: set s->limit to the least such value, or 0 for a filter. */
void capture_source_reset_limit(struct capture_source *s);

/*
 * capture_source_make_filter - the filter of hits of at least s->limit that a histogram counts
 * 'lat_us >= 1000 && ((next_comm ~ "a*") || (next_prio < 99))': malloc'ed; NULL without memory.
 */
char *capture_source_make_filter(const struct capture_source *s);

/* Check the filter of @s, if the fields of its event are known. 0, or -errno after a message. */
int capture_source_check(const struct capture_source *s, const struct hist_kernel *kernel);

/*
 * capture_source_walk - pass each hit of one of the @n sources in the pages of a CPU to @take
 * @lost: if not NULL, gets the number of events that were lost before the pages; at least.
 */
int capture_source_walk(struct capture_source *sources, unsigned int n,
			const struct hist_target *t, const struct target_buf *pages,
			unsigned int cpu, uint64_t *lost, capture_source_take take, void *arg);

/* Set @hit->value of a hit of the user-space engine, and its byte order. */
void capture_source_load(const struct capture_source *s, const struct hist_target *t,
			 struct capture_hit *hit);

/* "next_pid=17 common_cpu=1": malloc'ed; NULL without memory. */
char *capture_source_format_key(const struct capture_source *s, const struct capture_hit *hit);

#endif
