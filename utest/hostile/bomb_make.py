#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Make files that are small and want to be large, or slow.

    bomb_make.py IN OUT KIND

IN is a little-endian file with zlib and one histogram (series_make many IN zlib little).  OUT has its
header, and then sections with right checksums, in at most one MB.  How many bytes the bodies of
snapshots become is printed:

    definitions   texts of 16 MB each, which compress to nothing
    names         histograms with a small name each, and one with a name of 200,000 bytes
    histograms    as many as there is room for, with two snapshots each
    same          the same, all of one event
    strings       short strings by millions
    most          definitions and short strings, as many as are allowed
    text          strings of 16 MB each, new in each of many differences
    entries       entries by millions, with three keys and eight values
    rows          as many entries as are allowed, in many snapshots
    kept          histograms with strings of 16 MB each
    anew          full snapshots that number all entries anew each time
"""
import struct
import sys
import zlib

LIMIT = 1_000_000
DEFINITION, FULL, DELTA = 1, 2, 3
WALL, COMPRESSED = 8, 1 << 31
NUMBER, STRING = 0, 10


def varint(n):
    out = bytearray()
    while n >= 0x80:
        out.append(n & 0x7f | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def zigzag(n):
    return varint(2 * n if n >= 0 else -2 * n - 1)


def text(s):
    return varint(len(s)) + s


class Bomb:
    def __init__(self, data):
        at = data.index(b"HREC") - 16
        self.out = bytearray(data[:at])
        self.unpacked = 0
        # the string id of the description
        self.title = data[at + 4:at + 8]

    def room(self):
        return LIMIT - len(self.out)

    def section(self, kind, hist, seq, body, compressed=True):
        stored = zlib.compress(body, 9) if compressed else body
        flags = (COMPRESSED if compressed else 0) | (WALL if kind != DEFINITION else 0)
        head = struct.pack("<IBBHIIQIII", 0x43455248, 1, kind, hist, seq, flags,
                           (seq + 1) * 10**9, len(body), len(stored), zlib.crc32(stored))
        head += struct.pack("<I", zlib.crc32(head))
        made = struct.pack("<HH", 0x9157, 0) + self.title + \
            struct.pack("<Q", len(head) + len(stored)) + head + stored
        if len(made) > self.room():
            return False
        self.out += made
        self.unpacked += len(body) if kind != DEFINITION else 0
        return True

    def define(self, hist, event, trigger=b"hist:keys=k", keys=((b"k", NUMBER),), values=1):
        body = b"".join(map(text, (event, trigger, b"kernel", b"mono", b"i", b"Linux", b"box")))
        body += varint(len(keys))
        for name, kind in keys:
            body += text(name) + varint(kind) + b"\0\0"
        body += varint(values)
        for i in range(values):
            body += text(b"hitcount" if not i else b"v%d" % i) + b"\0\0"
        return self.section(DEFINITION, hist, 0, body, len(body) > 200)

    def snapshot(self, hist, seq, base, strings=(), entries=b"", n=0, values=b"", changed=b"\0", full=True):
        """@strings: (count, bytes of lengths, bytes of all); @entries: the columns of @n."""
        count, lengths, chars = strings or (0, b"", b"")
        wall = zigzag(10**18 if full else 10**9)
        body = varint(base) + b"\1\0" + zigzag(n) + zigzag(n) + b"\0" + wall + varint(count) + lengths + \
            chars + varint(n) + entries + changed + values
        return self.section(FULL if full else DELTA, hist, seq, body, len(body) > 100)


def numbers(n):
    """A column of @n numbers that ascend by one."""
    return zigzag(0) + zigzag(1) * (n - 1)


def ones(n):
    return zigzag(1) * n


def long_strings(i, n, size):
    parts = [b"%08d" % (i * n + k) + b"x" * (size - 8) for k in range(n)]
    return n, varint(size) * n, b"".join(parts)


def definitions(b):
    i = 0
    while b.define(i, b"a:%d" % i, b"A" * (16 << 20)) and b.snapshot(i, 0, 0, n=1, entries=numbers(1), values=ones(1)):
        i += 1


def histograms(b, event=lambda i: b"sys:event%d" % i, snapshots=2, most=65535):
    i = 0
    while b.room() > 20000 + snapshots * 100 * i and i < most and b.define(i, event(i)):
        i += 1
    for seq in range(snapshots):
        for hist in range(i):
            if seq:
                b.snapshot(hist, seq, seq - 1, full=False, changed=b"\1\0" + zigzag(1))
            else:
                b.snapshot(hist, 0, 0, n=1, entries=numbers(1), values=ones(1))


def names(b):
    histograms(b, lambda i: b"sys:" + b"e" * 200000 if not i else b"sys:event%d" % i)


def same(b):
    histograms(b, lambda i: b"sys:event", 1)


def short_strings(first, n):
    chars = b"".join(bytes((i >> k & 127) + 128 for k in (14, 7, 0)) for i in range(first, first + n))
    return n, b"\3" * n, chars


def strings(b):
    b.define(0, b"a:b", keys=((b"k", STRING),))
    count, lengths, chars = short_strings(0, 1 << 20)
    b.snapshot(0, 0, 0, (8 * count, 8 * lengths, 8 * chars))
    b.snapshot(0, 1, 0, short_strings(0, 1 << 19))


def most(b):
    # with what is left of the megabyte: strings of 36 each, and 80 definitions
    b.define(0, b"a:b", keys=((b"k", STRING), (b"l", NUMBER), (b"m", NUMBER)), values=8)
    n = 190000
    columns = zigzag(0) + zigzag(1) * (n - 1) + 2 * numbers(n)
    for seq in range(3):
        b.snapshot(0, seq, 0, short_strings(seq, 400000), columns, n, ones(n) * 8)
    i = 1
    while i < 1000 and b.define(i, b"a:%d" % i, b"A" * 250000) and \
            b.snapshot(i, 0, 0, n=1, entries=numbers(1), values=ones(1)):
        i += 1
    # sections of others make the file larger, and the limits with it
    while b.room() > 60000:
        b.out += struct.pack("<HH4sQ", 99, 0, b.title, 50000) + bytes(50000)


def text_bomb(b):
    b.define(0, b"a:b", keys=((b"k", STRING),))
    for seq in range(50):
        n = 64
        column = zigzag(seq * n) + zigzag(1) * (n - 1)
        if not b.snapshot(0, seq, seq - 1 if seq else 0, long_strings(seq, n, 1 << 18), column, n, ones(n),
                          full=not seq):
            break


def entries(b):
    n = 4_000_000
    b.define(0, b"a:b", keys=((b"k", NUMBER), (b"l", NUMBER), (b"m", NUMBER)), values=8)
    b.snapshot(0, 0, 0, n=n, entries=numbers(n) * 3, values=ones(n) * 8)
    n = 1000
    b.snapshot(0, 1, 0, n=n, entries=numbers(n) * 3, values=ones(n) * 8)


def rows(b, n=196608, snapshots=6):
    b.define(0, b"a:b", keys=((b"k", NUMBER), (b"l", NUMBER), (b"m", NUMBER)), values=8)
    b.snapshot(0, 0, 0, n=n, entries=numbers(n) * 3, values=ones(n) * 8)
    for seq in range(1, snapshots):
        b.snapshot(0, seq, seq - 1, changed=varint(n) + varint(0) + varint(1) * (n - 1) + ones(n) * 8, full=False)


def kept(b):
    for i in range(40):
        if not b.define(i, b"a:e%d" % i, keys=((b"k", STRING),)) or \
                not b.snapshot(i, 0, 0, long_strings(i, 64, 1 << 18), numbers(64), 64, ones(64)):
            break


def anew(b, n=150000):
    b.define(0, b"a:b", keys=((b"k", NUMBER), (b"s", STRING)), values=8)
    lengths, chars = long_strings(0, 64, 1 << 17)[1:]
    for seq in range(6):
        step = zigzag(0) + zigzag(1) * (n - 1) if seq % 2 else zigzag(n - 1) + zigzag(-1) * (n - 1)
        b.snapshot(0, seq, 0, (64, lengths, chars), step + zigzag(0) * n, n, ones(n) * 8)


def main():
    source, target, kind = sys.argv[1:]
    with open(source, "rb") as f:
        bomb = Bomb(f.read())
    {"definitions": definitions, "names": names, "histograms": histograms, "same": same,
     "strings": strings, "most": most, "text": text_bomb, "entries": entries, "rows": rows, "kept": kept,
     "anew": anew}[kind](bomb)
    with open(target, "wb") as f:
        f.write(bomb.out)
    print(bomb.unpacked)


main()
