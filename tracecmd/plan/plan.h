/* SPDX-License-Identifier: GPL-2.0 */
/*
 * plan.h - the plan: what the user wants to count, and how
 *
 * A plan is a query (what to count, query.h) and how to count it: on which target, for how long, in
 * which tasks, into which file. It contains only strings and numbers, and no information from the
 * target. Options of the command line (plan_options.h) and presets (preset.h) add to a plan.
 *
 * Functions return 0 or -errno.
 */
#ifndef TRACECMD_PLAN_PLAN_H
#define TRACECMD_PLAN_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/query/query.h"

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
#define PLAN_EPISODES 5
#define PLAN_EPISODES_MAX 100
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
	struct query query; /* what to count */
	uint64_t interval_ns; /* 0: only at the end */
	uint64_t duration_ns; /* 0: until the command ends, or Ctrl-C */
	const char *output;   /* NULL: no output file */
	const char *recording; /* the file of a replay; NULL: a target is read */
	const char *push;     /* HOST:PORT of a listener, or NULL */
	char *metrics_listen; /* ADDRESS:PORT for Prometheus, or NULL; malloc'ed */
	bool metrics_fine;    /* there, .log2=K keeps its buckets */
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
	struct plan_action
		*actions; /* on crossing the threshold; plan_threshold_check() adds the default */
	unsigned int nactions;
	uint64_t episodes; /* number of episodes to keep of each latency; 0: PLAN_EPISODES */
	uint64_t buffer_kb; /* per CPU, of the ring buffer for them; 0: PLAN_BUFFER_KB */
	bool stacks; /* record the kernel stacks of task switches and wake-ups, too */
	bool quiet;
	bool dry_run;
	char **command; /* NULL-terminated, or NULL; argv's */
};

/*
 * The option of a list of tasks that chooses whose events count, "-P", "-F" or "--cgroup"; or NULL.
 */
const char *plan_task_option(const struct plan *plan);
bool plan_lists_tasks(const struct plan *plan);

/* True if @kind is one of the actions of the threshold. */
bool plan_has_action(const struct plan *plan, enum plan_action_kind kind);

/* Free the members of @plan, not @plan itself. */
void plan_clear(struct plan *plan);

#endif
