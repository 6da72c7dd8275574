/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_choices.hpp - what the user chose to see: histogram, group, value and time, and the query
 * that this means
 *
 * The chooser has the histograms of all files, and then those that the row of the expression
 * counted last. The result of a count is a recording, so all views can show it. Only its time
 * range is handled differently. If the graph moves, the panel still shows the events of the
 * old window, and a line that says so. The new events replace them as soon as they are
 * counted.
 *
 * The widgets belong to their parent, and the choices keep pointers to them. Choices of the
 * user are stored in the memory.
 *
 * Invariant: path_, hist_ and counted_ name the current item of the chooser, and the other
 * choosers fit this histogram. chosen() follows a change of it, and changed() any change.
 */
#ifndef KERNELSHARK_PLUGIN_PANEL_PANEL_CHOICES_HPP
#define KERNELSHARK_PLUGIN_PANEL_PANEL_CHOICES_HPP

#include "kernelshark-plugin/panel/panel_memory.hpp"
#include "kernelshark-plugin/panel/panel_query.hpp"

class ExpressionRow;
class QBoxLayout;
class QComboBox;
class QLineEdit;
class SnapshotSpin;

class PanelChoices : public QObject {
	Q_OBJECT
public:
	/* The memory stores the numbers. */
	enum Source { VisibleWindow, MarkersAB, OneSnapshot, WholeRecording };

	/* All must outlive the choices; @parent is the parent of the widgets too. */
	PanelChoices(Shark *shark, const Recordings *files, PanelMemory *memory,
		     ExpressionRow *expression, QWidget *parent);

	/* Add the choosers to a line. */
	void addTo(QBoxLayout *line) const;
	/* The choosers that the wheel changes. */
	QList<QWidget *> wheeled() const;

	/* Fill the chooser with all histograms; keep the chosen one if it still exists. */
	void fill();
	/* Offer the groups of these figures of the chosen histogram. */
	void fillGroups(const PanelData &f);
	/* The row of the expression has counted; @fresh: choose the new histogram. */
	void takeCount(bool fresh);
	/* Let the row of the expression count the chosen time, if it changed. */
	void count();

	/* Choose a histogram of a file; false if it does not exist. */
	bool choose(const QString &path, unsigned int hist);
	/* Also one snapshot of it; false if one of them does not exist. */
	bool chooseSnapshot(const QString &path, unsigned int hist, quint32 seq);
	/* Choose a group by its label; false if it does not exist. */
	bool chooseGroup(const QString &label);
	/* From now on, begin with the histogram after the one that @other has now. */
	void chooseAfter(const PanelChoices &other);
	void setSource(Source source);
	Source source() const;

	/* The chosen histogram; false if there is none, or if the panel counted it itself. */
	bool chosenOfFile(QString *path, unsigned int *hist) const;
	/* The file of the chosen histogram, or null. */
	const Recordings::Item *item() const;
	/* The chosen recording; null if it is not opened or counted yet. */
	RecordingPtr recording() const;
	/* The schema of the chosen histogram, or null. */
	const hist_schema *schema() const;
	/* The chosen histogram as in the chooser. */
	QString text() const;
	/* A sentence why recording() is null. */
	QString whyNone() const;
	/* What to show now; recording() must not be null. */
	PanelQuery query() const;

signals:
	/* Another histogram is chosen, or none; changed() follows. */
	void chosen();
	/* The query may be another one. */
	void changed();

private:
	/* Data roles of the chooser's items, in addition to the path of the file. */
	enum { HIST_ROLE = Qt::UserRole + 1, COUNTED_ROLE };

	/* the choosers */
	void add(const QString &text, const QString &file, unsigned int number, bool is_counted,
		 const QString &tip);
	/* Add the counted histograms after all others; the index of the chosen one, or -1. */
	int addCounted(bool several);
	void chooseAt(int index);
	void fillValues();
	void fillBuckets();
	QString pathAt(int index) const;
	unsigned int histAt(int index) const;
	bool countedAt(int index) const;

	/* what was chosen in the last run */
	/* The newest stored choice that is in the chooser; -1: none. */
	int recalledIndex() const;
	/* Restore how the user viewed the chosen histogram. */
	void recall();
	void keep();

	/* the choices of the user and the state of the graph */
	/* The query without its snapshots. */
	PanelQuery queryOfAll() const;
	/* The query for the chosen histogram of a file. */
	PanelQuery queryOfFile() const;
	/*
	 * The query for the counted histogram: all of it, regardless of what the graph
	 * shows meanwhile.
	 */
	PanelQuery queryOfCount() const;
	/* What the user must know about the times or events of the file of @p, or "". */
	QString noteOfFile(const time_window &shown) const;
	/*
	 * Get the time range to show: that of the graph, or between the markers. False
	 * with a sentence in @why if there is none.
	 */
	bool timeRange(qint64 *begin, qint64 *end, QString *why) const;

	Shark *shark_;
	const Recordings *files_;
	PanelMemory *memory_;
	ExpressionRow *expression_;

	QComboBox *histograms_, *group_, *value_, *bucket_, *times_;
	SnapshotSpin *snapshot_;
	QLineEdit *search_;

	QString path_;	       /* the file of the chosen histogram; "": none */
	unsigned int hist_ = 0;
	bool counted_ = false; /* the chosen histogram is counted by the panel */
	bool by_hand_ = false; /* the user chose the histogram in this run */
	QString after_;	       /* the histogram of chooseAfter(); "": none */
	unsigned int after_hist_ = 0;
};

#endif
