// SPDX-License-Identifier: GPL-2.0
/* panel_query.cpp - convert the panel's current choices to a query for snapshots */
#include <QObject>

#include "kernelshark-plugin/panel/panel_query.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

/* More columns would be narrower than a pixel. */
#define COLUMNS 1000

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

static QString windowText(const PanelChoice &c, const time_window &w)
{
	TextBuffer b;

	time_window_describe(b, c.recording.get(), c.hist, &w);
	return b.text();
}

static void takeWindow(PanelQuery *p, const PanelChoice &c, const time_window &w)
{
	p->from = windowText(c, w);
	p->valid = time_window_has_numbers(&w);
	if (!p->valid) {
		p->why = p->from.left(1).toUpper() + p->from.mid(1) +
			 (w.kind == WINDOW_SINGLE ? QObject::tr(". Select \"One snapshot\" to show "
			 		"it.") :
				    w.kind == WINDOW_NONE ? QObject::tr(".") :
							    QObject::tr(". Zoom out or move the graph."));
		return;
	}
	p->query.what = PANEL_DATA_WINDOW;
	p->query.from = w.from;
	p->query.to = w.to;
	p->query.columns = COLUMNS;
}

static void takeSnapshot(PanelQuery *p, const PanelChoice &c, uint32_t index)
{
	TextBuffer b;

	time_window_describe_snapshot(b, c.recording.get(), c.hist, index);
	p->from = b.text();
	p->valid = true;
	p->query.what = PANEL_DATA_SNAPSHOT;
	p->query.from = p->query.to = index;
}

/* The query without its snapshots. */
static PanelQuery choiceQuery(const PanelChoice &c)
{
	const recording *r = c.recording.get();
	PanelQuery p;

	p.path = c.path;
	p.query.recording = c.recording;
	p.query.hist = c.hist;
	p.query.search = c.search.toUtf8();
	if (!c.group.isNull())
		p.query.group = c.group.toUtf8();
	p.query.value = c.value >= 0 ? c.value :
				       hist_row_find_main_value(r->hists[c.hist].info->def.schema,
								nullptr);
	return p;
}

bool panelTime(Shark *shark, HistPanel::Source source, qint64 *begin, qint64 *end, QString *why)
{
	qint64 a, b;

	if (source != HistPanel::MarkersAB) {
		*why = QObject::tr("The graph does not show a time range.");
		return shark->window(begin, end);
	}
	if (!shark->markers(&a, &b)) {
		*why = QObject::tr("Set the markers A and B to show what was counted between them: "
				   "Ctrl+A or Ctrl+B selects a marker, a double click in the graph "
				   "sets it.");
		return false;
	}
	*begin = std::min(a, b);
	*end = std::max(a, b);
	return true;
}

PanelQuery countedQuery(const PanelChoice &c, const Counted &counted, qint64 begin, qint64 end)
{
	const expression_window &w = counted.query.window;
	const uint32_t n = c.recording->hists[c.hist].n;
	PanelQuery p = choiceQuery(c);

	p.counted = true;
	p.from = counted.words;
	p.note = counted.notes.join(QLatin1String("; "));
	p.begin = begin;
	p.end = end;
	if (w.to != UINT64_MAX) {
		p.after = qint64(w.from) + c.offset - 1;
		p.until = qint64(w.to) + c.offset;
	}
	p.valid = n > 1;
	if (!p.valid)
		p.why = QObject::tr("No event was recorded in this time. Zoom out or move the "
				    "graph.");
	p.query.what = PANEL_DATA_WINDOW;
	p.query.to = n ? n - 1 : 0;
	p.query.columns = COLUMNS;
	return p;
}

PanelQuery panelQuery(Shark *shark, const PanelChoice &c)
{
	const recording *r = c.recording.get();
	const recorded_hist &h = r->hists[c.hist];
	PanelQuery p = choiceQuery(c);
	time_window w;

	if (!h.n) {
		p.why = QObject::tr("All snapshots of this histogram are damaged.");
		return p;
	}
	if (c.source == HistPanel::OneSnapshot) {
		takeSnapshot(&p, c, snapshotIndex(h, c.seq));
		return p;
	}
	if (!h.ns) {
		p.note = QObject::tr("All snapshots are shown, because the clock \"%1\" does not "
				     "count nanoseconds: its times do not match the graph")
				 .arg(QString::fromUtf8(h.info->def.clock));
	} else if (panelTime(shark, c.source, &p.begin, &p.end, &p.why)) {
		p.aligned = c.source != HistPanel::MarkersAB;
	} else if (c.source == HistPanel::MarkersAB) {
		return p;
	}
	if (p.begin < p.end)
		time_window_find(r, c.hist, fileTime(p.begin, c.offset), fileTime(p.end, c.offset),
				 &w);
	else
		time_window_set(r, c.hist, 0, h.n - 1, &w);
	takeWindow(&p, c, w);
	return p;
}
