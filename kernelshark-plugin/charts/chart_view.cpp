// SPDX-License-Identifier: GPL-2.0
/* chart_view.cpp - base class of the painted views */
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include "kernelshark-plugin/charts/chart_view.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

ChartView::ChartView(QWidget *parent) : QAbstractScrollArea(parent), style_(this)
{
	setFrameShape(QFrame::NoFrame);
	setFocusPolicy(Qt::StrongFocus);
	setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
	viewport()->setMouseTracking(true);
	viewport()->setAutoFillBackground(false);
	setMinimumHeight(90);
}

QString ChartView::emptyText() const
{
	return figures_ ? whyEmpty() : empty_;
}

bool ChartView::isLike(const PanelDataPtr &old) const
{
	return old && figures_ && old->query.recording == figures_->query.recording &&
	       old->query.hist == figures_->query.hist;
}

int ChartView::itemNow(const PanelDataPtr &old, int item) const
{
	if (item < 0 || !isLike(old) || !hasChart())
		return -1;
	return old == figures_ ? item : itemLike(*old, item);
}

void ChartView::setFigures(const PanelDataPtr &figures, const QString &empty)
{
	const PanelDataPtr old = figures_;
	const int was = current_;

	figures_ = figures;
	empty_ = empty;
	/* scroll bars send events: drop all data of the old figures before */
	current_ = hover_ = pressed_ = -1;
	if (figures != old)
		dropMade();
	current_ = itemNow(old, was);
	if (!isLike(old)) {
		verticalScrollBar()->setValue(0);
		horizontalScrollBar()->setValue(0);
	}
	remeasure();
	describeCurrent();
}

void ChartView::resetItems()
{
	current_ = hover_ = pressed_ = -1;
	dropMade();
	remeasure();
	describeCurrent();
}

/* For accessibility tools, which cannot read the line above the chart. */
void ChartView::describeCurrent()
{
	setAccessibleDescription(current_ >= 0 ? itemText(current_) : QString());
}

void ChartView::setLog(bool log)
{
	if (log == log_)
		return;
	log_ = log;
	remeasure();
}

void ChartView::remeasure()
{
	if (hasChart()) {
		measure();
	} else {
		verticalScrollBar()->setRange(0, 0);
		horizontalScrollBar()->setRange(0, 0);
		current_ = -1;
	}
	hover_ = hasChart() && viewport()->underMouse() ? itemAt(mouse_) : -1;
	viewport()->update();
}

void ChartView::setCurrent(int item)
{
	current_ = item;
	if (item >= 0)
		showItem(item);
	describeCurrent();
	viewport()->update();
}

int ChartView::pointed() const
{
	return hover_ >= 0 ? hover_ : hasFocus() ? current_ : -1;
}

QString ChartView::valueTitle() const
{
	return figures_ && figures_->value >= 0 ?
		       valueTitleText(figures_->schema, unsigned(figures_->value)) : QString();
}

QString ChartView::keyTitle(int key) const
{
	char title[300];
	QString text;

	hist_column_format_key(figures_->schema, key, title, sizeof(title));
	return QString::fromUtf8(title);
}

int ChartView::stripHeight() const
{
	return QFontMetrics(style_.font).height() + 8;
}

void ChartView::paintStrip(QPainter *painter, const QString &title, const QString &more, int right)
{
	const int width = viewport()->width() - right - 16, item = pointed();
	const QString line = item >= 0 ? itemLine(item) : more;
	const QFontMetrics bold(style_.title);
	QRect where(8, 0, width, stripHeight());
	int used = qMin(bold.horizontalAdvance(title) + 8, line.isEmpty() ? width : width / 2);

	painter->setFont(style_.title);
	painter->setPen(style_.text);
	drawElided(painter, QRectF(where.left(), 0, used, where.height()),
		   Qt::AlignLeft | Qt::AlignVCenter, title);
	painter->setFont(style_.font);
	painter->setPen(item >= 0 ? style_.text : style_.muted);
	where.setLeft(where.left() + used + 4);
	if (where.width() > 20)
		drawElided(painter, where, Qt::AlignLeft | Qt::AlignVCenter,
			   line);
}

void ChartView::paintInto(QPainter *painter)
{
	const bool drawn = hasChart();
	const QRect all = viewport()->rect();

	painter->setFont(style_.font);
	painter->fillRect(all, style_.ground);
	if (drawn) {
		paintChart(painter);
		return;
	}
	painter->setPen(style_.muted);
	painter->drawText(all.adjusted(24, 8, -24, -8), Qt::AlignCenter | Qt::TextWordWrap,
			  emptyText());
}

void ChartView::paintEvent(QPaintEvent *)
{
	QPainter painter(viewport());

	paintInto(&painter);
}

void ChartView::resizeEvent(QResizeEvent *event)
{
	QAbstractScrollArea::resizeEvent(event);
	remeasure();
}

void ChartView::changeEvent(QEvent *event)
{
	QAbstractScrollArea::changeEvent(event);
	switch (event->type()) {
	case QEvent::PaletteChange:
	case QEvent::FontChange:
	case QEvent::StyleChange:
		style_ = ChartStyle(this);
		remeasure();
		break;
	default:
		break;
	}
}

QPoint ChartView::tipAt(const QPoint &mouse, const QString &) const
{
	return viewport()->mapToGlobal(mouse);
}

bool ChartView::viewportEvent(QEvent *event)
{
	if (event->type() == QEvent::Leave) {
		hover_ = -1;
		mouse_ = QPoint(-1, -1);
		viewport()->update();
	} else if (event->type() == QEvent::ToolTip) {
		QHelpEvent *help = static_cast<QHelpEvent *>(event);
		int item = hasChart() ? itemAt(help->pos()) : -1;

		if (item >= 0)
			QToolTip::showText(tipAt(help->pos(), itemText(item)),
					   toolTipText(itemText(item)), viewport(), itemRect(item));
		else
			QToolTip::hideText();
		return true;
	}
	return QAbstractScrollArea::viewportEvent(event);
}

void ChartView::mousePressEvent(QMouseEvent *event)
{
	if (event->button() == Qt::LeftButton && hasChart())
		pressed_ = itemAt(mousePosition(event).toPoint());
}

void ChartView::mouseMoveEvent(QMouseEvent *event)
{
	int item;

	mouse_ = mousePosition(event).toPoint();
	item = hasChart() ? itemAt(mouse_) : -1;
	if (item != hover_) {
		hover_ = item;
		viewport()->update();
	}
}

void ChartView::mouseReleaseEvent(QMouseEvent *event)
{
	int item = hasChart() ? itemAt(mousePosition(event).toPoint()) : -1;
	int pressed = pressed_;

	pressed_ = -1;
	if (event->button() != Qt::LeftButton || item < 0 || item != pressed)
		return;
	setCurrent(item);
	emit activated(item);
}

void ChartView::keyPressEvent(QKeyEvent *event)
{
	enum { FAR_AWAY = 1 << 24 }; /* more than there are items in a row */
	static const struct {
		int key, across, down, pages;
	} moves[] = {
		{ Qt::Key_Left, -1, 0, 0 },	   { Qt::Key_Right, 1, 0, 0 },
		{ Qt::Key_Up, 0, -1, 0 },	   { Qt::Key_Down, 0, 1, 0 },
		{ Qt::Key_Home, -FAR_AWAY, 0, 0 }, { Qt::Key_End, FAR_AWAY, 0, 0 },
		{ Qt::Key_PageUp, 0, 0, -1 },	   { Qt::Key_PageDown, 0, 0, 1 },
	};

	if (!hasChart()) {
		QAbstractScrollArea::keyPressEvent(event);
		return;
	}
	for (const auto &move : moves) {
		if (move.key != event->key())
			continue;
		hover_ = -1;
		setCurrent(step(current_, move.across, move.down, move.pages));
		return;
	}
	switch (event->key()) {
	case Qt::Key_Return:
	case Qt::Key_Enter:
	case Qt::Key_Space:
		if (current_ >= 0)
			emit activated(current_);
		break;
	default:
		QAbstractScrollArea::keyPressEvent(event);
	}
}

/* Of the item under the mouse, or of the selected one. */
void ChartView::contextMenuEvent(QContextMenuEvent *event)
{
	const bool mouse = event->reason() == QContextMenuEvent::Mouse;
	const int item = !hasChart() ? -1 :
			 mouse ? itemAt(viewport()->mapFromGlobal(event->globalPos())) : current();

	if (item < 0)
		return;
	setCurrent(item);
	emit menuWanted(item, mouse ? event->globalPos() :
				      viewport()->mapToGlobal(itemRect(item).center()));
}

void ChartView::focusInEvent(QFocusEvent *event)
{
	QAbstractScrollArea::focusInEvent(event);
	viewport()->update();
}

void ChartView::focusOutEvent(QFocusEvent *event)
{
	QAbstractScrollArea::focusOutEvent(event);
	viewport()->update();
}

void ChartView::scrollContentsBy(int, int)
{
	viewport()->update();
}
