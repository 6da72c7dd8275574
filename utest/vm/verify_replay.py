# SPDX-License-Identifier: GPL-2.0
"""
What 87-replay.sh recorded: the kernel's histograms, those of `record --engine user` beside
it, and the events.  `replay` and the panel of KernelShark (panel_count) count the events again,
and every key and value must be the same.

Of a task's name, which only names its number, the kernel has the first and a recording
the last: it is left out.  Where a map was full, which keys have room hangs on the
order of events at the same time on two CPUs; then the hits are compared together with the dropped
ones.  Replay and panel have the same events in the same order, so of them nothing is left out.
"""
import glob
import json
import os
import re
import subprocess

# What is made of times in replay.cases, and the state of a task that is about to sleep, which
# each instance asks for by itself.
TIMES = re.compile(r"timestamp|\b(lat|lat_us|lat_ns|took|late)\b|prev_state")

# What `replay` prints of a table that was full, and its hint.
FULL = re.compile(r"^trace-cmd hist: warning: [^ ]+: (\d+) hits? (?:was|were) dropped because the table "
                  r"was full\nhint: .*set size=.*\n", re.M)

# Of an event that its filter never matches, and of one that did not happen; rows are compared with the
# kernel's in any case.
UNMATCHED = re.compile(r"^trace-cmd hist: warning: [^ ]+: (?:no event in the recording matches|"
                       r"\d+ events? that this histogram needs (?:do|does) not occur in the recording)\n", re.M)

# Presets that replay refuses.  A probe was not there when the events were recorded.  The tracers are not in
# the kernel of these tests; 58-tracers.sh has another.  A key that is the stack of a synthetic event is
# taken in its trigger, and the stack that is recorded is not.
NOT_REPLAYED = {
    **dict.fromkeys(["capability-checks", "file-opens", "page-cache", "readahead", "runqueue-length",
                     "stat-calls", "tcp-bytes", "vfs-calls"], "probe"),
    **dict.fromkeys(["function-calls", "function-latency", "hwlat", "osnoise", "timerlat"], "tracer"),
    "wakeup-stacks": "stack",
}
REFUSED = re.compile(r"(?P<probe>replay cannot add the probe)|(?P<tracer>has no events of the \"\w+\" tracer)|"
                     r"(?P<stack>the stack of a synthetic event)")
# Their START has a filter by the name of the task: when it happens, and in a recording the last.
BY_COMM = {"latency:kmalloc..kfree", "latency:mm_page_alloc..mm_page_free"}
# Keys that are symbols.
SYMBOLS = {"call_site", "location", "function", "common_stacktrace", "start_stacktrace", "stacktrace",
           "lock_addr"}
# Presets of a load that is in check-long.
LONG = {"compaction", "direct-reclaim", "oom-kills"}

# Those of replay.cases, and the random ones of suite.sh: recordings, expressions, and full tables.
LEAST_CASES, LEAST, LEAST_FULL = (5, 300, 8) if os.environ.get("CHECK_LONG") else (3, 60, 1)

# Rows with a time that the kernel may have otherwise than its events.
UNLIKE = 3


def options(path):
    """The arguments of `record` and `replay`, and how many histograms they make except presets."""
    args, hists = [], 0
    with open(path, encoding="utf-8") as f:
        for line in f.read().splitlines():
            name, value = line.split("\t")
            args += [name, value] if name.startswith("-") else ["-e", name, "-R", value]
            hists += not name.startswith("-") or name == "-k"
    return args, hists


def panel_command(program, path, buffer, output, args):
    """The panel's count of @path, with @args as a user types them."""
    text = " ".join(a if a.startswith("-") else f"'{a}'" for a in args)
    return [os.path.join(os.path.dirname(program), "panel_count"), path, buffer, output, text]


def without_names(value):
    if isinstance(value, dict):
        return {k: without_names(v) for k, v in value.items() if not (k == "comm" and "pid" in value)}
    return value


def rows_of(hist, names=False):
    return sorted(json.dumps({"key": r["key"] if names else without_names(r["key"]), "value": r["value"]},
                             sort_keys=True)
                  for r in hist["snapshots"][-1]["rows"])


def differences(a, b, names=False):
    """Counts and rows of two histograms that differ, as lines."""
    one, other = a["snapshots"][-1], b["snapshots"][-1]
    want, got = rows_of(a, names), rows_of(b, names)
    return ([f"{n} {one[n]} {other[n]}" for n in ("hits", "entries", "dropped") if one[n] != other[n]] +
            ["- " + r for r in sorted(set(want) - set(got))[:6]] +
            ["+ " + r for r in sorted(set(got) - set(want))[:6]])


def counts_of(hist):
    return [hist["snapshots"][-1][n] for n in ("hits", "entries", "dropped")]


def compare(tap, name, kernel, ours, own_times):
    """
    @own_times: each has events of its own instance, with times of its own; then what
    is made of times cannot be equal, and of it only the hits are looked at, unless a filter
    goes by them.
    """
    what = f"{name}: {kernel['event']} {kernel['trigger']}"
    a, b = kernel["snapshots"][-1], ours["snapshots"][-1]
    timed = TIMES.search(kernel["trigger"])
    if own_times and timed:
        hits = a["hits"] == b["hits"] and a["hits"] > 0
        tap.ok(hits or TIMES.search(kernel["trigger"].split(" if ")[-1]), what, (a["hits"], b["hits"]))
        return
    # the kernel can drop a hit of a new key that two CPUs add at once (tracing_map_insert())
    if own_times and a["dropped"] or 0 < a["dropped"] <= 3 and not b["dropped"]:
        tap.ok(a["hits"] + a["dropped"] == b["hits"] + b["dropped"], what, (a["hits"], b["hits"]))
        return
    if a["dropped"] and b["dropped"]:
        total = a["hits"] + a["dropped"]
        tap.ok(total == b["hits"] + b["dropped"] and abs(a["hits"] - b["hits"]) <= max(3, total // 50), what,
               (counts_of(kernel), counts_of(ours)))
        return
    if timed and a["hits"] == b["hits"]:
        # An event that an interrupt with events interrupts as it is written is recorded with their
        # time (__rb_reserve_next()), and its trigger has its own.
        rows = rows_of(kernel)
        unlike = set(rows) ^ set(rows_of(ours))
        tap.ok(len(unlike) <= 2 * max(UNLIKE, len(rows) // 8), what, "\n".join(sorted(unlike)[:12]))
        return
    why = differences(kernel, ours)
    tap.ok(not why, what, "\n".join(why))


def without_symbols(value):
    if isinstance(value, dict):
        return {k: "" if k in SYMBOLS else without_symbols(v) for k, v in value.items()}
    return value


def compare_preset(tap, name, own, replayed, is_live):
    """
    @is_live: counted by the user-space engine, whose file lacks the kernel's symbols: of them, the values are
    compared.
    """
    what = f"{name}: {own['event']} {own['trigger']}"
    hits = [h["snapshots"][-1]["hits"] for h in (own, replayed)]
    if own["event"] in BY_COMM:
        tap.ok(hits[1] / 2 < hits[0] <= hits[1], what, hits)
    elif is_live and SYMBOLS & {key["name"] for key in own["keys"]}:
        rows = [sorted(json.dumps([without_symbols(without_names(r["key"])), r["value"]], sort_keys=True)
                       for r in h["snapshots"][-1]["rows"]) for h in (own, replayed)]
        tap.ok(counts_of(own) == counts_of(replayed) and rows[0] == rows[1], what, hits)
    else:
        compare(tap, name, own, replayed, False)


def check_panel(tap, program, report, path, buffer, args, replayed):
    """The panel counts the events of @path as `replay` did; returns how many histograms."""
    name = os.path.basename(path).removesuffix(".dat")
    shown = path.removesuffix(".dat") + "-panel.dat"
    done = subprocess.run(panel_command(program, path, buffer, shown, args), stderr=subprocess.PIPE, check=False)
    tap.ok(done.returncode == 0 and not done.stderr, f"{name} is counted by the panel",
           done.stderr.decode(errors="replace"))
    if done.returncode:
        return 0
    panel = report(shown)
    tap.ok(len(panel) == len(replayed), f"{name} panel: as many histograms", (len(panel), len(replayed)))
    for a, b in zip(replayed, panel):
        # a latency has a histogram for each of its keys, with one trigger for all
        why = differences(a, b, names=True)
        tap.ok(not why and a["event"] == b["event"] and a["trigger"] == b["trigger"],
               f"{name} panel: {a['event']} {a['trigger']}", "\n".join(why + [b["event"], b["trigger"]]))
    return len(panel)


def check_replay(tap, program, report, path, buffer, args):
    """Replay and panel count the events of @path; returns the histograms of replay, and how many the panel has."""
    name = os.path.basename(path).removesuffix(".dat")
    again = path.removesuffix(".dat") + "-again.dat"
    done = subprocess.run([program, "replay", *args, "-B", buffer, "-o", again, path],
                          stderr=subprocess.PIPE, check=False)
    said = UNMATCHED.sub("", done.stderr.decode(errors="replace"))
    tap.ok(done.returncode == 0 and not FULL.sub("", said), f"{name} is replayed, and nothing was lost",
           FULL.sub("", said))
    if done.returncode:
        return [], 0
    replayed = report(again)
    dropped = [hist["snapshots"][-1]["dropped"] for hist in replayed]
    tap.ok([int(n) for n in FULL.findall(said)] == [n for n in dropped if n],
           f"{name}: replay tells each table that was full", f"{said}\n{dropped}")
    return replayed, check_panel(tap, program, report, path, buffer, args, replayed)


def compare_all(tap, name, kernel, ours, own_times):
    tap.ok(len(kernel) == len(ours), f"{name}: as many histograms", (len(kernel), len(ours)))
    for a, b in zip(kernel, ours):
        compare(tap, name, a, b, own_times)


def check(tap, program, report, directory):
    cases = sorted(glob.glob(os.path.join(directory, "replay-*.case")))
    tap.ok(len(cases) >= LEAST_CASES, "recordings to replay", cases)
    total = filled = shown = full = 0
    for case in cases:
        base = case[:-len(".case")]
        name = os.path.basename(base)
        args, hists = options(case)
        total += hists
        replayed, panel = check_replay(tap, program, report, base + ".dat", "replays", args)
        shown += panel
        kernel = report(base + ".dat")
        tap.ok(len(kernel) == hists, f"{name}: a histogram of each expression", (len(kernel), hists))
        filled += sum(h["snapshots"][-1]["hits"] > 0 for h in kernel)
        full += sum(h["snapshots"][-1]["dropped"] > 0 for h in kernel)
        compare_all(tap, f"{name} again", kernel, replayed, False)
        compare_all(tap, f"{name} live", kernel, report(f"{base}-live.dat"), True)
    tap.ok(total >= LEAST, f"at least {LEAST} expressions", total)
    tap.ok(filled >= total * 3 // 4, "three of four count something", filled)
    tap.ok(full >= LEAST_FULL, f"the tables of at least {LEAST_FULL} were full", full)
    tap.ok(shown == total, "the panel counts as many", shown)


def names_of(program, recorded):
    """
    All presets, and those that `replay` refuses of the file @recorded, also with the events: {name: reason};
    and those of them that the panel counts all the same.
    """
    out = subprocess.run([program, "list", "--presets", "--format", "json"], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=True).stdout
    names = [preset["name"] for preset in json.loads(out)["presets"]]
    refused, counted, made = {}, [], recorded + ".refused"
    for name in names:
        args = ["--preset", name + (":vfs_read" if name == "function-latency" else "")]
        done = subprocess.run([program, "replay", *args, "-o", made, recorded], stderr=subprocess.PIPE, check=False)
        found = REFUSED.search(done.stderr.decode(errors="replace"))
        if not found:
            continue
        refused[name] = next(kind for kind, text in found.groupdict().items() if text)
        done = subprocess.run(panel_command(program, recorded, "", made, args), stderr=subprocess.DEVNULL, check=False)
        counted += [name] if done.returncode != 2 else []
    return names, refused, counted


def check_presets(tap, program, report, directory):
    """
    What 88-replay-presets.sh recorded.  The user-space engine recorded its own events, because those of
    other tasks in its time are others than the kernel's.
    """
    recorded, filled, total = set(), 0, 0
    for case in sorted(glob.glob(os.path.join(directory, "presets-*.case"))):
        base = case[:-len(".case")]
        name = os.path.basename(base)
        args, _ = options(case)
        recorded |= set(args[1::2])
        for how in ("", "-live"):
            path = f"{base}{how}.dat"
            replayed, shown = check_replay(tap, program, report, path, "", args)
            own = report(path)
            tap.ok(len(own) == len(replayed), f"{name}{how} again: as many histograms", (len(own), len(replayed)))
            for a, b in zip(own, replayed):
                compare_preset(tap, f"{name}{how} again", a, b, bool(how))
            total += shown
            filled += sum(h["snapshots"][-1]["hits"] > 0 for h in own)
    names, refused, counted = names_of(program, os.path.join(directory, "presets-cpu.dat"))
    tap.ok(not counted, "the panel refuses them too", counted)
    tap.ok(refused == NOT_REPLAYED, "replay refuses the presets that need what a recording cannot have",
           sorted(refused.items() ^ NOT_REPLAYED.items()))
    left = LONG if not os.path.exists(os.path.join(directory, "presets-memory.case")) else set()
    tap.ok(set(names) - set(NOT_REPLAYED) - left == recorded, "all other presets were recorded",
           sorted((set(names) - set(NOT_REPLAYED) - left) ^ recorded))
    tap.ok(filled >= total * 3 // 4, "three of four of their histograms count something", (filled, total))
