#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""cost.py UNPACKED COMMAND...: "within the limits", or what went beyond

The limits are those of SECURITY.md: 256 MB of memory, and 5 s of CPU time with a time that is linear in
what the command writes and in UNPACKED, the bytes that its input becomes.  The output is counted and
dropped; standard error goes to the file "said".
"""
import os, resource, sys

read, write = os.pipe()
pid = os.fork()
if not pid:
    os.dup2(write, 1)
    os.close(read)
    os.dup2(os.open("said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
    os.execv(sys.argv[2], sys.argv[2:])
os.close(write)
written = 0
while True:
    data = os.read(read, 1 << 20)
    if not data:
        break
    written += len(data)
_, status, usage = os.wait4(pid, 0)
seconds, megabytes = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
# 10 MB in a second is slow, and so are 50 to be unpacked, more than once
allowed = 5 + written / 10e6 + int(sys.argv[1]) / 50e6
what = []
if os.WIFSIGNALED(status):
    what.append(f"ended by signal {os.WTERMSIG(status)}")
if megabytes > 256:
    what.append(f"{megabytes:.0f} MB")
if seconds > allowed:
    what.append(f"{seconds:.1f} s for {written} bytes")
print(", ".join(what) or "within the limits")
print(f"# {megabytes:.0f} MB, {seconds:.2f} s, {written} bytes, status {status >> 8}", file=sys.stderr)
