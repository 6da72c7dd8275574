#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A trace.dat of task switches and wake-ups that are given, as kernels of any age write it.

    switches_make.py FILE PLUS EVENT...

PLUS is the bit of preempted tasks in the print fmt of sched_switch: 256 since Linux 4.14, 512 to
4096 before; 0: the print fmt does not have it.  Each EVENT is NS:PREV:STATE:NEXT, a switch NS after
the event before, from task number PREV to NEXT, or NS:WAKER:wake:TASK.
"""
import struct
import sys

PAGE = 4096
HEADER_PAGE = """\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;
\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;
\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;
\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;
"""
HEADER_EVENT = """# compressed entry header
\ttype_len    :    5 bits
\ttime_delta  :   27 bits
\tarray       :   32 bits

\tpadding     : type == 29
\ttime_extend : type == 30
\tdata max type_len  == 28
"""
COMMON = (("unsigned short", "common_type", 0, 2, 0), ("unsigned char", "common_flags", 2, 1, 0),
          ("unsigned char", "common_preempt_count", 3, 1, 0), ("int", "common_pid", 4, 4, 1))
FIELDS = (("char", "prev_comm[16]", 8, 16, 0), ("pid_t", "prev_pid", 24, 4, 1),
          ("int", "prev_prio", 28, 4, 1), ("long", "prev_state", 32, 8, 1),
          ("char", "next_comm[16]", 40, 16, 0), ("pid_t", "next_pid", 56, 4, 1),
          ("int", "next_prio", 60, 4, 1))
WAKING = (("char", "comm[16]", 8, 16, 0), ("pid_t", "pid", 24, 4, 1), ("int", "prio", 28, 4, 1),
          ("int", "target_cpu", 32, 4, 1))
SWITCH_ID, WAKING_ID, WAKEUP_ID = 300, 301, 302
STATES = "SDTtXZPI" + "abcd"  # bits 0 to 11; those of the last four are made up


def lines(fields):
    return "".join(f"\tfield:{ctype} {name};\toffset:{offset};\tsize:{size};\tsigned:{signed};\n"
                   for ctype, name, offset, size, signed in fields)


def print_fmt(plus):
    mask = (plus or 256) - 1
    flags = ", ".join('{ 0x%x, "%s" }' % (1 << bit, letter) for bit, letter in enumerate(STATES)
                      if 1 << bit & mask)
    text = f'REC->prev_state & {mask} ? __print_flags(REC->prev_state & {mask}, "|", {flags}) : "R"'
    if plus:
        text += f', REC->prev_state & {plus} ? "+" : ""'
    return ('"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s' + "%s" * bool(plus) +
            ' ==> next_comm=%s next_pid=%d next_prio=%d", REC->prev_comm, REC->prev_pid, '
            f"REC->prev_prio, {text}, REC->next_comm, REC->next_pid, REC->next_prio")


def sized(text):
    return struct.pack("<Q", len(text)) + text.encode()


def comm(pid):
    return f"task{pid}".encode().ljust(16, b"\0")


def event(delta, kind, task, data):
    data = struct.pack("<HBBi", kind, 0, 0, task) + data
    return struct.pack("<I", delta << 5 | len(data) // 4) + data


def pages(words):
    """The events in pages of one CPU, each with the time of its first event."""
    out, page, now, begun = b"", b"", 10**9, 10**9
    for word in words:
        made = events(word)
        now += int(word.split(":")[0])
        if len(page) + len(made) > PAGE - 16:
            out += (struct.pack("<QQ", begun, len(page)) + page).ljust(PAGE, b"\0")
            page, begun, made = b"", now, events("0" + word[word.index(":"):])
        page += made
    return out + (struct.pack("<QQ", begun, len(page)) + page).ljust(PAGE, b"\0")


def events(word):
    delta, task, what, other = word.split(":")
    delta, task, other = int(delta), int(task), int(other)
    if what == "wake":
        data = comm(other) + struct.pack("<iii", other, 120, 0)
        return event(delta, WAKING_ID, task, data) + event(0, WAKEUP_ID, task, data)
    data = comm(task) + struct.pack("<iiq", task, 120, int(what)) + comm(other)
    return event(delta, SWITCH_ID, task, data + struct.pack("<ii", other, 120))


def form(name, kind, fields, fmt):
    return sized(f"name: {name}\nID: {kind}\nformat:\n{lines(COMMON)}\n{lines(fields)}\n"
                 f"print fmt: {fmt}\n")


def make(plus, words):
    out = b"\x17\x08\x44tracing6\0" + struct.pack("<BBI", 0, 8, PAGE)
    out += b"header_page\0" + sized(HEADER_PAGE) + b"header_event\0" + sized(HEADER_EVENT)
    # a file has the format of one event of the ftrace system at least
    out += struct.pack("<I", 1) + form("print", 5, (("char", "buf", 8, 0, 0),), '"%s", REC->buf')
    out += struct.pack("<I", 1) + b"sched\0" + struct.pack("<I", 3)
    out += form("sched_switch", SWITCH_ID, FIELDS, print_fmt(plus))
    for name, kind in ("sched_waking", WAKING_ID), ("sched_wakeup", WAKEUP_ID):
        out += form(name, kind, WAKING, '"comm=%s pid=%d", REC->comm, REC->pid')
    out += struct.pack("<II", 0, 0) + struct.pack("<Q", 0)  # no symbols, formats of printk, or tasks
    out += struct.pack("<I", 1) + b"options  \0" + struct.pack("<H", 0) + b"flyrecord\0"
    start = (len(out) + 16 + PAGE - 1) // PAGE * PAGE
    made = pages(words)
    return (out + struct.pack("<QQ", start, len(made))).ljust(start, b"\0") + made


if __name__ == "__main__":
    with open(sys.argv[1], "wb") as f:
        f.write(make(int(sys.argv[2], 0), sys.argv[3:]))
