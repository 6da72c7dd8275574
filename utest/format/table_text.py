# SPDX-License-Identifier: GPL-2.0
"""
table_text.py - the text of a report held against the model in views.py

Each row is written here anew, as the kernel prints it (histogram.rst, and THE TABLE in
trace-cmd-hist-report(1)).  Blanks are folded, since columns are as wide as they need.
"""
import collections
import re
from fractions import Fraction

import formats
import read_dat

SHARES = re.compile(r" share: (\d+\.\d\d)% cum: (\d+\.\d\d)%$")
# the member of the JSON and the words behind its number
WHEN = "(?:before this one|during this time)"
NOTES = {"events_lost": "or more events were", "probe_misses": "hits?, which",
         "missed": f"snapshots? {WHEN} w.* due", "lost": f"snapshots? {WHEN} (?:is|are) missing",
         "full_stacks": "stacks? reach"}
LOSSES = {"other": "loss(?:es are| is) recorded", "unmatched_starts": "STARTs? of the latency had no END",
          "unmatched_ends": "ENDs? of the latency had no START", "below_zero": "latenc(?:y is|ies are) not counted: (?:it was|they were) below zero",
          "compat_calls": "32-bit system calls? w", "native_calls": "64-bit system calls? w",
          "missing_pages": "pages? of events (?:is|are) missing", "missing_bytes": "bytes? of compressed events",
          "damaged_pages": "damaged pages? of events", "damaged_events": "events? shorter than",
          "no_stack": "hits? without a recorded stack", "absent_events": "events? that this histogram needs",
          "short_log2": r"hits? of \.log2 w",
          "cut_key_hits": "hits? (?:is|are) in (?:a row|rows)"}
WORDS = {"reset": "the histogram was cleared", "stopped": "paused or stopped the counting",
         "ambiguous": "some names in the hist file are ambiguous"}


def folded(line):
    return re.sub(r" (?=[,\]])|(?<=\[) ", "", re.sub(" +", " ", line)).rstrip(" ")


def signed(n, is_signed):
    return n - (1 << 64) if is_signed and n >> 63 else n


def bucket(v, num, kind, is_signed):
    if kind == read_dat.LOG2:
        return "negative" if is_signed and num == read_dat.U64 else f"~ 2^{num}"
    if kind == read_dat.FINE_LOG2 and is_signed and num == read_dat.U64:
        return "negative"
    dots = ".." if int(v["ge"]) < 0 else "-"
    return f"~ {v['ge']}{dots}{v['le']}"


def key_text(v, cell, kind, is_signed):
    num = cell[0]
    if kind in (read_dat.SYM, read_dat.SYM_OFFSET):
        return f"[{num:x}] {formats.escaped(v)}"
    if kind == read_dat.EXECNAME:
        return f"{formats.escaped(v['comm'])} [{v['pid']}]"
    if kind == read_dat.SYSCALL:
        return f"{formats.escaped(v)} [{signed(num, is_signed)}]"
    if kind == read_dat.STACK:
        return f"{len(v)} frame{'s' * (len(v) != 1)}"
    if kind in (read_dat.LOG2, read_dat.BUCKETS, read_dat.FINE_LOG2):
        return bucket(v, num, kind, is_signed)
    if kind == read_dat.HEX:
        return f"{num:x}"
    if kind == read_dat.STRING:
        return formats.escaped(v[:-1]) + "\\x20" if v.endswith(" ") else formats.escaped(v)
    return str(signed(num, is_signed))


def value_text(name, kind, v):
    name = formats.escaped(name)
    if kind == read_dat.HEX_SUM:
        return f"{name}: {int(v):x}"
    if kind == read_dat.PERCENT:
        return f"{name} (%): {v:.2f}"
    return f"{name}: {'#' * v if kind == read_dat.GRAPH else v}"


def lines_of(row, cells, definition):
    """The line of a row, and those below it."""
    keys = zip(row["key"].values(), cells, definition.keys)
    text = ", ".join(f"{name}: {key_text(v, cell, kind, is_signed)}"
                     for v, cell, (name, kind, is_signed, _) in keys)
    values = [(name, kind, v) for v, (name, kind, _) in zip(row["value"].values(), definition.values)]
    line = "{ " + text + " } " + "  ".join(value_text(*v) for v in values if v[1] != read_dat.SAVED)
    below = []
    for v in row["key"].values():
        if isinstance(v, list):
            below += ["      --"] * bool(below) + [" " * 9 + formats.escaped(f) for f in v]
    for _, kind, v in values:
        if kind == read_dat.SAVED and v:
            below += ["\t" + formats.escaped(part) for part in v.split("\n\t")]
    return folded(line), tuple(folded(x) for x in below)


class Table:
    """What a table in the text says."""

    def __init__(self, text):
        head, _, rest = text.partition("#\n\n")
        body, _, totals = rest.partition("\nTotals:\n")
        self.head = head
        self.totals = [int(n) for n in re.findall(r"^    \w+: (\d+)", totals, re.M)]
        self.rows, self.shares = [], []
        for line in body.split("\n")[:-1]:
            if not line.startswith("{ "):
                self.rows[-1][1].append(folded(line))
                continue
            line = folded(line)
            share = SHARES.search(line)
            self.shares.append([Fraction(n) for n in share.groups()] if share else None)
            self.rows.append([line[:share.start()] if share else line, []])

    def number(self, what):
        found = re.search(rf"^# note: (?:the probe missed )?(\d+) {what}", self.head, re.M)
        return int(found[1]) if found else 0


def same(what, got, wanted):
    if got != wanted:
        raise SystemExit(f"text: {what}: {got}, not {wanted}")


def check_shares(table, rows, values):
    """A share is that of the value that the head names; cum is the sum of those so far."""
    named = re.search(r"^# shares: 100 % is the total (\S+), (\d+)$", table.head, re.M)
    if not named:
        same("shares", [s for s in table.shares if s], [])
        return
    whole, so_far = sum(int(r[named[1]]) for r in values.values()), 0
    same("sum of the shares", int(named[2]), whole)
    for row, share in zip(rows, table.shares):
        part = int(values[row][named[1]])
        so_far += part
        for got, n in zip(share, (part, so_far)):
            if abs(got - Fraction(100 * n, whole)) > Fraction(1, 200):
                raise SystemExit(f"text: {row[0]}: {float(got)} % is not {n} of {whole}")


def check_table(table, s, series):
    values = {}
    cells = {repr(series.row_json(c, v)["key"]) + repr(series.row_json(c, v).get("key_id")): c
             for m in series.moments if m.json["seq"] == s["seq"] for c, v in m.rows.values()}
    wanted = []
    for row in s["rows"]:
        cell = cells[repr(row["key"]) + repr(row.get("key_id"))]
        wanted.append(lines_of(row, cell, series.definition))
        values[wanted[-1]] = row["value"]
    rows = [(line, tuple(below)) for line, below in table.rows]
    formats.differ("text", wanted, rows)
    if len(values) == len(rows):
        check_shares(table, rows, values)
    same("totals", table.totals, [int(s[n]) for n in ("hits", "entries", "dropped")])
    for member, words in NOTES.items():
        same(member, table.number(words), int(s.get(member) or 0))
    for kind, words in LOSSES.items():
        same(kind, table.number(words), int(s.get("losses", {}).get(kind, 0)))
    for flag, words in WORDS.items():
        same(flag, re.search(f"^# note: .*{words}", table.head, re.M) is not None, flag in s["flags"])
    seqs = re.findall(r"snapshot:? (\d+)", re.search(r"^# (?:snapshot|difference): .*", table.head,
                                                   re.M)[0])
    since = [str(s["from"]["seq"])] if s.get("from") else []
    same("snapshots", seqs, since + [str(s["seq"])])


def check(out, doc, series):
    """How many numbers were compared."""
    tables = [Table(t) for t in re.split("^# event histogram: ", out, flags=re.M)[1:]]
    shown = [(h["name"], s) for h in doc["histograms"] for s in h["snapshots"]]
    same("tables", [t.head.split("\n")[0] for t in tables], [name for name, _ in shown])
    count = collections.Counter()
    for table, (name, s) in zip(tables, shown):
        series[name].strings = next(m for m in series[name].moments
                                    if m.json["seq"] == s["seq"]).strings
        check_table(table, s, series[name])
        count["all"] += len(table.totals) + len(NOTES) + len(LOSSES) + sum(len(r["value"]) for r in s["rows"])
    return count["all"]
