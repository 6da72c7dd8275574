#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
compare.py PROGRAM PAGE CHECK FILE [SNAPSHOTS]: does the program read from FILE
what read_dat.py reads?  Exit status 0 if so.

CHECK is
  same     the whole file, with at least SNAPSHOTS snapshots in all
  differences  --intervals and --between of it
  cuts     the file cut at many places from our first section on
  flips    the file with one byte changed, at as many
  example  the bytes that PAGE shows are those of FILE, without a gap
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import read_dat  # noqa: E402

PLACES = 40


def plain(v):
    """What the pages leave open: how many U+FFFD stand for bytes that are no UTF-8."""
    if isinstance(v, dict):
        return {k: plain(x) for k, x in v.items()}
    if isinstance(v, list):
        return [plain(x) for x in v]
    return re.sub("\ufffd+", "\ufffd", v) if isinstance(v, str) else v


def canonical(doc):
    """Rows in one order; of the damage only what the page defines."""
    doc = plain(doc)
    doc["damage"] = doc["damage"]["unfinished"]
    for h in doc["histograms"]:
        for s in h["snapshots"]:
            s["rows"].sort(key=lambda r: json.dumps(r, sort_keys=True))
    return doc


def report(program, path):
    run = subprocess.run([program, "report", "--snapshot", "all", "--format", "json", path],
                         capture_output=True, check=False)
    if run.returncode not in (0, 2):
        sys.exit(f"report: status {run.returncode}: {run.stderr.decode()}")
    return canonical(json.loads(run.stdout)) if run.stdout else None


def independent(path):
    try:
        return canonical(read_dat.read(path))
    except SystemExit:
        return None


def difference(a, b):
    """The first line in which two documents differ, or None."""
    if a == b:
        return None
    a, b = (json.dumps(x, indent=1, sort_keys=True).split("\n") for x in (a, b))
    for x, y in zip(a, b):
        if x != y:
            return f"report has {x.strip()}, read_dat.py {y.strip()}"
    return f"report has {len(a)} lines, read_dat.py {len(b)}"


def count(doc):
    return sum(len(h["snapshots"]) for h in doc["histograms"]) if doc else 0


def same(program, path, least):
    doc = report(program, path)
    wrong = difference(doc, independent(path))
    if wrong:
        sys.exit(wrong)
    if count(doc) < least:
        sys.exit(f"only {count(doc)} snapshots")


class Following(read_dat.Histogram):
    """Keeps what differences need: the rows of each snapshot by their keys."""

    def snapshot_json(self, header, read_ns, missed, events_lost):
        doc = super().snapshot_json(header, read_ns, missed, events_lost)
        kinds = [kind for _, kind, _, _ in self.definition.keys]
        rows = {tuple(self.strings[s] if kind in read_dat.WITHOUT_NUMBER else n
                      for kind, (n, s) in zip(kinds, cells)): (cells, list(values))
                for cells, values in zip(self.entries, self.rows)}
        before = getattr(self, "before", None)
        cleared = before is not None and (header.flags & read_dat.RESET or self.resets != before)
        self.before = self.resets
        doc["rows"] = rows
        doc["cleared"] = bool(cleared)
        doc["strings"] = list(self.strings)
        return doc

    def difference(self, to, since, cleared):
        """@to less @since, as --format json has it, but for rows in which nothing grew."""
        kinds = [kind for _, kind, _ in self.definition.values]
        old = {} if cleared or since is None else since["rows"]
        rows = []
        self.strings = to["strings"]
        for key, (cells, values) in to["rows"].items():
            base = old.get(key, (None, [0] * len(values)))[1]
            grown = [v - b & read_dat.U64 if kind in (read_dat.SUM, read_dat.HEX_SUM) else v
                     for kind, v, b in zip(kinds, values, base)]
            if grown[0]:
                rows.append(self.row_json(cells, grown))
        is_whole = cleared or since is None
        hits = to["hits"] - (0 if is_whole else since["hits"])
        return {"seq": to["seq"], "from": None if is_whole else since["seq"], "hits": hits,
                "rows": rows}


def shown(doc):
    """Of the snapshots of each histogram what Following.difference() tells, in one order."""
    found = []
    for snapshots in doc:
        for s in snapshots:
            rows = [r for r in s["rows"] if int(r["value"]["hitcount"])]
            origin = s["from"]["seq"] if isinstance(s["from"], dict) else s["from"]
            found.append(plain({"seq": s["seq"], "from": origin, "hits": s["hits"],
                                "rows": sorted(rows, key=lambda r: json.dumps(r, sort_keys=True))}))
    return found


def differences(program, path, least):
    read_dat.Histogram, made = Following, []
    init = Following.__init__

    def remember(self, definition):
        init(self, definition)
        made.append(self)
    Following.__init__ = remember
    read_dat.read(path)

    def run(*options):
        done = subprocess.run([program, "report", *options, "--format", "json", path],
                              capture_output=True, check=False)
        # 2: a number is left out
        if done.returncode not in (0, 2):
            sys.exit(f"report: status {done.returncode}: {done.stderr.decode()}")
        return shown(h["snapshots"] for h in json.loads(done.stdout)["histograms"])

    wanted = []
    for h in made:
        # what came before the first snapshot is no interval
        pairs = zip(h.snapshots[1:], h.snapshots)
        wanted.append([h.difference(s, since, s["cleared"]) for s, since in pairs])
    wrong = difference(run("--intervals"), shown(wanted))
    if wrong:
        sys.exit(f"--intervals: {wrong}")
    if sum(len(s) for s in wanted) < least:
        sys.exit(f"only {sum(len(s) for s in wanted)} intervals")
    for first, last in ((0, 5), (2, 20), (4, 35), (24, 36)):
        wanted = []
        for h in made:
            a, b = ([s for s in h.snapshots if s["seq"] == n][0] for n in (first, last))
            cleared = any(s["cleared"] for s in h.snapshots if first < s["seq"] <= last)
            wanted.append([h.difference(b, a, cleared)])
        wrong = difference(run("--between", f"{first},{last}"), shown(wanted))
        if wrong:
            sys.exit(f"--between {first},{last}: {wrong}")


def damaged(program, path, damage):
    """@damage: the bytes of the file and a place in them to new bytes."""
    with open(path, "rb") as f:
        data = f.read()
    first = read_dat.File(path).first()
    counts = set()
    with tempfile.NamedTemporaryFile() as out:
        for i in range(PLACES):
            # a stride that is no multiple of anything in the format
            at = first + (len(data) - first) * i // PLACES + i % 7
            out.seek(0)
            out.truncate()
            out.write(damage(data, min(at, len(data) - 1)))
            out.flush()
            doc = report(program, out.name)
            wrong = difference(doc, independent(out.name))
            if wrong:
                sys.exit(f"at {at}: {wrong}")
            counts.add(count(doc))
    # what was done to the file must have been seen
    if len(counts) < 5:
        sys.exit(f"the damage made no difference: {counts} snapshots")


def example(page, path):
    with open(path, "rb") as f:
        data = f.read()
    with open(page, encoding="utf-8") as f:
        lines = re.findall(r"^ (\d{4})  ((?:[0-9a-f]{2} )*[0-9a-f]{2})(?=  |$)", f.read(), re.M)
    if not lines:
        sys.exit("no example in the page")
    at = int(lines[0][0])
    for offset, shown in lines:
        shown = bytes.fromhex(shown)
        if int(offset) != at:
            sys.exit(f"the page goes on at {offset} and not at {at}")
        if data[at:at + len(shown)] != shown:
            sys.exit(f"{at}: in the page {shown.hex(' ')}, "
                     f"in the file {data[at:at + len(shown)].hex(' ')}")
        at += len(shown)
    if at != len(data):
        sys.exit(f"the page ends at {at}, the file at {len(data)}")


def main():
    program, page, check, path = sys.argv[1:5]
    if check == "same":
        same(program, path, int(sys.argv[5]))
    elif check == "differences":
        differences(program, path, int(sys.argv[5]))
    elif check == "cuts":
        damaged(program, path, lambda data, at: data[:at])
    elif check == "flips":
        damaged(program, path, lambda data, at: data[:at] + bytes([data[at] ^ 0x41]) + data[at + 1:])
    elif check == "example":
        example(page, path)
    else:
        sys.exit(f"{check}: no such check")


main()
