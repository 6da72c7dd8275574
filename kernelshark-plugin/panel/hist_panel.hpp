/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hist_panel.hpp - dock widget that shows histograms next to the graph
 *
 * The panel contains a row of controls, a line that describes the snapshots of the
 * displayed numbers, and a line about losses. The views show the same figures, one view
 * at a time; other views show the episodes of the file, and each latency of the histogram.
 *
 * Each task has an object. PanelChoices has the choosers and makes the query that they mean,
 * PanelFigures asks a worker for its figures, and PanelViews shows them. PanelFilter,
 * PanelPairs and PanelEpisodes go from a row to its events. PanelHeight and PanelMessage have
 * the height and the line below the view, and PanelMemory stores what the user chose.
 * What remains is the layout and the wiring: the panel owns these objects, and calls the
 * Shark for what belongs to no other.
 *
 * There are three rules. refresh() passes the query of the choices to the figures; each
 * signal of the Shark and of the choices calls it. showFigures() passes new figures to the views
 * together with the line that describes them. Nothing else updates the views. Therefore
 * the line and the numbers always describe the same snapshots.
 *
 * Object names, for tests: hist_panel, hist_rows, hist_choose, hist_group, hist_view, hist_source,
 * hist_snapshot, hist_log, hist_search, hist_export, hist_split, hist_from, hist_notes,
 * hist_count, hist_filter, hist_episode, hist_progress, hist_bars, hist_heatmap, hist_percentiles,
 * hist_table, hist_calls, hist_episodes, hist_pairs, hist_scatter, hist_compare, hist_compare_view;
 * and in the row of the expression hist_expression, hist_expression_of,
 * hist_expression_progress, hist_expression_cancel, hist_expression_words.
 */
#ifndef KERNELSHARK_PLUGIN_PANEL_HIST_PANEL_HPP
#define KERNELSHARK_PLUGIN_PANEL_HIST_PANEL_HPP

#include <QDockWidget>
#include <QToolButton>

#include "kernelshark-plugin/panel/panel_choices.hpp"
#include "kernelshark-plugin/panel/panel_widgets.hpp"

class BarsView;
class CompareView;
class HeatmapView;
class PanelEpisodes;
class PanelFigures;
class PanelFilter;
class PanelHeight;
class PanelMessage;
class PanelPairs;
class PanelViews;
class QLayout;
class QSettings;
class ScatterView;

class HistPanel : public QDockWidget {
	Q_OBJECT
public:
	/* The order is that of the tabs and widgets (panel_build.cpp). */
	enum View { Bars, HeatMap, Percentiles, Table, Calls, Episodes, Pairs, Scatter, Compare };

	/*
	 * @shark and @files, which all panels share, must outlive the panel. The panel owns
	 * @settings, which stores the user's choices (panel_memory.hpp). Without
	 * @settings, nothing is stored.
	 */
	HistPanel(Shark *shark, Recordings *files, QWidget *parent = nullptr,
		  QSettings *settings = nullptr);
	/* Ends the workers immediately, even if they are computing. */
	~HistPanel() override;

	/* The open recordings. */
	Recordings *recordings() const { return files; }

	/* Show a histogram of an open file; false if it does not exist. */
	bool choose(const QString &path, unsigned int hist) { return choices->choose(path, hist); }
	/* Get the chosen histogram; false if there is none, or if the panel counted it itself. */
	bool chosen(QString *path, unsigned int *hist) const
	{
		return choices->chosenOfFile(path, hist);
	}

	/*
	 * Show one snapshot and raise the panel, after a double click on a mark of the
	 * timeline. False if the file does not contain the snapshot.
	 */
	bool showSnapshot(const QString &path, unsigned int hist, quint32 seq);

	void setView(View view);
	View view() const;
	void setSource(PanelChoices::Source source) { choices->setSource(source); }
	PanelChoices::Source source() const { return choices->source(); }

	/*
	 * Export the displayed data: "png" is a picture, "svg" the chart and "csv" the
	 * numbers, as `trace-cmd hist report` writes them. Asks the user for a path if
	 * @path is "". A line below the view says if the file was written.
	 */
	void exportAs(const QString &format, QString path = QString());

	/*
	 * True if nothing is being opened or computed: the views show the last query. A
	 * hidden panel does not send queries.
	 */
	Q_INVOKABLE bool idle() const;
	/* Total number of started computations: the cost of moving the graph. */
	Q_INVOKABLE qulonglong computations() const;

	/*
	 * The host shows nothing else, so the panel has the whole window: its height is not
	 * a choice of the user.
	 */
	void setAlone(bool is);

	/* The height at which all rows and some bars are visible. */
	int usefulHeight() const;

	/* Set whether the host can open another panel; the default is false. */
	void setSplittable(bool is) { splitting->setVisible(is); }
	/*
	 * Begin with the histogram after the one that @other shows. This panel does not store
	 * choices, and is destroyed when the user closes it.
	 */
	void setBeside(const HistPanel *other);

signals:
	/* The user wants another panel next to this one. */
	void anotherWanted();
	/* The chosen histogram has changed, or none is chosen now: see chosen(). */
	void chosenChanged();
	/* idle() became true. */
	void settled();

protected:
	void resizeEvent(QResizeEvent *event) override;

private:
	/* panel_build.cpp: the widgets, and what their signals call */
	void build();
	QLayout *buildControls();
	QLayout *buildTabs();
	void buildViews();
	QLayout *buildMessages();
	void connectAll();
	void connectExpression();
	void connectHeatmap();

	/* hist_panel.cpp: the behaviour of the widgets */
	/* Ask for the figures of what is chosen now. */
	void refresh();
	/* The figures are other ones, or none because of @why. */
	void showFigures(const QString &why);
	/* The visible view, or its figures, are other ones. */
	void showView();
	/* Show only the tabs of views that can show the chosen histogram. */
	void offerViews();
	/* The line that describes the snapshots. */
	void showFrom();
	QString notesText() const;
	void showNotes();
	/* Align the views with the graph. */
	void showTime();
	/* Keep the displayed figures as those to compare with, or drop them. */
	void setBefore(bool keep);
	/* Remove the message about a row; the lists have the latencies of all rows again. */
	void forgetRow();
	/* List all latencies of the displayed figures, if a view of latencies is visible. */
	void listLatencies();
	void watch();
	void settle();
	/* The height of all rows except the view, without the title of the panel. */
	int rowsHeight() const;
	/* The height at which all rows and so many bars are visible. */
	int heightOf(int bars) const;
	/*
	 * If the panel is too low for some bars, hide the row of the expression, which a button
	 * shows, and the line for notes if it is empty.
	 */
	void foldRows();

	/* A picture of the view; "", or why it cannot be written. */
	QString exportPicture(const QString &path) const;
	void sayWritten(const QString &path, const QString &why);

	Shark *shark;
	Recordings *files;
	PanelMemory memory;
	ExpressionRow *expression;
	PanelChoices *choices;
	PanelFigures *figures;
	PanelPairs *pairs;
	PanelFilter *filter;
	PanelEpisodes *episodes;
	PanelHeight *heights;

	RowsArea *area;
	QWidget *body; /* in the area */
	QToolButton *exporting, *counting, *comparing, *splitting;
	LineLabel *from, *notes;
	PanelMessage *message;
	WaitBar *progress;
	PanelViews *views;
	BarsView *bars;
	HeatmapView *heatmap;
	ScatterView *scatter;
	CompareView *compare;
	QString before_from; /* describes the snapshots before; "": there are none */

	PanelQuery wanted;    /* the newest query */
	bool stale = true;    /* refresh() was postponed because the panel is hidden */
	bool closed = false;
};

#endif
