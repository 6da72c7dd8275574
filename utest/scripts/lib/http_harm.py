#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
http_harm.py ADDRESS:PORT N: clients that a server must survive, until it is killed.

N that say nothing, one that reads a byte a second, and one with each of several kinds of garbage.
Prints "ready" when all have connected.
"""
import resource
import socket
import sys
import time

host, port = sys.argv[1].split(":")
n = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_NOFILE, (n + 64, max(n + 64, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))


def connect():
    return socket.create_connection((host, int(port)), timeout=30)


slow = connect()
slow.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
kept = []
for garbage in (b"\0" * 4096, b"GET", b"GET /metrics HTTP/9.9\r\n\r\n", b"\r\n" * 1000, b"A" * 100000,
                b"POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\nabc",
                b"GET /metrics HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 10000):
    client = connect()
    try:
        client.sendall(garbage)
    except OSError:
        pass
    kept.append(client)
for _ in range(n):
    kept.append(connect())
print("ready", flush=True)
while True:
    slow.recv(1)
    time.sleep(1)
