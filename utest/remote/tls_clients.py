#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""tls_clients.py HIST PORT LISTENER: clients of a listener, most of them hostile.  TAP.

HIST is the program, PORT and LISTENER the port and process id of a listener in this
directory, where the files key and other are: its key, and another one.
"""
import os
import socket
import subprocess
import sys
import threading
import time

hist, port, listener = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
HELLO = b"#trace-cmd-hist 1 1\n\n"
SEATS, HANDSHAKE_S = 8, 5
ALERT, HANDSHAKE = 21, 22
count = failed = 0


def check(what, passed, got=""):
    global count, failed
    count += 1
    if passed:
        print(f"ok {count} - {what}", flush=True)
        return
    failed += 1
    print(f"not ok {count} - {what}\n# got: {got!r}", flush=True)


class Client:
    """trace-cmd hist connect."""

    def __init__(self, key="key", where=None):
        self.p = subprocess.Popen([hist, "connect", "--key", key, f"127.0.0.1:{where or port}"],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)

    def hello(self):
        """The first line of the one who serves, or what was said instead."""
        try:
            self.p.stdin.write(HELLO)
            self.p.stdin.flush()
        except BrokenPipeError:
            pass
        line = self.p.stdout.readline()
        return line.decode() or self.p.stderr.read().decode()

    def end(self):
        out, err = self.p.communicate(timeout=60)
        return self.p.returncode, out, err.decode()


def got_in(line):
    return line.startswith("trace-cmd-hist:")


def works(what):
    """Who has the key is still served."""
    client = Client()
    line = client.hello()
    status, _, err = client.end()
    check(f"a host with the key gets in {what}", got_in(line) and not err, (line, status, err))


def connect():
    s = socket.create_connection(("127.0.0.1", port))
    s.settimeout(60)
    return s


def all_of(s):
    data = b""
    try:
        while True:
            more = s.recv(65536)
            if not more:
                return data
            data += more
    except ConnectionResetError:
        return data


def records(data):
    """Types of TLS records, with the description of alerts."""
    found = []
    while len(data) >= 5:
        length = int.from_bytes(data[3:5], "big")
        body = data[5:5 + length]
        found.append((data[0], body[1] if data[0] == ALERT and len(body) == 2 else None))
        data = data[5 + length:]
    return found


def children():
    with open(f"/proc/{listener}/task/{listener}/children") as f:
        return f.read().split()


def wait_for(passed, limit=20):
    end = time.monotonic() + limit
    while not passed():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


class Proxy:
    """Between a client and the listener; keeps what the client sent, and may change it."""

    def __init__(self, change=None):
        self.change = change
        self.sent = b""
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        near, _ = self.server.accept()
        far = connect()
        back = threading.Thread(target=self.pump, args=(far, near, False), daemon=True)
        back.start()
        self.pump(near, far, True)

    def pump(self, source, to, is_client):
        try:
            while True:
                data = source.recv(65536)
                if not data:
                    break
                if is_client:
                    if self.change:
                        data = self.change(self.sent, data)
                    self.sent += data
                to.sendall(data)
            to.shutdown(socket.SHUT_WR)
        except OSError:
            to.close()


# --- keys ---

works("at first")
for who, key in (("another key", "other"), ("nearly the same key", "near")):
    if key == "near":
        text = open("key").read()
        with open(os.open("near", os.O_CREAT | os.O_WRONLY, 0o600), "w") as f:
            f.write(text[:63] + ("1" if text[63] == "0" else "0"))
    client = Client(key)
    line = client.hello()
    status, _, _ = client.end()
    check(f"a host with {who} is refused with the reason",
          status == 2 and "the keys differ" in line, (status, line))

# --- what faces the network ---


def confinement(pid):
    with open(f"/proc/{pid}/status") as f:
        found = dict(line.rstrip("\n").split(":\t", 1) for line in f)
    return found["NoNewPrivs"], found["Seccomp"]


client = Client()
client.hello()
# where there are no filters, as in user-mode emulation, the listener says so
with open("log") as log:
    filters = "2" if "not support seccomp filters" not in log.read() else "0"
found = [confinement(pid) for pid in children()]
check("exactly one process, the relay, is limited to few system calls",
      found.count(("1", filters)) == 1, found)
client.end()

# --- bytes that are no handshake, or half of one ---

proxy = Proxy()
client = Client(where=proxy.port)
line = client.hello()
client.end()
session = proxy.sent
check("a host with the key gets in through a proxy", got_in(line), line)
check("neither the first line nor the key is sent in the clear",
      HELLO[:15] not in session and open("key", "rb").read()[:32] not in session)

for again in range(2):
    s = connect()
    s.sendall(session)
    answer = all_of(s)
    kinds = records(answer)
    check(f"the replayed bytes of a good session are refused (replay {again})",
          kinds and kinds[-1] == (ALERT, 20) and b"ready" not in answer, kinds)

# Played again step by step, as the listener answers.
s = connect()
at, flights = 0, []
while at + 5 <= len(session):
    length = 5 + int.from_bytes(session[at + 3:at + 5], "big")
    flights.append(session[at:at + length])
    at += length
answer = b""
s.settimeout(0.3)
for flight in flights:
    try:
        s.sendall(flight)
        answer += s.recv(65536)
    except (TimeoutError, OSError):
        pass
s.settimeout(60)
answer += all_of(s)
check("the bytes of a good session replayed step by step are refused",
      records(answer)[-1] == (ALERT, 20), records(answer))

for cut in (1, 5, 40, len(flights[0]), len(flights[0]) + 20):
    s = connect()
    s.sendall(session[:cut])
    s.shutdown(socket.SHUT_WR)
    kinds = records(all_of(s))
    check(f"the listener hangs up on a session cut after {cut} bytes",
          all(k in (HANDSHAKE, ALERT) for k, _ in kinds), kinds)


def flip(before, data):
    """The last bit of what comes behind the handshake."""
    done = len(before) >= sum(map(len, flights[:4]))
    return data[:-1] + bytes([data[-1] ^ 1]) if done else data


proxy = Proxy(flip)
client = Client(where=proxy.port)
line = client.hello()
status, out, err = client.end()
check("one bit changed on the way lets nothing through", not got_in(line) and not out, (line, out))

for what, data in (("an empty connection", b""), ("HTTP", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
                   ("a hello without TLS", HELLO), ("zero bytes", bytes(100000)),
                   ("noise", bytes((i * 197 + 31) * (i >> 3) & 255 for i in range(100000))),
                   ("a record with too large a length", b"\x16\x03\x01\xff\xff" + bytes(70000)),
                   ("a handshake message with too large a length",
                    b"\x16\x03\x01\x00\x08\x01\xff\xff\xff\x03\x03\x00\x00"),
                   ("empty records", b"\x16\x03\x01\x00\x00" * 1000)):
    s = connect()
    try:
        s.sendall(data)
        s.shutdown(socket.SHUT_WR)
    except OSError:
        pass
    kinds = records(all_of(s))
    check(f"the listener refuses {what}", all(k == ALERT for k, _ in kinds), kinds)
works("after malformed handshakes")

# --- less than the best ---

hello = bytearray(flights[0])
SUITE = b"\xcc\xac"
check("the host offers ECDHE-PSK with ChaCha20-Poly1305", SUITE in hello)
for what, change in (
        ("TLS 1.1", lambda h: h.replace(b"\x03\x03", b"\x03\x02")),
        ("TLS 1.0", lambda h: h.replace(b"\x03\x03", b"\x03\x01")),
        ("SSL 3.0", lambda h: h.replace(b"\x03\x03", b"\x03\x00")),
        ("PSK with AES-128-GCM", lambda h: h.replace(SUITE, b"\x00\xa8")),
        ("plain PSK with ChaCha20-Poly1305", lambda h: h.replace(SUITE, b"\xcc\xab")),
        ("DHE-PSK with ChaCha20-Poly1305", lambda h: h.replace(SUITE, b"\xcc\xad")),
        ("ECDHE-PSK with AES-128-CBC", lambda h: h.replace(SUITE, b"\xc0\x37")),
        ("ECDHE-PSK without encryption", lambda h: h.replace(SUITE, b"\xc0\x3a")),
        ("ECDHE-RSA", lambda h: h.replace(SUITE, b"\xcc\xa8"))):
    changed = bytes(change(bytes(hello)))
    s = connect()
    s.sendall(changed)
    kinds = records(all_of(s))
    check(f"{what} is refused", changed != hello and [k for k, _ in kinds] == [ALERT], kinds)

psk = open("key").read().strip()


def openssl(*options, key=psk):
    """What it prints, up to the listener's first line or its own end."""
    with subprocess.Popen(["openssl", "s_client", "-connect", f"127.0.0.1:{port}", *options]
                          + (["-psk", key, "-psk_identity", "trace-cmd-hist"] if key else []),
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT) as run:
        said = b""
        while b"trace-cmd-hist-listen" not in said:
            more = run.stdout.read1()
            if not more:
                break
            said += more
        run.kill()
    return said.decode(errors="replace")


GOOD = ("-tls1_2", "-cipher", "ECDHE-PSK-CHACHA20-POLY1305")
said = openssl(*GOOD, "-groups", "X25519")
check("OpenSSL with the key gets in", "trace-cmd-hist-listen 1 ready" in said, said[-2000:])
for what, options, key in (
        ("without a key", ("-tls1_2",), None), ("with TLS 1.3 alone", ("-tls1_3",), psk),
        ("with TLS 1.0", ("-tls1", "-cipher", "ALL:@SECLEVEL=0"), psk),
        ("with plain PSK", ("-tls1_2", "-cipher", "kPSK"), psk),
        ("with DHE-PSK", ("-tls1_2", "-cipher", "kDHEPSK"), psk),
        ("with another curve", GOOD + ("-groups", "P-256"), psk),
        ("with another key", GOOD + ("-groups", "X25519"), "00" * 32),
        ("with anonymous ciphers", ("-tls1_2", "-cipher", "aNULL:@SECLEVEL=0"), None)):
    said = openssl(*options, key=key)
    check(f"OpenSSL {what} does not get in",
          "ready" not in said and "CONNECTED" in said, said[-2000:])

# --- many at once ---

clients = [Client() for _ in range(10)]
# Who is served waits for us now; who is not has ended.
ended = []
check("two of ten clients are sent away", wait_for(lambda: len(
    [c for c in clients if c.p.poll() is not None]) == 2),
      [c.p.poll() for c in clients])
for c in clients:
    if c.p.poll() is not None:
        ended.append(c)
for c in ended:
    status, out, err = c.end()
    check("a client that is sent away gets the reason",
          status == 2 and not out and "the listener already serves the maximum of 8 hosts" in err, err)
lines = [c.hello() for c in clients if c not in ended]
check("eight of ten clients are served", len(lines) == SEATS and all(map(got_in, lines)), lines)
for c in clients:
    if c not in ended:
        status, _, err = c.end()
        check("a served client ends with status 0", status == 0 and not err, (status, err))
works("after ten clients")

# --- those who are slow ---

drip_took = []


def drip(s, began):
    """A byte now and then, beside the others."""
    try:
        for byte in flights[0]:
            s.sendall(bytes([byte]))
            time.sleep(0.2)
    except OSError:
        pass
    drip_took.append(time.monotonic() - began)


dripping = threading.Thread(target=drip, args=(connect(), time.monotonic()))
dripping.start()
began = time.monotonic()
slow = [connect() for _ in range(20)]
for s in slow:
    s.sendall(session[:1])
works("next to twenty clients that stop in their handshake")
waited = time.monotonic() - began
for s in slow:
    all_of(s)
took = time.monotonic() - began
check("slow clients are disconnected within the limit", took < 4 * HANDSHAKE_S, (waited, took))
dripping.join()
check("a byte now and then does not extend the limit of the handshake",
      drip_took[0] < HANDSHAKE_S + 3, drip_took)
check("no process of the slow clients remains", wait_for(lambda: len(children()) <= 2), children())
works("after slow clients")

print(f"# {count} checks")
sys.exit(failed != 0)
