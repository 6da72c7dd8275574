#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Make a trace.dat of another kind of one of version 6, from a little-endian 64-bit machine.

    events_make.py IN OUT big8|big4|little4    version 6, as another machine would have it
    events_make.py IN OUT far                  with its pages behind the first 5 GB
    events_make.py IN OUT long:MB              with the pages of its top buffer again and
                                               again, later each time, until it has that size
    events_make.py IN OUT zlib                 version 7, compressed
    events_make.py IN OUT KIND ID:HEX...       with these options, too, as they are

Stock trace-cmd makes IN: `trace-cmd convert --file-version 6`.  All numbers of the file are
turned around, and those in events as their formats tell.  The layouts are those of
trace-cmd.dat.v6(5) and trace-cmd.dat.v7(5); pages are as lib/ringbuf/ring_page.h tells.
"""
import re
import struct
import sys
import zlib

PAGE = 4096


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, n):
        part = self.data[self.at:self.at + n]
        assert len(part) == n, "the input is cut"
        self.at += n
        return part

    def number(self, n):
        return int.from_bytes(self.take(n), "little")

    def sized(self, n):
        return self.take(self.number(n))

    def string(self):
        end = self.data.index(b"\0", self.at)
        text = self.take(end - self.at)
        self.at += 1
        return text


class File:
    """What is in a file of version 6."""

    def __init__(self, data):
        r = Reader(data)
        assert r.take(12) == b"\x17\x08\x44tracing6\0" and r.take(2) == b"\0\x08"
        assert r.number(4) == PAGE
        assert r.string() == b"header_page"
        self.header_page = r.sized(8)
        assert r.string() == b"header_event"
        self.header_event = r.sized(8)
        self.ftrace = [r.sized(8) for _ in range(r.number(4))]
        self.systems = []
        for _ in range(r.number(4)):
            name = r.string()
            self.systems.append((name, [r.sized(8) for _ in range(r.number(4))]))
        self.kallsyms, self.printk, self.cmdlines = r.sized(4), r.sized(4), r.sized(8)
        self.cpus = r.number(4)
        self.options, instances = [], []
        word = r.take(10)
        if word == b"options  \0":
            while option := r.number(2):
                data = r.sized(4)
                if option == 3:
                    if data[8:].rstrip(b"\0"):
                        instances.append((data[8:].rstrip(b"\0"), data[:8]))
                else:
                    self.options.append((option, data))
            word = r.take(10)
        assert word == b"flyrecord\0"
        self.buffers = [(b"", self.pages(r))]
        for name, at in instances:
            r.at = int.from_bytes(at, "little")
            assert r.take(10) == b"flyrecord\0"
            self.buffers.append((name, self.pages(r)))

    def pages(self, r):
        places = [(r.number(8), r.number(8)) for _ in range(self.cpus)]
        return [r.data[at:at + size] for at, size in places]


class Turn:
    """Numbers for another machine."""

    def __init__(self, file, big, long_size):
        self.order = "big" if big else "little"
        self.big, self.long = big, long_size
        self.formats = {}
        for text in file.ftrace + [t for _, texts in file.systems for t in texts]:
            self.formats[int(re.search(rb"\nID: (\d+)", text).group(1))] = self.fields(text)

    def put(self, value, size):
        return value.to_bytes(size, self.order)

    @staticmethod
    def fields(text):
        """Offset, how many bytes, and bytes of each number."""
        found = []
        for decl, offset, size in re.findall(
                rb"\tfield:([^;]*);\toffset:(\d+);\tsize:(\d+);", text):
            offset, size = int(offset), int(size)
            array = re.search(rb"\[(\d*)\]", decl)
            if b"__data_loc" in decl or b"__rel_loc" in decl:
                found.append((offset, 4, 4))
            elif b"char" in decl and (array or size > 8):
                continue
            elif not array:
                found.append((offset, size, size if size in (2, 4, 8) else 1))
            elif b"long" in decl:
                found.append((offset, size, 8))
            elif size:
                n = int(array.group(1) or 1)
                found.append((offset, size, size // n if size // n in (2, 4, 8) else 1))
        return found

    def event(self, data):
        if not self.big:
            return data
        data = bytearray(data)
        kind = int.from_bytes(data[:2], "little")
        for offset, size, unit in self.formats[kind]:
            end = offset + size if size else len(data)
            for at in range(offset, min(end, len(data)) - unit + 1, unit):
                data[at:at + unit] = data[at:at + unit][::-1]
        return bytes(data)

    def word(self, kind, delta):
        return self.put(kind << 27 | delta if self.big else delta << 5 | kind, 4)

    def page(self, page):
        time, commit = struct.unpack_from("<QQ", page)
        size = commit & 0x3fffffff
        at, end, out = 16, 16 + size, b""
        while at < end:
            head = struct.unpack_from("<I", page, at)[0]
            kind, delta = head & 31, head >> 5
            out += self.word(kind, delta)
            at += 4
            if kind == 29 and not delta:
                out += page[at:end]
                break
            if 0 < kind < 29:
                out += self.event(page[at:at + kind * 4])
                at += kind * 4
                continue
            second = struct.unpack_from("<I", page, at)[0]
            out += self.put(second, 4)
            at += 4
            if kind == 0:
                out += self.event(page[at:at + second - 4])
                at += second - 4
            elif kind == 29:
                out += page[at:at + second - 4]
                at += second - 4
        flags = commit & 0xc0000000
        if flags == 0xc0000000:
            lost = struct.unpack_from("<Q", page, end)[0]
            out += self.put(lost, self.long)
        head = self.put(time, 8) + self.put(size | flags, self.long)
        return (head + out).ljust(PAGE, b"\0")[:PAGE]

    def pages(self, data):
        return b"".join(self.page(data[at:at + PAGE]) for at in range(0, len(data), PAGE))


def version_6(file, turn, first=0):
    """The bytes up to the pages, and the pages with their offsets."""
    put = turn.put
    header_page = file.header_page
    if turn.long == 4:
        header_page = header_page.replace(b"local_t commit;\toffset:8;\tsize:8",
                                          b"local_t commit;\toffset:8;\tsize:4")
        header_page = header_page.replace(b"offset:16;\tsize:4080", b"offset:12;\tsize:4084")

    def sized(data, n):
        return put(len(data), n) + data

    def texts(list_):
        return put(len(list_), 4) + b"".join(sized(t, 8) for t in list_)

    out = b"\x17\x08\x44tracing6\0" + bytes([turn.big, turn.long]) + put(PAGE, 4)
    out += b"header_page\0" + sized(header_page, 8)
    out += b"header_event\0" + sized(file.header_event, 8)
    out += texts(file.ftrace) + put(len(file.systems), 4)
    for name, list_ in file.systems:
        out += name + b"\0" + texts(list_)
    out += sized(file.kallsyms, 4) + sized(file.printk, 4) + sized(file.cmdlines, 8)
    out += put(file.cpus, 4) + b"options  \0"
    for option, data in file.options:
        if option == 8 and len(data) == 4:
            data = put(int.from_bytes(data, "little"), 4)
        out += put(option, 2) + sized(data, 4)
    # places of the instances' tables are entered when they are known
    holes = []
    for name, _ in file.buffers[1:]:
        out += put(3, 2) + put(len(name) + 9, 4)
        holes.append(len(out))
        out += bytes(8) + name + b"\0"
    out += put(0, 2)
    table = 10 + 16 * file.cpus
    out = bytearray(out)
    parts, at = [], len(out) + table
    for i, (_, cpus) in enumerate(file.buffers):
        at = max(-(-at // PAGE) * PAGE, first)
        if i:
            out[holes[i - 1]:holes[i - 1] + 8] = put(at, 8)
        words, where = b"flyrecord\0", at + (PAGE if i else 0)
        for data in cpus:
            words += put(where if data else 0, 8) + put(len(data), 8)
            if data:
                parts.append((where, turn.pages(data)))
            where += -(-len(data) // PAGE) * PAGE
        if i:
            parts.append((at, words))
        else:
            out += words
        at = where
    return bytes(out), parts


class Again:
    """Pages as they are, again and again."""

    def __init__(self, file, size):
        self.order, self.big, self.long = "little", False, 8
        cpus = file.buffers[0][1]
        file.buffers = file.buffers[:1]
        first = [struct.unpack_from("<Q", data)[0] for data in cpus if data]
        last = [struct.unpack_from("<Q", data, len(data) - PAGE)[0] for data in cpus if data]
        # behind the last event there is some time
        self.step = (max(last) - min(first)) * 5 // 4
        self.times = max(size // sum(len(data) for data in cpus), 1)
        file.buffers = [(b"", [self.again(data) for data in cpus])]

    def again(self, data):
        out = bytearray(data * self.times)
        for at in range(0, len(out), PAGE):
            time = struct.unpack_from("<Q", out, at)[0] + at // len(data) * self.step
            struct.pack_into("<Q", out, at, time)
        return bytes(out)

    @staticmethod
    def put(value, size):
        return value.to_bytes(size, "little")

    @staticmethod
    def pages(data):
        return data


def version_7(file):
    """Little-endian as it was, with zlib."""
    out = bytearray(b"\x17\x08\x44tracing7\0\0\x08" + struct.pack("<I", PAGE))
    out += b"zlib\0" + zlib.ZLIB_VERSION.encode() + b"\0"
    first = len(out)
    out += bytes(8)
    options = b""

    def section(kind, data, packed=True):
        at = len(out)
        if packed:
            small = zlib.compress(data)
            data = struct.pack("<II", len(small), len(data)) + small
        out.extend(struct.pack("<HHIQ", kind, packed, 0, len(data)) + data)
        return at

    def sized(data, n):
        return len(data).to_bytes(n, "little") + data

    def texts(list_):
        return struct.pack("<I", len(list_)) + b"".join(sized(t, 8) for t in list_)

    section(15, b"made\0", packed=False)
    systems = struct.pack("<I", len(file.systems))
    for name, list_ in file.systems:
        systems += name + b"\0" + texts(list_)
    for kind, data in (
            (16, b"header_page\0" + sized(file.header_page, 8) + b"header_event\0" +
             sized(file.header_event, 8)),
            (17, texts(file.ftrace)), (18, systems), (19, sized(file.kallsyms, 4)),
            (20, sized(file.printk, 4)), (21, sized(file.cmdlines, 8))):
        options += struct.pack("<HIQ", kind, 8, section(kind, data))
    for option, data in file.options:
        options += struct.pack("<HI", option, len(data)) + data
    for name, cpus in file.buffers:
        at, places, data = len(out), b"", b""
        count = 0
        for cpu, pages in enumerate(cpus):
            if not pages:
                continue
            # four pages a chunk: other than stock trace-cmd has them
            chunks = [pages[i:i + 4 * PAGE] for i in range(0, len(pages), 4 * PAGE)]
            start, body = at + 16 + len(data), b""
            for chunk in chunks:
                small = zlib.compress(chunk)
                body += struct.pack("<II", len(small), len(chunk)) + small
            data += struct.pack("<I", len(chunks)) + body
            places += struct.pack("<IQQ", cpu, start, len(body))
            count += 1
        out.extend(struct.pack("<HHIQ", 3, 1, 0, len(data)) + data)
        option = struct.pack("<Q", at) + name + b"\0mono\0" + struct.pack("<II", PAGE, count)
        option += places
        options += struct.pack("<HI", 3, len(option)) + option
    options += struct.pack("<HIQ", 0, 8, 0)
    struct.pack_into("<Q", out, first, section(0, options, packed=False))
    return bytes(out)


def main():
    source, target, kind, *options = sys.argv[1:]
    with open(source, "rb") as f:
        file = File(f.read())
    for option in options:
        number, _, data = option.partition(":")
        file.options.append((int(number), bytes.fromhex(data)))
    if kind == "zlib":
        start, parts = version_7(file), []
    else:
        if kind.startswith("long:"):
            turn = Again(file, int(kind[5:]) << 20)
        else:
            turn = Turn(file, kind.startswith("big"), 4 if kind.endswith("4") else 8)
        start, parts = version_6(file, turn, 5 << 30 if kind == "far" else 0)
    with open(target, "wb") as f:
        f.write(start)
        for at, data in parts:
            f.seek(at)
            f.write(data)


main()
