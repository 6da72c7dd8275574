/* SPDX-License-Identifier: GPL-2.0 */
/*
 * plan.h - what the user wants to be counted, and how
 *
 * Events with their histograms, and the objects (synthetic events, probes)
 * that have to be made first.  Only words and numbers: nothing here has looked
 * at the machine yet.  Options of the command line add to a plan
 * (plan_options.h), and so do presets (preset.h).  What is short for objects
 * and events, --latency and --sql, stands as an event of its kind until
 * plan_expand() (plan_expand.h), which can ask the machine for the types of fields.
 *
 * Functions return 0 or -errno.
 */
#ifndef TRACECMD_PLAN_PLAN_H
#define TRACECMD_PLAN_PLAN_H

#include <stdbool.h>
#include <stdint.h>

/* One histogram, or a switch of such: raw, or keys with the rest. */
struct plan_hist {
	const char *raw;
	const char *keys, *values, *sort, *filter;
	bool is_switch; /* raw is enable_hist or disable_hist, and no histogram */
	bool hidden; /* set and removed, but not recorded: a helper of a chain */
};

enum plan_event_kind {
	PLAN_EVENT,
	PLAN_LATENCY, /* name: what --latency was given; becomes events by plan_expand() */
	PLAN_SQL,     /* name: what --sql was given; so does it */
};

struct plan_event {
	enum plan_event_kind kind;
	const char *name;
	/* what it is called in files and messages, as names of ours are made up; or NULL */
	const char *title;
	struct plan_hist *hists;
	unsigned int nhists;
};

enum plan_object_kind {
	PLAN_SYNTHETIC, /* a line for synthetic_events: "wakeup u64 lat; char comm[16]" */
	PLAN_DYNAMIC,	/* a line for dynamic_events: "p:GROUP/EVENT SYMBOL arg=$arg1" */
};

/* Something to be made before the triggers are set, and removed after them. */
struct plan_object {
	enum plan_object_kind kind;
	const char *definition;
};

/* Something that a preset cannot do without. */
struct plan_need {
	const char *what;   /* "event lock:contention_begin", "hist", "synthetic" */
	const char *preset; /* its name, for the message */
	const char *since;  /* the Linux version that brought it, or NULL */
};

/* How histograms are read. */
enum plan_read {
	PLAN_READ_AUTO, /* by hist_raw where the kernel has it, else by the text */
	PLAN_READ_TEXT,
	PLAN_READ_RAW, /* by hist_raw, or not at all */
};

/* Who counts. */
enum plan_engine {
	PLAN_ENGINE_AUTO, /* the kernel where it can, else we */
	PLAN_ENGINE_KERNEL,
	PLAN_ENGINE_USER, /* our own engine, over the events */
};

/* Machines that are recorded at once. */
#define PLAN_TARGETS_MAX 64

struct plan {
	struct plan_need *needs; /* looked at by plan_expand(), before all else */
	unsigned int nneeds;
	struct plan_object *objects; /* made in this order, removed in reverse */
	unsigned int nobjects;
	bool has_uprobe; /* one of them was looked up in a file here */
	struct plan_event *events; /* triggers are set in this order */
	unsigned int nevents;
	uint64_t interval_ns; /* 0: only at the end */
	uint64_t duration_ns; /* 0: until the command ends, or Ctrl-C */
	const char *output;   /* NULL: no file here */
	const char *push;     /* HOST:PORT of a listener, or NULL */
	/* URLs (target_url.h); none: this machine */
	const char *targets[PLAN_TARGETS_MAX];
	unsigned int ntargets;
	const char *instance; /* NULL: a private one */
	const char *clock;    /* NULL: mono, or what a given instance has */
	enum plan_engine engine;
	enum plan_read read;
	char *pids;	      /* "1 2 3", or NULL; malloc'ed */
	bool record_events;
	bool quiet;
	bool dry_run;
	char **command; /* NULL-terminated, or NULL; argv's */

	char **owned; /* strings that were made for it, freed with it */
	unsigned int nowned;
};

/* Strings that are added must live as long as the plan: see plan_own(). */
int plan_add_object(struct plan *plan, enum plan_object_kind kind, const char *definition);
int plan_add_event(struct plan *plan, const char *name);
int plan_add_need(struct plan *plan, const char *what, const char *preset, const char *since);
/* To the event added last. NULL without memory. */
struct plan_hist *plan_add_hist(struct plan *plan);

/*
 * plan_own - hand a malloc'ed string over to the plan
 * Returns it, or NULL (and frees it) without memory.  NULL gives NULL.
 */
const char *plan_own(struct plan *plan, char *text);

/* Frees what is in it, not *plan itself. */
void plan_clear(struct plan *plan);

#endif
