/* SPDX-License-Identifier: GPL-2.0 */
/* panel_widgets.hpp - widgets of the panel that Qt does not provide */
#ifndef KERNELSHARK_PLUGIN_PANEL_PANEL_WIDGETS_HPP
#define KERNELSHARK_PLUGIN_PANEL_PANEL_WIDGETS_HPP

#include <QElapsedTimer>
#include <QLabel>
#include <QProgressBar>
#include <QScrollArea>
#include <QSpinBox>
#include <QTimer>

#include "kernelshark-plugin/work/recordings.hpp"

/* A widget with the name that style sheets and the tests find it by. */
template <class Widget> Widget *named(QWidget *parent, const char *name)
{
	Widget *widget = new Widget(parent);

	widget->setObjectName(QLatin1String(name));
	return widget;
}

/* One line of text, truncated to the available width; a tool tip shows the full text. */
class LineLabel : public QLabel {
	Q_OBJECT
public:
	explicit LineLabel(QWidget *parent = nullptr);
	QSize minimumSizeHint() const override;
	/* As high without text, so that the layout stands still. */
	QSize sizeHint() const override;

protected:
	void paintEvent(QPaintEvent *event) override;
	bool event(QEvent *event) override;
};

/* The rows of the panel; they scroll if the panel is too low for them. */
class RowsArea : public QScrollArea {
	Q_OBJECT
public:
	explicit RowsArea(QWidget *parent = nullptr);
	/*
	 * Room for one row, whatever the rows are: the minimum of the window does not change with
	 * them.
	 */
	QSize minimumSizeHint() const override;
	QSize sizeHint() const override;
	/* The wheel scrolls the rows above @control, instead of changing it, if they do not fit. */
	void watchWheel(QWidget *control);

signals:
	void resized();

protected:
	void resizeEvent(QResizeEvent *event) override;
	bool eventFilter(QObject *of, QEvent *event) override;
};

/* Spin box for sequence numbers; steps go to the next existing snapshot. */
class SnapshotSpin : public QSpinBox {
	Q_OBJECT
public:
	explicit SnapshotSpin(QWidget *parent = nullptr);
	void setRecording(const RecordingPtr &recording, unsigned int hist);
	void stepBy(int steps) override;

private:
	RecordingPtr recording_;
	unsigned int hist_ = 0;
};

/* Progress bar, hidden until a computation has taken a moment; for 0 to 1000. */
class WaitBar : public QProgressBar {
	Q_OBJECT
public:
	explicit WaitBar(QWidget *parent = nullptr);
	/* Start or end a computation, or show the bar if it is time. */
	void setBusy(bool busy);

signals:
	/* Update the progress; sent periodically while the bar is busy. */
	void tick();

private:
	QTimer timer_; /* active while busy */
	QElapsedTimer since_;
};

#endif
