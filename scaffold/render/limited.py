"""Render untrusted templates within limits of time and memory.

A template can loop forever, or double a text until memory runs out, and no sandbox inside one
process can stop that everywhere. Layers that did not come with mcp-scaffold are therefore rendered
in a separate process that can be killed.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from scaffold.diagnostics import Diagnostic, Place, ScaffoldError
from scaffold.files import RenderedFiles
from scaffold.limits import limit, mapped
from scaffold.packs.pack import Pack
from scaffold.render.engine import render
from scaffold.render.sandbox import OutOfTimeError
from scaffold.text import Filters

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkContext, SpawnContext

SECONDS = 20
"""Processor time; a thousand tools take one second."""

DEADLINE = 120
"""Seconds of wall-clock time, for systems that do not limit processor time."""

MEMORY = 512 * 2**20
"""Bytes beyond what the process already has; a thousand tools take a tenth."""

LARGEST = 64 * 2**20
"""Characters in all files together."""


def render_limited(
    project: object,
    layers: Sequence[Pack],
    filters: Filters,
    unchanged: Collection[str] = (),
    seconds: int = SECONDS,
    memory: int = MEMORY,
) -> RenderedFiles:
    """Render as `render` does; unless all layers are built in, within these limits.

    Raises ScaffoldError as `render` does, and (`template-limit`) if a limit is reached.
    """
    if all(pack.builtin for pack in layers):
        return render(project, layers, filters)
    answer = _answer(project, layers, filters, unchanged, seconds, memory)
    if isinstance(answer, RenderedFiles):
        return answer
    raise ScaffoldError(answer or [_limit(layers, f"took more than {seconds} seconds")])


def _answer(
    project: object,
    layers: Sequence[Pack],
    filters: Filters,
    unchanged: Collection[str],
    seconds: int,
    memory: int,
) -> RenderedFiles | tuple[Diagnostic, ...] | None:
    """Return what the process sent: the files or what is wrong; None if it was killed."""
    import multiprocessing  # takes 15 ms, and built-in packs do not need it

    # A fork starts at once, but is safe only if no other thread could hold a lock.
    if sys.platform != "win32" and threading.active_count() == 1:
        context: ForkContext | SpawnContext = multiprocessing.get_context("fork")
    else:
        context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(
        target=_render,
        args=(sender, project, layers, filters, unchanged, seconds, memory),
        daemon=True,
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
    sender: Connection,
    project: object,
    layers: Sequence[Pack],
    filters: Filters,
    unchanged: Collection[str],
    seconds: int,
    memory: int,
) -> None:
    """Run in the process: send the files, or the diagnostics if rendering failed."""
    _bound(seconds, memory)
    answer: RenderedFiles | tuple[Diagnostic, ...]
    try:
        answer = render(project, layers, filters, unchanged)
        if sum(len(file.data or file.text) for file in answer.values()) > LARGEST:
            answer = (_limit(layers, f"generated more than {LARGEST // 2**20} million characters"),)
    except ScaffoldError as error:
        answer = error.diagnostics
    except OutOfTimeError:
        answer = (_limit(layers, f"took more than {seconds} seconds"),)
    except MemoryError:
        answer = (_limit(layers, f"used more than {memory // 2**20} MB of memory"),)
    sender.send(answer)


def _limit(layers: Sequence[Pack], what: str) -> Diagnostic:
    strangers = [pack for pack in layers if not pack.builtin]
    names = " and ".join(f"`@{pack.name}`" for pack in strangers)
    place = Place(str(strangers[0].folder))
    return Diagnostic("template-limit", f"the templates of {names} {what}", place)


def _bound(seconds: int, memory: int) -> None:
    """Set the limits of this process; on Windows only the parent's deadline applies."""

    def stop(*_: object) -> None:
        raise OutOfTimeError

    if sys.platform != "win32":
        signal.signal(signal.SIGXCPU, stop)
    limit(seconds, mapped() + memory, grace=2)
