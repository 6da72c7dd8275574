#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""helper_talk.py BIG_ENDIAN LONG_SIZE COMMAND...: a conversation with a helper.  TAP.

COMMAND serves the current directory, made to look like tracefs, over stdio.  The
protocol is written here once more, from its description, so that a mistake of the
program is not made on both sides.
"""
import os
import select
import signal
import struct
import subprocess
import sys
import threading
import time
import zlib

(INFO, PING, READ, OPEN, REREAD, CLOSE, WRITE, LIST, MKDIR, RMDIR, EXISTS, CLOCK, NOTE,
 CANCEL, UNDO, CLEAN, TASKS, PAGES) = range(1, 19)
MORE, DONE = 128, 129
ENOENT, ENOTDIR, EINVAL, ELOOP = -2, -20, -22, -40
count = failed = 0


def check(what, got, expected):
    global count, failed
    count += 1
    if got == expected:
        print(f"ok {count} - {what}")
        return
    failed += 1
    print(f"not ok {count} - {what}\n# got: {got!r}\n# expected: {expected!r}")


def text(words):
    data = words.encode()
    return struct.pack("<H", len(data)) + data


class Helper:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.tag = 0
        self.process.stdin.write(b"#trace-cmd-hist 2 1\nignored\n")
        self.process.stdin.flush()
        self.hello = self.process.stdout.readline()

    def ask(self, verb, payload=b""):
        """The status, what follows it, and the data before it."""
        self.tag += 1
        self.process.stdin.write(struct.pack("<IHB", 3 + len(payload), self.tag, verb) + payload)
        self.process.stdin.flush()
        data = b""
        while True:
            header = self.process.stdout.read(7)
            if len(header) < 7:
                return "closed", header, self.process.stderr.read()
            size, tag, kind = struct.unpack("<IHB", header)
            if tag != self.tag or kind not in (MORE, DONE):
                return "odd", header, data
            payload = self.process.stdout.read(size - 3)
            if kind == DONE:
                return struct.unpack("<i", payload[:4])[0], payload[4:], data
            data += payload

    def status(self, verb, payload=b""):
        return self.ask(verb, payload)[0]

    def end(self):
        self.process.stdin.close()
        return self.process.wait(), self.process.stderr.read().decode()


def pieces(data):
    start, blanks, found = 0, 0, []
    for i, c in enumerate(data):
        ends = c == 10 or i + 1 - start == 4096
        if c == 32 and i > start and data[i - 1] == 125:
            ends = True
        elif c == 32:
            blanks += 1
            ends = ends or blanks == 2 and data[start:i + 1].endswith(b":  ")
        if ends:
            found.append(data[start:i + 1])
            start, blanks = i + 1, 0
    return found + ([data[start:]] if start < len(data) else [])


def apply(before, ops):
    """What helper/wire/text_delta.h says."""
    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = ops[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    at = behind = 0
    old, now = pieces(before), b""
    while at < len(ops):
        value = varint()
        if value & 1:
            now += ops[at:at + value // 2]
            at += value // 2
        else:
            distance = varint()
            start = behind + (distance >> 1 ^ -(distance & 1))
            behind = start + value // 2
            now += b"".join(old[start:behind])
    return now


def hist(rows, bump):
    return b"# trigger info: hist:keys=x\n\n" + b"".join(
        b"{ x: %10d } hitcount: %10d\n" % (i, 1 + (i == bump)) for i in range(rows))


def put(path, data):
    with open(path, "wb") as f:
        f.write(data)


def get(path):
    with open(path, "rb") as f:
        return f.read()


def talk(command, big_endian, long_size):
    h = Helper(command)
    check("the target helper sends its first line",
          h.hello.split()[:3], [b"trace-cmd-hist:helper", b"2", b"1"])
    status, info, _ = h.ask(INFO)
    cpus, page = struct.unpack("<II", info[:8])
    check("the target helper reports its machine",
          (status, cpus > 0, page >= 4096, info[8], info[9]),
          (0, True, True, long_size, big_endian))
    check("a ping is answered", h.status(PING), 0)
    check("READ returns the text of a file",
          h.ask(READ, text("trace_clock"))[::2], (0, b"[local] global\n"))
    check("LIST returns the names of a directory",
          sorted(h.ask(LIST, text("events"))[2].split(b"\0")[:-1]),
          sorted(os.fsencode(n) for n in os.listdir("events")))
    check("EXISTS distinguishes existing and missing paths",
          [h.status(EXISTS, text(p)) for p in ("events", "none", "events/x/none")],
          [1, 0, 0])
    for path in ("", "..", "../x", "/etc/passwd", "events/../../x", "events/.."):
        for verb in READ, OPEN, LIST, MKDIR, RMDIR:
            check(f"verb {verb} refuses the path '{path}'", h.status(verb, text(path)), EINVAL)
    check("a link is not followed, and ELOOP has the number of the wire",
          h.status(READ, text("link")),
          ELOOP)
    check("a link on the way of a path is not followed",
          h.status(READ, text("link/passwd")) in (ELOOP, ENOTDIR), True)
    check("MKDIR makes an instance",
          (h.status(MKDIR, text("instances/made")), os.path.isdir("instances/made")),
          (0, True))
    check("RMDIR removes an instance",
          (h.status(RMDIR, text("instances/made")), os.path.isdir("instances/made")),
          (0, False))
    check("RMDIR of a missing instance returns ENOENT",
          h.status(RMDIR, text("instances/made")), ENOENT)

    put("snapshot_raw", bytes(range(256)) * 16 * (page // 4096))
    check("PAGES returns the pages of a ring buffer",
          h.ask(PAGES, b"\0\0\0\0" + text("snapshot_raw"))[::2], (0, get("snapshot_raw")))
    check("PAGES refuses another file", h.status(PAGES, b"\0\0\0\0" + text("trace_clock")), EINVAL)

    put("events/x/hist", b"")
    handle = h.ask(OPEN, text("events/x/hist"))[1]
    before, sizes = b"", []
    for number, (rows, bump) in enumerate(((3000, -1), (3000, 1700), (10, -1), (3000, 2))):
        put("events/x/hist", hist(rows, bump))
        status, rest, ops = h.ask(REREAD, handle + b"\0" + text("mono"))
        crc, length, _, clock, now, wall = struct.unpack("<IQQiQQ", rest)
        before = apply(before, ops)
        sizes.append(len(ops))
        check(f"text {number}: the delta gives the text of the file",
              (status, before == hist(rows, bump)), (0, True))
        check(f"text {number}: the checksum and the length are right",
              (crc, length), (zlib.crc32(before), len(before)))
        check(f"text {number}: the clock is that of this machine",
              (clock, abs(now - read_clock("mono")) < 60e9,
              abs(wall - read_clock("wall")) < 60e9), (0, True, True))
    check("one changed row of 3000 is sent in fewer than 100 bytes",
          sizes[1] < 100 < 50000 < sizes[0], True)
    check("CLOSE refuses a handle that is closed",
          (h.status(CLOSE, handle), h.status(CLOSE, handle)), (0, -9))
    check("CLOCK refuses an unknown clock", h.status(CLOCK, text("nosuch")), -95)
    streams(h)
    check("the target helper ends with status 0 without an error", h.end(), (0, ""))


def largest(process):
    """How large it was at most, in bytes."""
    with open(os.open(f"{process.pid}/status", os.O_RDONLY, dir_fd=9)) as f:
        return next(int(line.split()[1]) << 10 for line in f if line.startswith("VmHWM"))


def streams(h):
    """What has no end does not fill the memory of the helper, and neither does a large file."""
    os.mkfifo("trace_pipe")
    pipe = os.open("trace_pipe", os.O_RDWR | os.O_NONBLOCK)
    over = threading.Event()

    def fill():
        while not over.is_set():
            select.select([], [pipe], [], 0.1)
            try:
                os.write(pipe, bytes(4096))
            except BlockingIOError:
                pass

    filler = threading.Thread(target=fill)
    filler.start()
    before = largest(h.process)
    check("READ refuses a stream", h.ask(READ, text("trace_pipe")), (-29, b"", b""))
    handle = h.ask(OPEN, text("trace_pipe"))[1]
    check("REREAD refuses a stream", h.status(REREAD, handle + b"\0" + text("")), -29)
    h.status(CLOSE, handle)
    check("NOTE refuses a stream",
          h.status(NOTE, b"\1" + text("trace_pipe") + text("hist:keys=x")), -22)
    over.set()
    filler.join()
    os.close(pipe)
    large = hist(600000, 7)
    put("large", large)
    status, _, data = h.ask(READ, text("large"))
    check("READ returns the text of a large file", (status, data == large), (0, True))
    check("NOTE refuses a large file that has no triggers",
          h.status(NOTE, b"\1" + text("large") + text("x")), -22)
    grown = largest(h.process) - before
    check("the memory of the target helper does not grow with a large file",
          grown < 2 << 20 < len(large), True)
    print(f"# grown by {grown >> 10} KiB for {len(large) >> 10} KiB")


def read_clock(name):
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC if name == "mono" else time.CLOCK_REALTIME)


def undo(command, how, status, words):
    """What was changed is taken back, in whatever way it ends."""
    h = Helper(command)
    check("the undo log takes a change",
          h.status(NOTE, b"\3" + text("tracing_on") + text("1\n")), 0)
    check("the target helper makes a noted change",
          h.status(WRITE, b"\0" + text("tracing_on") + b"0"), 0)
    check("the file has the noted change", get("tracing_on"), b"0")
    if how is None:
        check("the target helper ends at the end of file", h.end()[0], status)
    elif how == "idle":
        check("the target helper ends after silence", h.process.wait(), status)
    elif how == "garbage":
        h.process.stdin.write(b"\377" * 20)
        h.process.stdin.flush()
        check("the target helper ends at garbage", h.process.wait(), status)
    else:
        h.process.send_signal(how)
        check(f"the target helper ends at {how.name}", h.process.wait(), status)
    check("the target helper prints why the connection ended",
          words in h.process.stderr.read().decode() if how else True, True)
    check("the undo log takes the change back", get("tracing_on"), b"1")


def slow(command):
    """Less than a whole request in time ends it, however many bytes come; so does a full pipe."""
    command = command + ["--idle", "1"]
    for what, data in (("request", struct.pack("<IHB", 60000, 1, WRITE)), ("handshake", None)):
        if data:
            process = Helper(command).process
        else:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                                       stdout=subprocess.DEVNULL)
        began = time.monotonic()
        try:
            while process.poll() is None and time.monotonic() - began < 20:
                process.stdin.write(data or b"x")
                process.stdin.flush()
                data = b"x"
                time.sleep(0.05)
        except BrokenPipeError:
            pass
        took = time.monotonic() - began
        process.kill()
        check(f"a {what} that arrives too slowly ends the target helper in time",
              (0.9 < took < 4, process.wait()),
              (True, 2))
    h = Helper(command)
    h.process.stdin.write(struct.pack("<IHB", 3 + len(text("large")), 1, READ) + text("large"))
    h.process.stdin.flush()
    check("an answer that nobody reads ends the target helper", h.process.wait(), 2)
    h = Helper(command[:-2])
    h.process.stdin.write(struct.pack("<IHB", 3 + len(text("large")), 1, READ) + text("large"))
    h.process.stdin.flush()
    h.process.stdout.read(100000)
    # it is on its way in an answer, which fills the pipe
    began = time.monotonic()
    h.process.send_signal(signal.SIGTERM)
    check("a signal ends the target helper while an answer waits", h.process.wait(), 2)
    check("a signal ends the waiting target helper within two seconds",
          time.monotonic() - began < 2, True)


def main():
    big_endian, long_size, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    talk(command, big_endian, long_size)
    for how, status, words in ((None, 0, ""), (signal.SIGTERM, 2, "signal"),
                               (signal.SIGHUP, 2, "signal"), (signal.SIGINT, 2, "signal"),
                               ("garbage", 2, "does not speak the protocol"),
                               ("idle", 2, "no complete request")):
        put("tracing_on", b"1\n")
        undo(command + (["--idle", "1"] if how == "idle" else []), how, status, words)
    slow(command)
    print(f"1..{count}")
    return failed != 0


sys.exit(main())
