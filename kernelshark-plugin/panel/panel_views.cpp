// SPDX-License-Identifier: GPL-2.0
/* panel_views.cpp - the views of the panel, one visible at a time, with their tabs and scales */
#include "kernelshark-plugin/charts/chart_view.hpp"
#include "kernelshark-plugin/panel/panel_views.hpp"
#include "kernelshark-plugin/panel/panel_widgets.hpp"

PanelViews::PanelViews(PanelMemory *memory, QWidget *parent)
	: QStackedWidget(parent), memory_(memory)
{
}

QWidget *PanelViews::scale(QWidget *parent)
{
	scale_ = named<QToolButton>(parent, "hist_log");
	scale_->setToolTip(tr("Logarithmic or linear scale"));
	scale_->setCheckable(true);
	connect(scale_, &QToolButton::toggled, this, [this](bool on) {
		scale_->setText(on ? tr("Log") : tr("Linear"));
		list_[view()].view->setLog(on);
		keep();
	});
	return scale_;
}

QWidget *PanelViews::tabs(QWidget *parent)
{
	tabs_ = named<QTabBar>(parent, "hist_view");
	tabs_->setAccessibleName(tr("View"));
	tabs_->setDrawBase(false);
	tabs_->setExpanding(false);
	return tabs_;
}

void PanelViews::add(PanelView *view, const Kind &kind)
{
	list_.append(Added{ view, kind });
	tabs_->addTab(tr(kind.title));
}

void PanelViews::recall()
{
	for (const Added &one : list_)
		if (one.kind.log)
			one.view->setLog(memory_->number(QLatin1String(one.kind.log), 1,
							 one.view->isLog()));
	tabs_->setCurrentIndex(memory_->number(QStringLiteral("view"), tabs_->count() - 1, 0));
	showAt(view());
	connect(tabs_, &QTabBar::currentChanged, this, [this](int view) {
		showAt(view);
		emit shown();
		keep();
	});
}

void PanelViews::keep()
{
	for (const Added &one : list_)
		if (one.kind.log)
			memory_->keep(QLatin1String(one.kind.log), one.view->isLog());
	memory_->keep(QStringLiteral("view"), view());
}

void PanelViews::showAt(int view)
{
	const QSignalBlocker blocked(scale_);

	setCurrentIndex(view);
	scale_->setEnabled(list_[view].kind.log);
	scale_->setChecked(list_[view].view->isLog());
	scale_->setText(scale_->isChecked() ? tr("Log") : tr("Linear"));
}

void PanelViews::offer(int view, bool can)
{
	tabs_->setTabVisible(view, can || view == this->view());
	/* setTabVisible() keeps the old size, which makes the tabs scroll; setTabText() does not */
	tabs_->setTabText(view, tabs_->tabText(view));
}

void PanelViews::setFigures(const PanelDataPtr &figures)
{
	for (int i = 0; i < list_.size(); i++)
		list_[i].view->setFigures(i == view() ? figures : PanelDataPtr(), QString());
}

void PanelViews::setNone(const QString &why)
{
	for (const Added &one : list_)
		one.view->setFigures(PanelDataPtr(), why);
}

void PanelViews::paint(QPainter *painter) const
{
	if (ChartView *chart = qobject_cast<ChartView *>(currentWidget()))
		chart->paintInto(painter);
	else
		currentWidget()->render(painter, QPoint(), QRegion(), QWidget::DrawChildren);
}
