/* SPDX-License-Identifier: GPL-2.0 */
/* panel_view.hpp - what the panel does with a view, painted or a table */
#ifndef KERNELSHARK_PLUGIN_CHARTS_PANEL_VIEW_HPP
#define KERNELSHARK_PLUGIN_CHARTS_PANEL_VIEW_HPP

#include "kernelshark-plugin/work/data_worker.hpp"

class PanelView {
public:
	virtual ~PanelView() = default;

	/* If @figures is null, show the sentence @empty. */
	virtual void setFigures(const PanelDataPtr &figures, const QString &empty) = 0;
	/* The scale; a view without one is never logarithmic. */
	virtual void setLog(bool) {}
	virtual bool isLog() const { return false; }
	/* The numbers that the view shows, as CSV; "": they are those of a report. */
	virtual QByteArray csv() const { return QByteArray(); }
};

#endif
