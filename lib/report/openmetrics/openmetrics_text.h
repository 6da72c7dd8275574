/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * openmetrics_text.h - write families and samples in the text format of OpenMetrics 1.0
 *
 * om_begin_labels() starts a label set in @labels, which stays valid for any number of
 * samples.  Errors are stored in the buffers.
 */
#ifndef LIB_REPORT_OPENMETRICS_OPENMETRICS_TEXT_H
#define LIB_REPORT_OPENMETRICS_OPENMETRICS_TEXT_H

#include "lib/label/unit.h"
#include "lib/report/openmetrics/openmetrics.h"
#include "lib/report/writer.h"

struct om {
	struct hist_writer base;
	struct om_hist *hists;
	uint32_t nhists;
	struct hist_strbuf labels;
	char (*names)[600]; /* of all families so far, to keep names unique */
	uint32_t nnames;
};

/* A unique name for the family of @field, owned by @o.  o->names must have room. */
const char *om_name_family(struct om *o, const struct om_hist *h, const char *field,
			   enum hist_unit unit);
/* Write TYPE, UNIT and HELP.  HELP ends in the trigger of @h, which may be NULL. */
void om_put_family(struct om *o, const char *name, const char *type, enum hist_unit unit,
		   const char *help, const struct om_hist *h);

/* Set o->labels to "{host=...,LABELS" without the closing brace.  @h may be NULL. */
void om_begin_labels(struct om *o, const struct om_hist *h, const char *labels, size_t len);
/* Add one label.  @s may be NULL for "". */
void om_add_label(struct om *o, const char *name, const char *s);

/* A sample is written in three calls: name and labels, number, time.  om_put_count() does all. */
void om_put_sample(struct om *o, const char *name, const char *suffix);
void om_put_number(struct hist_strbuf *b, uint64_t v, bool is_signed, unsigned int decimals,
		   bool real);
void om_put_time(struct hist_strbuf *b, const struct om_moment *m);
void om_put_count(struct om *o, const char *name, const char *suffix, uint64_t v,
		  const struct om_moment *m);

/* The number of decimals that converts @unit to seconds. */
unsigned int om_decimals(enum hist_unit unit);

/* openmetrics_facts.c - the families that all histograms have */
void om_put_info(struct om *o);
void om_put_facts(struct om *o);
void om_put_damage(struct om *o, const struct hist_series_damage *damage);

#endif
