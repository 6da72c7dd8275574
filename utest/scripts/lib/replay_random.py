#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
replay_random.py SEED N: at least N random expressions, in the form of data/replay.cases, in
recordings of about RECORDING.  The same seed gives the same.

Only what Linux 6.12 takes.  Most are one trigger.  Others are chains: a trigger with variables,
one that matches it, and histograms of the synthetic event that this makes; or latencies.  Every
second recording has keys with stacks instead of latencies.

What a recording costs is mostly what the kernel allocates for the tables, and the events of that,
which are recorded too.  So tables are small, a latency, whose own tables are large, has several
histograms, and a recording with stacks, which has a stack behind each event, has no kmalloc().
"""
import random
import re
import sys

RECORDING = 120
LATENCIES_EACH = 3

# A kernel counts .log2=K with several triggers, each with a table of its own.
FINE = ".log2=3"
FINE_SIZE = 4000
NUMBER = ["", "", ".hex", ".log2", FINE, ".buckets=2", ".buckets=10", ".buckets=1000"]
PLACE = ["", ".hex", ".sym", ".sym-offset"]
PIDS = [0, 18, 20003]
# name: modifiers of a key, values that filters try
EVENTS = {
    "sched:sched_switch": {
        "prev_comm": ([""], ['"sh"', '"*w*"', '"swapper*"']),
        "next_comm": ([""], ['"sh"', '"u*p"', '"[a-m]*"']),
        "prev_pid": (NUMBER, [0, 20005]), "next_pid": (NUMBER, PIDS),
        "next_prio": (NUMBER, [120, 98]),
    },
    "sched:sched_waking": {"comm": ([""], ['"sh"', '"*l*"']), "pid": (NUMBER, PIDS),
                           "prio": (NUMBER, [120, 98])},
    "raw_syscalls:sys_enter": {"id": (NUMBER + [".syscall"], [0, 3, 12, 59, 230])},
    "raw_syscalls:sys_exit": {"id": (NUMBER + [".syscall"], [0, 1, 12, 61]),
                              "ret": (NUMBER, [0, -1, -2, -10, 100, 4096])},
    "kmem:kmalloc": {
        "call_site": (PLACE, []), "ptr": (["", ".hex", ".log2"], []),
        "bytes_req": (NUMBER, [0, 8, 64, 192, 1000]), "bytes_alloc": (NUMBER, [64, 512, 4096]),
    },
    "kmem:kfree": {"call_site": (PLACE, []), "ptr": (["", ".hex"], [])},
    "kmem:mm_page_alloc": {"pfn": (NUMBER, [4096, 65536]), "order": (NUMBER, [0, 1, 2]),
                           "migratetype": (NUMBER, [0, 1])},
    "sched:sched_process_fork": {"parent_comm": ([""], ['"sh"']), "child_pid": (NUMBER, [20004]),
                                 "parent_pid": (NUMBER, [20001, 20010])},
    "sched:sched_process_exec": {"filename": ([""], ['"/bin/*"', '"*s*"']), "pid": (NUMBER, [20004])},
    "sched:sched_process_exit": {"comm": ([""], ['"true"', '"*e"']), "pid": (NUMBER, [20004]),
                                 "prio": (NUMBER, [120])},
    "exceptions:page_fault_user": {"address": ([".hex", ".log2"], []), "error_code": (NUMBER, [4, 7, 20])},
}
COMMON = {"common_pid": (["", ".hex", ".log2", ".execname"], [20001, 20010]), "common_cpu": ([""], [0, 1])}

# START, its key, filter and fields for variables; END likewise.  A field has its type.
CHAINS = [
    ("raw_syscalls:sys_enter", "common_pid", "MINE", {"id": "long id"},
     "raw_syscalls:sys_exit", "common_pid", "MINE", {"id": "long id", "ret": "long ret"}),
    ("raw_syscalls:sys_enter", "common_pid", "MINE", {"id": "long id"},
     "kmem:kmalloc", "common_pid", "MINE",
     {"bytes_req": "unsigned long bytes_req", "call_site": "unsigned long call_site"}),
    ("sched:sched_waking", "pid", "YOURS", {"prio": "int prio", "target_cpu": "int target_cpu"},
     "sched:sched_switch", "next_pid", "next_pid > 20000 && next_pid < 20900",
     {"next_prio": "int next_prio", "prev_pid": "pid_t prev_pid", "next_comm": "char next_comm[16]"}),
    ("sched:sched_process_fork", "child_pid", "MINE", {"parent_pid": "pid_t parent_pid"},
     "sched:sched_process_exit", "pid", "MINE", {"prio": "int prio", "comm": "char comm[16]"}),
    ("kmem:kmalloc", "ptr", "MINE", {"bytes_req": "unsigned long bytes_req", "bytes_alloc": "unsigned long bytes_alloc"},
     "kmem:kfree", "ptr", "MINE", {"call_site": "unsigned long call_site"}),
]

# START and END of --latency, and fields that keys take beside the latency.
MINE, YOURS = "[MINE]", "[YOURS]"
LATENCIES = [
    ("sched:sched_waking:pid" + YOURS, "sched:sched_switch:next_pid[next_pid > 20000 && next_pid < 20900]",
     ["next_comm", "next_prio", "next_pid.log2", "target_cpu", "prio.hex"]),
    ("sched:sched_waking:pid" + YOURS, "sched:sched_waking:pid" + YOURS, ["comm", "pid", "start_target_cpu"]),
    ("raw_syscalls:sys_enter:common_pid" + MINE, "raw_syscalls:sys_exit:common_pid" + MINE,
     ["id.syscall", "ret", "ret.log2", "start_id.hex", "common_pid"]),
    ("raw_syscalls:sys_enter:common_pid,id" + MINE, "raw_syscalls:sys_exit:common_pid,id[MINE && ret < 0]",
     ["id.syscall", "ret"]),
    ("raw_syscalls:sys_enter:common_pid" + MINE, "raw_syscalls:sys_enter:common_pid" + MINE,
     ["id.syscall", "start_id.syscall", "common_pid.execname"]),
    ("sched:sched_process_fork:child_pid" + MINE, "sched:sched_process_exit:pid" + MINE,
     ["comm", "pid.buckets=10", "parent_pid", "prio"]),
    ("kmem:kmalloc:ptr" + MINE, "kmem:kfree:ptr" + MINE,
     ["bytes_alloc", "start_call_site.sym", "call_site.sym-offset", "bytes_req.log2"]),
]


def is_text(tries):
    return bool(tries) and isinstance(tries[0], str)


def comparison(r, fields):
    name = r.choice([n for n, (_, tries) in fields.items() if tries])
    value = r.choice(fields[name][1])
    if is_text(fields[name][1]):
        wild = set(value) & set("*[?")
        return f"{name} {'~' if wild else r.choice(['==', '!='])} {value}"
    # a sign is for fields that have one; & is for bits
    ops = ["==", "!=", "<", "<=", ">", ">="] + (["&"] if value > 0 else [])
    return f"{name} {r.choice(ops)} {value}"


def condition(r, fields, depth=0):
    kind = r.random()
    if depth == 2 or kind < 0.6:
        return comparison(r, fields)
    if kind < 0.7:
        return f"!({condition(r, fields, depth + 1)})"
    parts = [condition(r, fields, depth + 1) for _ in range(2)]
    return "(" + r.choice([" && ", " || "]).join(parts) + ")"


def variable(r, event, number, fine):
    """A variable and what saves it; "" for an event without a number.  @fine: that must be saved."""
    numbers = [n for n, (_, tries) in sorted(EVENTS[event].items()) if not is_text(tries)]
    if not numbers:
        return ""
    field = r.choice(fine or numbers)
    handler = "onmax" if fine else r.choice(["onmax", "onmax", "onchange"])
    saved = ",".join(r.sample(sorted(EVENTS[event]), min(2, len(EVENTS[event]))))
    return f":x{number}={field}:{handler}($x{number}).save({saved})"


def keep_one_fine(keys):
    """At most one key with .log2=K: a kernel has no more."""
    fine = [k for k in keys if k.endswith(FINE)]
    return [k[:-2] if k in fine[1:] else k for k in keys]


def expression(r, event, number, has_stack):
    fields = {**EVENTS[event], **COMMON}
    # one that has more keys than room
    is_full = r.random() < 0.15
    names = r.sample(sorted(fields), 3 if is_full else r.choice([1, 1, 2, 2, 3]))
    if has_stack:
        # a stack and a string of any length are too long for one key
        names = [n for n in names if n != "filename"][:2]
    keys = [n + (fields[n][0][0] if is_full else r.choice(fields[n][0])) for n in names]
    if has_stack:
        keys.insert(r.randrange(len(keys) + 1), r.choice(["stacktrace", "common_stacktrace"]))
    keys = keep_one_fine(keys)
    text = "hist:keys=" + ",".join(keys)
    numbers = [n for n, (_, tries) in sorted(EVENTS[event].items()) if not is_text(tries)]
    values = r.sample(numbers, r.randrange(0, min(2, len(numbers)) + 1))
    if values:
        text += ":vals=" + ",".join(v + r.choice(["", "", ".hex"]) for v in values)
    kind = r.random()
    if kind < 0.1:
        fine = [k[:-len(FINE)] for k in keys if k.endswith(FINE)]
        text += variable(r, event, number, fine)
    if is_full or FINE in text or kind < 0.95:
        size = FINE_SIZE if FINE in text else r.choice([65, 65, 100, 200, 500])
        text += f":size={65 if is_full else size}"
    also = f" && {condition(r, {**EVENTS[event], 'common_pid': COMMON['common_pid']})}"
    return text + " if MINE" + (also if not is_full and r.random() < 0.6 else "")


def identity(line):
    """What kernels tell triggers apart by: keys without widths, and the filter."""
    event, _, text = line.partition("\t")
    trigger, _, condition_text = text.partition(" if ")
    return event, re.sub(r"buckets=\d+|common_(?=stacktrace)", "", trigger.split(":")[1]), condition_text


def synthetic_hist(r, number, fields):
    """A histogram of the synthetic event, of @fields {name: type}."""
    names = r.sample(sorted(fields), r.randrange(1, min(3, len(fields)) + 1))
    numbers = [n for n in sorted(fields) if "[" not in fields[n]]
    keys = keep_one_fine([n + (r.choice(NUMBER) if n in numbers else "") for n in names])
    text = "hist:keys=" + ",".join(keys)
    if r.random() < 0.6:
        text += ":vals=" + r.choice(numbers)
    text += f":size={FINE_SIZE if FINE in text else r.choice([65, 200])}"
    if r.random() < 0.4:
        text += f" if {r.choice(numbers)} {r.choice(['>', '<=', '!='])} {r.choice([0, 3, 64])}"
    return f"synthetic:random_{number}\t{text}"


def chain(r, number, events):
    """Lines: a synthetic event, its two triggers, and two histograms of it."""
    start, skey, sif, sfields, end, ekey, eif, efields = r.choice(
        [made for made in CHAINS if made[0] in events and made[4] in events])
    own = r.choice(sorted(sfields))
    # filters that are always true tell the triggers of two chains apart
    unlike = f"common_pid != {1000000 + number}"
    other = r.choice(sorted(efields))
    same = [n for n in efields if efields[n].split()[0] == sfields[own].split()[0] and
            "[" not in efields[n]]
    fields, args = {"was": sfields[own].rsplit(" ", 1)[0] + " was"}, [f"$v{number}"]
    taken = f":d{number}={same[0]}-$v{number}" if same else ""
    if same:
        fields["less"] = efields[same[0]].rsplit(" ", 1)[0] + " less"
        args.append(f"$d{number}")
    fields[other] = efields[other]
    args.append(other)
    save = f":onmax($d{number}).save({other})" if same and r.random() < 0.5 else ""
    yield f"--synthetic\trandom_{number} " + "; ".join(fields.values())
    size = f"size={r.choice([65, 500])}"
    yield f"{start}\thist:keys={skey}:v{number}={own}:{size} if {sif} && {unlike}"
    yield (f"{end}\thist:keys={ekey}{taken}:onmatch({start.replace(':', '.')})"
           f".trace(random_{number},{','.join(args)}){save}:{size} if {eif} && {unlike}")
    yield from {identity(line): line for line in (synthetic_hist(r, number, fields) for _ in range(2))}.values()


def latency(r, pair):
    """Lines: a latency, and histograms of it."""
    start, end, fields = pair
    yield f"--latency\t{start}..{end}:{r.choice(['usecs', 'nsecs'])}"
    for lat in r.sample(["lat.log2", "lat" + FINE, "lat.buckets=50000", "lat", ""], 3):
        # a trigger of .log2=3 without size= has 1,024 rows
        keys = r.sample(fields, 1 if lat.endswith(FINE) else r.choice([1, 1, 2])) + ([lat] if lat else [])
        yield "-k\t" + ",".join(keys)
        if r.random() < 0.6:
            yield "-v\tlat"


def is_hist(line):
    return line.startswith("-k\t") or not line.startswith("-")


def recording(r, n, has_stacks):
    """Lines with at least @n histograms."""
    lines, seen = [], set()
    events = [event for event in sorted(EVENTS) if not has_stacks or event not in ("kmem:kmalloc", "kmem:kfree")]
    for pair in [] if has_stacks else r.sample(LATENCIES, LATENCIES_EACH):
        lines += latency(r, pair)
    while sum(map(is_hist, lines)) < n:
        number = len(seen)
        if r.random() < 0.1:
            lines += chain(r, number, events)
            seen.add(number)
            continue
        event = r.choice(events)
        line = f"{event}\t{expression(r, event, number, has_stacks and r.random() < 0.3)}"
        if identity(line) not in seen:
            seen.add(identity(line))
            lines.append(line)
    return lines


def main():
    seed, n = int(sys.argv[1]), int(sys.argv[2])
    r = random.Random(seed)
    print(f"# seed {seed}")
    for i in range((n + RECORDING - 1) // RECORDING):
        for line in recording(r, min(RECORDING, n - i * RECORDING), i % 2 == 1):
            print(line)
        print()


main()
