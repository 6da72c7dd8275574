/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_controller.hpp - what is inside of the panel
 *
 * Three rules: refresh() looks at the choices and the graph and asks the worker when
 * other snapshots are wanted; show() puts figures that came into the views, with the
 * line that belongs to them; nothing else touches the views.  So the line and the
 * numbers are always of the same snapshots.
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

/* Of the items of the chooser, beside the path of the file. */
#define HIST_ROLE (Qt::UserRole + 1)
#define COUNTED_ROLE (Qt::UserRole + 2)

class QAction;
class QComboBox;
class QLineEdit;
class QProgressBar;
class QSettings;
class QStackedWidget;
class QTabBar;
class QToolButton;

class HistPanelParts : public QObject {
	Q_OBJECT
public:
	/* @settings may be nullptr (panel_settings.hpp) */
	HistPanelParts(HistPanel *panel, Shark *shark, QSettings *settings);

	/* panel_controller.cpp: widgets and what they do */
	void build();
	void connectAll();
	/* The histograms of all files into the chooser; keeps the chosen one where it is there. */
	void fillChooser();
	void fillGroups(const Figures *f);
	void fillValues();
	void chooseAt(int index);
	void setView(int view);
	void refresh();
	void show(quint64 number, const FiguresPtr &figures, const QString &why);
	void showNothing(const QString &why);
	void showNotes();
	void showTime();
	void watch();
	void settle();
	PanelChoice choice() const;
	/* The file of the chosen histogram, and of the one whose figures are still shown. */
	const Recordings::Item *item() const;
	const Recordings::Item *shownItem() const;
	/* "kmem:kmalloc by bytes_req.log2"; which file and which buffers, where there are several */
	static QString histogramText(const Recordings::Item &item, unsigned int hist, bool several);
	ChartView *chart() const;
	QWidget *shownView() const;

	/* panel_restore.cpp: as the user has left it */
	void recallLook();
	void keepLook();
	void connectMemory();
	/* The newest choice that is in the chooser; -1 */
	int recalledIndex() const;
	/* How the histogram that is chosen now was seen. */
	void recallChoice();
	void keepChoice();
	unsigned int histAt(int index) const;

	/* panel_filter.cpp: the events behind a key */
	/* False, and said, where the file has none. */
	bool hasEvents();
	void filterAxis(const hist_heat_row *row);
	void filterEntry(uint32_t entry);
	void filterCell(int cell);
	void applyFilter(const QString &filter, const QString &what);
	void sayFilter(const QString &words, bool can_clear);

	/* panel_count.cpp: events that the panel counts itself */
	void connectCount();
	/* The choice of what was counted, behind those of its file; true: that is the one chosen */
	bool addCounted(bool several);
	/* What is shown of it; asks for its window where that is another one. */
	PanelQuery countedNow();
	void count();
	void countChanged(bool fresh);
	/* Of what is chosen; null where that was not opened, or not counted. */
	RecordingPtr chosenRecording() const;

	/* panel_export.cpp */
	bool exportTo(const QString &path, const QString &format, QString *why);
	bool exportQuery(const QString &format, FiguresQuery *query, figures_format *as, QString *why) const;
	bool exportPicture(const QString &path, QString *why) const;
	void exportByMenu(const QString &format);

	HistPanel *panel;
	Shark *shark;
	FiguresWorker *worker;
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
	BarsView *bars;
	HeatmapView *heatmap;
	PercentilesView *percentiles;
	TableView *table;
	QTimer watching;
	QElapsedTimer since; /* the worker is busy */

	QString path;	      /* the chosen histogram; "" for none */
	unsigned int hist = 0;
	bool counted = false; /* that is what the panel has counted itself */
	QMap<quint64, PanelQuery> asked;
	PanelQuery wanted;    /* the newest */
	PanelQuery shown;     /* of what the views show; not valid: a sentence */
	FiguresPtr figures;   /* null where there is a sentence */
	bool stale = true;    /* refresh() was put off as nobody sees the panel */
	bool closed = false;
	bool by_hand = false; /* the histogram was chosen by the user, in this run */
};

#endif
