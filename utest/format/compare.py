#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
compare.py PROGRAM PAGE CHECK FILE [SNAPSHOTS]: does the program read from FILE
what read_dat.py reads?  Exit status 0 if so.

CHECK is
  same     the whole file, with at least SNAPSHOTS snapshots in all
  differences  --intervals and --between of it
  cuts     the file cut at many places from our first section on
  flips    the file with one byte changed, at as many
  newer    the file with sections of a newer format
  example  the bytes that PAGE shows are those of FILE, without a gap
"""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "scripts", "lib"))
import read_dat  # noqa: E402
import views  # noqa: E402

# with CHECK_LONG=1 many
PLACES = 60 if os.environ.get("CHECK_LONG") else 12


def plain(v):
    """What the pages leave open: how many U+FFFD stand for bytes that are no UTF-8."""
    if isinstance(v, dict):
        return {k: plain(x) for k, x in v.items()}
    if isinstance(v, list):
        return [plain(x) for x in v]
    return re.sub("\ufffd+", "\ufffd", v) if isinstance(v, str) else v


def canonical(doc):
    """Rows in one order; of the damage only what the page defines."""
    doc = plain(doc)
    doc["damage"] = doc["damage"]["unfinished"]
    for h in doc["histograms"]:
        for s in h["snapshots"]:
            s["rows"].sort(key=lambda r: json.dumps(r, sort_keys=True))
    return doc


def report(program, path, *options):
    options = options or ("--snapshot", "all")
    run = subprocess.run([program, "report", *options, "--format", "json", path],
                         capture_output=True, check=False)
    if run.returncode not in (0, 2):
        sys.exit(f"report: status {run.returncode}: {run.stderr.decode()}")
    return canonical(json.loads(run.stdout)) if run.stdout else None


def independent(path):
    try:
        return canonical(read_dat.read(path))
    except SystemExit:
        return None


def difference(a, b):
    """The first line in which two documents differ, or None."""
    if a == b:
        return None
    a, b = (json.dumps(x, indent=1, sort_keys=True).split("\n") for x in (a, b))
    for x, y in zip(a, b):
        if x != y:
            return f"report has {x.strip()}, read_dat.py {y.strip()}"
    return f"report has {len(a)} lines, read_dat.py {len(b)}"


def count(doc):
    return sum(len(h["snapshots"]) for h in doc["histograms"]) if doc else 0


def same(program, path, least):
    doc = report(program, path)
    wrong = difference(doc, independent(path))
    if wrong:
        sys.exit(wrong)
    if count(doc) < least:
        sys.exit(f"only {count(doc)} snapshots")


def differences(program, path, least):
    series, whole = views.read(path)
    if sum(len(s.moments) - 1 for s in series.values()) < least:
        sys.exit("hardly any interval")
    pairs = ((0, 5), (2, 20), (4, 35), (24, 36))
    for options, view in ((("--intervals",), ("intervals",)),
                          *((("--between", f"{a},{b}"), ("between", a, b)) for a, b in pairs)):
        wrong = difference(report(program, path, *options),
                           canonical(views.document(series, whole, *view)))
        if wrong:
            sys.exit(f"{' '.join(options)}: {wrong}")


def damaged(program, path, damage):
    """@damage: the bytes of the file and a place in them to new bytes."""
    with open(path, "rb") as f:
        data = f.read()
    first = read_dat.File(path).first()
    counts = set()
    with tempfile.NamedTemporaryFile() as out:
        for i in range(PLACES):
            # a stride that is no multiple of anything in the format
            at = first + (len(data) - first) * i // PLACES + i % 7
            out.seek(0)
            out.truncate()
            out.write(damage(data, min(at, len(data) - 1)))
            out.flush()
            doc = report(program, out.name)
            wrong = difference(doc, independent(out.name))
            if wrong:
                sys.exit(f"at {at}: {wrong}")
            counts.add(count(doc))
    # what was done to the file must have been seen
    if len(counts) < 5:
        sys.exit(f"the damage made no difference: {counts} snapshots")


def newer(program, path):
    """A reader ignores flags that insert nothing, and refuses sections of another format."""
    with open(path, "rb") as f:
        data = f.read()
    file = read_dat.File(path)
    bodies = [(header.type, body) for header, body in file.records()]
    whole = count(independent(path))
    with tempfile.NamedTemporaryFile() as out:
        for version, flags, stride in ((1, 0xfe00, 1), (1, 0x20000, 5), (1, 0x40000000, 7),
                                       (2, 0, 3), (2, 0, 1)):
            changed = bytearray(data)
            for kind, body in bodies[::stride]:
                if kind == read_dat.DEFINITION and stride > 1:
                    continue
                at = body - 40
                old, = struct.unpack_from(file.order + "I", data, at + 12)
                changed[at + 4] = version
                struct.pack_into(file.order + "I", changed, at + 12, old | flags)
                struct.pack_into(file.order + "I", changed, at + 36,
                                 zlib.crc32(changed[at:at + 36]))
            out.seek(0)
            out.write(changed)
            out.flush()
            doc = report(program, out.name)
            wrong = difference(doc, independent(out.name))
            if wrong:
                sys.exit(f"version {version}, flags {flags:#x}: {wrong}")
            if (count(doc) == whole) != (flags == 0xfe00) or bool(doc) == (version == 2 and stride == 1):
                sys.exit(f"version {version}, flags {flags:#x}: {count(doc)} of {whole} snapshots")


def example(page, path):
    with open(path, "rb") as f:
        data = f.read()
    with open(page, encoding="utf-8") as f:
        lines = re.findall(r"^ (\d{4})  ((?:[0-9a-f]{2} )*[0-9a-f]{2})(?=  |$)", f.read(), re.M)
    if not lines:
        sys.exit("no example in the page")
    at = int(lines[0][0])
    for offset, shown in lines:
        shown = bytes.fromhex(shown)
        if int(offset) != at:
            sys.exit(f"the page goes on at {offset} and not at {at}")
        if data[at:at + len(shown)] != shown:
            sys.exit(f"{at}: in the page {shown.hex(' ')}, "
                     f"in the file {data[at:at + len(shown)].hex(' ')}")
        at += len(shown)
    if at != len(data):
        sys.exit(f"the page ends at {at}, the file at {len(data)}")


def main():
    program, page, check, path = sys.argv[1:5]
    if check == "same":
        same(program, path, int(sys.argv[5]))
    elif check == "differences":
        differences(program, path, int(sys.argv[5]))
    elif check == "cuts":
        damaged(program, path, lambda data, at: data[:at])
    elif check == "flips":
        damaged(program, path, lambda data, at: data[:at] + bytes([data[at] ^ 0x41]) + data[at + 1:])
    elif check == "newer":
        newer(program, path)
    elif check == "example":
        example(page, path)
    else:
        sys.exit(f"{check}: no such check")


main()
