#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Write a small trace.dat of version 6 by hand, of a little-endian machine.

    dat_make.py FILE names             four tasks whose names differ in blanks, 25 switches to each
    dat_make.py FILE pages[:CPUS]      100 pages of one switch on each CPU, one page a ms
    dat_make.py FILE functions         3 calls of an address with two names, 2 of another, and
                                       a format of sched_switch without events
    dat_make.py FILE long              a 32-bit kernel: values of 64 bits from 2^20 to 2^40

The layout is that of trace-cmd.dat.v6(5); pages are as lib/ringbuf/ring_page.h tells.
"""
import struct
import sys

PAGE = 4096
PAGES = 100
COMMON = """\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

"""
HEADER_EVENT = """# compressed entry header
\ttype_len    :    5 bits
\ttime_delta  :   27 bits
\tarray       :   32 bits

\tpadding     : type == 29
\ttime_extend : type == 30
\tdata max type_len  == 28
"""
FUNCTION, SWITCH, MEASURED = 1, 300, 301


def sized(text, size=8):
    data = text.encode() if isinstance(text, str) else text
    return len(data).to_bytes(size, "little") + data


def event_format(name, number, fields, fmt):
    """@fields: (declaration, size, is signed), one after the other."""
    text, at = "name: %s\nID: %d\nformat:\n%s" % (name, number, COMMON), 8
    for declaration, size, is_signed in fields:
        text += "\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;\n" % (declaration, at, size, is_signed)
        at += size
    return text + "\nprint fmt: %s\n" % fmt


def record(number, pid, data, delta=0):
    event = struct.pack("<HBBi", number, 0, 0, pid) + data
    assert len(event) % 4 == 0 and len(event) // 4 <= 28
    return struct.pack("<I", delta << 5 | len(event) // 4) + event


def switch(comm, pid, delta=0):
    return record(SWITCH, 11, struct.pack("<16sii16sii", b"worker", 11, 120, comm, pid, 120), delta)


class Dat:
    def __init__(self, long_size=8):
        self.long_size = long_size
        self.kallsyms = ""
        self.cpus = [b""]

    def page(self, time, events, cpu=0):
        head = struct.pack("<QQ" if self.long_size == 8 else "<QI", time, len(events))
        self.cpus[cpu] += (head + events).ljust(PAGE, b"\0")

    def write(self, path):
        size = self.long_size
        commit = "\tfield: local_t commit;\toffset:8;\tsize:%d;\tsigned:1;\n" % size
        page = ("\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n" + commit +
                "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
                "\tfield: char data;\toffset:%d;\tsize:%d;\tsigned:1;\n" % (8 + size, PAGE - 8 - size))
        out = b"\x17\x08\x44tracing6\0" + struct.pack("<BBI", 0, size, PAGE)
        out += b"header_page\0" + sized(page) + b"header_event\0" + sized(HEADER_EVENT)
        out += struct.pack("<I", 1) + sized(event_format(
            "function", FUNCTION, [("unsigned long ip", size, 0), ("unsigned long parent_ip", size, 0)],
            '" %lx", REC->ip'))
        out += struct.pack("<I", 1) + b"sched\0" + struct.pack("<I", 2)
        out += sized(event_format("sched_switch", SWITCH, [
            ("char prev_comm[16]", 16, 1), ("pid_t prev_pid", 4, 1), ("int prev_prio", 4, 1),
            ("char next_comm[16]", 16, 1), ("pid_t next_pid", 4, 1), ("int next_prio", 4, 1)],
            '"%s ==> %s", REC->prev_comm, REC->next_comm'))
        out += sized(event_format("measured", MEASURED, [("u64 value", 8, 0)], '"%llu", REC->value'))
        out += sized(self.kallsyms, 4) + sized(b"", 4) + sized("11 worker\n12 other\n")
        out += struct.pack("<I", len(self.cpus)) + b"options  \0" + struct.pack("<H", 0)
        out += b"flyrecord\0"
        at = -(-(len(out) + 16 * len(self.cpus)) // PAGE) * PAGE
        start = at
        for data in self.cpus:
            out += struct.pack("<QQ", at, len(data))
            at += len(data)
        with open(path, "wb") as f:
            f.write(out.ljust(start, b"\0") + b"".join(self.cpus))


def make(path, kind):
    kind, _, number = kind.partition(":")
    dat = Dat(4 if kind == "long" else 8)
    if kind == "names":
        for i in range(PAGES):
            dat.page(10**9 + i * 10**6, switch([b"zz", b"zz ", b" zz", b"z"][i % 4], 12))
    elif kind == "pages":
        dat.cpus = [b""] * int(number or 1)
        for cpu in range(len(dat.cpus)):
            for i in range(PAGES):
                dat.page(10**9 + i * 10**6 + cpu, switch(b"other", 12), cpu)
    elif kind == "functions":
        dat.kallsyms = ("ffffffff81000000 T start\nffffffff81000040 T first_name\n"
                        "ffffffff81000040 T second_name\nffffffff81000040 t third_name\n"
                        "ffffffff81000100 T caller\nffffffff81000200 T end\n")
        calls = [0x40, 0x100, 0x40, 0x100, 0x40]
        dat.page(10**9, b"".join(record(FUNCTION, 11, struct.pack("<QQ", 0xffffffff81000000 + ip,
                                                                  0xffffffff81000100), 1000)
                                 for ip in calls))
    elif kind == "long":
        dat.page(10**9, b"".join(record(MEASURED, 11, struct.pack("<Q", 1 << power), 1000)
                                 for power in range(20, 41)))
    else:
        sys.exit("dat_make.py: %s: unknown" % kind)
    dat.write(path)


make(sys.argv[1], sys.argv[2])
