// SPDX-License-Identifier: GPL-2.0
/*
 * panel_query.cpp - convert the panel's current choices to a query for snapshots
 *
 * Uses the choices of the user and the state of the graph. Fast: does not read files.
 */
#include <QLineEdit>

#include "kernelshark-plugin/panel/panel_choices.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

/* More columns would be narrower than a pixel. */
#define COLUMNS_MOST 1000

uint32_t snapshotIndex(const recorded_hist &hist, uint32_t seq)
{
	const recording_snapshot *snaps = hist.snapshots, *end = snaps + hist.n, *at;

	at = std::lower_bound(snaps, end, seq, [](const recording_snapshot &snap, uint32_t wanted) {
		return snap.seq < wanted;
	});
	if (at == end)
		return hist.n ? hist.n - 1 : 0;
	if (at != snaps && at->seq - seq > seq - at[-1].seq)
		at--;
	return uint32_t(at - snaps);
}

PanelQuery PanelChoices::queryOfAll() const
{
	PanelQuery p;

	p.path = path_;
	p.query.recording = recording();
	p.query.hist = hist_;
	p.query.search = search_->text().trimmed().toUtf8();
	if (group_->currentData().isValid())
		p.query.group = group_->currentData().toString().toUtf8();
	p.query.value =
		value_->currentData().isValid()
			? value_->currentData().toInt()
			: hist_row_find_main_value(p.query.recording->hists[hist_].info->def.schema,
						   nullptr);
	p.query.columns = COLUMNS_MOST;
	return p;
}

bool PanelChoices::timeRange(qint64 *begin, qint64 *end, QString *why) const
{
	qint64 a, b;

	if (source() != MarkersAB) {
		*why = tr("The graph is empty. Open a trace file.");
		return shark_->window(begin, end);
	}
	if (!shark_->markers(&a, &b)) {
		*why = tr("Set the markers A and B to show what was counted between them. "
			  "Ctrl+A or Ctrl+B selects a marker, and a double click in the "
			  "graph sets it.");
		return false;
	}
	*begin = std::min(a, b);
	*end = std::max(a, b);
	return true;
}

PanelQuery PanelChoices::queryOfCount() const
{
	const Counted &of = *expression_->counted();
	const expression_window &w = of.query.window;
	const uint32_t n = of.recording->hists[hist_].n;
	PanelQuery p = queryOfAll();

	if (source() == OneSnapshot) {
		p.why = tr("The panel counted these events, so there are no snapshots. Select "
			   "\"Visible window\", \"Markers A-B\" or \"Whole recording\".");
		return p;
	}
	if (expression_->isNs() && source() != WholeRecording &&
	    !timeRange(&p.begin, &p.end, &p.why))
		return p;
	p.counted = expression_->counted();
	p.aligned = p.begin < p.end && source() == VisibleWindow;
	p.from = of.words.value(int(hist_));
	p.note = of.notes.join(QLatin1String("; "));
	if (!expression_->isNs())
		p.note = (p.note.isEmpty() ? QString() : p.note + QLatin1String("; ")) +
			 tr("All events are shown: their clock is not in nanoseconds, so "
			    "their times do not match the graph");
	if (w.to != UINT64_MAX) {
		p.after = qint64(w.from) + item()->file.offset - 1;
		p.until = qint64(w.to) + item()->file.offset;
	}
	p.valid = n > 1;
	if (!p.valid)
		p.why = tr("No event was recorded during this time. Zoom out or move the graph.");
	p.query.to = n ? n - 1 : 0;
	return p;
}

QString PanelChoices::noteOfFile(const time_window &shown) const
{
	const RecordingPtr r = recording();
	QStringList notes;
	uint64_t outside;

	if (!r->hists[hist_].ns && source() != WholeRecording)
		notes << tr("All snapshots are shown: the clock \"%1\" is not in "
			    "nanoseconds, so its times do not match the graph")
				 .arg(QString::fromUtf8(r->hists[hist_].info->def.clock));
	outside = source() == VisibleWindow && r->hists[hist_].ns && shark_->isZoomedOut() ?
			  time_window_count_outside(r.get(), hist_, &shown) : 0;
	if (outside)
		notes << tr("%1 hits are before the first or after the last event of the graph; "
			    "\"Whole recording\" shows them").arg(countText(outside));
	if (r->has_events && item()->file.streams.isEmpty())
		notes << (item()->eventsWhy.isEmpty() ?
				  tr("KernelShark cannot read the events of this file") :
				  tr("KernelShark cannot read the events of this file: %1")
					  .arg(item()->eventsWhy));
	return notes.join(QLatin1String("; "));
}

PanelQuery PanelChoices::queryOfFile() const
{
	const qint64 offset = item()->file.offset;
	PanelQuery p = queryOfAll();
	const struct recording *r = p.query.recording.get();
	const recorded_hist &h = r->hists[hist_];
	TextBuffer words;
	time_window w;

	if (!h.n) {
		p.why = tr("All snapshots of this histogram are damaged.");
		return p;
	}
	if (source() == OneSnapshot) {
		p.query.from = p.query.to = snapshotIndex(h, uint32_t(snapshot_->value()));
		time_window_describe_snapshot(words, r, hist_, p.query.to);
		p.from = words.text();
		p.valid = true;
		p.query.what = PANEL_DATA_SNAPSHOT;
		return p;
	}
	if (source() != WholeRecording && h.ns) {
		if (timeRange(&p.begin, &p.end, &p.why))
			p.aligned = source() != MarkersAB;
		else if (source() == MarkersAB)
			return p;
	}
	/* without a graph, the whole recording is shown */
	if (p.begin < p.end)
		time_window_find(r, hist_, fileTime(p.begin, offset), fileTime(p.end, offset), &w);
	else
		time_window_set_whole(r, hist_, &w);
	if (w.kind == WINDOW_SINGLE && p.begin >= p.end)
		p.query.what = PANEL_DATA_SNAPSHOT;
	time_window_describe(words, r, hist_, &w);
	p.from = words.text();
	p.note = noteOfFile(w);
	p.valid = time_window_has_numbers(&w) || p.query.what == PANEL_DATA_SNAPSHOT;
	if (!p.valid)
		p.why = p.from.left(1).toUpper() + p.from.mid(1) +
			(w.kind == WINDOW_SINGLE ? tr(". Select \"One snapshot\" to show it.") :
			 w.kind == WINDOW_NONE ? tr(".") : tr(". Zoom out or move the graph."));
	p.query.from = w.from;
	p.query.to = w.to;
	return p;
}

PanelQuery PanelChoices::query() const
{
	return counted_ ? queryOfCount() : queryOfFile();
}
