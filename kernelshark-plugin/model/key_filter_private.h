/* SPDX-License-Identifier: GPL-2.0 */
/*
 * key_filter_private.h - what the filters of keys and of triggers share
 */
#ifndef KERNELSHARK_PLUGIN_MODEL_KEY_FILTER_PRIVATE_H
#define KERNELSHARK_PLUGIN_MODEL_KEY_FILTER_PRIVATE_H

#include "kernelshark-plugin/model/key_filter.h"
#include "lib/event/event.h"
#include "lib/expr/expr.h"
#include "lib/expr/filter.h"

/* A filter that is being made. */
struct key_filter {
	struct hist_strbuf text;
	const struct hist_event *event;
	const char *pinned[HIST_KEYS_MAX]; /* fields that the keys set to one value */
	unsigned int npinned;
	char *why;
	size_t why_len;
};

/* -EOPNOTSUPP, with a sentence in why. */
int key_filter_refuse(struct key_filter *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* " && " before all but the first. */
void key_filter_and(struct key_filter *f);

/* What libtraceevent calls the CPU, where @name means that and no field; else NULL. */
const char *key_filter_cpu(const struct key_filter *f, const char *name);

/* FIELD @op "text", quoted.  @op: "==" or "!=". */
int key_filter_string(struct key_filter *f, const char *field, const char *op, const char *s,
		      size_t len);

/* key_filter_trigger.c - the "if" of the trigger, behind what there is. */
int key_filter_trigger(struct key_filter *f, const struct hist_filter *filter);

#endif
