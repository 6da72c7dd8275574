// SPDX-License-Identifier: GPL-2.0
/* window_size.cpp - keep the minimum height of KernelShark's window as without panels */
#include <algorithm>

#include <QEvent>
#include <QScreen>
#include <QStyle>

#include "kernelshark-plugin/adapter/shark_window.hpp"
#include "kernelshark-plugin/adapter/window_size.hpp"
#include "kernelshark-plugin/panel/hist_panel.hpp"

WindowSize::WindowSize(KernelShark *shark, QMainWindow *window)
	: QObject(window), shark_(shark), window_(window), list_(shark->list())
{
	while (list_ && list_->parentWidget() != shark->central())
		list_ = list_->parentWidget();
	window->installEventFilter(this);
}

WindowSize::~WindowSize()
{
	if (list_ && reduced_ >= 0 && list_->minimumHeight() == reduced_)
		list_->setMinimumHeight(stock_);
}

int WindowSize::panelsHeight() const
{
	const int border = window_->style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent, nullptr, window_);
	int sum = 0;

	for (Qt::DockWidgetArea area : { Qt::TopDockWidgetArea, Qt::BottomDockWidgetArea }) {
		int most = 0;

		for (HistPanel *panel : window_->findChildren<HistPanel *>(QString(), Qt::FindDirectChildrenOnly))
			if (!panel->isFloating() && !panel->isHidden() && window_->dockWidgetArea(panel) == area)
				most = std::max(most, panel->minimumSizeHint().height() + border);
		sum += most;
	}
	return sum;
}

int WindowSize::stockHeight() const
{
	return stock_ > 0 ? stock_ : list_->minimumSizeHint().height();
}

void WindowSize::fit()
{
	const int panels = panelsHeight();
	int wanted;

	if (!list_)
		return;
	/* KernelShark sets it for each file */
	if (list_->minimumHeight() != reduced_)
		stock_ = list_->minimumHeight();
	wanted = panels ? std::max(1, stockHeight() - panels) : stock_;
	reduced_ = panels ? wanted : -1;
	if (list_->minimumHeight() == wanted)
		return;
	list_->setMinimumHeight(wanted);
	shark_->central()->updateGeometry();
}

void WindowSize::grow(const HistPanel *panel)
{
	const QRect screen = window_->screen()->availableGeometry();
	const QSize frame = window_->frameGeometry().size() - window_->size();
	int height;

	if (!list_ || panel->isHidden() || panel->isFloating())
		return;
	fit();
	height = window_->minimumSizeHint().height() + panel->usefulHeight() - panel->minimumSizeHint().height();
	if (reduced_ >= 0)
		height += stockHeight() - reduced_;
	if (height <= needed_)
		return;
	needed_ = height;
	if (window_->isMaximized() || window_->isFullScreen())
		return;
	height = std::min(height, screen.height() - frame.height());
	if (height <= window_->height())
		return;
	window_->resize(window_->width(), height);
	if (window_->frameGeometry().bottom() > screen.bottom())
		window_->move(window_->x(), std::max(screen.top(), screen.bottom() + 1 - height - frame.height()));
}

bool WindowSize::eventFilter(QObject *object, QEvent *event)
{
	if (event->type() == QEvent::LayoutRequest)
		fit();
	return QObject::eventFilter(object, event);
}
