// SPDX-License-Identifier: GPL-2.0
/* window_size.cpp - keep the minimum height of KernelShark's window as without panels */
#include <algorithm>

#include <QEvent>
#include <QLayout>
#include <QScreen>

#include "kernelshark-plugin/adapter/shark_window.hpp"
#include "kernelshark-plugin/adapter/window_size.hpp"
#include "kernelshark-plugin/panel/hist_panel.hpp"

WindowSize::WindowSize(KernelShark *shark, QMainWindow *window)
	: QObject(window), shark_(shark), window_(window), list_(shark->list())
{
	while (list_ && list_->parentWidget() != shark->central())
		list_ = list_->parentWidget();
	join_.setSingleShot(true);
	connect(&join_, &QTimer::timeout, this, &WindowSize::join);
	panelsHeight();
	window->installEventFilter(this);
}

WindowSize::~WindowSize()
{
	if (list_ && reduced_ >= 0 && list_->minimumHeight() == reduced_)
		list_->setMinimumHeight(stock_);
}

QList<HistPanel *> WindowSize::docked() const
{
	QList<HistPanel *> panels;

	for (HistPanel *panel :
	     window_->findChildren<HistPanel *>(QString(), Qt::FindDirectChildrenOnly))
		if (!panel->isFloating() && !panel->isHidden())
			panels << panel;
	return panels;
}

/* Only the layout knows how the panels are arranged. */
int WindowSize::panelsHeight()
{
	QLayout *layout = window_->layout();
	int height = layout->minimumSize().height();

	for (int i = 0; QLayoutItem *item = layout->itemAt(i); i++)
		if (item->widget() == shark_->central())
			height -= item->minimumSize().height();
	if (docked().isEmpty())
		rest_ = height;
	return std::max(0, height - rest_);
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
	if (panels >= stockHeight())
		join_.start(0);
	wanted = panels ? std::max(1, stockHeight() - panels) : stock_;
	reduced_ = panels ? wanted : -1;
	if (list_->minimumHeight() == wanted)
		return;
	list_->setMinimumHeight(wanted);
	shark_->central()->updateGeometry();
}

void WindowSize::join()
{
	const QList<HistPanel *> panels = docked();

	if (!list_ || panelsHeight() < stockHeight())
		return;
	for (HistPanel *other : panels)
		for (HistPanel *panel : panels) {
			const QRect a = panel->geometry(), b = other->geometry();

			if (a.bottom() >= b.top() ||
			    window_->tabifiedDockWidgets(panel).contains(other))
				continue;
			window_->tabifyDockWidget(panel, other);
			other->raise();
			return;
		}
}

void WindowSize::grow(const HistPanel *panel)
{
	const QRect screen = window_->screen()->availableGeometry();
	const QSize frame = window_->frameGeometry().size() - window_->size();
	int height;

	if (!list_ || panel->isHidden() || panel->isFloating())
		return;
	fit();
	height = window_->minimumSizeHint().height() + panel->usefulHeight() -
		 panel->minimumSizeHint().height();
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
		window_->move(window_->x(), std::max(screen.top(), screen.bottom() + 1 - height -
									   frame.height()));
}

bool WindowSize::eventFilter(QObject *object, QEvent *event)
{
	if (event->type() == QEvent::LayoutRequest)
		fit();
	return QObject::eventFilter(object, event);
}
