"""Render the templates of strangers within limits of time and memory.

A template can loop without end, or double a text until the machine is out of memory, and no
sandbox inside one process can stop it at each place where that may happen. So the layers that did
not come with mcp-scaffold are rendered in a process of their own, which may be killed.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.files import RenderedFiles
from scaffold.limits import limit, mapped
from scaffold.packs.pack import Pack
from scaffold.render.engine import render
from scaffold.render.sandbox import OutOfTimeError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkContext, SpawnContext

SECONDS = 20
"""Of processor time; a thousand tools take one."""

DEADLINE = 120
"""Seconds by the clock on the wall, for systems that do not bound the other."""

MEMORY = 512 * 2**20
"""Bytes, beyond what the process has already; a thousand tools take a tenth."""

LARGEST = 64 * 2**20
"""Characters, in all files together."""


def render_limited(
    project: object, layers: Sequence[Pack], seconds: int = SECONDS, memory: int = MEMORY
) -> RenderedFiles:
    """Render as `render` does; unless all layers are built in, within these bounds.

    Raises ScaffoldError as `render` does, and (`template-limit`) where a bound is reached.
    """
    if all(pack.builtin for pack in layers):
        return render(project, layers)
    answer = _answer(project, layers, seconds, memory)
    if isinstance(answer, RenderedFiles):
        return answer
    raise ScaffoldError(answer or [_limit(layers, f"took more than {seconds} seconds")])


def _answer(
    project: object, layers: Sequence[Pack], seconds: int, memory: int
) -> RenderedFiles | tuple[Diagnostic, ...] | None:
    """What the process sent: the files, or what is wrong; None if it had to be killed."""
    import multiprocessing  # 15 ms, which no project without templates of its own shall pay

    # A fork starts at once, but may be taken only where no other thread could hold a lock.
    if sys.platform != "win32" and threading.active_count() == 1:
        context: ForkContext | SpawnContext = multiprocessing.get_context("fork")
    else:
        context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(
        target=_render, args=(sender, project, layers, seconds, memory), daemon=True
    )
    child.start()
    sender.close()
    try:
        answer: RenderedFiles | tuple[Diagnostic, ...] | None
        answer = receiver.recv() if receiver.poll(DEADLINE) else None
        return answer
    except EOFError:
        return None
    finally:
        child.kill()
        child.join()
        receiver.close()


def _render(
    sender: Connection, project: object, layers: Sequence[Pack], seconds: int, memory: int
) -> None:
    """What the process does: send the files or, if there are none, the diagnostics."""
    _bound(seconds, memory)
    answer: RenderedFiles | tuple[Diagnostic, ...]
    try:
        answer = render(project, layers)
        if sum(len(file.text) for file in answer.values()) > LARGEST:
            answer = (_limit(layers, f"made more than {LARGEST // 2**20} million characters"),)
    except ScaffoldError as error:
        answer = error.diagnostics
    except OutOfTimeError:
        answer = (_limit(layers, f"took more than {seconds} seconds"),)
    except MemoryError:
        answer = (_limit(layers, f"took more than {memory // 2**20} MB of memory"),)
    sender.send(answer)


def _limit(layers: Sequence[Pack], what: str) -> Diagnostic:
    strangers = [pack for pack in layers if not pack.builtin]
    names = " and ".join(f"`@{pack.name}`" for pack in strangers)
    place = Place(str(strangers[0].folder))
    return Diagnostic("template-limit", f"the templates of {names} {what}", place)


def _bound(seconds: int, memory: int) -> None:
    """Set the limits of this process; Windows has none but the clock of the other."""

    def stop(*_: object) -> None:
        raise OutOfTimeError

    if sys.platform != "win32":
        signal.signal(signal.SIGXCPU, stop)
    limit(seconds, mapped() + memory, grace=2)
