"""The store of tasks: a SQLite file, which several servers may share."""

import json
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import anyio.to_thread
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, ErrorData

from .command import SettingsError

logger = logging.getLogger(__name__)

Result = TypeVar("Result")
State: TypeAlias = dict[str, Any]
"""A task as `tasks/get` shows it."""

IN_MEMORY = ":memory:"
OVER = ("completed", "failed", "cancelled")
# Seconds after which a task has failed whose server does not renew it.
LEASE = 15
# Seconds to wait for another process that writes.
PATIENCE = 2
# Of one owner: eight together fill the file.
MAX_BYTES = 2**27
# No task can begin in a file that is full: 1 GiB.
SETUP = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA max_page_count = 262144;
CREATE TABLE IF NOT EXISTS tasks (
    id TEXT PRIMARY KEY, owner TEXT, over INTEGER, lease REAL, ends REAL, state TEXT
);
CREATE INDEX IF NOT EXISTS kept ON tasks (ends);
CREATE INDEX IF NOT EXISTS sizes ON tasks (owner, length(state));
"""
UNAVAILABLE = "Tasks are not available now"
TOO_MUCH = "The tasks of this client take too much room"


def add_tasks_file(name: str, add: Callable[..., None]) -> None:
    """Add the option that says where tasks are kept."""
    state = os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_STATE_HOME")
    file = Path(state or "~/.local/state", name, "tasks.sqlite3")
    add("--tasks", default=str(file), help=f"the file of tasks, or {IN_MEMORY}")


class TaskStore:
    """The file, used in a thread: one that is locked delays no call.

    While it is locked, `change` waits, and other methods raise MCPError.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.one_at_a_time = anyio.CapacityLimiter(1)

    def open(self) -> None:
        """Open the file, or raise SettingsError."""
        try:
            path = Path(self.file).expanduser()
            if self.file != IN_MEMORY:
                path.parent.mkdir(0o700, parents=True, exist_ok=True)
                path.touch(0o600)  # The results are nobody else's.
            self.database = sqlite3.connect(path, PATIENCE, check_same_thread=False)
            self.database.executescript(SETUP)
        except (OSError, RuntimeError, sqlite3.Error) as error:
            raise SettingsError(f"--tasks {self.file}: {error}") from None

    async def close(self) -> None:
        async with self.one_at_a_time:
            self.database.close()

    async def add(self, owner: str, state: State) -> None:
        """Write a new task, which only its owner sees, and for its time alone."""
        lease, ends = time.time() + LEASE, time.time() + state["ttlMs"] / 1000
        row = [state["taskId"], owner, False, lease, ends, json.dumps(state)]

        def add() -> None:
            if self.size(owner) > MAX_BYTES:
                raise MCPError(INTERNAL_ERROR, TOO_MUCH)
            self.database.execute("INSERT INTO tasks VALUES (?, ?, ?, ?, ?, ?)", row)

        await self.run(add)

    async def find(self, id: str, owner: str, runs_here: bool) -> State | None:
        """Return the state of a task of this owner. It has failed if its server is gone."""

        def find() -> State | None:
            now = time.time()
            select = "SELECT over OR ? OR lease > ?, state FROM tasks"
            where = "WHERE id = ? AND owner = ? AND ends > ?"
            values = [runs_here, now, id, owner, now]
            rows = self.database.execute(f"{select} {where}", values)
            for is_current, text in rows.fetchall():
                state: State = json.loads(text)
                return state if is_current else self.changed(id, STOPPED)
            return None

        return await self.run(find)

    async def change(self, id: str, **more: Any) -> None:
        """Change a task that is not over, as soon as the file is not locked.

        A key that is None is removed. What cannot be kept fails the task.
        """
        for change in (more, NOT_KEPT):
            # An error is logged. Without a lease, the task fails too.
            with suppress(MCPError):
                await self.run(partial(self.changed, id, change), waits=True)
                return

    async def renew(self, ids: Collection[str]) -> list[str]:
        """Renew the tasks of this server; return those that are over or forgotten."""

        def renew() -> list[str]:
            now, run = time.time(), self.database.execute
            run("DELETE FROM tasks WHERE ends < ?", [now])
            update = "UPDATE tasks SET lease = ? WHERE id = ? AND NOT over"
            return [id for id in ids if not run(update, [now + LEASE, id]).rowcount]

        return await self.run(renew)

    def changed(self, id: str, more: State) -> State | None:
        select = "SELECT owner, state FROM tasks WHERE id = ? AND NOT over"
        for owner, text in self.database.execute(select, [id]).fetchall():
            state = {**json.loads(text), "lastUpdatedAt": time_now(), **more}
            state = {key: value for key, value in state.items() if value is not None}
            new = json.dumps(state)
            size = self.size(owner) + len(new) - len(text)
            if size > MAX_BYTES and more is not NOT_KEPT:
                return self.changed(id, NOT_KEPT)
            row = [state["status"] in OVER, new, id]
            update = "UPDATE tasks SET over = ?, state = ? WHERE id = ? AND NOT over"
            return state if self.database.execute(update, row).rowcount else None
        return None

    def size(self, owner: str) -> float:
        select = "SELECT total(length(state)) FROM tasks WHERE owner = ?"
        [size] = self.database.execute(select, [owner]).fetchone()
        return float(size)

    async def run(self, work: Callable[[], Result], waits: bool = False) -> Result:
        def transaction() -> Result:
            with self.database:
                return work()

        limiter = self.one_at_a_time
        while True:
            try:
                return await anyio.to_thread.run_sync(transaction, limiter=limiter)
            except sqlite3.Error as error:
                logger.warning("%s: %s", self.file, error)
                code = getattr(error, "sqlite_errorcode", 0) & 0xFF
                if not waits or code != sqlite3.SQLITE_BUSY:
                    raise MCPError(INTERNAL_ERROR, UNAVAILABLE) from error
            await anyio.sleep(1)


def time_now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def ended(status: str, **more: Any) -> State:
    """Return the changes to a task that ends."""
    return {"status": status, "statusMessage": None, "inputRequests": None, **more}


def failed(error: ErrorData) -> State:
    data = error.model_dump(exclude_none=True)
    return ended("failed", statusMessage=error.message, error=data)


STOPPED = failed(ErrorData(code=INTERNAL_ERROR, message="The task was stopped"))
NOT_KEPT = failed(ErrorData(code=INTERNAL_ERROR, message=TOO_MUCH))
