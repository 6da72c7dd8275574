#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
prometheus.py URL OFFSET DOC CHECK: does the Prometheus at URL have what DOC, the
JSON of `trace-cmd hist report --snapshot all --percentiles ...`, has?  Exit status 0
if so.  OFFSET is what --time-offset was given, or "now": DOC is then one view, which a running
recorder has.

CHECK is counts, hits, losses, quantiles or rate; prometheus.sh says what each is.  "native" is hits
and quantiles of native histograms, "exemplars" the worst of each key with what was saved with it, as are
"native-exemplars".
"""
import collections
import json
import math
import sys
import urllib.parse
import urllib.request


class Server:
    def __init__(self, url):
        self.url = url

    def query(self, what, ms):
        """(labels, value) of all series at that millisecond"""
        args = {"query": what}
        if ms is not None:
            args["time"] = f"{ms / 1000:.3f}"
        args = urllib.parse.urlencode(args)
        with urllib.request.urlopen(f"{self.url}/api/v1/query?{args}", timeout=30) as f:
            answer = json.load(f)
        return [(r["metric"], float(r["value"][1])) for r in answer["data"]["result"]]


def stem(h):
    return "trace_" + "".join(c if c.isalnum() else "_" for c in h["name"])


def snapshots(doc, offset):
    for h in doc["histograms"]:
        for s in h["snapshots"]:
            yield h, s, offset and (int(s["time_ns"]) + offset * 10 ** 9) // 10 ** 6


def series_of(h):
    axis = axis_of(h)
    unit = next(k.get("unit") for k in h["keys"] if k["name"] == axis)
    if not unit:
        return f"{stem(h)}_{axis}"
    whole = {"ns": "nanoseconds", "us": "microseconds"}[unit]
    return f"{stem(h)}_{axis[:-1 - len(unit)] if axis.endswith('_' + unit) else axis}_{whole}"


def axis_of(h):
    found = [k["name"] for k in h["keys"] if k["modifier"] in ("log2", "buckets")]
    return found[0] if found else None


def fail(*words):
    sys.exit(" ".join(map(str, words)))


def check_counts(server, doc, offset):
    """Histograms of one key that is shown by name, or a number."""
    seen = 0
    for h, s, ms in snapshots(doc, offset):
        modifiers = [k["modifier"] for k in h["keys"]]
        if any(m not in ("sym-offset", "syscall", "sym", "") for m in modifiers) or axis_of(h):
            continue
        got = server.query(f"{stem(h)}_hitcount_total", ms)
        # plain numbers that are an axis are in a histogram
        if not got:
            continue
        names = [k["name"] for k in h["keys"]]
        have = {tuple(labels[n] for n in names): v for labels, v in got}
        wanted = collections.Counter()
        for row in s["rows"]:
            wanted[tuple(str(row["key"][n]) for n in names)] += int(row["value"]["hitcount"])
        for key, n in wanted.items():
            if have.get(key) != n:
                fail(h["name"], "at", ms, key, ":", have.get(key), "and not", n)
            seen += 1
        for key, n in have.items():
            if key not in wanted and n:
                fail(h["name"], "at", ms, key, "is", n, "and not there yet")
    if seen < (100 if offset else 60):
        fail("only", seen, "rows")


def check_hits(server, doc, offset):
    seen = 0
    for h, s, ms in snapshots(doc, offset):
        axis = axis_of(h)
        if not axis:
            continue
        name = series_of(h)
        total = sum(int(r["value"]["hitcount"]) for r in s["rows"])
        for what in (f'sum({name}_bucket{{le="+Inf"}})', f"sum({name}_count)"):
            got = server.query(what, ms)
            if not got and "_count" in what and axis not in h["values"]:
                continue
            if [v for _, v in got] != [total]:
                fail(what, "at", ms, got, "and not", total)
            seen += 1
        if axis in h["values"]:
            total = sum(int(r["value"][axis]) for r in s["rows"])
            got = server.query(f"sum({name}_sum)", ms)
            if [v for _, v in got] != [total]:
                fail(name, "sum", got, "and not", total)
            seen += 1
    if seen < (12 if offset else 3):
        fail("only", seen, "sums")


def check_losses(server, doc, offset):
    for h, s, ms in snapshots(doc, offset):
        for metric, value in (("hits", s["hits"]), ("dropped_hits", s["dropped"]),
                              ("missed_snapshots", s["missed"])):
            what = f'trace_cmd_hist_{metric}_total{{histogram="{h["name"]}"}}'
            got = server.query(what, ms)
            if [v for _, v in got] != [value]:
                fail(what, got, "and not", value)


def fixed(h, bounds):
    """The bucket that a recorder serves for one of .buckets=N: 33, then of twice the width each."""
    n = next((k["bucket"] for k in h["keys"] if k["modifier"] == "buckets"), None)
    if not n:
        return bounds
    ends, step = [n * i - 1 for i in range(34)], 2
    while ends[-1] < 2 ** 32:
        ends.append(ends[-1] + n * step)
        step *= 2
    le = next(e for e in ends if e >= int(bounds["le"]))
    return {"ge": ends[ends.index(le) - 1] + 1, "le": le}


def check_quantiles(server, doc, offset, bucket="_bucket"):
    seen = 0
    for h, s, ms in snapshots(doc, offset):
        axis = axis_of(h)
        if not axis or not bucket and not is_native(h):
            continue
        others = [k["name"] for k in h["keys"] if k["name"] != axis]
        keys = collections.Counter(json.dumps(g.get("key", {}), sort_keys=True)
                                   for g in s["percentiles"])
        for q in (0.25, 0.5, 0.9, 0.99, 0.9995):
            got = server.query(f"histogram_quantile({q}, {series_of(h)}{bucket})", ms)
            have = {tuple(labels.get(n, "") for n in others): v for labels, v in got}
            for g in s["percentiles"]:
                # two addresses with one name are one there
                if keys[json.dumps(g.get("key", {}), sort_keys=True)] > 1:
                    continue
                bounds = g[f"p{q * 100:g}"]
                if offset is None:
                    bounds = fixed(h, bounds)
                v = have[tuple(str(g["key"][n]) for n in others)]
                # numbers are whole here: 33 to 64 is (32, 64] there
                if math.isnan(v) or not int(bounds["ge"]) - 1 <= v <= int(bounds["le"]):
                    fail(h["name"], g.get("key"), "at", ms, f"p{q * 100:g}", v, "and not in", bounds)
                seen += 1
    if seen < (100 if offset else 50):
        fail("only", seen, "quantiles")


def is_native(h):
    return any(k["name"] == axis_of(h) and k["modifier"] == "log2" and not k.get("signed")
               for k in h["keys"])


def check_native(server, doc, offset):
    check_quantiles(server, doc, offset, "")
    seen = 0
    for h, s, ms in snapshots(doc, offset):
        if not axis_of(h) or not is_native(h):
            continue
        total = sum(int(r["value"]["hitcount"]) for r in s["rows"])
        sums = sum(int(r["value"].get(axis_of(h), 0)) for r in s["rows"])
        for what, wanted in (("histogram_count", total), ("histogram_sum", sums)):
            got = server.query(f"sum({what}({series_of(h)}))", ms)
            if what == "histogram_sum" and axis_of(h) not in h["values"]:
                if len(got) != 1 or not math.isnan(got[0][1]):
                    fail(what, got, "of a sum that is not known")
            elif [v for _, v in got] != [wanted]:
                fail(what, h["name"], got, "and not", wanted)
            seen += 1
    if seen < 2:
        fail("only", seen, "native histograms")


def check_rate(server, doc, offset):
    """increase() from before the first sample on; Prometheus extrapolates, so within half."""
    h = doc["histograms"][0]
    first, last = h["snapshots"][0], h["snapshots"][-1]
    ms = (int(last["time_ns"]) + offset * 10 ** 9) // 10 ** 6
    got = server.query(f'increase(trace_cmd_hist_hits_total{{histogram="{h["name"]}"}}[2s])', ms)
    wanted = last["hits"] - first["hits"]
    if len(got) != 1 or not wanted <= got[0][1] <= 2 * wanted:
        fail("increase", got, "and not about", wanted)


def check_native_exemplars(server, doc, offset):
    check_exemplars(server, doc, offset, "")


def check_exemplars(server, doc, _offset, bucket="_bucket"):
    seen = 0
    for h in doc["histograms"]:
        last = h["snapshots"][-1]
        if not last.get("worst"):
            continue
        begin = int(last["wall_ns"]) // 10 ** 9
        args = urllib.parse.urlencode({"query": series_of(h) + bucket, "start": begin - 60,
                                       "end": begin + 60})
        with urllib.request.urlopen(f"{server.url}/api/v1/query_exemplars?{args}", timeout=30) as f:
            answer = json.load(f)
        got = collections.defaultdict(list)
        for series in answer["data"]:
            le = float(series["seriesLabels"].get("le", "inf"))
            for e in series["exemplars"]:
                if bucket and not le / 2 < float(e["value"]) <= le:
                    fail(series["seriesLabels"], "has", e)
                if sum(len(k) + len(v) for k, v in e["labels"].items()) > 128:
                    fail("too long:", e)
                key = tuple(series["seriesLabels"].get(k["name"]) for k in h["keys"] if k["modifier"] == "")
                got[key].append(e)
        for worst in last["worst"]:
            if not worst["exact"]:
                continue
            of_key = got[tuple(str(v) for v in worst["key"].values())]
            if not of_key:
                fail("no exemplar of", worst, "but of", sorted(got))
            found = max(of_key, key=lambda e: float(e["value"]))
            wall = int(last["wall_ns"]) - int(last["time_ns"]) + worst["time_ns"]
            saved, labels = worst["saved"], found["labels"]
            before = "prev_comm" in saved
            if float(found["value"]) != worst["value"] or labels["cpu"] != str(worst["cpu"]) or \
                    abs(found["timestamp"] * 1000 - wall // 10 ** 6) > 1 or \
                    labels["after_pid" if before else "pid"] != str(saved["common_pid"]) or \
                    before and (labels["after"], labels["after_prio"]) != \
                    (saved["prev_comm"], f"nice {saved['prev_prio'] - 120}"):
                fail(worst, "is", found)
            seen += 1
    if seen < 8:
        fail("only", seen, "exemplars")


def main():
    url, offset, path, check = sys.argv[1:]
    with open(path, encoding="utf-8") as f:
        doc = json.load(f)
    {"counts": check_counts, "hits": check_hits, "losses": check_losses,
     "quantiles": check_quantiles, "native": check_native, "exemplars": check_exemplars, "native-exemplars": check_native_exemplars,
     "rate": check_rate}[check](Server(url), doc, None if offset == "now" else int(offset))


main()
