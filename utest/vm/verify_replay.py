# SPDX-License-Identifier: GPL-2.0
"""
What 87-replay.sh recorded: the kernel's histograms, those of `record --engine user` beside
it, and the events.  `replay` counts the events again, and every key and value must be the same.

Of a task's name, which only names its number, the kernel has the first and a recording
the last: it is left out.  Where a map was full, which keys have room hangs on the
order of events at the same time on two CPUs; then only the counts are compared.
"""
import glob
import json
import os
import re
import subprocess

# What is made of times in replay.cases, and the state of a task that is about to sleep, which
# each instance asks for by itself.
TIMES = re.compile(r"timestamp|\b(lat|took|late)\b|prev_state")

# What `replay` prints of a table that was full, and its hint.
FULL = re.compile(r"^trace-cmd hist: warning: [^ ]+: (\d+) hits? (?:was|were) dropped because the table "
                  r"was full\nhint: set size=.*\n", re.M)

# Of an event that its filter never matches; rows are compared with the kernel's in any case.
UNMATCHED = re.compile(r"^trace-cmd hist: warning: [^ ]+: no event in the recording matches\n", re.M)


def options(path):
    """The arguments of `record` and `replay`, and how many histograms they make."""
    args, hists = [], 0
    with open(path, encoding="utf-8") as f:
        for line in f.read().splitlines():
            name, value = line.split("\t")
            if name.startswith("-"):
                args += [name, value]
            else:
                args += ["-e", name, "-R", value]
                hists += 1
    return args, hists


def without_names(value):
    if isinstance(value, dict):
        return {k: without_names(v) for k, v in value.items() if not (k == "comm" and "pid" in value)}
    return value


def rows_of(hist):
    return sorted(json.dumps({"key": without_names(r["key"]), "value": r["value"]}, sort_keys=True)
                  for r in hist["snapshots"][-1]["rows"])


def compare(tap, name, kernel, ours, own_times):
    """
    @own_times: each has events of its own instance, with times of its own; then what
    is made of times cannot be equal, and of it only the hits are looked at, unless a filter
    goes by them.
    """
    what = f"{name}: {kernel['event']} {kernel['trigger']}"
    a, b = kernel["snapshots"][-1], ours["snapshots"][-1]
    if own_times and TIMES.search(kernel["trigger"]):
        hits = a["hits"] == b["hits"] and a["hits"] > 0
        tap.ok(hits or TIMES.search(kernel["trigger"].split(" if ")[-1]), what, (a["hits"], b["hits"]))
        return
    # the kernel can drop a hit of a new key that two CPUs add at once (tracing_map_insert())
    if own_times and a["dropped"] or 0 < a["dropped"] <= 3 and not b["dropped"]:
        tap.ok(a["hits"] + a["dropped"] == b["hits"] + b["dropped"], what, (a["hits"], b["hits"]))
        return
    counts = [(n, a[n], b[n]) for n in ("hits", "entries", "dropped") if a[n] != b[n]]
    if a["dropped"] and b["dropped"]:
        tap.ok(not counts, what, counts)
        return
    want, got = rows_of(kernel), rows_of(ours)
    tap.ok(got == want and not counts, what,
           "\n".join([str(c) for c in counts] +
                     ["kernel " + r for r in sorted(set(want) - set(got))[:6]] +
                     ["replay " + r for r in sorted(set(got) - set(want))[:6]]))


def check(tap, program, report, directory):
    cases = sorted(glob.glob(os.path.join(directory, "replay-*.case")))
    tap.ok(len(cases) >= 7, "recordings to replay", cases)
    total = filled = 0
    for case in cases:
        base = case[:-len(".case")]
        name = os.path.basename(base)
        args, hists = options(case)
        total += hists
        done = subprocess.run([program, "replay", *args, "-o", base + "-again.dat", base + ".dat"],
                              stderr=subprocess.PIPE, check=False)
        said = done.stderr.decode(errors="replace")
        tap.ok(done.returncode == 0 and not UNMATCHED.sub("", FULL.sub("", said)),
               f"{name} is replayed, and nothing was lost", said)
        if done.returncode:
            continue
        dropped = [hist["snapshots"][-1]["dropped"] for hist in report(f"{base}-again.dat")]
        tap.ok([int(n) for n in FULL.findall(said)] == [n for n in dropped if n],
               f"{name}: replay tells each table that was full", f"{said}\n{dropped}")
        kernel = report(base + ".dat")
        filled += sum(h["snapshots"][-1]["hits"] > 0 for h in kernel)
        for how in ("again", "live"):
            ours = report(f"{base}-{how}.dat")
            tap.ok(len(kernel) == len(ours) == hists, f"{name} {how}: as many histograms",
                   (len(kernel), len(ours), hists))
            for a, b in zip(kernel, ours):
                compare(tap, f"{name} {how}", a, b, how == "live")
    tap.ok(total >= 60, "at least 60 expressions", total)
    tap.ok(filled >= 60, "at least 60 of them count something", filled)
