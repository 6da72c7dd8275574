#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
replay_random.py SEED N: N random expressions, in the form of data/replay.cases, in recordings
of at most eight.  The same seed gives the same.

Only what kernels 6.1 and 6.12 both take, and no times: those differ between a kernel's
histogram and events that were recorded in another instance.
"""
import random
import sys

NUMBER = ["", "", ".hex", ".log2", ".buckets=2", ".buckets=10", ".buckets=1000"]
# name: modifiers of a key, values that filters try
EVENTS = {
    "sched:sched_switch": {
        "prev_comm": ([""], ['"sh"', '"*w*"', '"swapper*"']),
        "next_comm": ([""], ['"sh"', '"u*p"', '"[a-m]*"']),
        "prev_pid": (NUMBER, [0, 20005]), "next_pid": (NUMBER, [0, 18, 20003]),
        "next_prio": (NUMBER, [120, 98]),
    },
    "raw_syscalls:sys_enter": {"id": (NUMBER + [".syscall"], [0, 3, 12, 59, 230])},
    "raw_syscalls:sys_exit": {"id": (NUMBER + [".syscall"], [0, 1, 12, 61]),
                              "ret": (NUMBER, [0, -1, -2, -10, 100, 4096])},
    "kmem:kmalloc": {
        "call_site": (["", ".hex", ".sym", ".sym-offset"], []),
        "ptr": (["", ".hex"], []),
        "bytes_req": (NUMBER, [0, 8, 64, 192, 1000]), "bytes_alloc": (NUMBER, [64, 512, 4096]),
    },
    "sched:sched_process_exit": {"comm": ([""], ['"true"', '"*e"']), "pid": (NUMBER, [20004]),
                                 "prio": (NUMBER, [120])},
}
COMMON = {"common_pid": (["", ".hex", ".log2", ".execname"], [20001, 20010]), "common_cpu": ([""], [0, 1])}


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


def expression(r, event):
    fields = {**EVENTS[event], **COMMON}
    names = r.sample(sorted(fields), r.choice([1, 1, 2, 2, 3]))
    text = "hist:keys=" + ",".join(n + r.choice(fields[n][0]) for n in names)
    numbers = [n for n, (_, tries) in sorted(EVENTS[event].items()) if not is_text(tries)]
    values = r.sample(numbers, r.randrange(0, min(2, len(numbers)) + 1))
    if values:
        text += ":vals=" + ",".join(v + r.choice(["", "", ".hex"]) for v in values)
    if r.random() < 0.2:
        text += f":size={r.choice([65, 100, 500, 5000])}"
    condition_text = f" && {condition(r, {**EVENTS[event], 'common_pid': COMMON['common_pid']})}"
    return text + " if MINE" + (condition_text if r.random() < 0.6 else "")


def main():
    seed, n = int(sys.argv[1]), int(sys.argv[2])
    r = random.Random(seed)
    print(f"# seed {seed}")
    seen = set()
    while len(seen) < n:
        event = r.choice(sorted(EVENTS))
        text = expression(r, event)
        # kernels tell triggers apart by their keys and filters alone
        keys = (event, text.split(":vals=")[0].split(":size=")[0], text.split(" if ")[-1])
        if keys in seen:
            continue
        seen.add(keys)
        print(f"{event}\t{text}")
        if not len(seen) % 8:
            print()


main()
