#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
formats.py PROGRAM CHECK FILE [OPTION...]: do the formats of `trace-cmd hist report`
tell the same of FILE?  Exit status 0 if so.  OPTIONs go to report.

CHECK is
  csv          every row and number of the JSON, in csv
  ndjson       the same
  openmetrics  every count of the JSON, as prometheus_client reads it, which keeps to
               the standard; with one snapshot, as it loses samples of more (0.16)
"""
import collections
import csv
import io
import json
import subprocess
import sys

from prometheus_client.openmetrics import parser


def run(program, fmt, path, options):
    if fmt != "openmetrics":
        options = [o for o in options if not o.startswith("--max-series=")]
    done = subprocess.run([program, "report", "--format", fmt, *options, path],
                          capture_output=True, check=False)
    if done.returncode not in (0, 2) or not done.stdout:
        sys.exit(f"{fmt}: status {done.returncode}: {done.stderr.decode()}")
    return done.stdout.decode()


def snapshots(doc):
    for h in doc["histograms"]:
        for s in h["snapshots"]:
            yield h, s


def full_stacks(s):
    """Those of 16 frames, which is all that the kernel keeps"""
    keys = [key for row in s["rows"] for key in row["key"].values()]
    return sum(isinstance(key, list) and len(key) >= 16 for key in keys)


def facts(s):
    both = {name: s[name] for name in ("hits", "entries", "total_rows", "dropped", "missed", "lost")}
    both.update({flag: int(flag in s["flags"]) for flag in ("reset", "paused", "stopped", "ambiguous")})
    both["set-up"] = int("set-up" in s["flags"])
    if s.get("from"):
        both["from_hits"] = s["from"]["hits"]
    if "events_lost" in s:
        both["events_lost"] = s["events_lost"]
    if s.get("probe_misses") is not None:
        both["probe_misses"] = s["probe_misses"]
    full = full_stacks(s)
    assert s.get("full_stacks", 0) == full, (s["seq"], full)
    if full:
        both["full_stacks"] = full
    both.update(s.get("losses", {}))
    return both


def text(v):
    return "" if v is None else str(v)


def expected(doc, texts):
    """What csv and, with texts, ndjson must have: (kind, histogram, seq, wall, metric, value, key)"""
    for h, s in snapshots(doc):
        head = h["name"], s["seq"], text(s.get("wall_ns"))
        for metric, value in facts(s).items():
            yield ("snapshot", *head, metric, text(value), "")
        for row in s["rows"]:
            key = json.dumps([row["key"], row.get("key_id"), row.get("key_name")], sort_keys=True)
            for metric, value in row["value"].items():
                if ".percent" in metric:
                    value = f"{value:.2f}"
                yield ("row", *head, metric, text(value), key)
        for metric, value in s.get("rest", {}).get("value", {}).items():
            yield ("rest", *head, metric, text(value), "")
        for w in s.get("worst", []) if texts else []:
            yield ("worst", *head, "", json.dumps(w, sort_keys=True), "")
        if texts and "snapshot_taken" in s:
            yield ("snapshot_taken", *head, "", s["snapshot_taken"], "")
    for metric, value in doc["damage"].items():
        yield ("file", "", "", "", metric, text(int(value)), "")


def from_ndjson(out):
    for line in out.splitlines():
        r = json.loads(line)
        if r["kind"] == "histogram":
            continue
        if r["kind"] == "worst":
            yield ("worst", r["histogram"], r["seq"], text(r.get("wall_ns")), "",
                   json.dumps(r["worst"], sort_keys=True), "")
            continue
        if r["kind"] == "snapshot_taken":
            yield ("snapshot_taken", r["histogram"], r["seq"], text(r.get("wall_ns")), "", r["text"], "")
            continue
        key = json.dumps([r["key"], r.get("key_id"), r.get("key_name")], sort_keys=True) \
            if "key" in r else ""
        value = r["value"]
        if ".percent" in r["metric"]:
            value = f"{value:.2f}"
        yield (r["kind"], r.get("histogram", ""), r.get("seq", ""), text(r.get("wall_ns")),
               r["metric"], text(value), key)


def number(s):
    n = int(s)
    return n if abs(n) <= 1 << 53 else s


def csv_key(r, descriptions):
    """The key as in JSON, but for names, which have escapes here."""
    key, ids, names = {}, {}, {}
    for d in descriptions:
        name = d["name"]
        field = "key." + name
        if d["modifier"] in ("log2", "buckets"):
            key[name] = {"ge": number(r[field + ".ge"]), "le": number(r[field + ".le"])}
        elif d["modifier"] == "execname":
            key[name] = {"comm": r[field + ".comm"], "pid": number(r[field + ".pid"])}
        elif d["modifier"] == "stacktrace":
            key[name] = r[field].split(";")
        elif d["modifier"] in ("sym", "sym-offset", "syscall"):
            key[name] = r[field]
            ids[name] = r[field + ".id"] if d["modifier"] != "syscall" else number(r[field + ".id"])
        else:
            key[name] = r[field]
            if r.get(field + "_name"):
                names[name] = r[field + "_name"]
    return json.dumps([key, ids or None, names or None], sort_keys=True)


def from_csv(out, doc):
    descriptions = {h["name"]: h["keys"] for h in doc["histograms"]}
    rows = csv.reader(io.StringIO(out))
    header = next(rows)
    if len(set(header)) != len(header):
        sys.exit("csv: two columns of one name")
    for fields in rows:
        if len(fields) != len(header):
            sys.exit(f"csv: {len(fields)} fields, the header has {len(header)}")
        r = dict(zip(header, fields))
        key = csv_key(r, descriptions[r["histogram"]]) if r["kind"] == "row" else ""
        yield (r["kind"], r["histogram"], int(r["seq"]) if r["seq"] else "", r["wall_ns"],
               r["metric"], r["value"] or r.get("text", ""), key)


def escaped(s):
    """As the program does it for what has no UTF-8 in it and no odd bytes."""
    return "".join({"\n": "\\n", "\t": "\\t", "\\": "\\\\"}.get(c, c) for c in s)


def odd(s):
    return any(ord(c) < 0x20 or ord(c) > 0x7e for c in s.replace("\n", "").replace("\t", ""))


def strings(v):
    if isinstance(v, dict):
        v = list(v.values())
    if isinstance(v, list):
        return [s for x in v for s in strings(x)]
    return [v] if isinstance(v, str) else []


def plain_key(key):
    """Of JSON as of csv: names with escapes, plain numbers as text; None with odd bytes."""
    if not key:
        return key
    keys, ids, names = json.loads(key)
    if odd("".join(strings(keys))):
        return None
    for name, v in keys.items():
        if isinstance(v, dict) and "comm" in v:
            v["comm"] = escaped(v["comm"])
        elif isinstance(v, list):
            keys[name] = [escaped(x).replace(";", "\\x3b") for x in v]
        elif not isinstance(v, dict):
            keys[name] = escaped(str(v))
    return json.dumps([keys, ids, names], sort_keys=True)


def differ(what, a, b):
    a, b = collections.Counter(a), collections.Counter(b)
    if a != b:
        sys.exit(f"{what} lacks {list((a - b).elements())[:2]}, has {list((b - a).elements())[:2]}")
    return sum(a.values())


def csv_is(out, doc):
    """How many numbers were compared."""
    rows = list(from_csv(out, doc))
    # a value that the kernel saved is text, and may have odd bytes
    wanted = [r for r in expected(doc, False) if r[4].split("#")[0] != "saved"]
    got = [r for r in rows if r[4].split("#")[0] != "saved"]
    count = differ("csv", [r[:6] for r in wanted], [r[:6] for r in got])
    wanted = [(*r[:6], plain_key(r[6])) for r in wanted]
    good = [r for r in wanted if r[6] is not None]
    have = collections.Counter(got)
    for r in good:
        if not have[r]:
            sys.exit(f"csv lacks {r}")
    return count


def ndjson_is(out, doc):
    return differ("ndjson", expected(doc, True), from_ndjson(out))


def check_openmetrics(program, path, options):
    out = run(program, "openmetrics", path, options)
    families = {f.name: f for f in parser.text_string_to_metric_families(out)}
    doc = json.loads(run(program, "json", path, options))
    seen = 0
    by_time = collections.defaultdict(list)
    for f in families.values():
        for s in f.samples:
            ms = s.timestamp.sec * 1000 + s.timestamp.nsec // 1000000 if s.timestamp else None
            by_time[s.name, ms].append(s)
    for h, s in snapshots(doc):
        ms = int(s["wall_ns"]) // 1000000 if "wall_ns" in s else None
        hits = [x.value for x in by_time["trace_cmd_hist_hits_total", ms]
                if x.labels["histogram"] == h["name"]]
        if hits != [float(s["hits"])]:
            sys.exit(f"{h['name']} at {ms}: hits {hits}, not {s['hits']}")
        full = [x.value for x in by_time["trace_cmd_hist_full_stacks", ms]
                if x.labels["histogram"] == h["name"]]
        if full != [float(full_stacks(s))]:
            sys.exit(f"{h['name']} at {ms}: full stacks {full}, not {full_stacks(s)}")
        drops = [x.value for x in by_time["trace_cmd_hist_dropped_hits_total", ms]
                 if x.labels["histogram"] == h["name"]]
        if drops != [float(s["dropped"])]:
            sys.exit(f"{h['name']}: drops {drops}")
        stem = "trace_" + "".join(c if c.isalnum() else "_" for c in h["name"]) + "_"
        axis = [k["name"] for k in h["keys"] if k["modifier"] in ("log2", "buckets")]
        if not axis:
            continue
        if h["values"][0] != "hitcount":
            continue
        buckets = by_time[f"{stem}{axis[0]}_bucket", ms]
        if not buckets:
            sys.exit(f"{h['name']}: no {stem}{axis[0]}_bucket at {ms}")
        size = {k["name"]: int(k.get("bucket", 1)) for k in h["keys"]}[axis[0]]
        if any(int(r["key"][axis[0]]["ge"]) % (1 << 64) % size for r in s["rows"]
               if size > 1):
            continue  # made up: a kernel's buckets begin at multiples of their size
        rows = [(int(r["key"][axis[0]]["le"]), int(r["value"]["hitcount"])) for r in s["rows"]]
        sums = collections.defaultdict(float)
        for b in buckets:
            sums[float(b.labels["le"])] += b.value
        for le, count in sums.items():
            wanted = float(sum(n for top, n in rows if top <= le))
            if abs(count - wanted) > wanted * 1e-12:
                sys.exit(f"{h['name']} at {ms}: le={le}: {count}, not {wanted}")
            seen += 1
    if seen < 10:
        sys.exit("hardly any bucket to compare")


def main():
    program, check, path, *options = sys.argv[1:]
    if check == "openmetrics":
        check_openmetrics(program, path, options)
        return
    doc = json.loads(run(program, "json", path, options))
    is_same = {"csv": csv_is, "ndjson": ndjson_is}[check]
    if is_same(run(program, check, path, options), doc) < 10:
        sys.exit("hardly anything to compare")


if __name__ == "__main__":
    main()
