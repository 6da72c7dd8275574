/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * openmetrics_text.h - write families and samples in the text format of OpenMetrics 1.0
 *
 * om_begin_labels() starts a label set in @labels, which stays valid for any number of
 * samples.  Errors are stored in the three buffers.
 */
#ifndef LIB_REPORT_OPENMETRICS_OPENMETRICS_TEXT_H
#define LIB_REPORT_OPENMETRICS_OPENMETRICS_TEXT_H

#include "lib/label/unit.h"
#include "lib/report/openmetrics/openmetrics.h"
#include "lib/report/writer.h"

/* Begin with all zero except @f, which the caller owns. */
struct om_text {
	FILE *f;
	struct hist_strbuf out;
	struct hist_strbuf word, labels;
	char (*names)[600]; /* of all families so far, to keep names unique */
	uint32_t nnames;
};

/* Allocate the names of @most families.  Returns 0 or -ENOMEM. */
int om_text_families(struct om_text *t, uint32_t most);
void om_text_clear(struct om_text *t);

/* A unique name for the family of @field, owned by @t; "" if memory is exhausted. */
const char *om_name_family(struct om_text *t, const struct om_hist *h, const char *field,
			   enum hist_unit unit);
/* Write TYPE, UNIT and HELP.  HELP ends in the trigger of @h, which may be NULL. */
void om_put_family(struct om_text *t, const char *name, const char *type, enum hist_unit unit,
		   const char *help, const struct om_hist *h);

/* Set t->labels to "{host=...,LABELS" without the closing brace.  @h may be NULL. */
void om_begin_labels(struct om_text *t, const struct om_hist *h, const char *labels, size_t len);
/* Add one label.  @s may be NULL for "". */
void om_add_label(struct om_text *t, const char *name, const char *s);

/* A sample is written in three calls: name and labels, number, time. */
void om_put_sample(struct om_text *t, const char *name, const char *suffix);
void om_put_number(struct hist_strbuf *b, uint64_t v, bool is_signed, unsigned int decimals,
		   bool real);
void om_put_time(struct hist_strbuf *b, const struct om_moment *m);

/* The number of decimals that converts @unit to seconds. */
unsigned int om_decimals(enum hist_unit unit);

/* openmetrics_times.c - set moments[].ms; an error is also set in @w */
int om_settle_times(struct hist_writer *w, struct om_hist *h);

/* openmetrics_facts.c - the families that all histograms have */
void om_put_info(struct om_text *t, const struct om_hist *hists, uint32_t n);
void om_put_facts(struct om_text *t, const struct om_hist *hists, uint32_t n);
void om_put_damage(struct om_text *t, const struct om_hist *hists, uint32_t n,
		   const struct hist_series_damage *damage);

#endif
