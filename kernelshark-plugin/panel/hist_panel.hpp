/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hist_panel.hpp - dock widget that shows histograms next to the graph
 *
 * The panel contains a row of controls, a line that describes the snapshots of the
 * displayed numbers, and a line about losses. The views show the same figures, one view
 * at a time; other views show the episodes of the file, and each latency of the histogram.
 * The panel builds a query from the Shark, the controls and the recordings. A worker computes the figures (data_worker.hpp), and the views show them.
 * Each signal of the Shark updates the query. The worker gets a query only if it needs
 * other snapshots.
 *
 * There are three rules. refresh() reads the controls and the graph, and asks the
 * worker if other snapshots are needed. showFigures() passes new figures to the views
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
#include <QMap>
#include <QTabBar>

#include "kernelshark-plugin/charts/bars_view.hpp"
#include "kernelshark-plugin/charts/call_tree_view.hpp"
#include "kernelshark-plugin/charts/heatmap_view.hpp"
#include "kernelshark-plugin/charts/percentiles_view.hpp"
#include "kernelshark-plugin/charts/table_view.hpp"
#include "kernelshark-plugin/differences/compare_view.hpp"
#include "kernelshark-plugin/latencies/episodes_view.hpp"
#include "kernelshark-plugin/latencies/pairs_view.hpp"
#include "kernelshark-plugin/latencies/scatter_view.hpp"
#include "kernelshark-plugin/panel/expression_row.hpp"
#include "kernelshark-plugin/panel/panel_message.hpp"
#include "kernelshark-plugin/panel/panel_query.hpp"
#include "kernelshark-plugin/panel/panel_row.hpp"
#include "kernelshark-plugin/panel/panel_settings.hpp"
#include "kernelshark-plugin/panel/panel_widgets.hpp"
#include "kernelshark-plugin/work/data_worker.hpp"

class QLayout;
class QLineEdit;
class QMenu;
class QSettings;
class QStackedWidget;

class HistPanel : public QDockWidget {
	Q_OBJECT
public:
	/* The order is that of the tabs and widgets (panel_build.cpp). */
	enum View { Bars, HeatMap, Percentiles, Table, Calls, Episodes, Pairs, Scatter, Compare };
	enum Source { VisibleWindow, MarkersAB, OneSnapshot };

	/*
	 * @shark and @files, which all panels share, must outlive the panel. The panel owns
	 * @settings, which stores the user's choices (panel_settings.hpp). Without
	 * @settings, nothing is stored.
	 */
	HistPanel(Shark *shark, Recordings *files, QWidget *parent = nullptr, QSettings *settings = nullptr);
	/* Ends the worker immediately, even if it is computing. */
	~HistPanel() override;

	/* The open recordings. */
	Recordings *recordings() const { return files; }

	/* Show a histogram of an open file; false if it does not exist. */
	bool choose(const QString &path, unsigned int hist);
	/* Get the chosen histogram; false if there is none, or if the panel counted it itself. */
	bool chosen(QString *path, unsigned int *hist) const;

	/*
	 * Show one snapshot and raise the panel, after a double click on a mark of the
	 * timeline. False if the file does not contain the snapshot.
	 */
	bool showSnapshot(const QString &path, unsigned int hist, quint32 seq);

	void setView(View view) { tabs->setCurrentIndex(view); }
	View view() const { return View(tabs->currentIndex()); }
	void setSource(Source source) { times->setCurrentIndex(source); }
	Source source() const { return Source(times->currentIndex()); }

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
	Q_INVOKABLE qulonglong computations() const { return worker->begun(); }

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
	void showEvent(QShowEvent *event) override;
	void resizeEvent(QResizeEvent *event) override;
	bool eventFilter(QObject *of, QEvent *event) override;

private:
	/* The views, in the order of View. */
	static const struct ViewKind {
		const char *title; /* of its tab */
		const char *log;   /* the setting of its scale; nullptr: it does not have one */
		panel_data_format svg; /* if it has a scale */
	} kinds[];
	/* Data roles of the chooser's items, in addition to the path of the file. */
	enum { HIST_ROLE = Qt::UserRole + 1, COUNTED_ROLE };

	/* panel_build.cpp: the widgets, and what their signals call */
	void build();
	QLayout *buildChoices();
	QLayout *buildTabs();
	QLayout *buildMessages();
	void connectAll();
	void connectChoices();
	void connectViews();

	/* hist_panel.cpp: the behaviour of the widgets */
	/*
	 * Fill the chooser with the histograms of all files; keep the chosen one if it
	 * still exists.
	 */
	void fillChooser();
	void fillGroups(const PanelData *f);
	void fillValues();
	void chooseAt(int index);
	void showView(int index);
	/* Show only the tabs of views that can show the chosen histogram. */
	void offerViews();
	void refresh();
	void showFigures(quint64 number, const PanelDataPtr &figures, const QString &why);
	void showNothing(const QString &why);
	QStringList figuresNotes() const;
	static QString notesText(const QStringList &list);
	void showNotes();
	void showTime();
	void watch();
	void settle();
	/* The file of the chosen histogram, and of the histogram whose figures are still shown. */
	const Recordings::Item *item() const;
	const Recordings::Item *shownItem() const;
	/* "kmem:kmalloc by bytes_req.log2"; with file and buffers if @several */
	static QString histogramText(const Recordings::Item &item, unsigned int hist, bool several);
	ChartView *chart() const;

	/* panel_query.cpp: the choices of the user and the state of the graph */
	PanelQuery choiceQuery() const;
	/* The query for the chosen histogram of a file. */
	PanelQuery recordedNow() const;
	/*
	 * The query for the counted histogram: all of it, regardless of what the graph
	 * shows meanwhile.
	 */
	PanelQuery countedNow() const;
	/*
	 * Get the time range to show: that of the graph, or between the markers. False
	 * with a sentence in @why if there is none.
	 */
	bool timeRange(qint64 *begin, qint64 *end, QString *why) const;

	/* panel_fold.cpp: fewer rows if the panel is low */
	/* The height of all rows except the view, without the title of the panel. */
	int rowsHeight() const;
	/*
	 * If the panel is too low for some bars, hide the row of the expression, which a button
	 * shows, and the line for notes if it is empty.
	 */
	void foldRows();

	/* panel_restore.cpp: restore the state of the last run */
	void recallLook();
	void keepLook();
	/* The height of the last run, or one for ten bars. */
	void recallHeight();
	void connectMemory();
	/* The newest stored choice that is in the chooser; -1: none. */
	int recalledIndex() const;
	/* Restore how the user viewed the chosen histogram. */
	void recallChoice();
	void keepChoice();
	unsigned int histAt(int index) const;

	/* panel_filter.cpp: filter the events of a key */
	/* False, with a message, if the file does not contain events. */
	bool hasEvents();
	/* The entries of a bucket; false, with a message, if they are not known or nothing was counted. */
	bool axisRow(const hist_heat_row *row, PanelRow *to);
	void filterAxis(const hist_heat_row *row);
	void filterEntry(uint32_t entry);
	void filterRow(const PanelRow &row);
	/* The context menu of a row, with what can be done. */
	void showRowMenu(const PanelRow &row, const QPoint &at);
	void filterCell(int cell);
	void applyFilter(const QString &filter, const PanelRow &row);
	void forgetRow();

	/* panel_episodes.cpp: captured episodes */
	void connectEpisodes();
	/* Show the episodes of the chosen file. */
	void showEpisodes();
	/* Go to an episode of the chosen file. */
	void goToEpisode(int episode);
	/* The episodes whose latencies a cell of the heat map counted, the worst first. */
	QList<int> episodesOf(int cell) const;
	/* Offer the episodes of a cell in the line below the view. */
	void offerEpisodes(int cell);

	/* panel_pairs.cpp: the events behind a row, with their numbers */
	enum PairsGo { ListAll, ListPairs, GoToLargest, GoToSmallest, GoToTime };
	void connectPairs();
	/* The expression that the displayed histogram was counted with; null: it is of a file. */
	CountedPtr shownCounted() const;
	/* What the events of the displayed rows have; PAIRS_NONE also if there are no events. */
	latency_pairs_kind pairsKind() const;
	/* True if the displayed histogram is one of a latency. */
	bool isLatency() const;
	/* Add "go to the largest and the smallest" to the menu of a row. */
	void addExtremes(QMenu *menu, const PanelRow &row);
	/*
	 * Find the events of a row, and list them or go to one. @from and @to, for GoToTime:
	 * the time of the file in which the largest one ended.
	 */
	void findPairs(const PanelRow &row, PairsGo go, uint64_t from = 0, uint64_t to = 0);
	void goToSlowest(int cell);
	/*
	 * Fill the views of latencies with all latencies of the displayed figures, if one of
	 * these views is visible. A list of a row remains until the user closes it, and a list
	 * of a longer time remains, so that a click on a latency does not change the list.
	 */
	void listLatencies();
	void showList(const QVector<latency_pair> &list, const QString &why);
	latency_pairs_query pairsQuery() const;
	void askPairs();
	void showPairs(quint64 number, const CountedPtr &found, const ExpressionError &error);
	/* The pair to go to. */
	const latency_pair *pairToShow(const QVector<latency_pair> &list) const;
	void sayExtreme(const latency_pair &pair);
	/* Say why there are no pairs. */
	void sayNoPairs(const QString &why);
	void goToPair(quint64 start, quint64 end);

	/* panel_compare.cpp: what is shown now, and what was shown before */
	void connectCompare();
	/* Keep the displayed figures as those before, or drop them. */
	void setBefore(bool keep);
	/* The line that describes the snapshots. */
	void showFrom();

	/* panel_count.cpp: events that the panel itself counts */
	void connectCount();
	/* Add the counted histograms after those of its file; the index of the chosen one, or -1. */
	int addCounted(bool several);
	/* Add an item to the chooser. */
	void addChoice(const QString &text, const QString &file, unsigned int number, bool is_counted,
		       const QString &tip);
	/* Request a new count if the window has changed. */
	void count();
	void countChanged(bool fresh);
	/* The chosen recording; null if it is not opened or counted yet. */
	RecordingPtr chosenRecording() const;

	/* panel_export.cpp */
	QString exportPicture(const QString &path) const;
	void sayWritten(const QString &path, const QString &why);

	Shark *shark;
	DataWorker *worker;
	Recordings *files;
	PanelMemory memory;
	ExpressionRow *expression;
	ExpressionWorker *pair_worker;

	RowsArea *area;
	QWidget *body; /* in the area */
	QComboBox *histograms, *group, *value, *times;
	SnapshotSpin *snapshot;
	QTabBar *tabs;
	QToolButton *log, *exporting, *counting, *comparing, *splitting;
	QLineEdit *search;
	LineLabel *from, *notes;
	PanelMessage *message;
	WaitBar *progress;
	QStackedWidget *stack;
	QList<PanelView *> views; /* those below */
	BarsView *bars;
	HeatmapView *heatmap;
	PercentilesView *percentiles;
	TableView *table;
	CallTreeView *calls;
	EpisodesView *episodes;
	PairsView *pairs;
	ScatterView *scatter;
	CompareView *compare;
	QString before_from; /* describes the snapshots before; "": there are none */

	struct PairQuery {
		QString path, buffer;
		RecordingPtr recording; /* of the file */
		PanelDataPtr figures;	/* of the row */
		CountedPtr counted;	/* null: the histogram is of the file */
		PanelRow row;
		latency_pairs_kind kind = PAIRS_NONE;
		PairsGo go = ListPairs;
		uint64_t after = 0, until = 0; /* the time of the figures, of the file */
		uint64_t from = 0, to = 0;
	} pair_query; /* the last one */
	EventsPtr pair_events; /* of its file; null: they cannot be read */

	/* What the views of latencies list. */
	struct Listed {
		bool all = false;  /* otherwise those of a row */
		bool more = false; /* not all were kept */
		QString path;	   /* "": nothing is listed */
		unsigned int hist = 0;
		QByteArray counted, group; /* the expression; "": the histogram is of the file */
		uint64_t after = 0, until = 0; /* the time, of the file */

		bool isOf(const Listed &o) const
		{
			return path == o.path && hist == o.hist && counted == o.counted && group == o.group;
		}
	} listed;
	/* A list of all latencies of the displayed figures. */
	Listed listOfFigures() const;

	QString path;	      /* the file of the chosen histogram; "": none */
	unsigned int hist = 0;
	bool counted = false; /* the chosen histogram is counted by the panel */
	QMap<quint64, PanelQuery> asked;
	PanelQuery wanted;    /* the newest query */
	PanelQuery shown;     /* the query of the displayed figures; not valid: a sentence */
	PanelDataPtr figures;   /* null if a sentence is shown */
	bool stale = true;    /* refresh() was postponed because the panel is hidden */
	bool closed = false;
	bool alone = false;
	bool watched = false;  /* the window is watched, because it changes its size */
	bool fitting = false;  /* recallHeight() changes the height now */
	int fit_height = 0;    /* of the window, at the last recallHeight() */
	int kept_height = 0;  /* the last one that the user chose; 0: none */
	bool by_hand = false; /* the user chose the histogram in this run */
	bool is_beside = false; /* it has the height of the other panel */
	QString beside;       /* setBeside(): the file and histogram of the other panel */
	unsigned int beside_hist = 0;
};

#endif
