// SPDX-License-Identifier: GPL-2.0
/*
 * panel_episodes.cpp - captured episodes: from a row of their table, or a cell of the heat map, to
 * the graph
 */
#include <QAction>

#include "kernelshark-plugin/panel/panel_episodes.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

PanelEpisodes::PanelEpisodes(Shark *shark, const Recordings *files, const PanelFigures *figures,
			     PanelMessage *message, EpisodesView *view, QObject *parent)
	: QObject(parent), shark_(shark), files_(files), figures_(figures), message_(message),
	  view_(view)
{
}

void PanelEpisodes::show(const Recordings::Item *item)
{
	path_ = item ? item->file.path : QString();
	view_->setRecording(item ? item->recording : RecordingPtr(), item ? item->file.offset : 0);
}

void PanelEpisodes::goTo(int episode)
{
	const Recordings::Item *of = item();

	if (!of || !of->recording || unsigned(episode) >= of->recording->episodes.n)
		return;
	const recorded_episode &e = of->recording->episodes.list[episode];
	const qint64 offset = of->file.offset;

	view_->select(episode);
	if (!shark_->mark(of->file, QString::fromUtf8(e.what.buffer), qint64(e.start) + offset,
			  qint64(e.end) + offset))
		message_->say(tr("The graph does not contain the events of episode "
				 "%1.").arg(episode + 1), false);
}

QList<int> PanelEpisodes::find(int cell) const
{
	const PanelDataPtr figures = figures_->data();
	const hist_heatmap *map = figures ? figures->map : nullptr;
	const Recordings::Item *of = figures_->item();
	QList<int> found;

	if (!map || !map->has_axis || figures_->shown().counted || !of || !of->recording)
		return found;
	const hist_heat_row &row = map->rows[unsigned(cell) / map->ncolumns];
	const hist_heat_column &column = map->columns[unsigned(cell) % map->ncolumns];
	const hist_definition *def = &figures->view.info->def;

	if (row.empty || row.others || !row.cells || !row.cells[unsigned(cell) % map->ncolumns])
		return found;
	for (unsigned int i = 0; i < of->recording->episodes.n; i++) {
		const recorded_episode &e = of->recording->episodes.list[i];

		if (!strcmp(e.what.event, def->event) &&
		    recording_episode_is_in(&e, &figures->schema->keys[figures->axis], row.ge,
					    row.le, column.from, column.to))
			found << int(i);
	}
	return found;
}

void PanelEpisodes::offer(int cell)
{
	const QList<int> found = find(cell);
	const RecordingPtr of = figures_->item() ? figures_->item()->recording : RecordingPtr();
	QList<QAction *> actions;

	/* another bucket: what was offered is not valid any more */
	if (found.isEmpty()) {
		if (message_->offers()) {
			message_->say(tr("A filter hides some events."), true);
			message_->setShown(shark_->filtered());
		}
		return;
	}
	message_->say(found.size() == 1 ? tr("1 episode is in this bucket.") :
					  tr("%1 episodes are in this bucket.").arg(found.size()),
		      shark_->filtered());
	for (int i : found) {
		const recorded_episode &e = of->episodes.list[i];
		const QString length = durationText(e.end - e.start, true);
		QAction *action = new QAction(tr("Go to episode %1: %2").arg(i + 1).arg(length));

		connect(action, &QAction::triggered, this, [this, of, i] {
			if (item() && item()->recording == of)
				goTo(i);
		});
		actions << action;
	}
	message_->offer(actions);
}
