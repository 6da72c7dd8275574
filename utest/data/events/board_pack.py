#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Write what board_init.sh has printed as NAME.dat, version 6 (trace-cmd.dat.v6(5)), and NAME.hist.

    board_pack.py DIR NAME

Of the symbols only those remain that the histograms name, each with the next one.  The byte order
is told by the first page: its commit, a long behind 8 bytes of time, is less than a page.
"""
import os
import re
import sys

PAGE = 4096


def read(*path):
    with open(os.path.join(sys.argv[1], *path), "rb") as f:
        return f.read()


header_page, pages = read("header_page"), read("pages")
LONG = int(re.search(rb" commit;.*size:(\d)", header_page).group(1))
ORDER = "big" if int.from_bytes(pages[8:8 + LONG], "big") < PAGE else "little"


def put(value, size):
    return value.to_bytes(size, ORDER)


def sized(data, size):
    return put(len(data), size) + data


hists, names = b"", set()
for i in range(len(os.listdir(os.path.join(sys.argv[1], "hist"))) // 2):
    text = read("hist", str(i))
    hists += b"# " + read("hist", "%d.trigger" % i) + text
    names |= set(re.findall(rb"call_site: \[[0-9a-f]+\] (\S+)", text))

symbols = sorted(read("kallsyms").splitlines())
keep = [line for i, line in enumerate(symbols)
        if line.split()[2] in names | {b"_stext", b"_etext"} or
        (i and symbols[i - 1].split()[2] in names)]

ftrace, systems = [], {}
for name in sorted(os.listdir(os.path.join(sys.argv[1], "formats"))):
    system = name.split("-")[0].encode()
    list_ = ftrace if system == b"ftrace" else systems.setdefault(system, [])
    list_.append(read("formats", name))

out = b"\x17\x08\x44tracing6\0" + bytes([ORDER == "big", LONG]) + put(PAGE, 4)
out += b"header_page\0" + sized(header_page, 8) + b"header_event\0" + sized(read("header_event"), 8)
out += put(len(ftrace), 4) + b"".join(sized(f, 8) for f in ftrace) + put(len(systems), 4)
for system, formats in systems.items():
    out += system + b"\0" + put(len(formats), 4) + b"".join(sized(f, 8) for f in formats)
out += sized(b"\n".join(keep) + b"\n\0", 4) + sized(b"", 4) + sized(read("cmdlines") + b"\0", 8)
out += put(1, 4) + b"options  \0"
for option, data in ((4, read("clock") + b"\0"), (5, read("uname").strip() + b"\0"), (8, put(1, 4))):
    out += put(option, 2) + sized(data, 4)
out += put(0, 2) + b"flyrecord\0"
at = -(-(len(out) + 16) // PAGE) * PAGE
out += put(at, 8) + put(len(pages), 8)
with open(sys.argv[2] + ".dat", "wb") as f:
    f.write(out.ljust(at, b"\0") + pages)
with open(sys.argv[2] + ".hist", "wb") as f:
    f.write(hists)
