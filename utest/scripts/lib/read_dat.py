#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
read_dat.py FILE: print all snapshots of the histograms in a trace.dat file as
`trace-cmd hist report --snapshot all --format json` does, rows in any order.

Written from trace-cmd-hist.dat(5) alone, and for the JSON from
trace-cmd-hist-report(1), to prove that these pages suffice.  It shares nothing
with the program.  Where the page names no limit, there is none here.
"""
import ctypes
import json
import re
import struct
import sys
import zlib

U64 = (1 << 64) - 1
NUM, HEX, SYM, SYM_OFFSET, EXECNAME, SYSCALL, STACK, LOG2, BUCKETS, USECS, STRING, UNKNOWN, \
    FINE_LOG2 = range(13)
WITHOUT_NUMBER = (STACK, STRING)
WITH_STRING = (SYM, SYM_OFFSET, EXECNAME, SYSCALL, STACK, STRING)
SUM, HEX_SUM, PERCENT, GRAPH, SAVED, WORST, PEAK = range(7)
OUR_ID = 0x9157
DEFINITION, FULL, DIFFERENCE, END, NAMES = 1, 2, 3, 4, 6
RESET, PAUSED, AMBIGUOUS, WALL, EVENTS_LOST, MISSES, UNKNOWN_MISSES, STOPPED, TAKEN = (1 << i for i in range(9))
COMPRESSED = 0x80000000
LOSSES = 0x10000
REFUSED_FLAGS = 0x7ffe0000
# "other": kinds above the last
LOSS_KINDS = ("other", "unmatched_starts", "unmatched_ends", "unmatched_starts", "unmatched_ends",
              "below_zero", "compat_calls", "native_calls", "missing_pages", "missing_bytes", "damaged_pages", "damaged_events",
              "no_stack", "absent_events", "short_log2", "cut_key_hits")
BODY_MAX = 256 << 20
UNITS = {"ns": ("nsec", "nsecs"), "us": ("usec", "usecs"), "ms": ("msec", "msecs"),
         "s": ("sec", "secs")}
# unit, system, events, fields
FIELD_UNITS = (
    ("ns", "sched", "sched_stat_runtime", ("runtime", "vruntime")),
    ("ns", "sched", "sched_stat_(wait|sleep|iowait|blocked)", ("delay",)),
    ("ns", "osnoise", "(nmi|irq|softirq|thread)_noise|sample_threshold", ("duration",)),
    ("ns", "ftrace", "timerlat", ("timer_latency",)),
    ("us", "ftrace", "osnoise", ("noise", "runtime", "max_sample")),
    ("us", "ftrace", "hwlat", ("duration", "outer_duration")),
)
NAMESPACES = [f"{what}_ns" for what in ("pid", "mnt", "net", "user", "uts", "ipc", "cgroup")]


class Damage(Exception):
    pass


def zstd(data, size):
    lib = ctypes.CDLL("libzstd.so.1")
    lib.ZSTD_decompress.restype = ctypes.c_size_t
    lib.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p,
                                    ctypes.c_size_t]
    out = ctypes.create_string_buffer(max(size, 1))
    if lib.ZSTD_decompress(out, size, data, len(data)) != size:
        raise Damage("zstd")
    return out.raw[:size]


def uncompress(name, data, size):
    if name == "zstd":
        return zstd(data, size)
    try:
        stream = zlib.decompressobj()
        out = stream.decompress(data) + stream.flush()
    except zlib.error as e:
        raise Damage(str(e)) from e
    if name != "zlib" or len(out) != size or not stream.eof or stream.unused_data:
        raise Damage("zlib")
    return out


class Body:
    """Takes varints, zigzags and strings out of a body."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def bytes(self, n):
        if n > len(self.data) - self.at:
            raise Damage("a body ends too early")
        self.at += n
        return self.data[self.at - n:self.at]

    def varint(self):
        v = 0
        for i in range(10):
            byte = self.bytes(1)[0]
            if i == 9 and byte > 1:
                raise Damage("a varint of more than 64 bits")
            v |= (byte & 0x7f) << 7 * i
            if byte < 0x80:
                return v
        raise Damage("a varint of more than ten bytes")

    def zigzag(self):
        v = self.varint()
        return v >> 1 if v % 2 == 0 else -(v >> 1) - 1

    def count(self):
        """How many of something that takes a byte or more each."""
        n = self.varint()
        if n > len(self.data) - self.at:
            raise Damage("more of something than the body has room for")
        return n

    def string(self):
        return self.bytes(self.varint())


class Definition:
    def __init__(self, data):
        body = Body(data)
        for name in ("event", "trigger", "engine", "clock", "instance", "uname", "host"):
            setattr(self, name, text(body.string()))
        keys = [(text(body.string()), body.varint(), body.varint(), body.varint())
                for _ in range(body.varint())]
        self.keys = [(name, kind, flags & 1, width) for name, kind, flags, width in keys]
        # {number: name} of each key whose numbers may have names
        self.names = [{} if kind in (NUM, SYSCALL) and flags & 2 else None
                      for _, kind, flags, _ in keys]
        values = [(text(body.string()), body.varint(), body.varint()) for _ in range(body.varint())]
        self.values = [(name, kind, flags & 1) for name, kind, flags in values]
        self.joined = text(body.string()).split("\n") if body.at < len(data) else []
        # of names that do not contain the unit
        self.key_units = [self.known_unit(name, flags) for name, _, flags, _ in keys]
        self.value_units = [self.known_unit(name, flags) for name, _, flags in values]
        if not 1 <= len(self.keys) <= 3 or len(self.values) > 8 or \
                any(kind > FINE_LOG2 for _, kind, _, _ in self.keys) or \
                any(kind > PEAK for _, kind, _ in self.values):
            raise Damage("a definition without sense")

    def known_unit(self, name, flags):
        """The unit of a field by the flags, or by the list in the page report, Durations."""
        if flags & 48:
            return "ns" if flags & 32 else "us"
        system, _, event = self.event.partition(":")
        for unit, systems, events, fields in FIELD_UNITS:
            if system == systems and re.fullmatch(events, event) and name in fields:
                return unit
        return None

    def take_names(self, data):
        body = Body(data)
        for _ in range(body.count()):
            key, num, name = body.varint(), body.varint(), body.string()
            if key >= len(self.keys):
                raise Damage("a name of a key that is not there")
            if self.names[key] is not None and self.keys[key][1] == SYSCALL:
                self.names[key][num] = name
            elif self.names[key] is not None:
                self.names[key].setdefault(num, name)
        if body.at != len(data):
            raise Damage("something behind the last name")

    def settled(self):
        return all(kind != UNKNOWN for _, kind, _, _ in self.keys)


def losses_json(losses):
    losses = {kind: number(n) for kind, n in losses.items() if n}
    return {"losses": losses} if losses else {}


class Histogram:
    """Follows the snapshots of one histogram."""

    def __init__(self, definition):
        self.definition = definition
        self.headers = []    # (seq, time) of all snapshots
        self.snapshots = []  # those that could be rebuilt, as JSON
        self.live = False
        self.resets = None
        self.last_seen = None
        self.was_reset = self.was_stopped = False
        self.begin()

    def begin(self):
        self.strings, self.entries, self.rows = [], [], []
        self.hits = self.kernel_entries = self.dropped = self.wall = 0

    def identity(self, cells):
        kinds = [kind for _, kind, _, _ in self.definition.keys]
        return tuple(string if kind in WITHOUT_NUMBER else number
                     for kind, (number, string) in zip(kinds, cells))

    def take_new_keys(self, body):
        lengths = [body.varint() for _ in range(body.count())]
        self.strings += [body.bytes(n) for n in lengths]
        n = body.count()
        columns = []
        for _, kind, _, _ in self.definition.keys:
            for wanted in (kind not in WITHOUT_NUMBER, kind in WITH_STRING):
                column, last = [None] * n, 0
                for i in range(n if wanted else 0):
                    last = column[i] = last + body.zigzag() & U64
                columns.append(column)
        for i in range(n):
            cells = [(columns[k][i], columns[k + 1][i]) for k in range(0, len(columns), 2)]
            if any(s is not None and s >= len(self.strings) for _, s in cells):
                raise Damage("a key with a string that is not there")
            self.entries.append(cells)
        if len(set(self.strings)) != len(self.strings) or \
                len({self.identity(c) for c in self.entries}) != len(self.entries):
            raise Damage("a string or an entry comes twice")
        return n

    def take_values(self, body, new):
        known = len(self.rows)
        changed, entry = [], 0
        for _ in range(body.count()):
            entry += body.varint()
            changed.append(entry)
        if any(e >= known for e in changed):
            raise Damage("a change of an entry that is not there")
        self.rows += [[0] * len(self.definition.values) for _ in range(new)]
        for v, (_, kind, _) in enumerate(self.definition.values):
            for e in changed + list(range(known, known + new)):
                n = body.zigzag()
                self.rows[e][v] = (self.rows[e][v] + n if kind in (SUM, HEX_SUM) else n) & U64
        if body.at != len(body.data):
            raise Damage("something behind the last value")

    def take(self, header, data):
        """One snapshot; Damage when it is lost."""
        body = Body(data)
        full = header.type == FULL
        first = body.varint()
        cleared = False
        if full:
            cleared = self.resets is not None and self.resets != first
            self.resets = first
            self.begin()
        elif not self.live or first != self.last_seq:
            raise Damage("made against a snapshot that is not there")
        read_ns, missed = body.varint(), body.varint()
        self.hits = self.hits + body.zigzag() & U64
        self.kernel_entries = self.kernel_entries + body.zigzag() & U64
        self.dropped = self.dropped + body.zigzag() & U64
        self.wall = self.wall + body.zigzag() & U64 if header.flags & WALL else 0
        events_lost = body.varint() if header.flags & EVENTS_LOST else 0
        self.misses = {}
        if header.flags & MISSES:
            self.misses = {"probe_misses": number(body.varint())}
        elif header.flags & UNKNOWN_MISSES:
            self.misses = {"probe_misses": None}
        taken = body.varint() if header.flags & TAKEN else None
        self.losses = {}
        for _ in range(body.count() if header.flags & LOSSES else 0):
            kind = body.varint()
            name = LOSS_KINDS[kind if kind < len(LOSS_KINDS) else 0]
            self.losses[name] = self.losses.get(name, 0) + body.varint() & U64
        entries = self.take_new_keys(body)
        if taken is not None:
            if taken >= len(self.strings):
                raise Damage("no such string")
            self.misses["snapshot_taken"] = text(self.strings[taken])
        self.take_values(body, entries)
        self.last_seq = header.seq
        self.was_reset |= cleared or bool(header.flags & RESET)
        self.snapshots.append(self.snapshot_json(header, read_ns, missed, events_lost))

    def snapshot(self, header, read_body):
        self.headers.append((header.seq, header.time))
        self.was_stopped |= bool(header.flags & STOPPED)
        try:
            self.take(header, read_body(header))
            self.live = True
        except Damage:
            self.live = False

    # From here on: trace-cmd-hist-report(1), JSON.

    def titles(self, names):
        seen = {}
        for name in names:
            seen[name] = seen.get(name, 0) + 1
            yield name if seen[name] == 1 else f"{name}#{seen[name]}"

    def key_titles(self):
        return list(self.titles(name for name, _, _, _ in self.definition.keys))

    def value_titles(self):
        modifier = {HEX_SUM: ".hex", PERCENT: ".percent", GRAPH: ".graph"}
        return list(self.titles(name + modifier.get(kind, "")
                                for name, kind, _ in self.definition.values if kind < WORST))

    def time(self, what, ns):
        if self.definition.clock not in ("counter", "uptime", "x86-tsc", "ppc-tb"):
            return {f"{what}_ns": number(ns)}
        return {f"{what}_ns": None, f"{what}_ticks": number(ns)}

    def key_json(self, kind, signed, width, known, cell):
        num, string = cell
        if kind == SYSCALL and known and num in known:
            return text(known[num])
        if kind in (SYM, SYM_OFFSET, SYSCALL, STRING):
            return text(self.strings[string])
        if kind == STACK:
            frames = self.strings[string].split(b"\n")
            return [text(f) for f in (frames if frames[-1] else frames[:-1])]
        if kind == EXECNAME:
            return {"comm": text(self.strings[string]), "pid": number(num, signed)}
        if kind in (LOG2, BUCKETS, FINE_LOG2):
            low, high = num, min(num + max(width, 1) - 1, U64)
            if kind != BUCKETS and signed and num == U64:
                low, high = 2 ** 63 + 1, U64
            elif kind == FINE_LOG2:
                low, high = fine_bounds(num, width)
            elif kind == LOG2:
                low, high = (0, 1) if num == 0 else (2 ** (num - 1) + 1, min(2 ** num, U64))
            signed = signed and low >> 63 == high >> 63
            return {"ge": number(low, signed), "le": number(high, signed)}
        return number(num, signed)

    def value_json(self, kind, signed, v):
        if kind == PERCENT:
            return v / 100
        if kind == SAVED:
            return text(self.strings[v]) if v < len(self.strings) else None
        return number(v, signed)

    def row_json(self, cells, values):
        d = self.definition
        row = {"key": {t: self.key_json(kind, signed, width, known, cell)
                       for t, (_, kind, signed, width), known, cell
                       in zip(self.key_titles(), d.keys, d.names, cells)},
               "value": {t: self.value_json(kind, signed, v) for t, (_, kind, signed), v
                         in zip(self.value_titles(), d.values, values) if kind < WORST}}
        ids = {t: number(cell[0], signed) if kind == SYSCALL else hex(cell[0])
               for t, (_, kind, signed, _), cell in zip(self.key_titles(), d.keys, cells)
               if kind in (SYM, SYM_OFFSET, SYSCALL)}
        names = {t: text(known[cell[0]]) for t, (_, kind, _, _), known, cell in
                 zip(self.key_titles(), d.keys, d.names, cells)
                 if kind == NUM and known and cell[0] in known}
        return {**row, **({"key_id": ids} if ids else {}), **({"key_name": names} if names else {})}

    def snapshot_json(self, header, read_ns, missed, events_lost):
        seq, before = header.seq, self.last_seen
        self.last_seen = seq
        flags = ["reset"] * self.was_reset + ["paused"] * bool(header.flags & PAUSED) + \
            ["stopped"] * self.was_stopped + ["ambiguous"] * bool(header.flags & AMBIGUOUS)
        wall = {"wall_ns": number(self.wall)} if self.wall else {}
        lost = {"events_lost": number(events_lost)} if events_lost else {}
        rows = [self.row_json(c, v) for c, v in zip(self.entries, self.rows)]
        # the kernel keeps 16 frames
        full = sum(isinstance(k, list) and len(k) >= 16 for r in rows for k in r["key"].values())
        return {"seq": seq, **self.time("time", header.time), **wall, "read_ns": number(read_ns),
                "hits": number(self.hits), "entries": number(self.kernel_entries),
                "dropped": number(self.dropped), "missed": number(missed), **lost, **self.misses,
                "lost": seq if before is None else seq - before - 1,
                **({"full_stacks": full} if full else {}), **losses_json(self.losses), "flags": flags,
                "total_rows": len(self.rows), "rows": rows}

    def json(self, name):
        modifiers = {HEX: "hex", SYM: "sym", SYM_OFFSET: "sym-offset", EXECNAME: "execname",
                     SYSCALL: "syscall", STACK: "stacktrace", LOG2: "log2", BUCKETS: "buckets",
                     USECS: "usecs", FINE_LOG2: "log2"}
        d, h = self.definition, self.headers
        return {"event": d.event, "name": name, "trigger": d.trigger,
                **({"joined": d.joined} if d.joined else {}), "engine": d.engine, "clock": d.clock, "instance": d.instance,
                "target": {"uname": d.uname, "host": d.host},
                "keys": [{"name": t, "modifier": modifiers.get(kind, ""),
                          **({"bucket": number(width)} if kind == BUCKETS else {}),
                          **({"k": width} if kind == FINE_LOG2 else {}),
                          **({"unit": unit(name, kind, u)} if unit(name, kind, u) else {})}
                         for t, (name, kind, _, width), u in
                         zip(self.key_titles(), d.keys, d.key_units)],
                "values": self.value_titles(),
                "recorded": {"snapshots": len(h), "first_seq": h[0][0], "last_seq": h[-1][0],
                             **self.time("first_time", h[0][1]), **self.time("last_time", h[-1][1])},
                "snapshots": self.snapshots}


def fine_bounds(num, k):
    """The bucket @num of .log2=@k, found by counting the buckets of each power of two."""
    power = 0
    if num < 2:
        return num, num
    num -= 2
    # each round is the numbers above 2^power up to twice that
    while num >= min(2 ** k, 2 ** power):
        num -= min(2 ** k, 2 ** power)
        power += 1
    width = max(2 ** power >> k, 1)
    low = 2 ** power + num * width + 1
    return low, min(low + width - 1, U64)


def unit(name, kind, known=None):
    """What the numbers of a key are durations in, or None: PERCENTILES in the page."""
    if kind == USECS:
        return "us"
    if kind not in (NUM, LOG2, BUCKETS, FINE_LOG2):
        return None
    if known or name in NAMESPACES:
        return known
    word = name.rpartition("_")[2]
    if word in ("ns", "us", "ms"):
        return word if "_" in name else None
    for short, words in UNITS.items():
        if word in words:
            return short
    return None


def text(data):
    return data.decode(errors="replace")


def number(n, signed=False):
    if signed and n >> 63:
        n -= 1 << 64
    return n if abs(n) <= 1 << 53 else str(n)


class Header:
    """The 40 bytes."""

    def __init__(self, data, order):
        if len(data) < 40:
            raise Damage("too short")
        (magic, self.version, self.type, self.number, self.seq, self.flags, self.time, self.raw,
         self.stored, self.body_crc, crc) = struct.unpack(order + "IBBHIIQIIII", data[:40])
        if magic != 0x43455248 or crc != zlib.crc32(data[:36]):
            raise Damage("magic or checksum")
        if max(self.raw, self.stored) > BODY_MAX or \
                (not self.flags & COMPRESSED and self.raw != self.stored):
            raise Damage("sizes")


class File:
    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = f.read()
        data = self.data
        if data[:10] != b"\x17\x08Dtracing":
            sys.exit("read_dat.py: not a trace.dat file")
        version, at = self.name(10)
        if version != "7":
            sys.exit("read_dat.py: not version 7")
        self.order = ">" if data[at] else "<"
        self.compression, at = self.name(at + 6)
        _, at = self.name(at)
        self.options_at = self.unpack("Q", at)[0]
        self.sections_at = at + 8

    def name(self, at):
        end = self.data.index(b"\0", at)
        return self.data[at:end].decode(), end + 1

    def unpack(self, what, at):
        try:
            return struct.unpack_from(self.order + what, self.data, at)
        except struct.error as e:
            raise Damage("the file ends") from e

    def section(self, at):
        """id, flags, begin and size of the data."""
        number, flags, _, size = self.unpack("HHIQ", at)
        if size > len(self.data) - at - 16:
            raise Damage("a section runs over the end of the file")
        return number, flags, at + 16, size

    def options(self):
        """(id, data, home, end of home) of all options."""
        at = self.options_at
        while at:
            home = at
            number, flags, begin, size = self.section(at)
            if number != 0:
                raise Damage("no options where they should be")
            end = begin + size
            data = self.data[begin:end]
            if flags & 1:
                stored, raw = struct.unpack_from(self.order + "II", data)
                data = uncompress(self.compression, data[8:8 + stored], raw)
            at = 0
            while True:
                number, size = struct.unpack_from(self.order + "HI", data, at)
                at += 6
                if number == 0:
                    break
                yield number, data[at:at + size], home, end
                at += size
            at = struct.unpack_from(self.order + "Q", data, at)[0]

    def first(self):
        found = None
        for number, data, home, end in self.options():
            if number == OUR_ID:
                found = data, home, end
        if not found:
            sys.exit("read_dat.py: no histograms")
        data, home, end = found
        magic, version, _, at, crc = struct.unpack_from(self.order + "IHHQI", data)
        if len(data) != 24 or magic != 0x54534948 or version != 1 or crc != zlib.crc32(data[:16]):
            sys.exit("read_dat.py: the option is damaged or of a later version")
        if at != end and not (self.sections_at <= at < home and self.section(at)[0] == OUR_ID):
            sys.exit("read_dat.py: the option is stale")
        return at

    def search(self, at):
        """The next place behind @at where a section of ours begins, or the end."""
        magic = struct.pack(self.order + "I", 0x43455248)
        found = self.data.find(magic, at + 17)
        while found >= 0:
            try:
                Header(self.data[found:found + 40], self.order)
                return found - 16
            except Damage:
                found = self.data.find(magic, found + 1)
        return len(self.data)

    def records(self):
        """(header, offset of the body)"""
        at = self.first()
        while at < len(self.data):
            try:
                header = Header(self.data[at + 16:at + 56], self.order)
                body = at + 56
                at = body + header.stored
                if at > len(self.data):
                    return
                yield header, body
                continue
            except Damage:
                pass
            try:
                number, _, begin, size = self.section(at)
                if number != OUR_ID:
                    at = begin + size
                    continue
            except Damage:
                pass
            at = self.search(at)

    def body(self, header, at):
        stored = self.data[at:at + header.stored]
        if zlib.crc32(stored) != header.body_crc:
            raise Damage("checksum of a body")
        if not header.flags & COMPRESSED:
            return stored
        if header.raw > 1 << 20 and header.raw // 2048 > header.stored:
            raise Damage("compressed too well")
        return uncompress(self.compression, stored, header.raw)


def read(path):
    """The JSON of a file; SystemExit with a sentence where nothing can be read."""
    try:
        return read_file(File(path))
    except (Damage, struct.error, IndexError, ValueError) as e:
        # only what stands before ours gets here
        sys.exit(f"read_dat.py: the file is damaged before its histograms: {e}")


def read_file(file):
    definitions, records, ended = {}, [], False
    # Definitions first: one that is not settled is replaced by a later one.
    for header, at in file.records():
        if header.version != 1 or header.flags & REFUSED_FLAGS:
            continue
        if header.type == DEFINITION:
            try:
                new = Definition(file.body(header, at))
            except Damage:
                continue
            old = definitions.get(header.number)
            if not old or (not old.settled() and len(old.keys) == len(new.keys) and
                           len(old.values) == len(new.values)):
                definitions[header.number] = new
        elif header.type == NAMES and header.number in definitions:
            try:
                definitions[header.number].take_names(file.body(header, at))
            except Damage:
                continue
        elif header.type in (FULL, DIFFERENCE) and header.number in definitions:
            records.append((header, at))
        elif header.type == END:
            ended = True
    histograms = {number: Histogram(d) for number, d in sorted(definitions.items())}
    for header, at in records:
        histograms[header.number].snapshot(header, lambda h, at=at: file.body(h, at))

    found = [h for h in histograms.values() if h.headers]
    if not found:
        sys.exit("read_dat.py: no snapshot")
    events = [h.definition.event for h in found]
    names = [e if events.count(e) == 1 else f"{e}#{events[:i].count(e)}"
             for i, e in enumerate(events)]
    return {"schema": "trace-cmd-hist/1",
            "histograms": [h.json(name) for h, name in zip(found, names)],
            "damage": {"unfinished": not ended}}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: read_dat.py FILE")
    json.dump(read(sys.argv[1]), sys.stdout, indent=1)
    print()
