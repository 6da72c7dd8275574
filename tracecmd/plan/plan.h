/* SPDX-License-Identifier: GPL-2.0 */
/*
 * plan.h - the plan: what the user wants to count, and how
 *
 * A plan has events with their histograms, and objects (synthetic events, probes) that are created
 * first. It contains only strings and numbers, and no information from the target. Options of the
 * command line (plan_options.h) and presets (preset.h) add to a plan. --latency, --sql, --function
 * and --tracer are events of their own kind until plan_expand() (plan_expand.h), which can read
 * field types and names of functions from the target.
 *
 * Functions return 0 or -errno.
 */
#ifndef TRACECMD_PLAN_PLAN_H
#define TRACECMD_PLAN_PLAN_H

#include <stdbool.h>
#include <stdint.h>

/* A histogram or enable/disable trigger: either raw is set, or keys and optional members. */
struct plan_hist {
	const char *raw;
	const char *keys, *values, *sort, *filter;
	const char *more; /* further attributes, as in hist_expr_build(); or NULL */
	bool is_switch; /* raw is enable_hist or disable_hist, and no histogram */
	bool hidden; /* set and removed, but not recorded: a helper of a chain */
};

enum plan_event_kind {
	PLAN_EVENT,
	PLAN_LATENCY, /* name: the value of --latency; plan_expand() makes events of it */
	PLAN_SQL,     /* name: the value of --sql, likewise */
	PLAN_FUNCTION, /* name: the value of --function, likewise */
	PLAN_FUNCTION_LATENCY, /* name: the value of --function-latency, likewise */
	PLAN_TRACER, /* name: the value of --tracer, likewise */
};

/* What an event does for a latency. START comes before END, and END before the pairs. */
enum plan_role {
	PLAN_NO_ROLE,
	PLAN_START, /* the first trigger saves the time */
	PLAN_END, /* the first trigger subtracts it; the second counts all ENDs, if there is one */
	PLAN_PAIRS, /* the synthetic event of the pairs */
};

struct plan_event {
	enum plan_event_kind kind;
	const char *name;
	const char *optional; /* what of a need: the event is left out without it; or NULL */
	/* its name in files and messages, if the name of the event is generated; or NULL */
	const char *title;
	/*
	 * The kernel's name of the field that is called "function" everywhere else (function_field.h),
	 * or NULL.
	 */
	const char *function_field;
	/*
	 * Of a --latency that function_expand() made: the time as an expression over END, whose
	 * START is not used; and a filter of END. Otherwise NULL.
	 */
	const char *duration, *filter;
	bool of_probe; /* made by --kprobe or --uprobe */
	bool of_tracer; /* the tracer of the plan writes it */
	/*
	 * Of the synthetic event of a latency, after plan_expand(): its field with the time, "lat_us"
	 * or "lat_ns", and the fields that name the pair, "next_pid,common_cpu". Otherwise NULL.
	 */
	const char *latency, *pair;
	enum plan_role role;
	bool end_saves; /* END of this latency saves who ran then: worst_join.c */
	/*
	 * Of a latency: STARTs without END, or ENDs without START, are normal.  A preset says it for
	 * its own; otherwise a filter on the other side does.
	 */
	bool usual_starts, usual_ends, of_preset;
	/* its triggers count in any task, also if the plan lists tasks */
	bool anywhere;
	/* its histograms leave out latencies below zero, which its first hidden trigger counts */
	bool guarded;
	struct plan_hist *hists;
	unsigned int nhists;
};

enum plan_dynevent_kind {
	PLAN_SYNTHETIC, /* a line for synthetic_events: "wakeup u64 lat; char comm[16]" */
	/*
	 * Lines for dynamic_events: "p:GROUP/EVENT SYMBOL arg=$arg1". Several lines, separated by
	 * '\n', are places of one event.
	 */
	PLAN_DYNAMIC,
};

/* An event to create before the triggers are set, and to remove after them. */
struct plan_dynevent {
	enum plan_dynevent_kind kind;
	const char *definition;
	const char *function_field; /* as in struct plan_event */
	bool is_plain; /* of --kprobe without the kernel's syntax: an fprobe event will do */
	const char *fallback; /* used if the kernel refuses the definition, or NULL */
};

/* A file of tracefs that sets up the tracer of the plan. */
struct plan_setting {
	const char *file; /* "osnoise/timerlat_period_us" */
	const char *value;
	bool after; /* set it after the tracer, because the tracer keeps the value from before */
};

/* A feature that a preset requires, or that some of its events use. */
struct plan_need {
	const char *what;   /* "event lock:contention_begin", "hist", "synthetic" */
	const char *preset; /* its name, for the message */
	const char *since;  /* the first Linux version that has it, or NULL */
	/* what is not counted without it, a sentence or ""; NULL: it is required */
	const char *omits;
};

/* What happens if a threshold is crossed; --on-threshold may name several. */
enum plan_action_kind {
	PLAN_CAPTURE,  /* keep the events before it */
	PLAN_STOP,     /* end the recording */
	PLAN_SIGNAL,
	PLAN_SHELL,
	PLAN_CONTINUE, /* nothing; a word of rtla */
};

struct plan_action {
	enum plan_action_kind kind;
	int signal, pid;     /* PLAN_SIGNAL; pid 0: the parent of this program */
	const char *command; /* PLAN_SHELL */
};

/* Default and limit of --worst, and the default of -b. */
#define PLAN_WORST 5
#define PLAN_WORST_MAX 100
#define PLAN_BUFFER_KB 1024

/* The way in which histograms are read. */
enum plan_read {
	PLAN_READ_AUTO, /* from hist_raw if the kernel has it, otherwise from the text */
	PLAN_READ_TEXT,
	PLAN_READ_RAW, /* from hist_raw; an error if the kernel does not have it */
};

/* The counting engine. */
enum plan_engine {
	PLAN_ENGINE_AUTO, /* the kernel if it can count, otherwise the user-space engine */
	PLAN_ENGINE_KERNEL,
	PLAN_ENGINE_USER, /* the user-space engine */
};

/* Maximum number of targets of one recording. */
#define PLAN_TARGETS_MAX 64

struct plan {
	struct plan_need *needs; /* plan_expand() checks them first */
	unsigned int nneeds;
	struct plan_dynevent *dynevents; /* created in this order, removed in reverse */
	unsigned int ndynevents;
	bool has_uprobe; /* an object is a uprobe in a file of this machine */
	/* the tracer that the user-space engine needs; its functions, "GLOB,GLOB"; or NULL */
	const char *tracer, *functions;
	bool tracer_at_top; /* the tracer runs in the top-level instance, not in that of the recording */
	struct plan_setting *settings; /* of the tracer, in the order in which they are set */
	unsigned int nsettings;
	struct plan_event *events; /* triggers are set in this order */
	unsigned int nevents;
	uint64_t interval_ns; /* 0: only at the end */
	uint64_t duration_ns; /* 0: until the command ends, or Ctrl-C */
	const char *output;   /* NULL: no output file */
	const char *recording; /* the file of a replay; NULL: a target is read */
	const char *push;     /* HOST:PORT of a listener, or NULL */
	/* begin a new output file after this time or size; 0: no limit of this kind */
	uint64_t rotate_ns, rotate_bytes;
	uint64_t keep;	      /* the number of output files to keep; 0: all */
	/* URLs (target_url.h); none: this machine */
	const char *targets[PLAN_TARGETS_MAX];
	unsigned int ntargets;
	const char *instance; /* NULL: a private one */
	const char *clock;    /* NULL: mono, or the clock of @instance */
	enum plan_engine engine;
	enum plan_read read;
	/* which tasks; all if none of @pids, @cgroup and @only_command is set */
	char *pids;	      /* "1 2 3", or NULL; malloc'ed */
	bool only_command;    /* only @command, from its start */
	bool with_children;   /* also threads and children of these tasks */
	const char *cgroup;   /* the tasks of this directory of cgroup v2, or NULL */
	bool exclude_self;    /* not the recorder itself */
	bool record_events;
	const char *threshold; /* a time or a filter; NULL: none */
	struct plan_action *actions; /* on crossing the threshold; plan_threshold_check() adds the default */
	unsigned int nactions;
	uint64_t worst; /* number of episodes to keep of each latency; 0: PLAN_WORST */
	uint64_t buffer_kb; /* per CPU, of the ring buffer for them; 0: PLAN_BUFFER_KB */
	bool stacks; /* record the kernel stacks of task switches and wake-ups, too */
	const char **captured; /* further events of presets: "block:block_rq_insert" */
	unsigned int ncaptured;
	bool quiet;
	bool dry_run;
	char **command; /* NULL-terminated, or NULL; argv's */

	char **owned; /* strings of plan_own() */
	unsigned int nowned;
};

/* Strings that are added must remain valid as long as the plan: see plan_own(). */
int plan_add_dynevent(struct plan *plan, enum plan_dynevent_kind kind, const char *definition);
int plan_add_event(struct plan *plan, const char *name);
int plan_add_need(struct plan *plan, const struct plan_need *need);
/* Remove the events whose member optional is @what. */
void plan_leave_out(struct plan *plan, const char *what);
int plan_add_setting(struct plan *plan, const struct plan_setting *setting);
/* Also capture @event, "SYS:EVENT", around a latency above the threshold. */
int plan_add_captured(struct plan *plan, const char *event);
/* True if @kind is one of the actions of the threshold. */
/* Does a list of tasks (-P, -F, --cgroup) choose whose events count? */
bool plan_lists_tasks(const struct plan *plan);
bool plan_has_action(const struct plan *plan, enum plan_action_kind kind);
/* Add to the last event.  NULL if out of memory. */
struct plan_hist *plan_add_hist(struct plan *plan);

/* The object that defines the event "GROUP:EVENT", "GROUP/EVENT" or "EVENT", or NULL. */
struct plan_dynevent *plan_find_dynevent(const struct plan *plan, const char *event);

/*
 * plan_own - give the ownership of a malloc'ed string to the plan
 * Returns @text.  NULL if @text is NULL, or if out of memory; @text is then freed.
 */
const char *plan_own(struct plan *plan, char *text);

/* Free the members of @plan, not @plan itself. */
void plan_clear(struct plan *plan);

#endif
