#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Make a trace.dat of ftrace:print events, of any machine, with texts that are marks
of snapshots or only look so.

    marks_make.py OUT little|big LONG      LONG: bytes of a long, 4 or 8
    marks_make.py --expected               what the plugin prints of each mark in it

The file is of version 6 (trace-cmd.dat.v6(5)): headers, one event format, no others,
and pages of the ring buffer, made here.  MARKS are texts that the plugin must take,
with what it prints; OTHERS must come out as without it.
"""
import struct
import sys

PAGE = 4096
PRINT_ID = 5
WRITER = 0xC0100000  # in kallsyms below
BIG = 2 ** 64 - 1

MARKS = [
    ("hist-snapshot: sched:sched_switch#0 seq=3 hits=1041 entries=12 dropped=0",
     "histogram sched:sched_switch snapshot 3: 1041 hits, 12 entries, none dropped"),
    ("hist-snapshot: sched:sched_switch#1 seq=4294967295 hits=1 entries=1 dropped=1",
     "histogram sched:sched_switch#1 snapshot 4294967295: 1 hit, 1 entry, 1 dropped"),
    ("hist-snapshot: kmem:kmalloc#10 seq=0 hits=0 entries=0 dropped=0",
     "histogram kmem:kmalloc#10 snapshot 0: 0 hits, 0 entries, none dropped"),
    (f"hist-snapshot: a:b#4294967295 seq=10 hits={BIG} entries={BIG} dropped={BIG}",
     f"histogram a:b#4294967295 snapshot 10: {BIG} hits, {BIG} entries, {BIG} dropped"),
    ("hist-snapshot: latency:sched_waking..sched_switch#0 seq=7 hits=11 entries=2 dropped=10",
     "histogram latency:sched_waking..sched_switch snapshot 7: 11 hits, 2 entries, 10 dropped"),
    # no format string of anybody
    ("hist-snapshot: %s:%n%d#0 seq=1 hits=2 entries=3 dropped=4",
     "histogram %s:%n%d snapshot 1: 2 hits, 3 entries, 4 dropped"),
    ("hist-snapshot: " + "x" * 400 + ":y#2 seq=1 hits=2 entries=3 dropped=4",
     "histogram " + "x" * 400 + ":y#2 snapshot 1: 2 hits, 3 entries, 4 dropped"),
]

GOOD = MARKS[0][0]
OTHERS = [
    "", " ", "hello", "hist-snapshot", "hist-snapshot: ", "hist-snapshot:", "%s%n%s",
    " " + GOOD, "x" + GOOD, GOOD + " ", GOOD + "x", GOOD + "\nmore", "\n" + GOOD, GOOD + "\n",
    GOOD.replace("hist-", "Hist-"), GOOD.replace(": ", ":"), GOOD.replace(": ", ":  "),
    GOOD.replace("#0", ""), GOOD.replace("#0", "#"), GOOD.replace("#0", "##0"),
    GOOD.replace("#0", "#-1"), GOOD.replace("#0", "#00"), GOOD.replace("#0", "#4294967296"),
    GOOD.replace("seq=3", "seq="), GOOD.replace("seq=3", "seq=03"), GOOD.replace("seq=3", "seq=+3"),
    GOOD.replace("seq=3", "seq=0x3"), GOOD.replace("seq=3", "seq=4294967296"),
    GOOD.replace("seq=3", "seq=-1"), GOOD.replace("seq", "seqs"), GOOD.replace(" seq", "  seq"),
    GOOD.replace("1041", "18446744073709551616"), GOOD.replace("1041", "99999999999999999999"),
    GOOD.replace("1041", "9" * 300), GOOD.replace("1041", "1041.0"), GOOD.replace("1041", "1,041"),
    GOOD.replace("1041", "1041 "), GOOD.replace("entries=12", "entries=1 2"),
    GOOD.replace("entries=12 ", ""), GOOD.replace(" dropped=0", ""), GOOD.replace("dropped=0", "dropped="),
    GOOD.replace("dropped=0", "dropped=00"), GOOD.replace("=0", "=none"),
    GOOD.replace("sched:sched_switch", "sched_switch"), GOOD.replace("sched:sched_switch", ""),
    GOOD.replace("sched:sched_switch", "sched:sched switch"),
    GOOD.replace("sched:sched_switch", "sched:\x1b[31mred"),
    GOOD.replace("sched:sched_switch", "sched:\tx"), GOOD.replace("sched:sched_switch", "sched:\x7f"), GOOD.replace("sched:sched_switch", "sched:gr\xfcn"),
    GOOD.replace("=", "= "), GOOD[:40], GOOD.upper(),
]


class Machine:
    """Byte order and size of a long of the machine that recorded."""

    def __init__(self, order, long_size):
        self.order = {"little": "<", "big": ">"}[order]
        self.long_size = long_size

    def pack(self, kinds, *values):
        """As struct.pack; L is a long of that machine."""
        return struct.pack(self.order + kinds.replace("L", "Q" if self.long_size == 8 else "I"), *values)

    def formats(self):
        """header_page and the format of ftrace:print."""
        size = self.long_size
        page = (f"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
                f"\tfield: local_t commit;\toffset:8;\tsize:{size};\tsigned:1;\n"
                f"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
                f"\tfield: char data;\toffset:{8 + size};\tsize:{PAGE - 8 - size};\tsigned:1;\n")
        event = (f"name: print\nID: {PRINT_ID}\nformat:\n"
                 "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
                 "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
                 "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
                 "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
                 f"\tfield:unsigned long ip;\toffset:8;\tsize:{size};\tsigned:0;\n"
                 f"\tfield:char buf[];\toffset:{8 + size};\tsize:0;\tsigned:0;\n\n"
                 'print fmt: "%ps: %s", (void *)REC->ip, REC->buf\n')
        return page.encode(), event.encode()

    def record(self, ip, text):
        """One event of the ring buffer: the word of type and delta, its size, its data."""
        data = self.pack("HBBiL", PRINT_ID, 0, 0, 77, ip) + text
        data += b"\xa5" * (-len(data) % 4)  # what the kernel leaves there is not defined
        delta = 1000
        word = delta << 5 if self.order == "<" else delta
        return self.pack("II", word, len(data) + 4) + data

    def pages(self, records):
        """Records in pages; a page is its time, how much of it is used, and the records."""
        room = PAGE - 8 - self.long_size
        bodies = [b""]
        for record in records:
            if len(bodies[-1]) + len(record) > room:
                bodies.append(b"")
            bodies[-1] += record
        for number, body in enumerate(bodies):
            yield self.pack("QL", 10 ** 9 * (number + 1), len(body)) + body.ljust(room, b"\0")


def make(order, long_size):
    """The bytes of the file."""
    m = Machine(order, long_size)
    page, event = m.formats()
    event_header = b"\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n\tarray       :   32 bits\n"
    symbols = b"%x T tracing_mark_write\n%x T nothing_else\n" % (WRITER, WRITER + 0x1000)
    texts = []
    # in turns, so that one kind stands beside the other
    for i in range(max(len(MARKS), len(OTHERS))):
        if i < len(OTHERS):
            texts.append(OTHERS[i].encode("latin1") + b"\n\0")
        if i < len(MARKS):
            texts.append(MARKS[i][0].encode() + b"\n\0")
    # cut: no newline, no NUL, neither
    texts += [GOOD.encode() + b"\0", GOOD.encode() + b"\n", GOOD.encode(), b"hist-snapshot: \0\n\0"]
    records = [m.record(WRITER + 0x10, t) for t in texts]
    records.append(m.record(0x1234, b"of an address without a name\n\0"))
    records.append(m.record(0, b"\n\0"))

    out = b"\x17\x08\x44tracing6\0" + bytes([order == "big", long_size]) + m.pack("I", PAGE)
    out += b"header_page\0" + m.pack("Q", len(page)) + page
    out += b"header_event\0" + m.pack("Q", len(event_header)) + event_header
    out += m.pack("IQ", 1, len(event)) + event
    out += m.pack("I", 0)  # systems of events
    out += m.pack("I", len(symbols)) + symbols
    out += m.pack("I", 0)  # formats of printk
    names = b"77 writer\n"
    out += m.pack("Q", len(names)) + names
    out += m.pack("I", 1) + b"options  \0" + m.pack("H", 0) + b"flyrecord\0"
    data = b"".join(m.pages(records))
    start = (len(out) + 16 + PAGE - 1) // PAGE * PAGE
    out += m.pack("QQ", start, len(data))
    return out.ljust(start, b"\0") + data


def main():
    if sys.argv[1:] == ["--expected"]:
        print("\n".join(printed for _, printed in MARKS))
        return
    if len(sys.argv) != 4 or sys.argv[2] not in ("little", "big") or sys.argv[3] not in ("4", "8"):
        sys.exit("usage: marks_make.py OUT little|big 4|8, or --expected")
    with open(sys.argv[1], "wb") as out:
        out.write(make(sys.argv[2], int(sys.argv[3])))


main()
