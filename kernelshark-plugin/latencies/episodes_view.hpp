/* SPDX-License-Identifier: GPL-2.0 */
/*
 * episodes_view.hpp - table of the captured episodes of a file, the worst first
 *
 * The episodes belong to the whole file, whatever the graph shows. A click on a row asks
 * the panel to show the episode in the graph.
 */
#ifndef KERNELSHARK_PLUGIN_LATENCIES_EPISODES_VIEW_HPP
#define KERNELSHARK_PLUGIN_LATENCIES_EPISODES_VIEW_HPP

#include "kernelshark-plugin/latencies/latency_list.hpp"

class EpisodesView : public LatencyList {
	Q_OBJECT
public:
	explicit EpisodesView(QWidget *parent = nullptr);

	/* Show the episodes of a file; @offset is added to its times. Null: none. */
	void setRecording(const RecordingPtr &recording, qint64 offset);
	/* Select the row of an episode. */
	void select(int episode);

signals:
	/* The user clicked a row, or pressed Enter on it; @episode: its number, from 0. */
	void episodeActivated(int episode);

private:
	enum Column { Number, Latency, Excess, Start, End, Cpu, Key, Event, Parts };

	void fill();

	RecordingPtr recording_;
	qint64 offset_ = 0;
};

#endif
