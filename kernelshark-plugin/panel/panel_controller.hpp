/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_controller.hpp - private implementation of the panel
 *
 * There are three rules. refresh() reads the controls and the graph, and asks the
 * worker if other snapshots are needed. show() passes new figures to the views together
 * with the line that describes them. Nothing else updates the views. Therefore the line
 * and the numbers always describe the same snapshots.
 */
#ifndef KERNELSHARK_PLUGIN_PANEL_PANEL_CONTROLLER_HPP
#define KERNELSHARK_PLUGIN_PANEL_PANEL_CONTROLLER_HPP

#include <QElapsedTimer>
#include <QMap>
#include <QTimer>

#include "kernelshark-plugin/charts/bars_view.hpp"
#include "kernelshark-plugin/charts/heatmap_view.hpp"
#include "kernelshark-plugin/charts/percentiles_view.hpp"
#include "kernelshark-plugin/charts/table_view.hpp"
#include "kernelshark-plugin/panel/expression_row.hpp"
#include "kernelshark-plugin/panel/panel_query.hpp"
#include "kernelshark-plugin/panel/panel_settings.hpp"
#include "kernelshark-plugin/panel/panel_widgets.hpp"
#include "kernelshark-plugin/work/data_worker.hpp"

/* Data roles of the chooser's items, in addition to the path of the file. */
#define HIST_ROLE (Qt::UserRole + 1)
#define COUNTED_ROLE (Qt::UserRole + 2)

class QAction;
class QComboBox;
class QLayout;
class QLineEdit;
class QProgressBar;
class QSettings;
class QStackedWidget;
class QTabBar;
class QToolButton;

class HistPanelParts : public QObject {
	Q_OBJECT
public:
	/* The views, in the order of HistPanel::View. */
	static const struct ViewKind {
		const char *title; /* of its tab */
		const char *log;   /* the setting of its scale; nullptr: it does not have one */
		panel_data_format svg; /* if it has a scale */
	} kinds[];

	/* @settings may be nullptr (panel_settings.hpp) */
	HistPanelParts(HistPanel *panel, Shark *shark, QSettings *settings);

	/* panel_build.cpp: the widgets, and what their signals call */
	void build();
	QLayout *buildChoices();
	QLayout *buildTabs();
	void buildFilter();
	void connectAll();
	void connectChoices();
	void connectViews();

	/* panel_controller.cpp: the behaviour of the widgets */
	/*
	 * Fill the chooser with the histograms of all files; keep the chosen one if it
	 * still exists.
	 */
	void fillChooser();
	void fillGroups(const PanelData *f);
	void fillValues();
	void chooseAt(int index);
	void setView(int view);
	void refresh();
	void show(quint64 number, const PanelDataPtr &figures, const QString &why);
	void showNothing(const QString &why);
	void showNotes();
	void showTime();
	void watch();
	void settle();
	PanelChoice choice() const;
	/* The file of the chosen histogram, and of the histogram whose figures are still shown. */
	const Recordings::Item *item() const;
	const Recordings::Item *shownItem() const;
	/* "kmem:kmalloc by bytes_req.log2"; with file and buffers if @several */
	static QString histogramText(const Recordings::Item &item, unsigned int hist, bool several);
	ChartView *chart() const;

	/* panel_restore.cpp: restore the state of the last run */
	void recallLook();
	void keepLook();
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
	void filterAxis(const hist_heat_row *row);
	void filterEntry(uint32_t entry);
	/* For the parameters of key_filter_make_axis(); @label: of the axis or entry; @group: or "" */
	void filterKeys(int axis, const hist_bounds *bounds, uint32_t entry, const QString &label,
			const QString &group);
	void filterCell(int cell);
	void applyFilter(const QString &filter, const QString &what);
	void sayFilter(const QString &words, bool can_clear);

	/* panel_count.cpp: events that the panel itself counts */
	void connectCount();
	/* Add the counted histogram after those of its file; true if it is the chosen one. */
	bool addCounted(bool several);
	/* Add an item to the chooser. */
	void addChoice(const QString &text, const QString &file, unsigned int number, bool is_counted,
		       const QString &tip);
	/* The query for the counted histogram; requests a new count if the window has changed. */
	PanelQuery countedNow();
	void count();
	void countChanged(bool fresh);
	/* The chosen recording; null if it is not opened or counted yet. */
	RecordingPtr chosenRecording() const;

	/* panel_export.cpp */
	bool exportTo(const QString &path, const QString &format, QString *why);
	bool exportQuery(const QString &format, PanelDataQuery *query, panel_data_format *as,
			 QString *why) const;
	bool exportPicture(const QString &path, QString *why) const;
	void exportByMenu(const QString &format);

	HistPanel *panel;
	Shark *shark;
	DataWorker *worker;
	Recordings *recordings;
	PanelMemory memory;
	ExpressionRow *expression;

	QWidget *body;
	QComboBox *choose, *group, *value, *source;
	SnapshotSpin *snapshot;
	QTabBar *view;
	QToolButton *log, *exporting;
	QLineEdit *search;
	LineLabel *from, *notes;
	QWidget *filter;
	LineLabel *filter_words;
	QToolButton *filter_clear;
	QProgressBar *progress;
	QStackedWidget *stack;
	QList<PanelView *> views; /* the four below */
	BarsView *bars;
	HeatmapView *heatmap;
	PercentilesView *percentiles;
	TableView *table;
	QTimer watching;
	QElapsedTimer since; /* time since the worker became busy */

	QString path;	      /* the file of the chosen histogram; "": none */
	unsigned int hist = 0;
	bool counted = false; /* the chosen histogram is counted by the panel */
	QMap<quint64, PanelQuery> asked;
	PanelQuery wanted;    /* the newest query */
	PanelQuery shown;     /* the query of the displayed figures; not valid: a sentence */
	PanelDataPtr figures;   /* null if a sentence is shown */
	bool stale = true;    /* refresh() was postponed because the panel is hidden */
	bool closed = false;
	bool by_hand = false; /* the user chose the histogram in this run */
};

#endif
