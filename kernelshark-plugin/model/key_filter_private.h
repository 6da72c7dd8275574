/* SPDX-License-Identifier: GPL-2.0 */
/* key_filter_private.h - shared by the filters of keys and of triggers */
#ifndef KERNELSHARK_PLUGIN_MODEL_KEY_FILTER_PRIVATE_H
#define KERNELSHARK_PLUGIN_MODEL_KEY_FILTER_PRIVATE_H

#include "kernelshark-plugin/model/key_filter.h"
#include "lib/event/event.h"
#include "lib/expr/expr.h"
#include "lib/expr/filter.h"
#include "lib/base/error.h"

/* A filter under construction. */
struct key_filter {
	struct hist_strbuf text;
	const struct hist_event *event;
	const char *pinned[HIST_KEYS_MAX]; /* fields that have a single value in the keys */
	unsigned int npinned;
	/*
	 * The events of @entry (HIST_NO_ENTRY: any), except for the key @axis, which has @bounds.
	 */
	const struct hist_table *table;
	uint32_t entry;
	int axis; /* -1: none */
	const struct hist_bounds *bounds;
	struct hist_error *error;
};

/* Append " && " unless this is the first condition. */
void key_filter_put_and(struct key_filter *f);

/* libtraceevent's name for the CPU if @name means the CPU and not a field; otherwise NULL. */
const char *key_filter_cpu_name(const struct key_filter *f, const char *name);

/* Append NAME @op @num. */
void key_filter_put_number(struct key_filter *f, const char *name, const char *op, uint64_t num);

/* Append FIELD @op "text", quoted. @op: "==" or "!=". */
int key_filter_put_string(struct key_filter *f, const char *field, const char *op, const char *s,
			  size_t len);

/* key_filter_trigger.c - append the "if" of the trigger. */
int key_filter_put_trigger(struct key_filter *f, const struct hist_filter *filter);

#endif
