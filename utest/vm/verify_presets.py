# SPDX-License-Identifier: GPL-2.0
"""
What 80-presets.sh and 81-preset-loads.sh recorded: do the numbers mean what the presets say?

Latencies are computed a second time, from the events that stock trace-cmd
recorded beside: START and the next END of the same keys are a pair, and both
times are rounded to the unit before they are subtracted, as the kernel does it.
"""
import collections
import os
import re

LINE = re.compile(r"^(?:\S+: +)?.+-(\d+) +\[(\d+)\] +(\d+)\.(\d{9}): +(\w+): +(.*)$")


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
                pid, cpu, seconds, ns, name, rest = match.groups()
                yield (int(seconds) * 10**9 + int(ns), name,
                       {"common_pid": pid, "cpu": cpu, **fields_of(rest)})


def matches(path, start, end, start_keys, end_keys, unit):
    """(latency, ns, fields) of each END that has a START."""
    saved = {}
    for ns, name, fields in sorted(events(path), key=lambda event: event[0]):
        if name == end and all(k in fields for k in end_keys):
            begun = saved.pop(tuple(fields[k] for k in end_keys), None)
            if begun is not None:
                yield ns // unit - begun // unit, ns, fields
        # one event can be both; the kernel saves first, but for another key
        if name == start and all(k in fields for k in start_keys):
            saved[tuple(fields[k] for k in start_keys)] = ns


def pairs(path, start, end, start_keys, end_keys, unit, keep):
    """Counter of (latency, *keep(fields of END)) of all pairs that keep() keeps."""
    result = collections.Counter()
    for latency, _, fields in matches(path, start, end, start_keys, end_keys, unit):
        what = keep(fields)
        if what is not None:
            result[(latency, *what)] += 1
    return result


# From END to the synthetic event, which has the time of the worst; emulated machines are slow.
LATE_NS = 2 * 10**6


def worst_wrong(hist, ends, key, name):
    """
    What differs between the worst of each KEY and the first END with the largest latency, of those
    whose next_comm is NAME.  The kernel saves the task that ran before once for each pid: it is lost
    if the pid has a larger latency under another name, as before its exec.  Its pid is left then.
    """
    largest = {}
    for end in ends:
        if end[2]["next_comm"] != name:
            continue
        if end[0] > largest.get(end[2][key], (-1,))[0]:
            largest[end[2][key]] = end
    wrong = []
    found = {str(worst["key"][key]): worst for worst in hist["snapshots"][0]["worst"]}
    if set(found) != set(largest):
        wrong.append((set(found), set(largest)))
    for value in set(found) & set(largest):
        worst, (latency, ns, fields) = found[value], largest[value]
        saved = {k: str(v) for k, v in worst["saved"].items()}
        lost = any(end[2]["next_pid"] == fields["next_pid"] and end[0] > latency for end in ends)
        task = {k: fields[k] for k in ("prev_comm", "prev_prio") if k in saved or not lost}
        task["common_pid"] = fields["prev_pid"]
        got = (worst["exact"], worst["value"], worst["cpu"], {k: saved.get(k) for k in task})
        if got != (True, latency, int(fields["cpu"]), task) or not 0 <= worst["time_ns"] - ns <= LATE_NS:
            wrong.append((worst, latency, ns, fields))
    return wrong


def fine(value):
    """The upper end of a bucket of .log2=3: one of eight between two powers of two."""
    width = 1 << max((value - 1).bit_length() - 4, 0)
    return -(-value // width) * width


def find(hists, event, *keys):
    """The histogram of @event with exactly these keys; an empty one if there is none."""
    for hist in hists:
        if event in (hist["event"], hist["event"].split(":", 1)[1]) and [k["name"] for k in hist["keys"]] == list(keys):
            return hist
    return {"snapshots": [{"rows": []}]}


def with_stack(hist, frame, value="hitcount"):
    """The sum of @value over the rows with a stack that has @frame."""
    return sum(int(row["value"][value]) for row in hist["snapshots"][0]["rows"]
               for stack in row["key"].values() if isinstance(stack, list) and
               any(frame in place for place in stack))


def numbers(path):
    """{first word: number} of each line."""
    with open(path, encoding="utf-8") as f:
        return {words[0]: int(words[1]) for words in map(str.split, f) if len(words) > 1}


def only(counter, **parts):
    """Hits of the keys that have @parts, a part by its place: k0="sh"."""
    return sum(n for key, n in counter.items()
               if all((key if isinstance(key, tuple) else (key,))[int(place[1:])] == part
                      for place, part in parts.items()))


def cpu_sums(text):
    """{"4": the sum over the CPUs} of the lines of /proc/interrupts and /proc/softirqs."""
    return {label: sum(map(int, numbers.split()))
            for label, numbers in re.findall(r"^ *(\w+):((?: +\d+)+)", text, re.M)}


def within(ok, what, hits, label, texts):
    """As many @hits as in a file of /proc: @texts before, at begin and end of, and after the load."""
    before, begin, end, after = (cpu_sums(texts[when]).get(label, 0) for when in
                                 ("before", "begin", "end", "after"))
    ok(end - begin <= hits <= after - before, f"{what}: as many as in /proc",
       f"{label}: {hits}, not {end - begin} to {after - before}")


SOFTIRQS = ("HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU")


def check_interrupts(ok, hists, texts):
    hard = find(hists, "latency:irq_handler_entry..irq_handler_exit", "irq", "lat_ns")
    calls = find(hists, "irq_handler_exit", "irq", "ret")
    lines = counts(hard, "irq")
    (shared,) = re.findall(r"^ *(\d+):.*  virtio\d+, virtio\d+$", texts["before"], re.M)
    within(ok, "irq-time: interrupts of the serial port", lines[4], "4", texts)
    within(ok, "irq-time: interrupts of a line that two devices share", lines[int(shared)], shared, texts)
    served = counts(calls, "irq", "ret")
    ok(lines[int(shared)] and only(served, k0=int(shared)) == 2 * lines[int(shared)],
       "irq-time: each of two handlers was called for each interrupt", (lines, served))
    ok(all(lat["ge"] * n <= int(row["value"]["lat_ns"]) <= lat["le"] * n < lat["ge"] * n * 9 / 8
           for row in hard["snapshots"][0]["rows"]
           for lat, n in [(row["key"]["lat_ns"], row["value"]["hitcount"])]),
       "irq-time: each bucket's sum is of times in it", hard)

    def vector(name):
        hist = find(hists, f"latency:{name}_entry..{name}_exit", "lat_ns")
        return sum(counts(hist, "lat_ns").values())
    within(ok, "irq-time: interrupts of the local timer", vector("local_timer"), "LOC", texts)
    within(ok, "irq-time: reschedule interrupts", vector("reschedule"), "RES", texts)
    within(ok, "irq-time: function call interrupts", vector("call_function") +
           vector("call_function_single"), "CAL", texts)
    within(ok, "irq-time: interrupts of irq_work", vector("irq_work"), "IWI", texts)
    soft = counts(find(hists, "latency:softirq_entry..softirq_exit", "vec", "lat_ns"), "vec")
    for vec, name in enumerate(SOFTIRQS):
        within(ok, f"irq-time: softirqs of {name}", soft[vec], name, texts)


LOAD = "presetload"


def load_cpu(ok, hists, directory, new):
    spun = numbers(os.path.join(directory, "load-cpu.out"))["cpu_ns"]
    hist = find(hists, "sched_stat_runtime", "comm")
    used = sum(int(r["value"]["runtime"]) for r in hist["snapshots"][0]["rows"]
               if r["key"]["comm"] == LOAD)
    ok(spun * 0.9 < used < spun * 1.5, "cpu-time: as the task's own clock", (used, spun))
    hist = find(hists, "latency:sched_switch..sched_switch", "prev_comm", "lat_us")
    ran = sums(hist, "lat_us") * 1000
    ok(spun * 0.9 < ran and set(counts(hist, "prev_comm")) == {LOAD},
       "on-cpu-time: as the task's own clock", (ran, spun))
    hist = find(hists, "latency:sched_switch..sched_switch", "next_comm", "start_prev_state", "lat_us")
    slept = counts(hist, "next_comm", "start_prev_state", "lat_us")
    # a task that is delayed after it has set the timer is off the CPU for a shorter time
    long = sum(n for (name, state, le), n in slept.items() if le >= 8192)
    ok(only(slept, k0=LOAD, k1=1) == 70 and long >= 60 and set(counts(hist, "next_comm")) == {LOAD},
       "off-cpu-time: 70 sleeps of 5 ms", slept)
    hist = find(hists, "latency:sched_switch..sched_waking", "comm", "stacktrace")
    if not hist["snapshots"][0]["rows"]:
        hist = find(hists, "latency:sched_switch..sched_waking", "comm", "common_stacktrace")
    ok(with_stack(hist, "hrtimer_wakeup") == 70, "wakeup-stacks: a timer ends each sleep", hist)
    waits = counts(find(hists, "latency:sys_enter_futex..sys_exit_futex", "common_pid", "uaddr",
                        "lat_us"), "common_pid", "lat_us")
    ok(only(waits, k0=LOAD) == 20 and min(le for name, le in waits if name == LOAD) >= 8192,
       "futex-waits: 20 of 5 ms", waits)
    moves = counts(find(hists, "sched_migrate_task", "comm", "orig_cpu", "dest_cpu"), "comm")
    ok(moves[LOAD] in (30, 31), "cpu-migrations: 30 moves", moves)
    if not new:
        return
    hist = find(hists, "latency:sched_switch..sched_switch", "next_comm", "start_stacktrace")
    ok(with_stack(hist, "nanosleep") == 50 and with_stack(hist, "futex_wait") == 20,
       "off-cpu-stacks: where it slept", hist)
    ok(20 * 5000 <= with_stack(hist, "futex_wait", "lat_us") < 20 * 5000 * 20,
       "off-cpu-stacks: as long as it slept", hist)
    lengths = counts(find(hists, "task_tick_fair", "common_cpu", "length"), "common_cpu", "length")
    two = sum(n for (cpu, length), n in lengths.items() if cpu == 1 and length >= 2)
    ok(two > only(lengths, k0=1) / 2 and two >= 10, "runqueue-length: two tasks on CPU 1", lengths)


def load_period(ok, hists, directory, new):
    ticked = numbers(os.path.join(directory, "load-period.out"))["tick_ns"]
    for hist in (find(hists, "latency:sched_waking..sched_waking", "comm", "lat_ns"), hists[-1]):
        periods = counts(hist, "comm")
        ok(periods == {"presettick": 29}, "period: 29 periods of 30 wake-ups", periods)
        ok(abs(sums(hist, "lat_ns") - ticked) < ticked / 5, "period: as long as the task's own clock says",
           (sums(hist, "lat_ns"), ticked))
        ok(set(hist["snapshots"][0].get("losses", {})) == {"unmatched_starts", "unmatched_ends"},
           "period: the last START of each task has no END, and that is told", hist["snapshots"][0].get("losses"))


def load_calls(ok, hists, directory, new):
    sent = counts(find(hists, "signal_generate", "common_pid", "comm", "sig"), "common_pid", "comm",
                  "sig")
    ok(sent[LOAD, LOAD, 12] == 40, "signals: 40 to itself", sent)
    caps = counts(find(hists, "cap_capable", "common_pid", "cap"), "common_pid", "cap")
    ok(caps[LOAD, 21] == 15, "capability-checks: 15 of CAP_SYS_ADMIN", caps)
    failed = counts(find(hists, "sys_exit", "common_pid", "id", "ret"), "id", "ret")
    ok(failed["sys_rmdir", -2] == 35, "syscall-errors: 35 of rmdir", failed)
    forks = counts(find(hists, "sched_process_fork", "parent_comm"), "parent_comm")
    ok(forks[LOAD] == 35, "process-starts: 25 and 10", forks)
    run = counts(find(hists, "sched_process_exec", "filename"), "filename")
    ok(run["/usr/local/bin/preset_load"] == 15, "programs: 10 and the 5 loads", run)
    lives = counts(find(hists, "latency:sched_process_fork..sched_process_exit", "comm", "lat_us"),
                   "comm")
    ok(lives == {LOAD: 40}, "process-lifetime: 35 children and the 5 loads", lives)


def load_files(ok, hists, directory, new):
    opens = counts(find(hists, "do_sys_openat2", "common_pid", "file"), "common_pid", "file")
    ok(opens[LOAD, "/tmp/mnt/f"] == 32, "file-opens: 32 times the same", opens)
    stats = counts(find(hists, "vfs_statx", "common_pid", "file"), "common_pid", "file")
    ok(stats[LOAD, "/tmp/mnt/f"] == 60, "stat-calls: 60 times the same", stats)
    made = {name: find(hists, name, "common_pid") for name in
            ("vfs_read", "vfs_write", "vfs_open", "sys_enter_fsync", "sys_enter_fdatasync")}
    calls = {name: counts(hist, "common_pid")[LOAD] for name, hist in made.items()}
    ok(list(calls.values()) == [20, 56, 32, 5, 10],
       "vfs-calls: of each call", calls)
    ok(sums(made["vfs_read"], "size") == 2000 and sums(made["vfs_write"], "size") == 12016,
       "vfs-calls: bytes", made)
    synced = {name: only(counts(find(hists, f"latency:sys_enter_{name}..sys_exit_{name}", "common_pid",
                                     "lat_us"), "common_pid", "lat_us"), k0=LOAD)
              for name in ("fsync", "fdatasync", "sync")}
    ok(synced == {"fsync": 5, "fdatasync": 10, "sync": 1}, "sync-calls: of each call", synced)
    added = sum(counts(find(hists, "mm_filemap_add_to_page_cache", "common_pid"), "common_pid").values())
    ok(400 <= added <= 440, "page-cache: the pages of the file were added", added)
    touched = sum(counts(find(hists, "folio_mark_accessed", "common_pid"), "common_pid").values())
    ok(touched >= 400, "page-cache: and accessed", touched)
    ahead = sums(find(hists, "page_cache_ra_unbounded", "common_pid", "pages"), "pages")
    ok(400 <= ahead <= 800, "readahead: at least the pages of the file", ahead)
    dirtied = counts(find(hists, "writeback_dirty_folio", "common_pid"), "common_pid")
    ok(sum(dirtied.values()) >= 3, "page-cache: written pages became dirty", dirtied)
    ext4 = {name: sum(counts(find(hists, f"latency:ext4_{name}", "dev", "lat_us"), "dev").values())
            for name in ("sync_file_enter..ext4_sync_file_exit", "unlink_enter..ext4_unlink_exit",
                         "da_write_begin..ext4_da_write_end")}
    ok(list(ext4.values()) == [15, 1, 58], "ext4-latency: of each operation", ext4)
    freed = counts(find(hists, "kmem_cache_free", "name"), "name")
    ok(92 <= freed["names_cache"] < 1000, "slab-allocations: a name for each open and stat", freed)
    wrote = counts(find(hists, "latency:writeback_start..writeback_written", "name", "reason",
                        "lat_us"), "reason")
    ok(wrote[2] >= 1, "writeback: that of sync()", wrote)


def load_block(ok, hists, directory, new):
    hist = find(hists, "block_rq_issue", "comm", "rwbs", "bytes")
    sizes = counts(hist, "comm", "bytes")
    ok(only(sizes, k0="dd", k1=4096) == 20 and sums(hist, "bytes") == 20 * 4096,
       "block-sizes: 20 of 4 KiB", sizes)
    if new:
        hist = find(hists, "latency:block_bio_queue..block_rq_complete", "start_comm",
                    "start_stacktrace")
        ok(with_stack(hist, "submit_bio") == 20 and
           20 * 5000 <= with_stack(hist, "submit_bio", "lat_us") < 20 * 5000 * 20,
           "block-stacks: 20 of 5 ms", hist)


def load_network(ok, hists, directory, new):
    def of(event, *keys):
        return counts(find(hists, event, *keys), *keys)

    def change(number):
        def lines(when):
            with open(os.path.join(directory, "load-network." + when), encoding="utf-8") as f:
                return [int(line) for line in f]
        return lines("after")[number] - lines("before")[number]

    ok(of("inet_sock_set_state", "common_pid", "dport")[LOAD, 5001] == 21,
       "tcp-connects: 20 and one that fails", hists)
    ok(of("inet_sock_set_state", "sport") == {5001: 20}, "tcp-accepts: 20",
       of("inet_sock_set_state", "sport"))
    pair = "latency:inet_sock_set_state..inet_sock_set_state"
    states = counts(find(hists, pair, "oldstate", "newstate", "lat_us"), "oldstate", "newstate")
    ok(states[2, 1] == 20 and states[1, 4] == 20 and states[1, 8] == 20,
       "tcp-state-time: 20 connections", states)
    ok(counts(find(hists, pair, "dport", "lat_us"), "dport") == {5001: 20},
       "tcp-connect-latency: 20", hists)
    hist = find(hists, pair, "sport", "dport", "lat_us")
    lasted = counts(hist, "sport", "dport", "lat_us")
    ok(only(lasted, k0=5001) == 20 and only(lasted, k1=5001) == 20 and
       min(le for sport, dport, le in lasted if dport == 5001) >= 32768,
       "tcp-session-time: 20 of 20 ms, seen from both ends", lasted)
    trips = of("tcp_probe", "srtt")
    ok(sum(trips.values()) >= 40 and max(trips) < 1 << 20, "tcp-round-trip: packets of each", trips)
    both = [sums(find(hists, name, "common_pid"), "bytes") for name in
            ("tcp_sendmsg", "tcp_cleanup_rbuf")]
    ok(both == [20000, 20000], "tcp-bytes: sent and received", both)
    again = numbers(os.path.join(directory, "load-network.out"))["retransmits"]
    ok(sum(n for (sport, dport, state), n in of("tcp_retransmit_skb", "sport", "dport", "state").items()
           if (dport, state) == (5001, 2)) == again, "tcp-retransmits: as TCP_INFO has it", again)
    drops = of("kfree_skb", "location", "reason", "protocol")
    ok(sum(n for (place, reason, protocol), n in drops.items() if "udp" in place and
           protocol == 2048) == 50, "packet-drops: 50 of UDP", drops)
    hist = find(hists, "net_dev_start_xmit", "name", "queue_mapping")
    ok((only(counts(hist, "name", "queue_mapping"), k0="lo"), sums(hist, "len")) ==
       (change(0), change(1) + 14 * change(0)),
       "network-bytes: as the device counts, which leaves out Ethernet headers",
       (hist, change(0), change(1)))


def load_leaks(ok, hists, directory, new):
    def both(event, end, frame, *keys):
        every = find(hists, event, "common_stacktrace", *keys)
        freed = find(hists, f"latency:{event}..{end}", "start_stacktrace", *keys)
        return with_stack(every, frame), with_stack(freed, frame)

    # the table of files grows some times too
    every, freed = both("kmalloc", "kfree", "do_eventfd")
    ok(400 <= every < 420 and 200 <= freed < 220 and 200 <= every - freed < 210,
       "kmalloc-leaks: 200 of 400 were freed", (every, freed))
    every, freed = both("mm_page_alloc", "mm_page_free", "do_anonymous_page", "order")
    ok(every >= 600 and freed >= 300 and 300 <= every - freed < 500,
       "page-leaks: 300 of 600 pages were freed", (every, freed))


def load_memory(ok, hists, directory, new):
    with open(os.path.join(directory, "load-victim"), encoding="utf-8") as f:
        victim = int(f.read())
    killed = counts(find(hists, "mark_victim", "pid", "common_pid"), "pid")
    ok(killed == {victim: 1}, "oom-kills: the task with the highest score", (killed, victim))
    for pair in ("workqueue_queue_work..workqueue_execute_start",
                 "workqueue_execute_start..workqueue_execute_end"):
        work = counts(find(hists, "latency:" + pair, "function", "lat_us"), "function")
        ok(work["refresh_vm_stats"] == 10, f"workqueue-latency: {pair}: 5 on each of 2 CPUs", work)
    before, after = (sum(numbers(os.path.join(directory, "load-vmstat." + when)).values())
                     for when in ("before", "after"))
    hist = find(hists, "latency:mm_vmscan_direct_reclaim_begin..mm_vmscan_direct_reclaim_end",
                "common_pid", "lat_us")
    reclaims = sum(counts(hist, "common_pid").values())
    ok(0 < after - before <= reclaims < (after - before) + 5,
       "direct-reclaim: as many as in /proc/vmstat", (reclaims, after - before))
    hist = find(hists, "latency:mm_compaction_begin..mm_compaction_end", "common_pid", "status",
                "lat_us")
    ok(only(counts(hist, "common_pid", "status"), k0="sh") >= 1, "compaction: that of the shell", hist)
    hist = find(hists, "latency:cpu_idle..cpu_idle", "cpu_id", "start_state", "lat_us")

    def idle(when):
        with open(os.path.join(directory, "load-memory." + when), encoding="utf-8") as f:
            return sum(int(line.split()[4]) for line in f) * 10000
    ok(sums(hist, "lat_us") > (idle("after") - idle("before")) * 0.8 and
       set(counts(hist, "cpu_id")) == {0, 1}, "cpu-idle-time: at least that of /proc/stat",
       (sums(hist, "lat_us"), idle("after") - idle("before")))


def check_loads(tap, report, directory):
    """What 81-preset-loads.sh recorded: presets against loads that are known."""
    with open(os.path.join(directory, "load-new"), encoding="utf-8") as f:
        new = f.read().strip() == "yes"
    for load in (load_cpu, load_period, load_calls, load_files, load_block, load_network, load_leaks, load_memory):
        path = os.path.join(directory, "load-" + load.__name__[5:] + ".dat")
        if load is load_leaks and not new:
            continue
        load(lambda good, what, why="": tap.ok(good, "preset " + what, why), report(path), directory,
             new)


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
    ok(sum(slept.values()) == 5 and min(slept) >= 20000, "syscall-latency: as long as it slept", slept)
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

    check_interrupts(ok, hists("irq"), {when: text("irq." + when) for when in
                                        ("before", "begin", "end", "after")})

    by_kind, by_device, flushes = hists("block")
    kinds = counts(by_kind, "rwbs", "lat_us")
    ok(sum(kinds.values()) == 20 and {kind for kind, le in kinds} <= {"R", "RS"} and
       min(le for kind, le in kinds) >= 5000, "block-latency: 20 reads of 5 ms at least", kinds)
    ok(sum(counts(by_device, "dev").values()) == 20 and len(counts(by_device, "dev")) == 1,
       "block-latency: all of one device", by_device)
    ok(not counts(flushes, "dev"), "block-latency: no flush", flushes)
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
        buckets[fine(lat)] += n
    ok(counts(logs, "lat_us") == buckets, "--latency: each bucket as computed",
       f"{counts(logs, 'lat_us')}\n{buckets}")

    ends = list(matches(path("exact.txt"), "sched_waking", "sched_switch", ["pid"], ["next_pid"], 1000))
    for hist, key in ((exact, "next_comm"), (logs, "next_prio")):
        wrong = worst_wrong(hist, ends, key, "sleeper")
        ok(ends and not wrong, f"--latency: the worst by {key} is the END event with the longest wait, "
           "with its CPU and the task before", wrong)

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
    ok("lat_us.log2=3" in hist["trigger"] and
       sum(n for le, n in counts(hist, "lat_us").items() if le <= 8192) > sum(rows.values()) * 0.6,
       "--sql: times are in buckets of 12.5 %", hist["trigger"])
    (hist,) = hists("sql-plain")
    rows = counts(hist, "id", "common_pid")
    ok(1000 <= rows["sys_write", "dd"] <= 1010 and {name for name, comm in rows} == {"sys_write"},
       "--sql: a histogram without a JOIN", rows)
