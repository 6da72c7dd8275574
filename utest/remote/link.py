#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""link.py LISTEN TARGET [MODE BYTES]: a TCP link that can be broken, for tests

LISTEN and TARGET are HOST:PORT; port 0 of LISTEN takes any.  The address that is
listened on is printed.  One connection is relayed.  After BYTES towards TARGET:

  cut    both sides are closed
  reset  both sides get a reset, and what is under way is lost
  stall  nothing moves any more, until a line comes on the standard input
"""

import selectors
import socket
import struct
import sys


def address(text):
    host, _, port = text.rpartition(":")
    return host.strip("[]"), int(port)


def listen(text):
    family, _, _, _, where = socket.getaddrinfo(*address(text), type=socket.SOCK_STREAM)[0]
    server = socket.socket(family, socket.SOCK_STREAM)
    server.bind(where)
    server.listen(1)
    host, port = server.getsockname()[:2]
    print(f"[{host}]:{port}" if ":" in host else f"{host}:{port}", flush=True)
    return server


def reset(sock):
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def relay(client, target, mode, left):
    ready = selectors.DefaultSelector()
    ready.register(client, selectors.EVENT_READ, target)
    ready.register(target, selectors.EVENT_READ, client)
    while True:
        for key, _ in ready.select():
            source, sink = key.fileobj, key.data
            size = 65536 if source is target else min(left, 65536)
            try:
                data = source.recv(size)
                sink.sendall(data)
            except OSError:
                return
            if not data:
                return
            if source is not client:
                continue
            left -= len(data)
            if left:
                continue
            if mode == "stall":
                sys.stdin.readline()
                left = sys.maxsize
                continue
            if mode == "reset":
                reset(client)
                reset(target)
            return


def main():
    if len(sys.argv) not in (3, 5):
        sys.exit(__doc__)
    mode, left = (sys.argv[3], int(sys.argv[4])) if len(sys.argv) == 5 else (None, sys.maxsize)
    server = listen(sys.argv[1])
    client, _ = server.accept()
    server.close()
    target = socket.create_connection(address(sys.argv[2]))
    relay(client, target, mode, left)
    client.close()
    target.close()


main()
