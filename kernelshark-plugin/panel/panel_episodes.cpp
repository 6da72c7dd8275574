// SPDX-License-Identifier: GPL-2.0
/*
 * panel_episodes.cpp - captured episodes: from a row or a bucket to its events
 *
 * An episode has a separate buffer in the file, which the host program shows as a
 * stream. Its START and END events get the markers A and B.
 */
#include <QAction>

#include "kernelshark-plugin/panel/hist_panel.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

void HistPanel::connectEpisodes()
{
	connect(episodes, &EpisodesView::episodeActivated, this, &HistPanel::goToEpisode);
	connect(heatmap, &HeatmapView::chosen, this, &HistPanel::offerEpisodes);
}

void HistPanel::showEpisodes()
{
	episodes->setRecording(item() ? item()->recording : RecordingPtr(), item() ? item()->file.offset : 0);
}

void HistPanel::goToEpisode(int episode)
{
	const Recordings::Item *of = item();

	if (closed || !of || !of->recording || unsigned(episode) >= of->recording->episodes.n)
		return;
	const recorded_episode &e = of->recording->episodes.list[episode];
	const qint64 start = qint64(e.start) + of->file.offset, end = qint64(e.end) + of->file.offset;

	episodes->select(episode);
	if (!shark->mark(of->file, QString::fromUtf8(e.what.buffer), start, end))
		message->say(tr("The graph does not contain the events of episode "
			     "%1.").arg(episode + 1), false);
}

QList<int> HistPanel::episodesOf(int cell) const
{
	const hist_heatmap *map = figures ? figures->map : nullptr;
	const Recordings::Item *of = shownItem();
	QList<int> found;

	if (!map || !map->has_axis || shown.counted || !of || !of->recording)
		return found;
	const hist_heat_row &row = map->rows[unsigned(cell) / map->ncolumns];
	const hist_heat_column &column = map->columns[unsigned(cell) % map->ncolumns];
	const hist_definition *def = &figures->view.info->def;

	if (row.empty || row.others || !row.cells || !row.cells[unsigned(cell) % map->ncolumns])
		return found;
	for (unsigned int i = 0; i < of->recording->episodes.n; i++) {
		const recorded_episode &e = of->recording->episodes.list[i];

		if (!strcmp(e.what.event, def->event) &&
		    recorded_episode_is_in(&e, &figures->schema->keys[figures->axis], row.ge, row.le,
					   column.from, column.to))
			found << int(i);
	}
	return found;
}

void HistPanel::offerEpisodes(int cell)
{
	const QList<int> found = episodesOf(cell);
	const RecordingPtr of = shownItem() ? shownItem()->recording : RecordingPtr();

	QList<QAction *> actions;

	/* another bucket: what was offered is not valid any more */
	if (found.isEmpty()) {
		if (message->offers()) {
			message->say(tr("A filter hides some events."), true);
			message->setShown(shark->filtered());
		}
		return;
	}
	message->say(found.size() == 1 ? tr("1 episode is in this bucket.") :
				      tr("%1 episodes are in this bucket.").arg(found.size()),
		  shark->filtered());
	for (int i : found) {
		const recorded_episode &e = of->episodes.list[i];

		QAction *action = new QAction(tr("Go to episode %1: %2").arg(i + 1).arg(durationText(e.end - e.start, true)));

		connect(action, &QAction::triggered, this, [this, of, i] {
			if (item() && item()->recording == of)
				goToEpisode(i);
		});
		actions << action;
	}
	message->offer(actions);
}
