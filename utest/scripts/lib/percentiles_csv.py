#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""percentiles_csv.py JSON CSV [TEXT]: does the CSV of --view percentiles have the numbers of JSON?

With TEXT, the lines of --view percentiles --intervals have the same groups and counts.
"""
import csv
import json
import sys


def interval(got):
    return (got["ge"], got["le"])


def expected(doc, names):
    """(seq, kind, group, count, mean, intervals...) of each group of each snapshot."""
    for hist in doc["histograms"]:
        for snap in hist["snapshots"]:
            rows = [("group", " ".join(map(str, r["key"].values())), r)
                    for r in snap["percentiles"]]
            if "percentiles_rest" in snap:
                rows.append(("rest", "", snap["percentiles_rest"]))
            for kind, group, row in rows:
                yield (snap["seq"], kind, group, row["count"], row["mean"],
                       *(interval(row[n]) for n in names))


def found(path, names):
    with open(path, newline="", encoding="utf-8") as f:
        for row in csv.DictReader(f):
            if row["kind"] not in ("group", "rest"):
                continue
            keys = [v for k, v in row.items() if k.startswith("key.") and v]
            yield (int(row["seq"]), row["kind"], " ".join(keys), int(row["count"]),
                   float(row["mean"]) if row["mean"] else None,
                   *((int(row[n + ".ge"]), int(row[n + ".le"])) for n in names))


def near(a, b):
    if a[4] is not None and b[4] is not None:
        if abs(a[4] - b[4]) > 1e-9 * abs(b[4]):
            return False
        a, b = a[:4] + a[5:], b[:4] + b[5:]
    return a == b


def text_lines(path):
    """(group, count) of each line."""
    with open(path, encoding="utf-8") as f:
        for line in f:
            words = line.split()
            if words and words[0].replace(".", "").isdigit():
                yield (words[1], int(words[2]))


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        doc = json.load(f)
    names = ["p50", "p90", "p99", "p99.9", "max"]
    want, got = list(expected(doc, names)), list(found(sys.argv[2], names))
    if len(want) < 10 or len(want) != len(got):
        raise SystemExit(f"{len(got)} lines, not {len(want)}")
    for a, b in zip(got, want):
        if not near(a, b):
            raise SystemExit(f"{a}, not {b}")
    if len(sys.argv) > 3:
        lines = list(text_lines(sys.argv[3]))
        wanted = [(w[2], w[3]) for w in want]
        if lines != wanted:
            raise SystemExit(f"text: {lines}, not {wanted}")
    print(len(want), "lines")


main()
