# SPDX-License-Identifier: GPL-2.0
"""
What 80-presets.sh recorded: do the numbers mean what the presets say?

Latencies are computed a second time, from the events that stock trace-cmd
recorded beside: START and the next END of the same keys are a pair, and both
times are rounded to the unit before they are subtracted, as the kernel does it.
"""
import collections
import os
import re

LINE = re.compile(r"^(?:\S+: +)?.+-(\d+) +\[\d+\] +(\d+)\.(\d{9}): +(\w+): +(.*)$")


def by_pid(hist):
    """Hits of each task."""
    made = collections.Counter()
    for row in hist["snapshots"][0]["rows"]:
        made[row["key"]["common_pid"]["pid"]] += row["value"]["hitcount"]
    return made


def counts(hist, *names):
    """{key: hitcount}: plain keys as they are, buckets as their upper end, tasks as names."""
    total = collections.Counter()
    for row in hist["snapshots"][0]["rows"]:
        key = []
        for name in names:
            value = row["key"][name]
            if isinstance(value, dict):
                value = value["le"] if "le" in value else value["comm"]
            key.append(value)
        total[tuple(key) if len(key) > 1 else key[0]] += row["value"]["hitcount"]
    return total


def sums(hist, value):
    return sum(int(row["value"].get(value, 0)) for row in hist["snapshots"][0]["rows"])


def fields_of(text):
    return dict(re.findall(r"(\w+)=(.*?)(?= \w+=|$)", text))


def events(path):
    """(ns, name, {field: text}) of each line of `trace-cmd report -t -R`, in order of time."""
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            match = LINE.match(line.rstrip("\n"))
            if match:
                pid, seconds, ns, name, rest = match.groups()
                yield (int(seconds) * 10**9 + int(ns), name,
                       {"common_pid": pid, **fields_of(rest)})


def rounded(ns, unit):
    """As ns2usecs() of the kernel."""
    return (ns + unit // 2) // unit


def pairs(path, start, end, start_keys, end_keys, unit, keep):
    """Counter of (latency, *keep(fields of END)) of all pairs that keep() keeps."""
    saved, result = {}, collections.Counter()
    for ns, name, fields in sorted(events(path), key=lambda event: event[0]):
        if name == end and all(k in fields for k in end_keys):
            begun = saved.pop(tuple(fields[k] for k in end_keys), None)
            what = keep(fields)
            if begun is not None and what is not None:
                result[(rounded(ns, unit) - rounded(begun, unit), *what)] += 1
        # one event can be both; the kernel saves first, but for another key
        if name == start and all(k in fields for k in start_keys):
            saved[tuple(fields[k] for k in start_keys)] = ns
    return result


def log2(value):
    """The upper end of the kernel's bucket."""
    return 1 << max(value - 1, 0).bit_length()


def check(tap, report, directory):
    """report(path): the histograms of the file, its last snapshots, as JSON."""
    def path(name):
        return os.path.join(directory, "preset-" + name)

    def hists(name):
        return report(path(name + ".dat"))

    def text(name):
        with open(path(name), encoding="utf-8") as f:
            return f.read()

    def ok(good, what, why=""):
        tap.ok(good, "preset " + what, why)

    by_name, by_prio = hists("wakeup")
    names, waits = counts(by_name, "next_comm"), counts(by_name, "lat_us")
    total = sum(names.values())
    ok(set(names) == {"sleeper"} and total >= 19, "wakeup-latency: the task that was named", names)
    # a wrong pairing would give the 10 ms that it slept
    ok(sum(n for le, n in waits.items() if le <= 8192) > total * 0.6 and max(waits) <= 1 << 20,
       "wakeup-latency: its waits, not its sleep", waits)
    ok(counts(by_prio, "next_prio") == {120: total}, "wakeup-latency: the same by priority",
       by_prio)

    (hist,) = hists("syscall")
    calls = counts(hist, "id", "lat_us")
    slept = {le: n for (name, le), n in calls.items() if "nanosleep" in name}
    ok(sum(slept.values()) == 5 and min(slept) >= 32768, "syscall-latency: as long as it slept", slept)
    quick = {name for (name, le), n in calls.items() if le <= 2048}
    ok("sys_prctl" in quick, "syscall-latency: others are quick", calls)

    (hist,) = hists("syscalls")
    rows = hist["snapshots"][0]["rows"]
    calls = counts(hist, "id")
    ok(calls["sys_read"] >= 1000 and 1000 <= calls["sys_write"] <= 1010, "syscalls: of dd", calls)
    ok(set(counts(hist, "common_pid")) == {"dd"}, "syscalls: the task that was named", rows)
    order = [row["value"]["hitcount"] for row in rows]
    ok(order == sorted(order, reverse=True) and len({row["key"]["common_pid"]["pid"] for row in rows}) == 1
       and "sort=common_pid,hitcount.descending" in hist["trigger"],
       "syscalls: two sort keys", hist["trigger"])

    (hist,) = hists("switches")
    switches = counts(hist, "prev_comm", "next_comm")
    ok(switches["pinger", "ponger"] >= 90 and switches["ponger", "pinger"] >= 90,
       "context-switches: 100 times from one to the other", switches)

    woken, preempted = hists("runqueue")
    waits = counts(preempted, "next_comm", "lat_us")
    long = sum(n for (name, le), n in waits.items() if name == "spinner" and le >= 1024)
    ok(long >= 3 and {name for name, le in waits} == {"spinner"},
       "runqueue-wait: two tasks on one CPU wait for each other's slices", waits)
    ok(max(le for name, le in waits) < 1 << 21, "runqueue-wait: not the two seconds that a task slept",
       (waits, counts(woken, "next_comm", "lat_us")))
    ok({name for name, le in counts(woken, "next_comm", "lat_us")} <= {"spinner"},
       "runqueue-wait: only the tasks that were named", woken)

    allocated = hists("kmalloc")
    for value in ("bytes_req", "bytes_alloc"):
        all_sums = {sums(hist, value) for hist in allocated}
        ok(len(allocated) == 3 and len(all_sums) == 1 and min(all_sums) > 1000,
           f"kmalloc-bytes: {value} by call site, by task and by number agree", all_sums)
    ok(len(allocated[1]["snapshots"][0]["rows"]) == 1 and
       counts(allocated[1], "common_pid").keys() <= {"ls", "sh"},
       "kmalloc-bytes: the total of one process", allocated[1])
    ok(sums(allocated[0], "bytes_alloc") >= sums(allocated[0], "bytes_req"),
       "kmalloc-bytes: as much is given as was asked for")

    by_task, by_place = hists("faults")
    stat = text("faults.stat")
    minor = int(stat[stat.rindex(")") + 2:].split()[7])
    # by number: the name is that of its first fault, before it became awk
    faults = sum(row["value"]["hitcount"] for row in by_task["snapshots"][0]["rows"]
                 if row["key"]["common_pid"]["pid"] == int(stat.split()[0]))
    ok(minor * 0.5 < faults <= minor * 1.1 and faults > 400,
       "page-faults: about what the kernel counted for the task", f"{faults} of {minor}")
    # the recorder itself may fault between setting the one trigger and the other
    tasks, places = by_pid(by_task), by_pid(by_place)
    others = [pid for pid in tasks if places[pid] != tasks[pid]]
    ok(len(others) <= 1 and int(stat.split()[0]) not in others and not places - tasks and
       len(counts(by_place, "ip")) > 10, "page-faults: as many by place", f"{tasks}\n{places}")

    hard, soft = hists("irq")
    before, after = (sum(int(n) for n in text("irq." + when).split()[1:3]) for when in
                     ("before", "after"))
    serial = counts(hard, "irq")[4]
    ok(10 <= serial <= after - before, "irq-time: interrupts of the serial port",
       f"{serial} of {after - before}")
    ok(sums(hard, "lat_ns") > 1000 * serial and all(
        le // 2 * n <= int(row["value"]["lat_ns"]) <= le * n for row in hard["snapshots"][0]["rows"]
        for le, n in [(row["key"]["lat_ns"]["le"], row["value"]["hitcount"])]),
       "irq-time: each bucket's sum is of times in it", hard)
    vectors = counts(soft, "vec")
    ok(vectors[1] > 0 and set(vectors) <= set(range(10)), "irq-time: softirqs, the timer's too", vectors)

    by_kind, by_device = hists("block")
    kinds = counts(by_kind, "rwbs", "lat_us")
    ok(sum(kinds.values()) == 20 and {kind for kind, le in kinds} <= {"R", "RS"} and
       min(le for kind, le in kinds) >= 8192, "block-latency: 20 reads of 5 ms at least", kinds)
    ok(sum(counts(by_device, "dev").values()) == 20 and len(counts(by_device, "dev")) == 1,
       "block-latency: all of one device", by_device)
    (hist,) = hists("stacks")
    rows = hist["snapshots"][0]["rows"]
    frames = [row["key"].get("common_stacktrace", row["key"].get("stacktrace")) for row in rows]
    ok(sum(row["value"]["hitcount"] for row in rows) == 20 and
       all(any("blk_mq" in frame for frame in stack) for stack in frames),
       "the stacks of block I/O", frames)

    by_lock, by_task = hists("locks")
    ok(sum(counts(by_lock, "flags").values()) == sum(counts(by_task, "common_pid").values()) > 0,
       "lock-contention: waits for locks, by lock and by task alike", by_lock)
    ok(all(0 <= flags < 64 for flags in counts(by_lock, "flags")) and
       sum(n for name, n in counts(by_task, "common_pid").items() if name == "sh") > 0,
       "lock-contention: the tasks of the load among them", by_task)

    exact, logs = hists("exact")
    computed = pairs(path("exact.txt"), "sched_waking", "sched_switch", ["pid"], ["next_pid"], 1000,
                     lambda f: (f["next_comm"],) if f["next_comm"] == "sleeper" else None)
    ok(sum(computed.values()) >= 20 and counts(exact, "lat_us", "next_comm") == computed,
       "--latency: each one as computed from the events",
       f"{counts(exact, 'lat_us', 'next_comm')}\n{computed}")
    buckets = collections.Counter()
    for (lat, _), n in computed.items():
        buckets[log2(lat)] += n
    ok(counts(logs, "lat_us") == buckets, "--latency: each bucket as computed",
       f"{counts(logs, 'lat_us')}\n{buckets}")

    # the task has its name only for a part of the time, so there are more pairs
    (start,) = hists("start")
    keys = ["common_pid", "id"]
    computed = pairs(path("start.txt"), "sys_enter", "sys_exit", keys, keys, 1,
                     lambda f: (int(f["id"]),))
    got = counts(start, "lat_ns", "id")
    ok(got and not got - computed, "--latency: two keys and nanoseconds, as computed", got - computed)
    ok(sum(got.values()) > 20 and all(call != "0" for _, call in got),
       "--latency: the filter on the start", got)

    (hist,) = hists("sql")
    rows = counts(hist, "next_comm", "prio")
    ok(set(rows) == {("sleeper", 120)} and sum(rows.values()) >= 19, "--sql: the same as wakeups", rows)
    ok("lat_us.log2" in hist["trigger"] and
       sum(n for le, n in counts(hist, "lat_us").items() if le <= 8192) > sum(rows.values()) * 0.6,
       "--sql: times are in powers of two", hist["trigger"])
    (hist,) = hists("sql-plain")
    rows = counts(hist, "id", "common_pid")
    ok(1000 <= rows["sys_write", "dd"] <= 1010 and {name for name, comm in rows} == {"sys_write"},
       "--sql: a histogram without a JOIN", rows)
