"""The stdio transport: one client on standard input and output, a message a line."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from time import monotonic, sleep

from .lifespan import MOMENT, in_thread, live, running_loop
from .protocol import INTERNAL_ERROR, MCPError, Request, Server

# Requests that may wait for a thread, and bytes of all those that are not served yet. With
# more bytes, nothing is read.
MAX_WAITING = 1000
MAX_BYTES = 64 * 2**20
# Seconds for the lifespan's exit after the grace time; then the process ends.
EXIT_TIME = 5
# Seconds in which a client that has closed its end must read something.
UNREAD_TIME = 5
# Seconds in which it must do so after the grace time, to read a line to its end.
READ_TIME = 2
# Seconds after which a call takes long, and between two looks at the clock.
LONG = 0.001
TICK = 0.005
# Bytes that are written at once: after each part, one sees that the client reads on.
PART = 65536


def serve(load: Callable[[], Server], most_threads: int, grace_time: int) -> None:
    """Serve until the input ends or a signal stops the server.

    Running calls have `grace_time` seconds to finish at the end of the input.
    """
    stdin, stdout = claim_standard_streams()
    ended = SimpleQueue[bool]()

    def stop(by_signal: bool = False) -> None:
        threading.Thread(target=end_anyway, args=[grace_time], daemon=True).start()
        ended.put(by_signal)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop(by_signal=True))
    # What handlers print while they are imported must not reach the client either.
    server = load()
    output = Output(stdout)
    server.send = output.send

    def serve_calls() -> None:
        crew = Crew(stdin, server, most_threads, stop)
        watch = partial(watch_end, stdin, output, crew, stop)
        for target in (crew.work, crew.watch, watch):
            threading.Thread(target=target, daemon=True).start()
        by_signal, ends_at = next_end(ended), monotonic() + grace_time
        while crew.busy and not by_signal:
            if monotonic() > ends_at and not output.is_read():
                break
            by_signal = not ended.empty()
            sleep(TICK)
        for call in list(server.calls):
            server.cancel(call)

    async def whole() -> None:
        server.loop = running_loop()
        async with server.lifespan() as server.shared:
            await in_thread(serve_calls)

    live(whole())


def next_end(ended: SimpleQueue[bool]) -> bool:
    """Wait for the end; return whether a signal has come."""
    while True:
        with suppress(Empty):  # Another thread may have received the signal.
            return ended.get(timeout=MOMENT)


def watch_end(
    stdin: int, output: Output, crew: Crew, at_end: Callable[[], object]
) -> None:
    """End the server if the client has closed its end and nothing goes on.

    Whoever reads the input may wait for the client to read, or for calls to end, and then
    does not come to its end.
    """
    if sys.platform == "win32":
        return  # It has no `poll` for pipes.
    hang_up = select.poll()
    hang_up.register(stdin, 0)
    hang_up.poll()
    while True:
        written = output.written
        sleep(UNREAD_TIME)
        is_stuck = output.writing.locked() or crew.is_full
        if is_stuck and output.written == written:
            at_end()
            return


def end_anyway(grace_time: int) -> None:
    sleep(grace_time + EXIT_TIME)
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
    """What the client is to read. Whoever sends a line writes it, and waits for the client."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.writing = threading.Lock()
        self.written, self.written_at = 0, monotonic()

    def send(self, line: bytes) -> None:
        text = line + b"\n"
        try:
            with self.writing:
                while text:
                    count = os.write(self.descriptor, text[:PART])
                    self.written, self.written_at = self.written + count, monotonic()
                    text = text[count:]
        except OSError:
            pass  # The client has gone, and the end of its input follows.

    def is_read(self) -> bool:
        """Return whether the client is reading a line that is not written to its end."""
        return self.writing.locked() and monotonic() - self.written_at < READ_TIME


class Crew:
    """Threads that serve. One of them reads, and serves what it has read itself.

    If that takes long, another thread reads on, and the first ends with its request. While
    the client does not read an answer, nothing is read from it.
    """

    def __init__(
        self,
        stdin: int,
        server: Server,
        most_threads: int,
        at_end: Callable[[], object],
    ) -> None:
        self.stdin, self.server, self.at_end = stdin, server, at_end
        self.most_threads = most_threads
        self.lock = threading.Lock()
        self.reader = 0
        """The thread that reads."""
        self.serves_since = float("inf")
        """When it began to serve, if it does."""
        self.busy = 0
        """How many other threads serve."""
        self.bytes = 0
        """How long the messages are that are not served yet."""
        self.is_full = False
        """Whether they are too long to read on."""
        self.waiting = deque[tuple[Request, int]]()
        self.lines, self.rest = deque[bytes](), b""

    def work(self) -> None:
        """Serve what this thread reads or, when another one reads, what waits."""
        me = self.reader = threading.get_ident()
        while task := self.read() if self.reader == me else self.next():
            request, size = task
            answer = request.answer()
            with self.lock:
                self.bytes -= size
                if self.reader == me:
                    self.serves_since = float("inf")
            request.end(answer)

    def read(self) -> tuple[Request, int] | None:
        """Return the next request that this thread is to serve, or None at the end."""
        while (line := self.line()) is not None:
            size = len(line)
            if self.bytes and self.bytes + size > MAX_BYTES:
                self.wait_for_room(size)
            request = self.server.receive(line)
            if request and not self.must_wait(request, size):
                self.serves_since = monotonic()
                return request, size
        self.at_end()
        return None

    def wait_for_room(self, size: int) -> None:
        """Wait until so many bytes more are not too many, or a handler waits for the client."""
        self.is_full = True
        while self.bytes and self.bytes + size > MAX_BYTES and not self.server.asked:
            sleep(TICK)
        self.is_full = False

    def must_wait(self, request: Request, size: int) -> bool:
        """Keep a request for other threads if there may be no more of them."""
        with self.lock:
            fits = not self.bytes or self.bytes + size <= MAX_BYTES
            if fits and self.busy < self.most_threads:
                self.bytes += size
                return False
            if fits and len(self.waiting) < MAX_WAITING:
                self.bytes += size
                self.waiting.append((request, size))
                return True
        text = "Too many calls at once: try again later"
        request.end(request.failure(MCPError(INTERNAL_ERROR, text)))
        return True

    def next(self) -> tuple[Request, int] | None:
        """Return the request that waits longest; without one, this thread ends."""
        with self.lock:
            if self.waiting:
                return self.waiting.popleft()
            self.busy -= 1
            return None

    def watch(self) -> None:
        """Look at the clock while there are calls."""
        while self.server.begun.wait():
            sleep(TICK)
            self.relieve()
            self.server.end_overdue()
            self.server.begun.clear()
            if self.server.calls:
                self.server.begun.set()

    def relieve(self) -> None:
        """Let another thread read, if the one that does serves for long."""
        with self.lock:
            if monotonic() - self.serves_since < LONG:
                return
            reader, self.reader = self.reader, 0
            try:
                threading.Thread(target=self.work, daemon=True).start()
            except RuntimeError:  # The system runs no more threads.
                self.reader = reader
            else:
                self.serves_since = float("inf")
                self.busy += 1

    def line(self) -> bytes | None:
        """Return the next line, or None at the end of the input."""
        while not self.lines:
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
        return self.lines.popleft()
