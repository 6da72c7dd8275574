/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * openmetrics_text.h - families and samples as OpenMetrics 1.0 writes them
 *
 * Labels are built in @labels, from om_begin_labels() on, and stay for any number
 * of samples.  What fails is in the errors of the three buffers.
 */
#ifndef LIB_REPORT_OPENMETRICS_OPENMETRICS_TEXT_H
#define LIB_REPORT_OPENMETRICS_OPENMETRICS_TEXT_H

#include "lib/label/unit.h"
#include "lib/report/openmetrics/openmetrics.h"
#include "lib/report/writer.h"

/* Begin with all zero, and @f, which stays the caller's. */
struct om_text {
	FILE *f;
	struct hist_strbuf out;
	struct hist_strbuf word, labels;
	char (*names)[600]; /* of the families, so that none comes twice */
	uint32_t nnames;
};

/* Room for the names of @most families.  -ENOMEM. */
int om_text_families(struct om_text *t, uint32_t most);
void om_text_clear(struct om_text *t);

/* A name of its own for the family of @field; "" without memory.  Stays the text's. */
const char *om_name_family(struct om_text *t, const struct om_hist *h, const char *field,
			   enum hist_unit unit);
/* The lines above its samples; with the trigger of @h, which may be NULL. */
void om_put_family(struct om_text *t, const char *name, const char *type, enum hist_unit unit,
		   const char *help, const struct om_hist *h);

/* t->labels: "{host=...,LABELS" without the end; @h may be NULL. */
void om_begin_labels(struct om_text *t, const struct om_hist *h, const char *labels, size_t len);
/* One more; @s may be NULL for "". */
void om_add_label(struct om_text *t, const char *name, const char *s);

/* A sample up to its number, which is put behind it, and then its time. */
void om_put_sample(struct om_text *t, const char *name, const char *suffix);
void om_put_number(struct hist_strbuf *b, uint64_t v, bool is_signed, unsigned int decimals,
		   bool real);
void om_put_time(struct hist_strbuf *b, const struct om_moment *m);

/* How many of them make @unit into seconds. */
unsigned int om_decimals(enum hist_unit unit);

/* openmetrics_times.c - fills in moments[].ms; an error is the writer's, too. */
int om_settle_times(struct hist_writer *w, struct om_hist *h);

/* openmetrics_facts.c - families that all histograms have */
void om_put_info(struct om_text *t, const struct om_hist *hists, uint32_t n);
void om_put_facts(struct om_text *t, const struct om_hist *hists, uint32_t n);
void om_put_damage(struct om_text *t, const struct om_hist *hists, uint32_t n,
		   const struct hist_series_damage *damage);

#endif
