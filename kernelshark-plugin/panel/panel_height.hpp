/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_height.hpp - the height of the panel: that of the last run, or a useful one
 *
 * The height is at most a part of the window, so that the graph remains usable on a small screen.
 * The program begins with a small window, so the height is set again for each size of the window,
 * until the user chooses a height. That height is stored when the program ends: a drag of the
 * border is many sizes.
 *
 * Invariant: kept_ is a height that the user dragged in this run; only then nothing sets another.
 */
#ifndef KERNELSHARK_PLUGIN_PANEL_PANEL_HEIGHT_HPP
#define KERNELSHARK_PLUGIN_PANEL_PANEL_HEIGHT_HPP

#include <functional>

#include <QObject>

#include "kernelshark-plugin/panel/panel_memory.hpp"

class QDockWidget;
class QResizeEvent;

class PanelHeight : public QObject {
	Q_OBJECT
public:
	/* Owned by @panel, whose useful height @useful is; @memory must outlive it. */
	PanelHeight(QDockWidget *panel, PanelMemory *memory, const std::function<int()> &useful);

	/* The panel has the whole window: its height is not a choice of the user. */
	void setAlone(bool is);
	/* Another panel next to this one sets the height. */
	void leave();
	/* Store the height that the user chose. */
	void keep();

protected:
	bool eventFilter(QObject *of, QEvent *event) override;

private:
	/* Set the height soon, when the window has its layout. */
	void recallSoon();
	void recall();
	void resized(const QResizeEvent *event);

	QDockWidget *panel_;
	PanelMemory *memory_;
	const std::function<int()> useful_;
	bool alone_ = false;
	bool watched_ = false; /* the window is watched, because it changes its size */
	bool fitting_ = false; /* recall() changes the height now */
	int fit_ = 0;	       /* the height of the window at the last recall() */
	int kept_ = 0;	       /* 0: none */
};

#endif
