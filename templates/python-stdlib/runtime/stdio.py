"""The stdio transport: one client on standard input and output, a message a line.

One thread reads, and serves what it has read itself. If a call takes long, another thread
reads on, and the first ends with its call. Calls of what is known to take long get a thread
of their own at once.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from time import monotonic, sleep

from .lifespan import opened
from .protocol import INTERNAL_ERROR, MCPError, Request, Server

# Bytes that the client may leave unread. From then on, no more is read from it, and it is
# not told of progress.
MOST_UNREAD = 2**20
# Messages that are written together.
MOST_HELD = 64
# Requests that may wait for a thread.
MOST_WAITING = 1000
# Seconds that running calls may still take at the end of the input, and all else then.
GRACE = 5
STOP_TIME = 10
# Seconds after which a call takes long, and between two looks at the clock.
LONG = 0.001
TICK = 0.005
# Bytes that a pipe takes whole, and seconds in which a client reads some of what is left.
PART = 4096
PATIENCE = 0.5


def serve(load: Callable[[], Server], most_threads: int) -> None:
    """Serve until the input ends or a signal stops the server."""
    stdin, stdout = claim_standard_streams()
    ended, timer = SimpleQueue[bool](), threading.Lock()

    def stop(by_signal: bool) -> None:
        if timer.acquire(blocking=False):
            threading.Thread(target=end_anyway, daemon=True).start()
        ended.put(by_signal)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop(by_signal=True))
    # What handlers print while they are imported must not reach the client either.
    server = load()
    output = Output(stdout, lambda: stop(by_signal=False))
    server.send, server.has_room = output.send, output.has_room
    with opened(server.lifespan) as server.shared:
        reading = Reading(stdin, server, output, most_threads)
        reading.at_end = lambda: stop(by_signal=False)
        reading.start()
        if not next_end(ended):
            finish(server, output, ended)
        for call in list(server.calls):
            server.cancel(call)


def next_end(ended: SimpleQueue[bool]) -> bool:
    """Wait for the end; return whether a signal has come."""
    while True:
        with suppress(Empty):  # Another thread may have received the signal.
            return ended.get(timeout=0.5)


def finish(server: Server, output: Output, ended: SimpleQueue[bool]) -> None:
    """Wait for running calls, and for the client as long as it reads."""
    grace_ends, written, stalls_at = monotonic() + GRACE, -1, 0.0
    while (server.calls or output.is_busy()) and ended.empty():
        if output.written != written:
            written, stalls_at = output.written, monotonic() + PATIENCE
        if monotonic() > (stalls_at if output.is_busy() else grace_ends):
            return
        sleep(TICK)


def end_anyway() -> None:
    sleep(STOP_TIME)
    os._exit(1)  # A handler or the lifespan does not end.


def claim_standard_streams() -> tuple[int, int]:
    """Keep the client's pipes for the protocol; what handlers print goes to stderr."""
    stdin, stdout = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    if sys.platform == "win32":
        import msvcrt

        for stream in (stdin, stdout):
            msvcrt.setmode(stream, os.O_BINARY)
    else:
        os.set_blocking(stdout, True)
        default = signal.SIG_DFL  # A signal for a child is not for the server.
        os.register_at_fork(after_in_child=lambda: signal.signal(15, default))
    return stdin, stdout


class Output:
    """What the client is to read. Whoever adds a line writes what the pipe has room for.

    The rest is left to a thread that waits for the client: nobody else ever does.
    """

    def __init__(self, descriptor: int, at_end: Callable[[], object]) -> None:
        self.descriptor, self.at_end = descriptor, at_end
        self.lines = deque[bytes]()
        self.written = 0
        self.writing = threading.Lock()
        self.wanted = threading.Event()
        self.is_held = False
        """Whether more is to be expected at once, and then written with the rest."""
        threading.Thread(target=self.write_rest, daemon=True).start()

    def send(self, line: bytes, waits: bool = True) -> None:
        """Send a line: at once, unless the caller must not wait for the lock either."""
        self.lines.append(line + b"\n")
        if not waits:
            self.wanted.set()
        elif not self.is_held or len(self.lines) > MOST_HELD:
            self.flush()

    def is_busy(self) -> bool:
        """Whether something is left to be written."""
        return bool(self.lines) or self.writing.locked()

    def has_room(self) -> bool:
        return sum(map(len, list(self.lines))) <= MOST_UNREAD

    def flush(self) -> None:
        """Write what the client has room for."""
        while self.lines and self.writing.acquire(blocking=False):
            try:
                self.write(lambda: is_ready(self.descriptor, "POLLOUT"))
            finally:
                self.writing.release()
            if self.lines and not is_ready(self.descriptor, "POLLOUT"):
                self.wanted.set()
                return

    def write_rest(self) -> None:
        while self.wanted.wait():
            self.wanted.clear()
            with self.writing:
                self.write(lambda: True)

    def write(self, may_go_on: Callable[[], bool]) -> None:
        """Write lines, in parts that a pipe with room takes whole."""
        text = b"".join(self.lines.popleft() for _ in range(len(self.lines)))
        try:
            while text and may_go_on():
                count = os.write(self.descriptor, text[:PART])
                text = text[count:]
                self.written += count
        except OSError:  # The client has gone.
            self.at_end()
            return
        if text:
            self.lines.appendleft(text)


def is_ready(descriptor: int, event: str) -> bool:
    """Return whether a pipe has room, or has been closed; yes, where nobody can tell."""
    if not hasattr(select, "poll"):
        return event == "POLLOUT"
    poll = select.poll()
    poll.register(descriptor, getattr(select, event))
    return bool(poll.poll(0))


class Reading:
    """Reads and serves requests. `leader` is the thread that reads."""

    at_end: Callable[[], object]

    def __init__(
        self, stdin: int, server: Server, output: Output, most_threads: int
    ) -> None:
        self.stdin, self.server, self.output = stdin, server, output
        self.most_threads = most_threads
        self.lock = threading.Lock()
        self.leader = 0
        self.serves: Request | None = None
        """What the leader serves, since when."""
        self.serves_since = 0.0
        self.busy = 0
        """How many other threads serve."""
        self.long = set[str]()
        """What is known to take long."""
        self.waiting = deque[Request]()
        self.lines, self.rest = deque[bytes](), b""

    def start(self) -> None:
        threading.Thread(target=self.lead, daemon=True).start()
        threading.Thread(target=self.watch, daemon=True).start()

    def lead(self) -> None:
        """Read and serve, until another thread leads."""
        me = self.leader = threading.get_ident()
        while (line := self.line()) is not None:
            request = self.server.receive(line)
            if request is None:
                continue
            if kind_of(request) in self.long or self.busy >= self.most_threads:
                self.delegate(request)
                continue
            self.serves_since, self.serves = monotonic(), request
            self.serve(request)
            with self.lock:
                if self.leader != me:
                    break
                self.serves = None
        else:
            self.at_end()
            return
        self.work(self.next())

    def serve(self, request: Request) -> None:
        if not request.is_open:
            return  # It has been cancelled.
        begin = monotonic()
        line = request.answer()
        is_long = monotonic() - begin > LONG
        (self.long.add if is_long else self.long.discard)(kind_of(request))
        if line:
            request.end(line)

    def delegate(self, request: Request) -> None:
        """Let another thread serve a request: now, or when one of them is done."""
        with self.lock:
            self.waiting.append(request)
            if self.busy < self.most_threads:
                with suppress(RuntimeError):  # The system runs no more threads.
                    threading.Thread(target=self.begin, daemon=True).start()
                    self.busy += 1
            if len(self.waiting) <= MOST_WAITING:
                return
            self.waiting.remove(request)
        text = "Too many calls at once: try again later"
        request.end(request.failure(MCPError(INTERNAL_ERROR, text)))

    def begin(self) -> None:
        self.work(self.next())

    def next(self) -> Request | None:
        """Return the request that waits longest; without one, this thread ends."""
        with self.lock:
            if self.waiting:
                return self.waiting.popleft()
            self.busy -= 1
            return None

    def work(self, request: Request | None) -> None:
        while request:
            while request.is_open and not self.output.has_room():
                sleep(TICK)
            self.serve(request)
            request = self.next()

    def watch(self) -> None:
        """Look at the clock while there are calls."""
        while self.server.begun.wait():
            sleep(TICK)
            self.relieve()
            self.server.end_overdue()
            if self.output.lines:
                self.output.wanted.set()
            self.server.begun.clear()
            if self.server.calls or self.output.lines or self.serves:
                self.server.begun.set()

    def relieve(self) -> None:
        """Let another thread read, if the leader serves for long."""
        with self.lock:
            request = self.serves
            if request and monotonic() - self.serves_since > LONG:
                self.long.add(kind_of(request))
                reader = threading.Thread(target=self.lead, daemon=True)
                leader, self.leader = self.leader, 0
                try:
                    reader.start()
                except RuntimeError:  # The system runs no more threads.
                    self.leader = leader
                else:
                    self.serves = None
                    self.busy += 1

    def line(self) -> bytes | None:
        """Return the next line, or None at the end of the input."""
        while not self.output.has_room():  # The client does not read: nor do we.
            written = self.output.written
            has_left = is_ready(self.stdin, "POLLHUP")
            sleep(PATIENCE if has_left else TICK)
            if has_left and written == self.output.written:
                return None
        while not self.lines:
            self.output.flush()
            try:
                data = os.read(self.stdin, 65536)
            except OSError:  # A terminal that was closed.
                data = b""
            is_too_long = len(self.rest) > self.server.message_size
            if not data and not self.rest:
                return None
            if is_too_long and data and b"\n" not in data:
                continue  # It is refused for its length, whatever follows.
            *lines, self.rest = (self.rest + (data or b"\n")).split(b"\n")
            self.lines.extend(lines)
        self.output.is_held = len(self.lines) > 1
        return self.lines.popleft()


def kind_of(request: Request) -> str:
    return f"{request.method} {request.params.get('name')}"
