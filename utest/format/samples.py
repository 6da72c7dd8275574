# SPDX-License-Identifier: GPL-2.0
"""
samples.py - the samples of OpenMetrics held against the model in views.py

OPENMETRICS in trace-cmd-hist-report(1) says what there is.  All samples are compared but
for the choice of buckets: each bucket is, and those that the page promises must be there.
"""
import collections
import functools
import re

import formats
import read_dat

SUMS = (read_dat.SUM, read_dat.HEX_SUM)

# Plain numbers with such names are no axis; of those that series_random.c gives.
IDENTIFIERS = ("pid", "common_pid")
UNITS = {"ns": "nanoseconds", "us": "microseconds", "ms": "milliseconds", "s": "seconds"}
LINE = re.compile(r'(\w+)\{((?:\w+="(?:[^"\\]|\\.)*",?)*)\} (-?\d+)(?:\.0)?'
                  r'(?: (\d+)\.(\d{3}))?$')
LE = re.compile(r"(-?\d+)\.0$")
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
FACTS = {"hits_total": "hits", "dropped_hits_total": "dropped", "missed_snapshots_total": "missed",
         "lost_events_total": "events_lost", "probe_missed_hits_total": "probe_misses"}
# Losses that can become fewer.
OPEN_LOSSES = ("unmatched_starts", "unmatched_ends", "absent_events")


@functools.lru_cache(1 << 16)
def labels_of(text):
    return frozenset((n, re.sub(r"\\(.)", r"\1", v) if "\\" in v else v)
                     for n, v in LABEL.findall(text))


def parse(out):
    """{(name, labels, ms): the sum of the numbers}; families of equal names are one here."""
    lines = out.split("\n")
    assert lines[-2:] == ["# EOF", ""], lines[-2:]
    found = collections.defaultdict(int)
    for line in lines[:-2]:
        if line.startswith("#"):
            continue
        match = LINE.match(line)
        if not match:
            raise SystemExit(f"openmetrics: {line}")
        name = re.sub(r"^trace_\d+_", "trace_", match[1])
        ms = int(match[4] + match[5]) if match[4] else None
        found[name, labels_of(match[2]), ms] += int(match[3])
    return found


def word(s):
    return re.sub(r"[^A-Za-z0-9]", "_", s)


def stem(hist, title, unit):
    if unit and read_dat.unit(title, read_dat.NUM):
        title = title.rpartition("_")[0]
    return word("_".join(filter(None, ("trace", hist["name"], title, UNITS.get(unit)))))


def axis_of(hist):
    """The title of the key whose numbers are ordered, or None."""
    if "hitcount" not in [v.split("#")[0] for v in hist["values"]]:
        return None
    for wanted in (("log2", "buckets"), ("usecs",)):
        for key in hist["keys"]:
            if key["modifier"] in wanted:
                return key["name"]
    for key in hist["keys"]:
        if key["plain"] and key["name"].split("#")[0] not in IDENTIFIERS:
            return key["name"]
    return None


def label_of(title, v, modifier):
    name = word(title)
    if modifier == "execname":
        return {name + "_comm": formats.escaped(v["comm"]), name: str(v["pid"])}
    if modifier == "stacktrace":
        return {name: ";".join(formats.escaped(f).replace(";", "\\x3b") for f in v)}
    if modifier in ("log2", "buckets"):
        return {name + "_ge": str(v["ge"]), name + "_le": str(v["le"])}
    if modifier == "hex":
        return {name: hex(int(v))}
    return {name: formats.escaped(str(v))}


def bounds(v, signed):
    """The ends of a number of the axis; of a signed one, those around 2^63 are cut there."""
    ge, le = (int(v["ge"]), int(v["le"])) if isinstance(v, dict) else (int(v), int(v))
    if signed and ge < 1 << 63 <= le:
        le = (1 << 63) - 1
    return ge, le


class Expected:
    """The samples of one histogram."""

    def __init__(self, hist, series, offset):
        definition = series.definition
        self.hist, self.axis = hist, axis_of(hist)
        self.modifiers = {k["name"]: k["modifier"] for k in hist["keys"]}
        self.signed = {k["name"]: k["signed"] for k in hist["keys"]}
        self.values = {title: (name, kind, signed) for title, (name, kind, signed)
                       in zip(hist["values"], definition.values)}
        self.units = dict(zip(hist["values"], definition.value_units))
        self.offset = offset
        self.now, self.over_time, self.times, self.facts, self.losses = {}, [], [], [], []
        for s in hist["snapshots"]:
            self.add(s)

    def row_of(self, row):
        """Labels without the axis, and the ends on the axis."""
        labels = {}
        for title, v in row["key"].items():
            if title != self.axis:
                labels.update(label_of(title, v, self.modifiers[title]))
        ends = bounds(row["key"][self.axis], self.signed[self.axis]) if self.axis else None
        return frozenset(labels.items()), ends

    def add(self, s):
        self.now = {row: {} for row in self.now}
        for row in s["rows"]:
            counts = self.now.setdefault(self.row_of(row), {})
            for title, v in row["value"].items():
                counts[title] = counts.get(title, 0) + v & (1 << 64) - 1
        self.over_time.append({row: dict(counts) for row, counts in self.now.items()})
        self.add_time(s)
        self.add_facts(s)

    def add_time(self, s):
        ms = None
        if self.offset is not None and "time_ticks" not in s:
            ms = (int(s["time_ns"]) + self.offset * 10 ** 9) // 10 ** 6
        elif "wall_ns" in s:
            ms = int(s["wall_ns"]) // 10 ** 6
        if self.times and ms is not None:
            ms = max(ms, self.times[-1] + 1)
        self.times.append(ms)

    def add_facts(self, s):
        facts = {name: s.get(member, 0) for name, member in FACTS.items()}
        facts.update(lost_snapshots=s["lost"], resets_total=s["resets"], entries=int(s["entries"]),
                     ambiguous=s["ambiguous"], left_out_hits=s["left_out"], set_up=s["set_up"],
                     stopped=s["stopped"], full_stacks=s["full_stacks"])
        self.facts.append(facts)
        self.losses.append({kind: int(s["losses"].get(kind, 0)) for kind in read_dat.LOSS_KINDS})

    def samples(self):
        """Of all but the buckets; rows are there from the first snapshot on."""
        host = [("host", self.hist["target"]["host"])]
        head = {*host, ("histogram", self.hist["name"])}
        for losses, ms in zip(self.losses, self.times):
            for kind, n in losses.items():
                if self.losses[-1][kind]:
                    yield ("trace_cmd_hist_open_losses" if kind in OPEN_LOSSES else
                           "trace_cmd_hist_losses_total", frozenset(head | {("kind", kind)}), ms,
                           n)
        for facts, ms in zip(self.facts, self.times):
            for name, v in facts.items():
                if v is not None:
                    yield "trace_cmd_hist_" + name, frozenset(head), ms, v
            yield "trace_cmd_hist_info", frozenset(
                {*head, ("event", self.hist["event"]), ("engine", self.hist["engine"]),
                 ("clock", self.hist["clock"]), ("uname", self.hist["target"]["uname"]),
                 ("trigger", formats.escaped(self.hist["trigger"]))}), ms, 1
        of_axis = self.of_axis()
        for title, (name, kind, signed) in self.values.items():
            if kind not in SUMS or title in of_axis:
                continue
            unit = (read_dat.unit(name, read_dat.NUM, self.units[title])
                    if kind == read_dat.SUM else None)
            family = stem(self.hist, title, unit) + ("" if signed else "_total")
            for counts, ms in zip(self.over_time, self.times):
                for labels, ends in self.now:
                    v = counts.get((labels, ends), {}).get(title, 0)
                    v -= (signed and v >> 63) << 64
                    ends = {} if ends is None else {word(self.axis) + "_ge": str(ends[0]),
                                                    word(self.axis) + "_le": str(ends[1])}
                    yield family, labels | set(ends.items()) | set(host), ms, v

    def of_axis(self):
        """The values that are in the histogram: hits, and the sum of the axis."""
        if not self.axis:
            return ()
        hits = [t for t, (name, _, _) in self.values.items() if name == "hitcount"][:1]
        key = self.axis.split("#")[0]
        return hits + [t for t, (name, kind, _) in self.values.items()
                       if name == key and kind in SUMS][:1]

    def is_negative(self):
        return any(ends[0] < 0 or self.signed[self.axis] and ends[0] >> 63 for _, ends in self.now)

    def histogram(self, found):
        """Takes the classic histogram out of @found; the number of buckets."""
        if not self.axis:
            return 0
        unit = {k["name"]: k.get("unit") for k in self.hist["keys"]}[self.axis]
        family, of_axis = stem(self.hist, self.axis.split("#")[0], unit), self.of_axis()
        host, count, groups, kinds = {("host", self.hist["target"]["host"])}, 0, {}, set()
        for labels, ends in self.now:
            groups.setdefault(labels, []).append(ends)
        buckets = collections.defaultdict(dict)
        for name, labels, ms in [k for k in found if k[0] == family + "_bucket"]:
            le = dict(labels)["le"]
            rest = labels - host - {("le", le)}
            buckets[rest, ms][le] = found.pop((name, labels, ms))
        for counts, ms in zip(self.over_time, self.times):
            for labels, rows in groups.items():
                mine = buckets.pop((labels, ms), None)
                if not mine:
                    raise SystemExit(f"openmetrics: no {family}_bucket{dict(labels)} at {ms}")
                self.check_group(mine, labels, rows, counts, unit, of_axis[0])
                count += len(mine)
                kinds.add(frozenset(mine))
                if len(of_axis) == 2 and not self.is_negative():
                    total = sum(counts[labels, ends].get(of_axis[1], 0) for ends in rows
                                if (labels, ends) in counts)
                    self.take(found, family + "_sum", labels | host, ms,
                              total & (1 << 64) - 1)
                    self.take(found, family + "_count", labels | host, ms, mine["+Inf"])
        if buckets or len(kinds) > 1:
            raise SystemExit(f"openmetrics: {family}: {len(buckets)} label sets too many, or "
                             f"{len(kinds)} kinds of buckets")
        return count

    @staticmethod
    def take(found, name, labels, ms, wanted):
        got = found.pop((name, labels, ms), None)
        if got != wanted:
            raise SystemExit(f"openmetrics: {name}{dict(labels)} at {ms}: {got}, not {wanted}")

    def check_group(self, mine, labels, rows, counts, unit, hits):
        number = {le: int(LE.match(le)[1])
                  for le in mine if le != "+Inf"}
        there = set(number.values())
        for ge, le in rows:
            # the largest number of all is +Inf's; nothing is below 0 in most
            largest = (1 << 63) - 1 if self.signed[self.axis] else (1 << 64) - 1
            if le != largest and le not in there or \
                    ge - 1 not in there and (ge > 0 or ge < 0 and ge != -(1 << 63)):
                raise SystemExit(f"openmetrics: no bucket ends at {ge - 1} or {le}")
        for le, got in mine.items():
            wanted = sum(counts.get((labels, ends), {}).get(hits, 0) for ends in rows
                         if le == "+Inf" or ends[1] <= number[le])
            if got != wanted:
                raise SystemExit(f"openmetrics: {dict(labels)} le={le}: {got}, not {wanted}")


def check(out, doc, series, offset, view):
    """How many samples were compared; @view as in views.py."""
    found, count, wanted = parse(out), 0, collections.defaultdict(int)
    made = []
    for h in doc["histograms"]:
        definition = series[h["name"]].definition
        kinds = [(kind == read_dat.NUM, bool(signed)) for _, kind, signed, _ in definition.keys]
        h = {**h, "snapshots": series[h["name"]].counters(*view),
             "keys": [{**k, "plain": plain, "signed": signed}
                           for k, (plain, signed) in zip(h["keys"], kinds)]}
        made.append(Expected(h, series[h["name"]], offset))
        count += made[-1].histogram(found)
        for name, labels, ms, v in made[-1].samples():
            wanted[name, labels, ms] += v
    last = max((e.times[-1] for e in made if e.times[-1] is not None), default=None)
    host = doc["histograms"][0]["target"]["host"]
    for kind, v in doc["damage"].items():
        wanted["trace_cmd_hist_file_damage", frozenset({("host", host), ("kind", kind)}), last] = v
    for key in found.keys() | wanted.keys():
        if found.get(key) != wanted.get(key):
            raise SystemExit(f"openmetrics: {key[0]}{sorted(key[1])} at {key[2]}: "
                             f"{found.get(key)}, not {wanted.get(key)}")
    return count + len(wanted)
