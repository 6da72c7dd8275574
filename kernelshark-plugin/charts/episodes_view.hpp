/* SPDX-License-Identifier: GPL-2.0 */
/*
 * episodes_view.hpp - table of the captured episodes of a file, the worst first
 *
 * The episodes belong to the whole file, whatever the graph shows. A click on a row asks
 * the panel to show the episode in the graph.
 */
#ifndef KERNELSHARK_PLUGIN_CHARTS_EPISODES_VIEW_HPP
#define KERNELSHARK_PLUGIN_CHARTS_EPISODES_VIEW_HPP

#include <QTableWidget>

#include "kernelshark-plugin/charts/panel_view.hpp"

class EpisodesView : public QTableWidget, public PanelView {
	Q_OBJECT
public:
	explicit EpisodesView(QWidget *parent = nullptr);

	/* Show the episodes of a file; @offset is added to its times. Null: none. */
	void setRecording(const RecordingPtr &recording, qint64 offset);
	/* The table does not depend on the figures. */
	void setFigures(const PanelDataPtr &, const QString &) override {}
	/* Select the row of an episode. */
	void select(int episode);
	/* The table as shown, with exact numbers in ns. */
	QByteArray csv() const override;

signals:
	/* The user clicked a row, or pressed Enter on it; @episode: its number, from 0. */
	void episodeActivated(int episode);

protected:
	void keyPressEvent(QKeyEvent *event) override;
	void paintEvent(QPaintEvent *event) override;

private:
	void fill();

	RecordingPtr recording_;
	qint64 offset_ = 0;
};

#endif
