#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
peers.py top|heat [FILE], peers.py diff BASE NEW: what people would write for the
same question, for `make bench`.  FILE is what report --format json wrote, or
standard input; or a .dat, which is read with the reader of the tests.
"""
import collections
import heapq
import json
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "lib"))
import read_dat  # noqa: E402 pylint: disable=wrong-import-position


class Reader(read_dat.Histogram):
    """Keeps nothing but the numbers of the snapshot that was read last."""

    def snapshot_json(self, header, read_ns, missed, events_lost):
        self.counts = [row[0] for row in self.rows]


def snapshots_of_dat(path):
    """(seq, counts) of all snapshots."""
    dat, hist = read_dat.File(path), None
    for header, at in dat.records():
        if header.type == read_dat.DEFINITION:
            hist = Reader(read_dat.Definition(dat.body(header, at)))
        elif header.type in (read_dat.FULL, read_dat.DIFFERENCE):
            hist.snapshot(header, lambda h, at=at: dat.body(h, at))
            yield header.seq, hist.counts


def intervals(path):
    """(seq, key, count) of all that was counted, from the second snapshot on."""
    if path and path.endswith(".dat"):
        before = None
        for seq, counts in snapshots_of_dat(path):
            if before is not None:
                for key, (a, b) in enumerate(zip(before, counts)):
                    if a != b:
                        yield seq, key, b - a
            before = counts
        return
    with open(path) if path else sys.stdin as f:
        document = json.load(f)
    for snapshot in document["histograms"][0]["snapshots"]:
        if snapshot.get("from_seq") is None:
            continue
        for row in snapshot["rows"]:
            key = row["key"]
            yield (snapshot["seq"], (key["common_pid"]["pid"], key["id"]),
                   int(row["value"]["hitcount"]))


def top(path):
    if path and path.endswith(".dat"):
        for _, counts in snapshots_of_dat(path):
            pass
        rows = [(n, key) for key, n in enumerate(counts)]
    else:
        with open(path) if path else sys.stdin as f:
            document = json.load(f)
        rows = [(int(row["value"]["hitcount"]), row["key"]["common_pid"]["pid"], row["key"]["id"])
                for row in document["histograms"][0]["snapshots"][-1]["rows"]]
    for row in heapq.nlargest(20, rows):
        print(*row)


def heat(path):
    cells = collections.defaultdict(lambda: [0] * 60)
    for seq, key, count in intervals(path):
        cells[key][seq // 10] += count
    for key in heapq.nlargest(30, cells, key=lambda k: sum(cells[k])):
        print(key, *cells[key])


def blocks(path):
    cells = collections.defaultdict(lambda: [0] * 10)
    for seq, key, count in intervals(path):
        cells[key][seq // 60] += count
    return cells


def spread(values):
    mean = sum(values) / len(values)
    return mean, sum((v - mean) ** 2 for v in values) / (len(values) - 1)


def diff(base, new):
    a, b = blocks(base), blocks(new)
    for key in a.keys() | b.keys():
        (mean_a, var_a), (mean_b, var_b) = spread(a[key]), spread(b[key])
        if var_a + var_b:
            t = (mean_b - mean_a) / math.sqrt((var_a + var_b) / 10)
            if abs(t) > 3:
                print(key, mean_a, mean_b, t)


if __name__ == "__main__":
    {"top": top, "heat": heat, "diff": diff}[sys.argv[1]](*(sys.argv[2:] or [None]))
