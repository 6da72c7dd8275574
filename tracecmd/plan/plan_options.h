/* SPDX-License-Identifier: GPL-2.0 */
/*
 * plan_options.h - command line options that define what is counted
 *
 * The verbs that start histograms share these options. Each verb has its own getopt table and
 * passes options that it does not handle to plan_option().
 */
#ifndef TRACECMD_PLAN_PLAN_OPTIONS_H
#define TRACECMD_PLAN_PLAN_OPTIONS_H

#include "tracecmd/plan/plan.h"

/* For the verb's getopt_long() strings and tables. */
#define PLAN_SHORT_OPTIONS "e:R:k:v:s:f:i:B:C:P:"

/* Above the letters and what verbs number from 256. */
enum {
	PLAN_OPT_LATENCY = 512,
	PLAN_OPT_SQL,
	PLAN_OPT_PRESET,
	PLAN_OPT_SYNTHETIC,
	PLAN_OPT_KPROBE,
	PLAN_OPT_UPROBE,
	PLAN_OPT_TARGET,
	PLAN_OPT_KEY,
	PLAN_OPT_READ,
	PLAN_OPT_ENGINE,
};

#define PLAN_LONG_OPTIONS                                               \
	{ "latency", required_argument, NULL, PLAN_OPT_LATENCY },       \
	{ "sql", required_argument, NULL, PLAN_OPT_SQL },               \
	{ "preset", required_argument, NULL, PLAN_OPT_PRESET },         \
	{ "synthetic", required_argument, NULL, PLAN_OPT_SYNTHETIC },   \
	{ "kprobe", required_argument, NULL, PLAN_OPT_KPROBE },         \
	{ "uprobe", required_argument, NULL, PLAN_OPT_UPROBE },         \
	{ "target", required_argument, NULL, PLAN_OPT_TARGET },         \
	{ "key", required_argument, NULL, PLAN_OPT_KEY },               \
	{ "engine", required_argument, NULL, PLAN_OPT_ENGINE },         \
	{ "read", required_argument, NULL, PLAN_OPT_READ }

/* The part of a verb's help that describes these options. */
extern const char plan_options_help[];

/*
 * plan_option - apply one option to the plan
 * 0; -EINVAL after a message on stderr; -ENOMEM; -ENOENT: not an option of this file.
 */
int plan_option(struct plan *plan, int letter, char *arg);

/* The same by its name, "-k" or "--latency". */
int plan_named_option(struct plan *plan, const char *name, char *arg);

/* An option whose value is a time; -EINVAL after a message. */
int plan_duration(int letter, const char *text, uint64_t *ns);

/* Check the combination of options, such as events without histograms. */
int plan_check(const struct plan *plan);

/*
 * plan_getopt_error - the message for a ':' or '?' of getopt_long()
 * @verb: "record".  Always -EINVAL.
 */
int plan_getopt_error(const char *verb, int c, char **argv, int index);

#endif
