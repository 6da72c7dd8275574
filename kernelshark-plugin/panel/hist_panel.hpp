/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hist_panel.hpp - dock widget that shows histograms next to the graph
 *
 * The panel contains a row of controls, a line that describes the snapshots of the
 * displayed numbers, and a line about losses. Four views show the same figures, one
 * view at a time. The panel builds a query from the Shark, the controls and the
 * recordings. A worker computes the figures (data_worker.hpp), and the views show them.
 * Each signal of the Shark updates the query. The worker gets a query only if it needs
 * other snapshots.
 *
 * Object names, for tests: hist_panel, hist_choose, hist_group, hist_view, hist_source,
 * hist_snapshot, hist_log, hist_search, hist_export, hist_from, hist_notes,
 * hist_filter, hist_progress, hist_bars, hist_heatmap, hist_percentiles, hist_table;
 * and in the row of the expression hist_expression, hist_expression_of,
 * hist_expression_progress, hist_expression_cancel, hist_expression_words.
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
	/* The order is that of the tabs and widgets (panel_build.cpp). */
	enum View { Bars, HeatMap, Percentiles, Table };
	enum Source { VisibleWindow, MarkersAB, OneSnapshot };

	/*
	 * @shark must outlive the panel. The panel owns @settings, which stores the
	 * user's choices (panel_settings.hpp). Without @settings, nothing is stored.
	 */
	explicit HistPanel(Shark *shark, QWidget *parent = nullptr, QSettings *settings = nullptr);
	/* Ends the worker immediately, even if it is computing. */
	~HistPanel() override;

	/* The open recordings; the marks of the timeline also use them. */
	Recordings *recordings() const;

	/* Show a histogram of an open file; false if it does not exist. */
	bool choose(const QString &path, unsigned int hist);
	/* Get the chosen histogram; false if there is none, or if the panel counted it itself. */
	bool chosen(QString *path, unsigned int *hist) const;

	/*
	 * Show one snapshot and raise the panel, after a double click on a mark of the
	 * timeline. False if the file does not contain the snapshot.
	 */
	bool showSnapshot(const QString &path, unsigned int hist, quint32 seq);

	void setView(View view);
	View view() const;
	void setSource(Source source);
	Source source() const;

	/*
	 * Export the displayed data: "png" is a picture, "svg" the chart and "csv" the
	 * numbers, as `trace-cmd hist report` writes them. False with a sentence in
	 * @why.
	 */
	bool exportTo(const QString &path, const QString &format, QString *why);

	/*
	 * True if nothing is being opened or computed: the views show the last query. A
	 * hidden panel does not send queries.
	 */
	Q_INVOKABLE bool idle() const;
	/* Total number of started computations: the cost of moving the graph. */
	Q_INVOKABLE qulonglong computations() const;

signals:
	/* The chosen histogram has changed, or none is chosen now: see chosen(). */
	void chosenChanged();
	/* idle() became true. */
	void settled();

private:
	std::unique_ptr<HistPanelParts> d;
};

#endif
