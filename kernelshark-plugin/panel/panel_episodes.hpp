/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_episodes.hpp - captured episodes: from a row of their table, or a cell of the heat map, to
 * the graph
 *
 * An episode has a separate buffer in the file, which the host program shows as a
 * stream. Its START and END events get the markers A and B.
 *
 * Invariant: episodes are those of the file that show() was called for; path_ names it, and the
 * table has its recording.
 */
#ifndef KERNELSHARK_PLUGIN_PANEL_PANEL_EPISODES_HPP
#define KERNELSHARK_PLUGIN_PANEL_PANEL_EPISODES_HPP

#include "kernelshark-plugin/charts/latency_list.hpp"
#include "kernelshark-plugin/panel/panel_figures.hpp"
#include "kernelshark-plugin/panel/panel_message.hpp"

class PanelEpisodes : public QObject {
	Q_OBJECT
public:
	/* All must outlive this object. */
	PanelEpisodes(Shark *shark, const Recordings *files, const PanelFigures *figures,
		      PanelMessage *message, EpisodesView *view, QObject *parent);

	/* Show the episodes of a file; null: none. */
	void show(const Recordings::Item *item);
	/* Go to an episode of this file. */
	void goTo(int episode);
	/* Offer the episodes whose latencies a cell of the heat map counted. */
	void offer(int cell);

private:
	/* The worst first. */
	QList<int> find(int cell) const;
	const Recordings::Item *item() const { return files_->find(path_); }

	Shark *shark_;
	const Recordings *files_;
	const PanelFigures *figures_;
	PanelMessage *message_;
	EpisodesView *view_;
	QString path_;
};

#endif
