#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
spans.py PROGRAM FILE [killed]: does `trace-cmd hist report` of FILE show what was counted
from the first snapshot to the last?  Exit status 0 if so.  killed: FILE as it was before
the second snapshot of any histogram was written, which is shown whole.

What that is comes from read_dat.py, which shares nothing with the program, and from THE
SET-UP in trace-cmd-hist-report(1).  Numbers are taken modulo 2^64.  The report, its
--list and the sum of --intervals must agree with it.
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "scripts", "lib"))
import read_dat  # noqa: E402 pylint: disable=wrong-import-position

NO_SUM = (".percent", ".graph")


def number(v):
    return int(v) % (1 << 64)


def is_sum(name):
    return not name.endswith(NO_SUM) and name.split("#")[0] != "saved"


def rows_of(snapshot):
    """{key: {value: number}}; of equal keys the sum."""
    rows = collections.defaultdict(lambda: collections.defaultdict(int))
    for row in snapshot.get("rows", ()):
        key = re.sub("(\\\\ufffd)+", "?", json.dumps([row["key"], row.get("key_id")], sort_keys=True))
        for name, v in row["value"].items():
            if is_sum(name):
                rows[key][name] = number(rows[key][name] + number(v))
    return {key: dict(values) for key, values in rows.items()}


def minus(a, b):
    return {key: {name: number(v - b.get(key, {}).get(name, 0)) for name, v in values.items()}
            for key, values in a.items()}


def without_zeros(rows):
    """A key that is new is shown with zeros, too; that is not looked at here."""
    return {key: values for key, values in rows.items() if any(values.values())}


def was_cleared(snapshots):
    for a, b in zip(snapshots, snapshots[1:]):
        if number(b["hits"]) < number(a["hits"]) or len(b["rows"]) < len(a["rows"]) or \
                ("reset" in b["flags"]) > ("reset" in a["flags"]):
            return True
    return False


def wanted(hist):
    first, last = hist["snapshots"][0], hist["snapshots"][-1]
    if first is last or hist["engine"] == "replay":
        return last, None, number(last["hits"]), number(last["dropped"]), rows_of(last)
    if was_cleared(hist["snapshots"]):
        return last, None, number(last["hits"]), number(last["dropped"]), rows_of(last)
    return (last, first, number(last["hits"]) - number(first["hits"]),
            number(last["dropped"]) - number(first["dropped"]),
            minus(rows_of(last), rows_of(first)))


def report(program, path, *options):
    run = subprocess.run([program, "report", *options, "--format", "json", path],
                         capture_output=True, check=False)
    if run.returncode not in (0, 2) or not run.stdout:
        sys.exit(f"report: status {run.returncode}: {run.stderr.decode()}")
    return {h["name"]: h for h in json.loads(run.stdout)["histograms"]}


def same(what, got, want):
    if got != want:
        sys.exit(f"{what}: the report has {got}, read_dat.py {want}")


def check_head(name, hist, got, want):
    last, first, hits, dropped, _ = want
    same(f"{name}: seq", got["seq"], last["seq"])
    same(f"{name}: hits", number(got["hits"]), hits)
    same(f"{name}: dropped", number(got["dropped"]), dropped)
    if first:
        same(f"{name}: from", [got["from"]["seq"], number(got["from"]["hits"])],
             [first["seq"], number(first["hits"])])
    else:
        same(f"{name}: from", got.get("from"), None)
    same(f"{name}: told to be whole", "set-up" in got["flags"],
         len(hist["snapshots"]) == 1 and hist["engine"] != "replay")


def check(program, path):
    whole, listed = report(program, path), report(program, path, "--list")
    intervals = report(program, path, "--intervals")
    left_out = 0
    for hist in read_dat.read(path)["histograms"]:
        if not hist["snapshots"]:
            continue
        name, want = hist["name"], wanted(hist)
        for doc in (whole, listed):
            same(f"{name}: views", len(doc[name]["snapshots"]), 1)
            check_head(name, hist, doc[name]["snapshots"][0], want)
        same(f"{name}: rows", without_zeros(rows_of(whole[name]["snapshots"][0])),
             without_zeros(want[4]))
        left_out += number(want[1]["hits"]) if want[1] else 0
        if was_cleared(hist["snapshots"]):
            continue
        total = {}
        for s in intervals[name]["snapshots"]:
            for key, values in rows_of(s).items():
                mine = total.setdefault(key, {})
                for v in values:
                    mine[v] = number(mine.get(v, 0) + values[v])
        same(f"{name}: sum of the intervals", without_zeros(total), without_zeros(want[4]))
        same(f"{name}: hits of the intervals",
             sum(number(s["hits"]) for s in intervals[name]["snapshots"]), want[2])
    print(f"{left_out} hits before the first snapshots are left out")


def killed(path, out):
    """Writes the file up to the second snapshot of a histogram."""
    seen = set()
    for header, body in read_dat.File(path).records():
        if header.type not in (read_dat.FULL, read_dat.DIFFERENCE):
            continue
        if header.number in seen:
            break
        seen.add(header.number)
    else:
        sys.exit("no histogram has two snapshots")
    with open(path, "rb") as f:
        out.write(f.read()[:body - 56])
    out.flush()


def main():
    program, path = sys.argv[1:3]
    if sys.argv[3:] != ["killed"]:
        check(program, path)
        return
    with tempfile.NamedTemporaryFile() as out:
        killed(path, out)
        check(program, out.name)


main()
