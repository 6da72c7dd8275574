/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_views.hpp - the views of the panel, one visible at a time, with their tabs and scales
 *
 * Owns the views that the panel adds, but does not know what they show. The tabs and the button for
 * the scale belong to their parents, because the panel has them in other rows. The visible
 * view and the scales are those of the last run, and are stored when they change.
 *
 * Invariant: the current tab, the current widget and the state of the button are those of one view.
 * After setFigures(), only this view has figures.
 */
#ifndef KERNELSHARK_PLUGIN_PANEL_PANEL_VIEWS_HPP
#define KERNELSHARK_PLUGIN_PANEL_PANEL_VIEWS_HPP

#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>

#include "kernelshark-plugin/charts/panel_view.hpp"
#include "kernelshark-plugin/panel/panel_memory.hpp"

class QPainter;

class PanelViews : public QStackedWidget {
	Q_OBJECT
public:
	struct Kind {
		const char *title; /* of its tab */
		const char *log;   /* the setting of its scale; nullptr: it does not have one */
		panel_data_format svg; /* PANEL_DATA_CSV: it cannot be saved as SVG */
	};

	/* @memory must outlive the views. Call scale(), tabs(), add() and then recall(). */
	explicit PanelViews(PanelMemory *memory, QWidget *parent = nullptr);
	/* Create the button for the scale. */
	QWidget *scale(QWidget *parent);
	/* Create the tabs. */
	QWidget *tabs(QWidget *parent);
	/* Create a view; views are numbered in this order. */
	template <class View> View *add(const Kind &kind)
	{
		View *view = new View(this);

		addWidget(view);
		add(view, kind);
		return view;
	}
	/* Restore the state of the last run. */
	void recall();

	int view() const { return tabs_->currentIndex(); }
	void setView(int view) { tabs_->setCurrentIndex(view); }
	/* Show the tab of a view if it @can show something; that of the visible view remains. */
	void offer(int view, bool can);

	/* Give figures to the visible view; the other views release theirs. */
	void setFigures(const PanelDataPtr &figures);
	/* Show the sentence @why in all views. */
	void setNone(const QString &why);

	/* Of the visible view; csv() "": the numbers are those of a report. */
	QByteArray csv() const { return list_[view()].view->csv(); }
	panel_data_format svg() const { return list_[view()].kind.svg; }
	/* Paint it at 0, 0, without scroll bars. */
	void paint(QPainter *painter) const;

signals:
	/* Another view is visible: it does not have figures. */
	void shown();

private:
	struct Added {
		PanelView *view;
		Kind kind;
	};
	void add(PanelView *view, const Kind &kind);
	void showAt(int view);
	void keep();

	PanelMemory *memory_;
	QToolButton *scale_ = nullptr;
	QTabBar *tabs_ = nullptr;
	QList<Added> list_;
};

#endif
