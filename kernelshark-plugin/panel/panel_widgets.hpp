/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_widgets.hpp - what the panel has that Qt lacks
 */
#ifndef KERNELSHARK_PLUGIN_PANEL_PANEL_WIDGETS_HPP
#define KERNELSHARK_PLUGIN_PANEL_PANEL_WIDGETS_HPP

#include <QLabel>
#include <QSpinBox>

#include "kernelshark-plugin/work/recordings.hpp"

/* One line of text that is cut where there is no room, and told in full by a tool tip. */
class LineLabel : public QLabel {
	Q_OBJECT
public:
	explicit LineLabel(QWidget *parent = nullptr);
	QSize minimumSizeHint() const override;

protected:
	void paintEvent(QPaintEvent *event) override;
	bool event(QEvent *event) override;
};

/* Numbers of snapshots that exist: steps go to the next one that does. */
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

#endif
