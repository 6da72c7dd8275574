/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_data.h - the data that the panel shows for one histogram, over a window or at a snapshot
 *
 * panel_data_make() walks over the snapshots of a query and creates all data for the
 * views. The data is complete and read-only, so that one thread can create it and
 * another can display it. The numbers equal those of `trace-cmd hist report --between
 * A,B` for a window (A and B are sequence numbers), or `--snapshot A` for a snapshot.
 * The walk reads the snapshots from @from to @to, and needs at most one seek before
 * (series.h).
 *
 * Text is UTF-8 with escaped names (label.h), NUL-terminated.
 */
#ifndef KERNELSHARK_PLUGIN_MODEL_PANEL_DATA_H
#define KERNELSHARK_PLUGIN_MODEL_PANEL_DATA_H

#include "kernelshark-plugin/model/recording.h"

#include "lib/analysis/axis.h"
#include "lib/analysis/percentiles.h"
#include "lib/analysis/rows.h"
#include "lib/analysis/snapshot_view.h"
#include "lib/base/names.h"
#include "lib/heatmap/heatmap.h"
#include "lib/table/columns.h"
#include "lib/base/error.h"

enum panel_data_kind {
	PANEL_DATA_WINDOW,	  /* snapshot @to minus snapshot @from */
	PANEL_DATA_SNAPSHOT, /* snapshot @to: all hits up to its time */
};

/* Plain data. The caller keeps all pointers; panel_data_make() copies what it needs. */
struct panel_data_query {
	struct recording *recording;
	unsigned int hist;
	enum panel_data_kind what;
	uint32_t from, to;    /* indices into recorded_hist.snapshots; a window has from < to */
	unsigned int columns; /* maximum for the heat map; 0: without heat map */
	/*
	 * NULL or "": all. Otherwise only keys that contain this text, ignoring case.
	 * For rows, the text is searched in all keys (panel_put_keys()). For the
	 * heat map, axis and percentiles of a histogram with an axis and other keys, it
	 * is searched in the other keys (the groups).
	 */
	const char *search;
	/* NULL: all. Otherwise the heat map and axis show only the group with this label. */
	const char *group;
	/* NULL: as recorded. Otherwise "FIELD.log2" or such: merge rows (hist_buckets_add()). */
	const char *bucket;
	const struct hist_row_order
		*order; /* of the rows; NULL: the order of `report --format json` */
};

/* A group of a histogram with an axis and other keys. */
struct panel_data_group {
	char *label;	/* "sh [144]", with addresses; unique */
	uint64_t total; /* of value; saturates at the maximum */
	uint32_t entry; /* one of its entries, for key_filter_make_axis() */
};

/* Read only. */
struct panel_data {
	struct panel_data_query query; /* copies, with a reference to the recording */
	/*
	 * The view for lib/: info, name, table, snap (the difference, or the snapshot),
	 * whole, rows, from_seq, from_time, from_nothing, reset, lost.
	 */
	struct hist_view view;
	const struct hist_schema *schema; /* of the table */
	/*
	 * The rows that the search finds, in order. total, totals and shares include only
	 * these rows.
	 */
	struct hist_rows rows;
	struct label_details details; /* what keeps the labels of different rows different */
	int value;	      /* index of the summed value that bars and heat map show; -1: none */
	uint64_t whole_total; /* of @value, over all rows regardless of the search; saturates */
	uint32_t whole_rows;  /* number of rows without search */
	bool ns;	      /* the clock counts ns */

	int axis; /* hist_axis_key(); -1: none */
	/*
	 * Counts over the axis in one column, ascending, including the empty rows in
	 * between (heatmap.h). NULL without an axis or value.
	 */
	struct hist_heatmap *by_axis;
	/*
	 * Counts over time, only for windows. NULL for a snapshot, without a value, and
	 * for 0 columns.
	 */
	struct hist_heatmap *map;
	/* NULL if not available: why_not contains the reason. */
	struct hist_percentiles *percentiles;
	struct hist_error why_not;
	/* Only with an axis and other keys: all groups with counts, largest first. */
	struct panel_data_group *groups;
	uint32_t ngroups;

	/*
	 * Sentences about data that was lost, cleared, dropped or is uncertain; file
	 * damage is last.
	 */
	struct names notes;

	struct panel_data_work *work; /* private */
};

/*
 * Called periodically with the progress (0 to 1000). Return false to cancel. Runs in
 * the thread that makes the figures.
 */
typedef bool panel_progress(void *data, unsigned int done);

/*
 * panel_data_make - make the figures of a query
 * The caller frees *@f with panel_data_free(). @progress may be NULL. -ECANCELED:
 * @progress returned false; -EINVAL: the query is invalid (indices, order, bucket); -EBADMSG:
 * the snapshot or one end of the window is damaged although its checksum is right;
 * -ENOMEM, -EIO. On failure *@f is unchanged. Never -EOPNOTSUPP: parts that a histogram
 * cannot show are NULL.
 */
int panel_data_make(struct panel_data **f, const struct panel_data_query *query,
		    panel_progress *progress, void *data);
void panel_data_free(struct panel_data *f);

/* The displayed value of @entry; 0 if it is below zero: a bar cannot have a negative length. */
static inline uint64_t panel_get_count(const struct panel_data *f, uint32_t entry)
{
	uint64_t v = f->view.snap->values[(size_t)entry * f->schema->nvalues + f->value];

	return f->schema->values[f->value].is_signed && v >> 63 ? 0 : v;
}

/* Append the labels of all keys, separated by " / "; @flags are those of hist_label_put(). */
void panel_put_keys(struct hist_strbuf *b, const struct hist_table *table, uint32_t entry,
		    unsigned int flags);

/*
 * Append the label of one key, or of all keys, of an entry, as `report --view bars` writes it.
 * @exact: with all digits and addresses.
 */
void panel_put_key(struct hist_strbuf *b, const struct panel_data *f, uint32_t entry,
		   unsigned int key, bool exact);
void panel_put_label(struct hist_strbuf *b, const struct panel_data *f, uint32_t entry, bool exact);

/*
 * Append the title of a value: "hitcount", or "sum of runtime (ns)", because a key can have
 * the same name.
 */
void panel_put_value_title(struct hist_strbuf *b, const struct hist_schema *schema,
			   unsigned int value);

/*
 * Find the entry with this panel_put_keys() label, with or without addresses; HIST_NO_ENTRY: none
 * or several.
 */
uint32_t panel_find_entry(const struct panel_data *f, const char *label);

/*
 * Find the entry with the keys of @entry of @old (figures of the same histogram);
 * HIST_NO_ENTRY: none.
 */
uint32_t panel_match_entry(const struct panel_data *f, const struct panel_data *old,
			   uint32_t entry);
/*
 * Find the row of @map with the key of @old, a row of another map of this histogram;
 * HIST_NO_ENTRY: none.
 */
uint32_t panel_match_row(const struct hist_heatmap *map, const struct hist_heat_row *old);

/*
 * Append the range of a row of by_axis or of a map with an axis: "33-64 us", "(512K,
 * 1M]", "5", "1 ms".
 */
void panel_put_axis_label(struct hist_strbuf *b, const struct panel_data *f,
			  const struct hist_heat_row *row);

/* The same if there is no room for the range: "524 us..", or ">= 524 us" if it has no end. */
void panel_put_axis_start(struct hist_strbuf *b, const struct panel_data *f,
			  const struct hist_heat_row *row);

/* Find the entry of the group with this label, one of @f->groups; HIST_NO_ENTRY: none. */
uint32_t panel_find_group_entry(const struct panel_data *f, const char *label);

enum panel_data_format {
	PANEL_DATA_CSV,
	PANEL_DATA_JSON,
	PANEL_DATA_SVG_BARS,
	PANEL_DATA_SVG_HEATMAP,	 /* only for windows */
	PANEL_DATA_SVG_PERCENTILES, /* only for windows; over time */
};

/*
 * panel_data_write - write the window or snapshot of a query to a file
 * Uses the writers of lib/ in a separate walk. Without search and order the output
 * equals that of `report -e NAME --between A,B --format ...`. search and order
 * apply to the rows of CSV and JSON. A chart in SVG shows what the search finds for a
 * heat map. group is ignored. @f: stays owned by the caller and is not flushed. The
 * errors are those of panel_data_make() and of the stream, and -EOPNOTSUPP if the
 * histogram or a snapshot does not support the format; with a sentence in @error.
 */
int panel_data_write(const struct panel_data_query *query, FILE *f, enum panel_data_format format,
		     panel_progress *progress, void *data, struct hist_error *error);

#endif
