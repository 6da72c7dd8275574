/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_pairs.hpp - from a row to its events: the pairs of a latency, the largest number
 *
 * A worker of its own counts the events of the row again, so that a count of the user goes on. What
 * it finds is listed, or one of it is shown in the graph. A list of all latencies of the displayed
 * figures remains if they are of a shorter time, so that a click on a latency does not change the
 * list; a list of a row remains until forgetRow().
 *
 * Owns the worker. Invariant: listed_ describes the list that listed() sent, or that it will
 * send for the last query; times of the list and of goTo() are those of the file of this query.
 */
#ifndef KERNELSHARK_PLUGIN_PANEL_PANEL_PAIRS_HPP
#define KERNELSHARK_PLUGIN_PANEL_PANEL_PAIRS_HPP

#include <QVector>

#include "kernelshark-plugin/panel/panel_figures.hpp"
#include "kernelshark-plugin/panel/panel_message.hpp"

class QMenu;

/*
 * The entries behind a bar, a cell or a row of a view, whose events the user asks for. It is valid
 * only for the figures that it was made from.
 */
struct PanelRow {
	bool whole = false; /* one entry, with all its keys */
	int axis = -1;
	hist_bounds bounds = { false, 0, UINT64_MAX }; /* of the axis, inclusive */
	uint32_t entry = HIST_NO_ENTRY; /* has the other keys; HIST_NO_ENTRY: any */
	uint64_t hits = UINT64_MAX; /* that were counted; UINT64_MAX: not known */
	QString label;

	/* One entry. */
	static PanelRow ofEntry(const PanelData &f, uint32_t entry);
	/* A row of by_axis or of a map with an axis, in the chosen group. */
	static PanelRow ofBucket(const PanelData &f, const hist_heat_row &bucket);
	/* All entries of the chosen group. */
	static PanelRow ofAll(const PanelData &f);
};

class PanelPairs : public QObject {
	Q_OBJECT
public:
	enum Go { ListAll, ListPairs, GoToLargest, GoToSmallest, GoToTime };

	/* All must outlive this object. */
	PanelPairs(Shark *shark, const Recordings *files, const PanelFigures *figures,
		   PanelMessage *message, QObject *parent);
	/* Ends the worker immediately, even if it is counting. */
	~PanelPairs() override { delete worker_; }

	/* True if the displayed histogram is one of a latency, and its events are known. */
	bool isLatency() const;
	/*
	 * Find the events of a row of the displayed figures, and list them or go to one. @from
	 * and @to, for GoToTime: the time of the file in which the largest one ended.
	 */
	void find(const PanelRow &row, Go go, uint64_t from = 0, uint64_t to = 0);
	/* Go to the longest latency of a cell of the heat map, in the time of its column. */
	void findSlowest(int cell);
	/* Add "go to the largest and the smallest" to the menu of a row. */
	void addExtremes(QMenu *menu, const PanelRow &row);
	/* List all latencies of the displayed figures, unless a list remains. */
	void list();
	/* The next list() lists the latencies of all rows. */
	void forgetRow();
	/* Show a pair of the list in the graph. */
	void goTo(uint64_t start, uint64_t end);

	bool busy() const { return worker_->busy(); }
	/* Discard what is being counted. */
	void forget() { worker_->forget(); }

signals:
	/*
	 * List these, the longest first; @offset is added to their times. @why: a sentence if
	 * there are none.
	 */
	void listed(const QVector<latency_pair> &pairs, qint64 offset, const QString &why);
	/* The user asked for the pairs of a row: show the list. */
	void listWanted();
	/* busy() became false. */
	void settled();

private:
	/* The row whose events are wanted, and where they are. */
	struct Query {
		QString path, buffer;
		RecordingPtr recording; /* of the file */
		EventsPtr events;	/* null: they cannot be read */
		PanelDataPtr figures;	/* of the row; null: answered */
		CountedPtr counted;	/* null: the histogram is of the file */
		PanelRow row;
		latency_pairs_kind kind = PAIRS_NONE;
		Go go = ListPairs;
		uint64_t after = 0, until = 0; /* the time of the figures, of the file */
		uint64_t from = 0, to = 0;
	};
	/* What the list has. */
	struct List {
		bool all = false;  /* otherwise those of a row */
		bool more = false; /* not all were kept */
		QString path;	   /* "": nothing is listed */
		unsigned int hist = 0;
		QByteArray counted, group; /* the expression; "": the histogram is of the file */
		uint64_t after = 0, until = 0; /* the time, of the file */

		bool isOf(const List &o) const
		{
			return path == o.path && hist == o.hist && counted == o.counted &&
			       group == o.group;
		}
	};

	/* What the events of the displayed rows have; PAIRS_NONE also if there are no events. */
	latency_pairs_kind kind() const;
	/* A list of all latencies of the displayed figures. */
	List listOfFigures() const;
	latency_pairs_query pairsQuery() const;
	void ask();
	void take(const CountedPtr &found, const QString &error);
	void setList(const QVector<latency_pair> &pairs, const QString &why);
	/* The pair to go to. */
	const latency_pair &pairToShow(const QVector<latency_pair> &pairs) const;
	void sayFound(const QVector<latency_pair> &pairs, bool more);
	void sayExtreme(const latency_pair &pair);
	/* Say why there are no pairs. */
	void sayNone(const QString &why);

	Shark *shark_;
	const Recordings *files_;
	const PanelFigures *figures_;
	PanelMessage *message_;
	ExpressionWorker *worker_;
	Query query_; /* the last one */
	List listed_;
};

#endif
