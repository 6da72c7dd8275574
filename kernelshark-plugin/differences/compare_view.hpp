/* SPDX-License-Identifier: GPL-2.0 */
/* compare_view.hpp - the bars before and after, next to their difference over time */
#ifndef KERNELSHARK_PLUGIN_DIFFERENCES_COMPARE_VIEW_HPP
#define KERNELSHARK_PLUGIN_DIFFERENCES_COMPARE_VIEW_HPP

#include <QSplitter>

#include "kernelshark-plugin/differences/compare_bars.hpp"
#include "kernelshark-plugin/differences/difference_map.hpp"

class CompareView : public QSplitter, public PanelView {
	Q_OBJECT
public:
	explicit CompareView(QWidget *parent = nullptr);

	/* Null: there is nothing to compare with. */
	void setBefore(const PanelDataPtr &before);
	bool hasBefore() const { return has_before_; }

	void setFigures(const PanelDataPtr &figures, const QString &empty) override;
	void setLog(bool log) override { bars_->setLog(log); }
	bool isLog() const override { return bars_->isLog(); }
	QByteArray csv() const override;

private:
	CompareBars *bars_;
	DifferenceMap *map_;
	bool has_before_ = false;
};

#endif
