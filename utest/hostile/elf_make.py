#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""elf_make.py FILE KIND: write an ELF program of about 1 MB that wants to be large or slow

tables    thousands of symbol tables that share one table of 20,000 functions
names     names of functions that are ends of one long string
places    one USDT probe at thousands of places
args      one USDT probe at places with many arguments
many      one USDT probe with an argument text of 1 MB
segments  thousands of USDT probes and thousands of segments
"""
import struct
import sys

CODE = 0x400100


def note(args, pc):
    text = struct.pack("<QQQ", pc, 0, 0) + b"p\0n\0" + args + b"\0"
    text += b"\0" * (-len(text) % 4)
    return struct.pack("<III", 8, len(text), 3) + b"stapsdt\0" + text


def symbols(names):
    return b"".join(struct.pack("<IBBHQQ", name, 0x12, 0, 1, CODE, 4) for name in names)


def program(sections, segments=1, copies=0):
    """sections: (name, type, data, link, entsize); the last one has so many more headers"""
    names, table, body = b"\0", b"", b""
    start = 64 + 56 * segments
    for name, kind, data, link, entsize in sections:
        header = struct.pack("<IIQQQQIIQQ", len(names), kind, 6 if kind == 1 else 0,
                             CODE if kind == 1 else 0, start + len(body), len(data), link, 1, 4, entsize)
        table += header
        names += name + b"\0"
        body += data + b"\0" * (-len(data) % 8)
    table += header * copies
    strings = struct.pack("<IIQQQQIIQQ", len(names), 3, 0, 0, start + len(body), len(names) + 10, 0, 0, 1, 0)
    names += b".shstrtab\0"
    body += names + b"\0" * (-len(names) % 8)
    count = len(sections) + copies + 2
    head = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack(
        "<HHIQQQIHHHHHH", 2, 62, 1, CODE, 64, start + len(body), 0, 64, 56, segments, 64, count, count - 1)
    load = struct.pack("<IIQQQQQQ", 1, 5, 0, 0x400000, 0x400000, 1, 1, 4096) * (segments - 1)
    load += struct.pack("<IIQQQQQQ", 1, 5, 0, 0x400000, 0x400000, 1 << 20, 1 << 20, 4096)
    return head + load + body + bytes(64) + table + strings


text = (b".text", 1, b"\xc3" * 64, 0, 0)
notes = {
    "places": b"".join(note(b"8@%ax", CODE + i) for i in range(17000)),
    "args": b"".join(note(b" ".join([b"8@%ax"] * 600), CODE + i) for i in range(270)),
    "many": note(b" ".join([b"8@%ax"] * 170000), CODE),
    "segments": b"".join(note(b"", CODE + i) for i in range(10500)),
}
kind = sys.argv[2]
if kind == "tables":
    out = program([text, (b".strtab", 3, b"\0" + b"a" * 16 + b"\0", 0, 0),
                   (b".symtab", 2, symbols([1] * 20000), 2, 24)], copies=8000)
elif kind == "names":
    out = program([text, (b".strtab", 3, b"\0" + b"a" * 500000 + b"\0", 0, 0),
                   (b".symtab", 2, symbols(range(1, 20001)), 2, 24)])
else:
    out = program([text, (b".note.stapsdt", 7, notes[kind], 0, 0)],
                  segments=9000 if kind == "segments" else 1)
with open(sys.argv[1], "wb") as f:
    f.write(out)
