/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hist_panel.hpp - the dock that shows histograms beside the graph
 *
 * A row of choices, a line that says which snapshots the numbers come from, one
 * of four views of the same figures, and what was lost.  The panel asks (Shark,
 * the choices, the recordings), a worker computes (data_worker.hpp), the views
 * show.  It is asked anew on each signal of the Shark, and asks the worker only
 * when other snapshots are wanted.
 *
 * Object names, for tests: hist_panel, hist_choose, hist_group, hist_view, hist_source,
 * hist_snapshot, hist_log, hist_search, hist_export, hist_from, hist_notes, hist_filter,
 * hist_progress, hist_bars, hist_heatmap, hist_percentiles, hist_table; and of the row of
 * the expression hist_expression, hist_expression_of, hist_expression_progress,
 * hist_expression_cancel, hist_expression_words.
 */
#ifndef KERNELSHARK_PLUGIN_PANEL_HIST_PANEL_HPP
#define KERNELSHARK_PLUGIN_PANEL_HIST_PANEL_HPP

#include <memory>

#include <QDockWidget>

class QSettings;
class Recordings;
class Shark;
class HistPanelParts;

class HistPanel : public QDockWidget {
	Q_OBJECT
public:
	enum View { Bars, HeatMap, Percentiles, Table };
	enum Source { VisibleWindow, MarkersAB, OneSnapshot };

	/*
	 * @shark must outlive it.  @settings becomes the panel's: where it keeps what the user
	 * chose (panel_settings.hpp); without, each panel is as new.
	 */
	explicit HistPanel(Shark *shark, QWidget *parent = nullptr, QSettings *settings = nullptr);
	/* Ends the worker; at once, however much it still had to compute. */
	~HistPanel() override;

	/* What is open; the marks of the timeline come from there too. */
	Recordings *recordings() const;

	/* Show a histogram of an open file; false where there is no such one. */
	bool choose(const QString &path, unsigned int hist);
	/* The chosen one; false where there is none, or where it was counted here. */
	bool chosen(QString *path, unsigned int *hist) const;

	/*
	 * Show one snapshot, raise the panel: a double click on a mark of the timeline.
	 * False where the file holds no such one.
	 */
	bool showSnapshot(const QString &path, unsigned int hist, quint32 seq);

	void setView(View view);
	View view() const;
	void setSource(Source source);
	Source source() const;

	/*
	 * Write what is seen: "png" the picture, "svg" the chart and "csv" the numbers as
	 * `trace-cmd hist report` writes them.  False with a sentence in @why.
	 */
	bool exportTo(const QString &path, const QString &format, QString *why);

	/*
	 * Nothing is being opened or computed: what is shown is what was asked for last.
	 * While nobody sees the panel nothing is asked.
	 */
	Q_INVOKABLE bool idle() const;
	/* How many times figures were begun to be computed; what moving the graph costs. */
	Q_INVOKABLE qulonglong computations() const;

signals:
	/* Another histogram is chosen, or none any more: see chosen(). */
	void chosenChanged();
	/* idle() has become true. */
	void settled();

private:
	std::unique_ptr<HistPanelParts> d;
};

#endif
