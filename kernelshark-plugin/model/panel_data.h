/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_data.h - what the panel shows of one histogram, for a window or a snapshot
 *
 * A query says what; figures_make() walks over the snapshots and gives all that the
 * views draw, complete and read only, so that it can be made in a thread and shown in
 * another.  The numbers are those of `trace-cmd hist report --between A,B`, where A
 * and B are the seqs, or of `--snapshot A`.  The walk costs what lies between @from and
 * @to, plus at most what a seek costs (series.h).
 *
 * Text is UTF-8 with names escaped (label.h), NUL-terminated.
 */
#ifndef KERNELSHARK_PLUGIN_MODEL_PANEL_DATA_H
#define KERNELSHARK_PLUGIN_MODEL_PANEL_DATA_H

#include "kernelshark-plugin/model/recording.h"

#ifdef __cplusplus
extern "C" {
#endif

#include "lib/analysis/axis.h"
#include "lib/analysis/percentiles.h"
#include "lib/analysis/rows.h"
#include "lib/analysis/snapshot_view.h"
#include "lib/heatmap/heatmap.h"

enum figures_what {
	FIGURES_WINDOW,	  /* snapshot @to minus snapshot @from */
	FIGURES_SNAPSHOT, /* snapshot @to, all that was counted till then */
};

/* Plain data; all pointers stay the caller's, and figures_make() copies what it needs. */
struct figures_query {
	struct recording *recording;
	unsigned int hist;
	enum figures_what what;
	uint32_t from, to;    /* indices into recording_snapshots(); of a window from < to */
	unsigned int columns; /* of the heat map, at most; 0: no heat map is wanted */
	/*
	 * NULL or "": all.  Else only what has this text in its key, without regard to
	 * case: rows by all of their keys, as figures_row_label() gives them; heat map, axis and
	 * percentiles of a histogram with an axis and other keys by those others (the groups).
	 */
	const char *search;
	/* NULL: all.  Else heat map and axis show only the group with this label. */
	const char *group;
	uint32_t top;		       /* rows to show; 0: all */
	const struct hist_order *order; /* of the rows; NULL: as `report --format json` has them */
};

/* One group of a histogram with an axis and other keys. */
struct figures_group {
	char *label;	/* "sh [144]"; no two are equal */
	uint64_t total; /* of value; saturates */
};

/* Read only. */
struct figures {
	struct figures_query query; /* copies, with a reference to the recording */
	/*
	 * As lib/ wants it: info, name, table, snap (the difference, or the snapshot),
	 * whole, rows, from_seq, from_time, from_nothing, reset, lost.
	 */
	struct hist_view view;
	const struct hist_schema *schema; /* of the table */
	/*
	 * What the search finds, in order.  n of them are shown; total, totals and shares
	 * are of all that are found; rest of those that top cuts away.
	 */
	struct hist_rows rows;
	int value;	      /* what bars and heat map show: a value of the schema, a sum; -1: none */
	uint64_t whole_total; /* of @value, over all rows, found or not; saturates */
	uint32_t whole_rows;  /* without search and top */
	bool ns;	      /* the clock counts ns */

	int axis; /* hist_axis_key(); -1: none */
	/*
	 * Of a histogram with an axis: counts over it in one column, ascending, with the
	 * empty rows in between (heatmap.h).  NULL without axis or value.
	 */
	struct hist_heatmap *by_axis;
	/* Over time, of windows; NULL for a snapshot, without value, and with 0 columns. */
	struct hist_heatmap *map;
	/* NULL where there can be none: why_not says why. */
	struct hist_percentiles *percentiles;
	char why_not[256];
	/* With an axis and other keys: all that have counts, largest first; else none. */
	struct figures_group *groups;
	uint32_t ngroups;

	/* What was lost, cleared, dropped or is in doubt: sentences, the file's damage last. */
	char **notes;
	unsigned int nnotes;

	struct figures_work *work; /* private */
};

/*
 * Called now and then with what is done of 1000.  False: give up.
 * In the thread that makes the figures.
 */
typedef bool figures_progress(void *data, unsigned int done);

/*
 * figures_make - all of the above; *@f is the caller's, figures_free()
 * @progress may be NULL.  -ECANCELED: it said so; -EINVAL: the query makes no sense
 * (indices, order); -EBADMSG: the snapshot or one end of the window is damaged, though its
 * checksum is right; -ENOMEM, -EIO.  On failure *@f is untouched.
 * -EOPNOTSUPP does not come: what a histogram cannot show is NULL.
 */
int figures_make(struct figures **f, const struct figures_query *query,
		 figures_progress *progress, void *data);
void figures_free(struct figures *f);

/* The keys of row @entry as one line, " / " between; the exact one: with addresses of symbols. */
void figures_row_label(struct hist_strbuf *b, const struct figures *f, uint32_t entry);
void figures_row_exact(struct hist_strbuf *b, const struct figures *f, uint32_t entry);

/* The entry whose figures_row_label() or exact label this is; HIST_NO_ENTRY: none or several. */
uint32_t figures_entry_of(const struct figures *f, const char *label);

/*
 * The entry with the keys of @entry of @old, which are figures of the same histogram;
 * HIST_NO_ENTRY: there is none.
 */
uint32_t figures_entry_like(const struct figures *f, const struct figures *old, uint32_t entry);
/* The row of @map for the key of @old, a row of another map of this histogram; HIST_NO_ENTRY. */
uint32_t figures_row_like(const struct hist_heatmap *map, const struct hist_heat_row *old);

/* What a value reads as: "1234", "-5", "ff00", "12.34" (percent), or its saved text. */
void figures_value_text(struct hist_strbuf *b, const struct figures *f, uint32_t entry,
			unsigned int value);

/* "33-64 us", "(512K, 1M]", "5", "1 ms": what a row of by_axis or of a map with an axis covers. */
void figures_axis_label(struct hist_strbuf *b, const struct figures *f,
			const struct hist_heat_row *row);

/*
 * An entry of the group of @label, whose keys beside the axis are those of the group (for
 * key_filter_axis()); HIST_NO_ENTRY: there is none.
 */
uint32_t figures_group_entry(const struct figures *f, const char *label);

enum figures_format {
	FIGURES_CSV,
	FIGURES_JSON,
	FIGURES_SVG_BARS,
	FIGURES_SVG_HEATMAP,	 /* of windows only */
	FIGURES_SVG_PERCENTILES, /* of windows only; over time */
};

/*
 * figures_write - the same window or snapshot as a file
 * Through the writers of lib/, in a walk of its own: without search, top and order the
 * bytes are those of `report -e NAME --between A,B --format ...`.  search, top and order
 * go for the rows of CSV and JSON; a chart in SVG shows what search finds for a heat map;
 * group is not looked at.  @f: stays the caller's, is not flushed.
 * Errors as figures_make(), what the stream gave, and -EOPNOTSUPP for what the histogram or
 * a snapshot cannot show; with a sentence in @why.
 */
int figures_write(const struct figures_query *query, FILE *f, enum figures_format format,
		  figures_progress *progress, void *data, char *why, size_t why_len);

#ifdef __cplusplus
}
#endif

#endif
