#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Options of a trace.dat that say something of its times, for events_make.py.

    times_make.py little|big FIRST LAST NAME...

Each NAME is one: date, offset, tsc, id, guest, or a time shift of 4 CPUs, whose samples
lie around FIRST to LAST: one, two, many, lines (many, with lines between them), old (many,
as trace-cmd 2.9 has them, without fractions), few (of one CPU only), cut, far.
"""
import random
import sys

ORDER, FIRST, LAST = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
TRACE, HOST = 0x1122334455667788, 0x99aabbccddeeff01


def put(value, size):
    return (value % (1 << 8 * size)).to_bytes(size, ORDER)


def shift(cpus, n, lines=False, fractions=True, fraction=20):
    rand = random.Random(n)
    samples = []
    for _ in range(cpus):
        # some before and behind all events, one time twice, in no order
        span = LAST - FIRST
        times = [FIRST - span // 3 + rand.randrange(span * 5 // 3) for _ in range(n)]
        if n > 2:
            times[-1] = times[0]
        samples.append([(t, rand.randrange(-10**6, 10**6), rand.randrange(9 << 17, 8 << 18), fraction)
                        for t in times])
    out = put(HOST, 8) + put(lines, 4) + put(cpus, 4)
    for cpu in samples:
        out += put(n, 4) + b"".join(put(s[i], 8) for i in range(3) for s in cpu)
    if fractions:
        out += b"".join(put(s[3], 8) for cpu in samples for s in cpu)
    return 12, out


MAKERS = {
    "date": lambda: (1, hex(1763805600123456).encode() + b"\0"),
    "offset": lambda: (7, b"-987654321\0"),
    # 2.1 GHz
    "tsc": lambda: (14, put(1022613942, 4) + put(31, 4) + put(77, 8)),
    "id": lambda: (11, put(TRACE, 8)),
    "guest": lambda: (13, b"deb\x1bian\0" + put(TRACE, 8) + put(2, 4) +
                      b"".join(put(cpu, 4) + put(900 + cpu, 4) for cpu in range(2))),
    "one": lambda: shift(4, 1),
    "two": lambda: shift(4, 2),
    "many": lambda: shift(4, 9),
    "lines": lambda: shift(4, 9, lines=True),
    "old": lambda: shift(4, 9, fractions=False),
    "few": lambda: shift(1, 5, lines=True),
    "none": lambda: shift(4, 0),
    "cut": lambda: (12, shift(4, 9)[1][:-60]),
    "far": lambda: shift(4, 3, fraction=64),
    "bad": lambda: (14, put(1 << 31, 4) + put(31, 4) + put(0, 8)),
}

for name in sys.argv[4:]:
    number, data = MAKERS[name]()
    print("%d:%s" % (number, data.hex()))
