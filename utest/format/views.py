# SPDX-License-Identifier: GPL-2.0
"""
views.py - what the views of a report must show, as JSON, from what read_dat.py reads

The rules are those of trace-cmd-hist-report(1).  It shares nothing with the program.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "scripts", "lib"))
import read_dat  # noqa: E402 pylint: disable=wrong-import-position

SUMS = (read_dat.SUM, read_dat.HEX_SUM)
TICKS = ("counter", "uptime", "x86-tsc", "ppc-tb")


class Moment:
    """One snapshot, whole, and what a difference needs of it."""

    def __init__(self, hist, header, json, counts):
        kinds = [kind for _, kind, _, _ in hist.definition.keys]
        self.header, self.json = header, json
        self.read_ns, self.missed, self.events_lost = counts
        self.hits, self.dropped, self.wall = hist.hits, hist.dropped, hist.wall
        self.entries = hist.kernel_entries
        self.misses, self.losses = dict(hist.misses), dict(hist.losses)
        self.strings = list(hist.strings)
        self.resets = hist.resets
        self.rows = {tuple(self.strings[s] if kind in read_dat.WITHOUT_NUMBER else n
                           for kind, (n, s) in zip(kinds, cells)): (cells, list(values))
                     for cells, values in zip(hist.entries, hist.rows)}
        self.lost, self.cleared = json["lost"], bool(header.flags & read_dat.RESET)

    def follow(self, before):
        """Was the histogram cleared since @before?"""
        self.cleared |= self.resets != before.resets or self.hits < before.hits or \
            not before.rows.keys() <= self.rows.keys()

    def has(self, flag):
        return bool(self.header.flags & flag)


class Series(read_dat.Histogram):
    """Keeps the moments."""

    def __init__(self, definition):
        super().__init__(definition)
        self.moments = []

    def snapshot_json(self, header, read_ns, missed, events_lost):
        doc = super().snapshot_json(header, read_ns, missed, events_lost)
        new = Moment(self, header, doc, (read_ns, missed, events_lost))
        if self.moments:
            new.follow(self.moments[-1])
        self.moments.append(new)
        return doc

    def alone(self, moment, flags=()):
        """A whole snapshot, without what came before it."""
        return {**moment.json, "flags": moment.json["flags"] + list(flags), "lost": 0}

    def difference(self, first, last):
        """moments[first] to moments[last]; first None: from nothing."""
        to = self.moments[last]
        since = None if first is None else self.moments[first]
        passed = self.moments[0 if first is None else first + 1:last + 1]
        cleared = any(m.cleared for m in passed)
        base = None if cleared else since
        number = read_dat.number
        stopped = any(m.has(read_dat.STOPPED) for m in passed) or \
            (since is not None and since.has(read_dat.STOPPED))
        ambiguous = to.has(read_dat.AMBIGUOUS) or (base and base.has(read_dat.AMBIGUOUS))
        flags = ["reset"] * cleared + ["paused"] * to.has(read_dat.PAUSED) + \
            ["stopped"] * stopped + ["ambiguous"] * bool(ambiguous)
        lost = sum(m.lost for m in passed)
        doc = {key: v for key, v in to.json.items() if key not in ("events_lost", "full_stacks", "losses")}
        doc.update(hits=number(to.hits - (base.hits if base else 0) & read_dat.U64),
                   dropped=number(to.dropped - (base.dropped if base else 0) & read_dat.U64),
                   missed=number(to.missed - (since.missed if since else 0)),
                   lost=lost, flags=flags, rows=self.grown(base, to))
        doc["from"] = {"seq": base.json["seq"], **self.time("time", base.header.time),
                       "hits": number(base.hits)} if base else None
        events_lost = to.events_lost - (since.events_lost if since else 0)
        if events_lost:
            doc["events_lost"] = number(events_lost)
        if to.misses.get("probe_misses") is not None:
            before = since.misses.get("probe_misses") or 0 if since else 0
            doc["probe_misses"] = number(int(to.misses["probe_misses"]) - int(before))
        doc["total_rows"] = len(doc["rows"])
        full = sum(isinstance(k, list) and len(k) >= 16
                   for r in doc["rows"] for k in r["key"].values())
        before = since.losses if since else {}
        losses = {kind: n - before.get(kind, 0) & read_dat.U64 for kind, n in to.losses.items()}
        return {**doc, **({"full_stacks": full} if full else {}), **read_dat.losses_json(losses)}

    def grown(self, base, to):
        """The rows that are new or in which a sum changed; all if there is no sum."""
        kinds = [kind for _, kind, _ in self.definition.values]
        old, rows = base.rows if base else {}, []
        self.strings = to.strings
        for key, (cells, values) in to.rows.items():
            before = old.get(key, (None, [0] * len(values)))[1]
            grown = [v - b & read_dat.U64 if kind in SUMS else v
                     for kind, v, b in zip(kinds, values, before)]
            if key not in old or not set(kinds) & set(SUMS) or \
                    any(v for kind, v in zip(kinds, grown) if kind in SUMS):
                rows.append(self.row_json(cells, grown))
        return rows

    def counter_rows(self, base, moment):
        """{key: (its JSON, values)}: @base, and the sums of @moment."""
        kinds = [kind for _, kind, _ in self.definition.values]
        rows, self.strings = dict(base), moment.strings
        for key, (cells, values) in moment.rows.items():
            # a number keeps its first name
            name, before = rows.get(key) or (self.row_json(cells, values)["key"], [0] * len(values))
            rows[key] = (name,
                         [v + b & read_dat.U64 if kind in SUMS else 0
                          for kind, v, b in zip(kinds, values, before)])
        return rows

    def counter_json(self, moment, sums, rows, setup):
        """A snapshot as json has it, with counters; without values that are no sums."""
        kinds = [kind for _, kind, _ in self.definition.values]
        titles = next((list(row["value"]) for m in self.moments for row in m.json["rows"]), [])
        shown = [{"key": key, "value": {t: v for t, v, kind in zip(titles, values, kinds) if kind in SUMS}}
                 for key, values in rows.values() if any(values) or not set(kinds) & set(SUMS)]
        doc = {**moment.json, "rows": shown, "hits": sums[0], "dropped": sums[1],
               "missed": moment.missed - (setup.missed if setup else 0),
               "events_lost": moment.events_lost - (setup.events_lost if setup else 0),
               "left_out": setup.hits if setup else 0}
        if moment.misses.get("probe_misses") is not None:
            doc["probe_misses"] = int(moment.misses["probe_misses"]) - \
                int(setup and setup.misses.get("probe_misses") or 0)
        before = setup.losses if setup else {}
        doc["losses"] = read_dat.losses_json(
            {kind: max(n - before.get(kind, 0), 0) for kind, n in moment.losses.items()}).get("losses", {})
        doc["full_stacks"] = sum(isinstance(k, list) and len(k) >= 16
                                 for row in shown for k in row["key"].values())
        return doc

    def counters(self, view, *at):
        """What shown() shows, as counters since the recording began (OPENMETRICS)."""
        recorded = view in ("recorded", "intervals") and self.definition.engine != "replay"
        setup = self.moments[0] if recorded and not self.moments[0].json["seq"] else None
        base, sums, docs, resets, lost = {}, (0, 0), [], 0, 0
        if setup:
            base = {key: (j, [-v & read_dat.U64 for v in values])
                    for key, (j, values) in self.counter_rows({}, setup).items()}
            sums = (-setup.hits, -setup.dropped)
        last = self.moments[-1].json["seq"] if view not in ("snapshot", "at") else \
            self.shown(view, *at)[0]["seq"]
        before = None
        for m in self.moments:
            if m.json["seq"] > last:
                break
            if m.cleared and before:
                base, sums, resets = rows, now, resets + 1
            rows = self.counter_rows(base, m)
            now = tuple(a + b & read_dat.U64 for a, b in zip(sums, (m.hits, m.dropped)))
            lost += m.lost
            if view == "all" or m.json["seq"] == last or \
                    view == "intervals" and (before or not recorded):
                stopped = m.has(read_dat.STOPPED) or bool(before and before.has(read_dat.STOPPED)) \
                    if view == "intervals" else "stopped" in m.json["flags"]
                docs.append({**self.counter_json(m, now, rows, setup), "resets": resets,
                             "lost": lost, "set_up": int(recorded and not setup),
                             "stopped": int(stopped), "ambiguous": int(m.has(read_dat.AMBIGUOUS))})
            before = m
        return docs

    def is_whole(self):
        return len(self.moments) == 1 or self.definition.engine == "replay"

    def shown(self, view, *at):
        """The snapshots that "recorded", "intervals", "all", "snapshot" SEQ, "at" TIME after the
        first or "between" SEQ SEQ show."""
        n, flags = len(self.moments), ["set-up"] * (len(self.moments) == 1)
        seqs = [m.json["seq"] for m in self.moments]
        if self.definition.engine == "replay":
            flags = []
        if view == "recorded":
            return [self.alone(self.moments[-1], flags) if self.is_whole() else
                    self.difference(0, n - 1)]
        if view == "intervals":
            first = [self.difference(None, 0)] if self.is_whole() else []
            for s in first:
                s["flags"] += flags
            return first + [self.difference(i - 1, i) for i in range(1, n)]
        if view == "all":
            return [m.json for m in self.moments]
        if view == "snapshot":
            return [self.alone(self.moments[seqs.index(at[0])])]
        if view == "at":
            # a time means all that is printed so
            ns = at[0] if self.definition.clock in TICKS else at[0] * 10 ** 9 + 499
            least = self.moments[0].header.time + ns
            return [self.alone([m for m in self.moments if m.header.time <= least][-1])]
        return [self.difference(seqs.index(at[0]), seqs.index(at[1]))]


def read(path):
    """The Series of a file by their names, and the JSON of all snapshots."""
    made = []

    def make(definition):
        made.append(Series(definition))
        return made[-1]
    before, read_dat.Histogram = read_dat.Histogram, make
    try:
        doc = read_dat.read(path)
    finally:
        read_dat.Histogram = before
    found = [s for s in made if s.headers]
    doc["damage"] = {"unfinished": doc["damage"]["unfinished"], "truncated": False,
                     "bad_sections": 0, "lost_snapshots": sum(m.lost for s in found for m in s.moments)}
    return {h["name"]: s for h, s in zip(doc["histograms"], found)}, doc


def document(series, doc, view, *at):
    """The JSON of a view."""
    return {**doc, "histograms": [{**h, "snapshots": series[h["name"]].shown(view, *at)}
                                  for h in doc["histograms"]]}
