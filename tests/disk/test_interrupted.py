"""Spec edits, user edits and kills in any order: nothing is lost, and all comes right."""

from __future__ import annotations

import errno
import itertools
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from unittest import mock

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from scaffold.diagnostics import ScaffoldError
from scaffold.disk.apply import recover
from scaffold.disk.lock import read
from scaffold.disk.unchanged import unchanged
from scaffold.files import Owner, RenderedFile
from scaffold.python.modules import package
from tests.disk.everything import REGENERATED, edited_project, run
from tests.disk.processes import killed
from tests.disk.regenerated import (
    GENERATED,
    MERGED,
    OWNED,
    contents,
    new,
    plan,
    regenerate,
    rendered,
    stamps,
    texts,
)

SHARED = {
    "README.md": MERGED,
    "pyproject.toml": MERGED,
    "src/_generated/server.py": GENERATED,
    "src/_generated/deep/er.json": GENERATED,
}
TOOLS = [f"src/tools/{name}.py" for name in "abcd"]
LINES = 8
EXAMPLES = int(os.environ.get("MCP_SCAFFOLD_LIVES", "60"))
STRIDE = 1 if "MCP_SCAFFOLD_LIVES" in os.environ else 8  # of the kills in a recovery
CHANGES = 40  # that a run makes to the disk, about

chance = st.randoms(use_true_random=True)


class Life(RuleBasedStateMachine):
    """The life of one project: a person edits its spec and its files, and runs come and go."""

    def __init__(self) -> None:
        super().__init__()
        self.quick = mock.patch("os.fsync")  # which guards against power cuts, not kills
        self.quick.start()
        self.folder = Path(tempfile.mkdtemp())
        self.root = self.folder / "project"
        self.owners: dict[str, Owner] = SHARED | dict.fromkeys(TOOLS, OWNED)
        self.templates = {path: [0] * LINES for path in self.owners}
        self.wanted = {*SHARED, *TOOLS[:2]}
        self.renames: dict[str, str] = {}
        self.touched: set[str] = set()
        self.written: set[str] = set()
        self.count = 0
        new(self.root, *self.files())

    def teardown(self) -> None:
        shutil.rmtree(self.folder)
        self.quick.stop()

    def files(self) -> list[RenderedFile]:
        def text(path: str) -> str:
            return "".join(f"{path} {n} {v}\n" for n, v in enumerate(self.templates[path]))

        return [rendered(self.owners[path], path, text(path)) for path in sorted(self.wanted)]

    def lost(self) -> set[str]:
        """What a person has written and is nowhere in the project."""
        there = "".join(texts(self.root).values())
        return {words for words in self.written if words not in there}

    def edit_the_spec(self, random: Random) -> None:
        for _ in range(random.randrange(6)):
            self.templates[random.choice(list(self.owners))][random.randrange(LINES)] += 1
        if random.random() < 0.5:
            self.wanted ^= {random.choice(TOOLS)}
        old, new = random.sample(TOOLS, 2)
        if random.random() < 0.5 and old in self.wanted and new not in self.wanted:
            self.wanted = (self.wanted - {old}) | {new}
            self.renames[old] = new
        if random.random() < 0.1:
            self.owners[random.choice(list(SHARED))] = random.choice(list(Owner))

    def edit_the_files(self, random: Random) -> None:
        for _ in range(random.randrange(1, 4)):
            path = random.choice(list(self.owners))
            self.touched.add(path)
            file = self.root / path
            lines = file.read_bytes().splitlines(keepends=True) if file.exists() else []
            kind = random.random()
            if kind < 0.1:
                file.unlink(missing_ok=True)
                continue
            if kind < 0.2:
                lines = [line.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") for line in lines]
            elif kind < 0.3:
                marks = (b"<<<<<<< ", b"=======", b">>>>>>> ")
                lines = [line for line in lines if not line.startswith(marks)]
            else:
                self.count += 1
                words = f"[mine {self.count}]"
                at = random.randrange(LINES)
                end = b"\r\n" if b"\r\n" in b"".join(lines[:1]) else b"\n"
                lines[at : at + random.randrange(2)] = [words.encode() + end]
                self.written.add(words)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(b"".join(lines))
        self.written -= self.lost()  # by the person's own hand

    def new_names(self) -> dict[str, str]:
        """What is called otherwise than when the project was last written."""
        lock = read(self.root)
        known = lock.files if lock else {}
        return {
            old: new
            for old, new in self.renames.items()
            if old in known and old not in self.wanted and new in self.wanted and new not in known
        }

    def run(self, accept: bool, force: bool) -> bool:
        """Whether the command goes through."""
        try:
            recover(self.root)
            renames = self.new_names()
            found = plan(self.root, *self.files(), renames=renames).conflicts
            forced = [step.path for step in found] if force else []
            regenerate(self.root, *self.files(), renames=renames, force=forced, accept=accept)
        except ScaffoldError:
            return False
        return True

    def edit(self, random: Random) -> None:
        for something in (self.edit_the_spec, self.edit_the_files):
            if random.random() < 0.6:
                something(random)

    @rule(random=chance)
    def edit_run_and_be_killed(self, random: Random) -> None:
        """The next edit comes between the kill and the recovery."""
        self.edit(random)
        decided = random.choice([(False, False), (True, False), (False, True)])
        killed(lambda: self.run(*decided), random.randrange(CHANGES))
        assert not self.lost()

    @rule(random=chance)
    def edit_run_and_be_killed_again_and_again(self, random: Random) -> None:
        """In the end the project is to the byte what one undisturbed run makes of it."""
        self.edit(random)
        decided = random.choice([(False, False), (True, False), (False, True)])
        stages = [contents(self.root)]
        twin = self.folder / "twin"
        shutil.copytree(self.root, twin)
        here, self.root = self.root, twin
        recover(twin)
        stages.append(contents(twin))
        went_through = self.run(*decided)
        stages.append(contents(twin))
        self.root = here
        shutil.rmtree(twin)

        for _ in range(random.randrange(4)):
            killed(lambda: self.run(*decided), random.randrange(CHANGES))
            for path, text in contents(here).items():
                if not path.startswith(".scaffold/run/"):
                    assert text in [stage.get(path) for stage in stages], f"{path} is torn"
            assert not self.lost()
        self.run(*decided)
        assert not self.lost()
        assert contents(here) == stages[-1]
        if went_through:
            self.nothing_is_left_to_do()

    def nothing_is_left_to_do(self) -> None:
        there, stood = texts(self.root), stamps(self.root)
        for _ in self.renames:
            self.touched |= {new for old, new in self.renames.items() if old in self.touched}
        for file in self.files():
            assert there.get(file.path) == file.text or file.path in self.touched, file.path
        if not plan(self.root, *self.files(), renames=self.new_names()).conflicts:
            lock = read(self.root)
            assert lock
            assert unchanged(self.root, lock, "1", {}, package)
            assert self.run(accept=False, force=False)
            assert stamps(self.root) == stood, "the second run writes nothing"


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=EXAMPLES, stateful_step_count=15, deadline=None)


def test_a_run_may_be_killed_at_every_instant_and_again_at_every_instant_of_its_recovery(
    tmp_path: Path,
) -> None:
    """One run that does everything a run can do: each kill leaves whole files, and all comes right."""
    before, after, root, again = (tmp_path / name for name in ("before", "after", "root", "again"))
    edited_project(before)

    def comes_right(root: Path) -> None:
        run(root)
        assert contents(root) == contents(after)

    shutil.copytree(before, after)
    run(after)
    old, regenerated = texts(before), texts(after)
    assert regenerated == REGENERATED

    def instants(
        start: Path, root: Path, work: Callable[[Path], object], tried: Iterable[int]
    ) -> Iterator[int]:
        for instant in tried:
            shutil.rmtree(root, ignore_errors=True)
            shutil.copytree(start, root)
            if not killed(lambda: work(root), instant):
                return
            for path, text in texts(root).items():
                assert text in (old.get(path), regenerated.get(path)), f"{path} is torn"
            yield instant

    kills = 0
    with mock.patch("os.fsync"):
        for first in instants(before, root, run, itertools.count()):
            for _ in instants(root, again, recover, itertools.count(first % STRIDE, STRIDE)):
                comes_right(again)
            comes_right(root)
            kills += 1
    assert kills > 50


def test_a_full_disk_changes_nothing_and_the_message_says_so(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new(root, rendered(GENERATED, "a.txt", "1\n"))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ScaffoldError) as raised:
        regenerate(root, rendered(GENERATED, "a.txt", "2\n"))
    (told,) = raised.value.diagnostics
    assert (told.message, told.hint) == (
        "cannot write: No space left on device",
        "nothing was changed",
    )
    assert texts(root) == {"a.txt": "1\n"}
