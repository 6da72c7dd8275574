#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
writers.py PROGRAM MAKER FIRST COUNT: do all formats of `trace-cmd hist report` have the
numbers that read_dat.py reads?  Exit status 0 if so.

COUNT files, as MAKER (series_make) makes them of the numbers from FIRST on.  Of each, two
views in text, json, csv, ndjson and openmetrics are held against the model in views.py.
"""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "scripts", "lib")]
import formats  # noqa: E402 pylint: disable=wrong-import-position
import samples  # noqa: E402 pylint: disable=wrong-import-position
import table_text  # noqa: E402 pylint: disable=wrong-import-position
import views  # noqa: E402 pylint: disable=wrong-import-position

OFFSET = 1700000000


def report(program, fmt, path, options, lost):
    """@lost: snapshots are, so that the status is 2."""
    env = {**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "1000"}
    done = subprocess.run([program, "report", "--format", fmt, *options, path],
                          capture_output=True, check=False, env=env)
    if done.returncode != (2 if lost else 0):
        raise SystemExit(f"{fmt}: status {done.returncode}: {done.stderr.decode()}")
    return done.stdout.decode()


def chosen(series, seed):
    """Two views, as options of report and as views.py has them."""
    seqs = [m.json["seq"] for m in next(iter(series.values())).moments]
    a, b = seed % len(seqs), seed // 7 % len(seqs)
    yield (((), ("recorded",)), (("--intervals",), ("intervals",)),
           (("--snapshot", "all"), ("all",)))[seed % 3]
    which = seed // 3 % 3
    if which == 0:
        yield ("--at", f"+{seed % 9}"), ("at", seed % 9)
    elif which == 1 or a == b:
        yield ("--snapshot", str(seqs[a])), ("snapshot", seqs[a])
    else:
        a, b = sorted((seqs[a], seqs[b]))
        yield ("--between", f"{a},{b}"), ("between", a, b)


def canonical(doc):
    """Rows in one order.  What random histograms saved with their worst is not the kernel's form."""
    for h in doc["histograms"]:
        for s in h["snapshots"]:
            if s.pop("worst", []):
                raise SystemExit("json: a worst of a text that is not the kernel's")
            s["rows"].sort(key=lambda r: json.dumps(r, sort_keys=True))
    return doc


def check_json(out, doc):
    a, b = (json.dumps(canonical(d), indent=1, sort_keys=True).split("\n")
            for d in (json.loads(out), doc))
    for x, y in zip(a, b):
        if x != y:
            raise SystemExit(f"json: {x.strip()}, not {y.strip()}")
    if len(a) != len(b):
        raise SystemExit(f"json: {len(a)} lines, not {len(b)}")


def check_openmetrics(program, path, options, doc, series, view):
    many = any(len(h["snapshots"]) > 1 for h in doc["histograms"])
    times = ()
    if many and any(h["clock"] in views.TICKS and len(h["snapshots"]) > 1 for h in doc["histograms"]):
        return 0  # has no times
    if many and any("wall_ns" not in s for h in doc["histograms"] for s in h["snapshots"]):
        times = ("--time-offset", str(OFFSET))
    out = report(program, "openmetrics", path, [*options, *times, "--max-series", "1000000"],
                 doc["damage"]["lost_snapshots"])
    return samples.check(out, doc, series, OFFSET if times else None, view)


def check(program, path, seed):
    """How many numbers were compared."""
    series, whole = views.read(path)
    count = 0
    for options, view in chosen(series, seed):
        doc = views.document(series, whole, *view)
        lost = doc["damage"]["lost_snapshots"]
        try:
            check_json(report(program, "json", path, options, lost), doc)
            count += formats.csv_is(report(program, "csv", path, options, lost), doc)
            count += formats.ndjson_is(report(program, "ndjson", path, options, lost), doc)
            count += table_text.check(report(program, "text", path, ["--view", "table", *options], lost), doc, series)
            if view[0] != "between":
                count += check_openmetrics(program, path, options, doc, series, view)
        except SystemExit as e:
            raise SystemExit(f"{seed} {' '.join(options)}: {e}") from e
    return count


def main():
    program, maker, first, many = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    count = 0
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "random.dat")
        for seed in range(first, first + many):
            subprocess.run([maker, "random", path, str(seed)], check=True)
            count += check(program, path, seed)
    print(f"{many} files, {count} numbers")
    if count < many * 100:
        sys.exit("hardly anything to compare")


if __name__ == "__main__":
    main()
