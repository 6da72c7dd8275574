#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""hostile_peer.py VERB COUNT MODE FIFO: a target that serves well, and then does not.

It speaks the protocol of trace-cmd-hist-protocol(7) on stdin and stdout and has enough of a
tracefs for record, top and list.  At request number COUNT of VERB (a name; HELLO: the
handshake) it writes a line to FIFO and misbehaves until it is killed:

  silence  nothing comes
  empty    MORE frames without data, as fast as they are taken
  drip     MORE frames with one byte of data each
  bytes    a frame of 64 KiB, a byte now and then
  flood    MORE frames of 16 KiB, as fast as they are taken
  error    a WRITE of a trigger fails, and error_log has what the variable ERROR_LOG says
The variable TARGET_NAME has more of its name.  It ignores SIGTERM and the end of its input, so that only SIGKILL ends it.
"""
import os
import signal
import struct
import sys
import time
import zlib

VERBS = ("INFO PING READ OPEN REREAD CLOSE WRITE LIST MKDIR RMDIR EXISTS CLOCK NOTE CANCEL "
         "UNDO CLEAN").split()
MORE, DONE = 128, 129
EVENT = "kmem/kmalloc"
FORMAT = b"""name: kmalloc
ID: 100
format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

\tfield:size_t bytes_req;\toffset:8;\tsize:8;\tsigned:0;
\tfield:size_t bytes_alloc;\toffset:16;\tsize:8;\tsigned:0;

print fmt: "%zu", REC->bytes_req
"""
HIST = b"""# event histogram
#
# trigger info: hist:keys=bytes_req:vals=hitcount:sort=hitcount:size=2048 [active]
#

{ bytes_req:         64 } hitcount:          3
{ bytes_req:        128 } hitcount:          5

Totals:
    Hits: 8
    Entries: 2
    Dropped: 0
"""
PAGE = b"""\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;
\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;
\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;
\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;
"""
FILES = {
    "trace_clock": b"[local] global mono\n",
    "README": b"hist:keys=<field1[,field2,...]>[:values=<field1[,field2,...]>]\n",
    "events/header_page": PAGE,
    "events/header_event": b"# compressed entry header\n",
    "set_event_pid": b"",
    "error_log": b"",
    "synthetic_events": b"",
    "kprobe_events": b"",
    "uprobe_events": b"",
    "dynamic_events": b"",
    "saved_cmdlines": b"1 init\n",
    "buffer_size_kb": b"7\n",
    "tracing_on": b"1\n",
    f"events/{EVENT}/format": FORMAT,
    f"events/{EVENT}/id": b"100\n",
    f"events/{EVENT}/enable": b"0\n",
    f"events/{EVENT}/filter": b"none\n",
    f"events/{EVENT}/trigger": b"# Available triggers:\n# hist\n",
    f"events/{EVENT}/hist": HIST,
}
NAME = os.environb.get(b"TARGET_NAME", b"")
made = set()


def inside(path):
    """The path without its instance, or None when there is no such instance."""
    parts = path.split("/")
    if parts[0] != "instances" or len(parts) < 2:
        return path
    if parts[1] not in made:
        return None
    return "/".join(parts[2:])


def exists(path):
    if path == "instances":
        return True
    path = inside(path)
    return path is not None and (path == "" or path in FILES or
                                 any(name.startswith(path + "/") for name in FILES))


def names(path):
    if path == "instances":
        return sorted(made)
    path = inside(path)
    if path is None:
        return None
    start = path + "/" if path else ""
    return sorted({name[len(start):].split("/")[0] for name in FILES if name.startswith(start)})


def text(payload):
    size = struct.unpack("<H", payload[:2])[0]
    return payload[2:2 + size].decode(), payload[2 + size:]


def pack(words):
    return struct.pack("<H", len(words)) + words


def send(tag, kind, payload=b""):
    out.write(struct.pack("<IHB", 3 + len(payload), tag, kind) + payload)
    out.flush()


def done(tag, status, more=b""):
    send(tag, DONE, struct.pack("<i", status) + more)


def read_exactly(size):
    data = sys.stdin.buffer.read(size)
    if len(data) < size:
        while True:
            signal.pause()
    return data


def misbehave(tag, mode):
    with open(sys.argv[4], "w") as fifo:
        fifo.write("stuck\n")
    while mode in ("empty", "flood"):
        send(tag, MORE, b"" if mode == "empty" else bytes(16384))
    while mode == "drip":
        send(tag, MORE, b"x")
        time.sleep(0.02)
    if mode == "bytes":
        out.write(struct.pack("<IHB", 65536, tag, MORE))
    while mode == "bytes":
        out.write(b"x")
        out.flush()
        time.sleep(0.05)
    while True:
        signal.pause()


def answer(verb, tag, payload):
    now = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    if verb == "INFO":
        done(tag, 0, struct.pack("<IIBBB", 1, 4096, 8, 0, 0) +
             pack(b"Linux fake 6.12.0 x86_64 " + NAME) + pack(NAME or b"fake"))
    elif verb in ("READ", "OPEN", "LIST", "MKDIR", "RMDIR", "EXISTS"):
        path = text(payload)[0]
        found = inside(path)
        if verb == "EXISTS":
            done(tag, int(exists(path)))
        elif verb == "MKDIR":
            made.add(path.split("/")[1])
            done(tag, 0)
        elif verb == "RMDIR":
            made.discard(path.split("/")[1])
            done(tag, 0)
        elif verb == "LIST":
            found = names(path)
            if found:
                send(tag, MORE, b"".join(name.encode() + b"\0" for name in found))
            done(tag, -2 if found is None else 0)
        elif found not in FILES:
            done(tag, -2)
        elif verb == "OPEN":
            done(tag, 0, struct.pack("<I", 0))
        else:
            if FILES[found]:
                send(tag, MORE, FILES[found])
            done(tag, 0)
    elif verb == "REREAD":
        size = len(HIST) * 2 + 1
        send(tag, MORE, bytes([size & 127 | 128, size >> 7]) + HIST)
        done(tag, 0, struct.pack("<IQQiQQ", zlib.crc32(HIST), len(HIST), 1000, 0, now,
                                 time.time_ns()))
    elif verb == "CLOCK":
        done(tag, 0, struct.pack("<Q", now))
    elif verb in ("UNDO", "CLEAN"):
        done(tag, 0, struct.pack("<IIi", 0, 0, 0))
    else:
        done(tag, 0)


def main():
    verb, count, mode = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    if verb == "HELLO":
        misbehave(0, mode)
    sys.stdin.buffer.readline()
    sys.stdin.buffer.readline()
    out.write(b"trace-cmd-hist:helper 1 1 fake\n")
    out.flush()
    while True:
        size, tag, number = struct.unpack("<IHB", read_exactly(7))
        payload = read_exactly(size - 3)
        name = VERBS[number - 1]
        count -= name == verb
        if name == verb == "WRITE" and mode == "error" and text(payload[1:])[0].endswith("/trigger"):
            FILES["error_log"] = os.environb[b"ERROR_LOG"]
            done(tag, -22)
        elif name == verb and not count and mode != "error":
            misbehave(tag, mode)
        else:
            answer(name, tag, payload)


out = sys.stdout.buffer
try:
    main()
except BrokenPipeError:
    while True:
        signal.pause()
