"""Edits, saves in mid-run and kills in any order: nothing is lost, and all comes right.

Edits are those of the spec, of files, of their modes, of links in their place, and of templates.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.files import Owner, RelPath, RenderedFile
from scaffold.base.text import Filters
from scaffold.commands.regenerate import plan, regenerate
from scaffold.disk.lock import read
from scaffold.disk.tree import has_markers
from scaffold.languages.python.format import _by_ruff
from scaffold.packs.engine import render
from scaffold.packs.pack import Pack
from scaffold.project.generate import generate
from scaffold.project.inputs import is_up_to_date, read_packs
from scaffold.project.model import Project
from scaffold.yaml.source import parse
from tests.disk.processes import ended, killed, started
from tests.files import stamps
from tests.regenerate.living import NUMBER, TEXT, Living, Spec, listed, spec, tool, written

pytestmark = pytest.mark.usefixtures("starts_programs")

EXAMPLES = int(os.environ.get("MCP_SCAFFOLD_LIVES", "8"))
STEPS = 5
CHANGES = 60  # that a run makes to the disk, about

PACKS = ["python", "python-stdlib"]

chance = st.randoms(use_true_random=True)

NAMES = ["search", "get.user", "get_user", "getUser", "list", "a", "B"]
SCHEMAS: list[dict[str, Any]] = [
    *(TEXT, NUMBER, {"enum": ["x", "y"]}, {"type": "array", "items": TEXT}),
    *({"default": value} for value in (1, 1.0, True, -0.0, "1", None, [1], [True])),
    *({"type": "object", "properties": {name: TEXT}} for name in "ab"),
]
PROMPT = {"name": "search", "arguments": [{"name": "topic", "required": True}]}
RESOURCE = {"uri": "blog://search", "name": "search"}


def edit_the_tools(spec: Spec, random: Random) -> None:
    tools: list[dict[str, Any]] = spec["tools"]
    for entry in tools:
        entry.pop("renamedFrom", None)
    entry, free = random.choice(tools), [n for n in NAMES if n not in {t["name"] for t in tools}]
    properties = entry["inputSchema"]["properties"]
    kinds: list[Callable[[], object]] = [
        lambda: properties.update({random.choice("pqr"): random.choice(SCHEMAS)}),
        lambda: random.shuffle(tools),
        lambda: entry.update(
            description=f"Does {random.random()}.", timeout=random.choice([3, 30])
        ),
        lambda: entry.update(outputSchema=random.choice(SCHEMAS[-2:])),
    ]
    if free:
        name = random.choice(free)
        kinds += [
            lambda: tools.append(tool(name, p=TEXT)),
            lambda: entry.update(name=name, renamedFrom=entry["name"]),
            lambda: entry.update(name=name),
        ]
    if len(tools) > 1:
        kinds.append(lambda: tools.remove(entry))
    random.choice(kinds)()


def edit_the_rest(spec: Spec, random: Random) -> None:
    toggles = {
        "prompts": [PROMPT],
        "resources": random.choice([[RESOURCE], [{**RESOURCE, "text": "Static."}]]),
        "env": [{"name": "BLOG_KEY", "description": "A key.", "required": False}],
        "errors": [{"name": "NotFound", "message": "Not found: {source}"}],
        "transports": ["stdio", "streamable-http"],
        "description": "A blog.",
    }
    key = random.choice([*toggles, "name"])
    if key == "name":
        spec["name"] = random.choice(["blog", "posts", "tools"])
    elif key in spec:
        del spec[key]
    else:
        spec[key] = toggles[key]


TABLE = """\
contract = 4
[[files]]
template = "files/logo"
owner = "{owner}"
executable = {executable}
"""


def edit_the_templates(root: Path, pack: str, random: Random) -> None:
    """Change a layer of the project's own: a block, and a file to be copied as it is."""
    folder, number = root / "templates", random.randrange(9)
    (folder / "files").mkdir(parents=True, exist_ok=True)
    block = f'{{% extends "@{pack}/README.md.j2" %}}{{% block sections %}}\nOurs: {number}.\n{{% endblock %}}'
    owner, executable = random.choice([*Owner]), random.choice(["true", "false"])
    (folder / "pack.toml").write_text(TABLE.format(owner=owner, executable=executable))
    (folder / "files/logo").write_bytes(random.choice([b"\xff%d\r\n", b"%d\n", b"%d\r\n"]) % number)
    if random.random() < 0.8:
        (folder / "README.md.j2").write_text(block + "\n")
    else:
        (folder / "README.md.j2").unlink(missing_ok=True)


texts: dict[object, Any] = {}
"""What templates and ruff have made of what they were given, in this life."""


def rendered(project: Project, layers: Sequence[Pack], filters: Filters) -> Any:
    whole = re.sub(r" at 0x[0-9a-f]+", "", repr(project))  # what is an object is in the spec
    packs = (pack.name if pack.builtin else repr(pack) for pack in layers)
    key = whole, json.dumps(project._part.whole), *packs
    return texts.get(key) or texts.setdefault(key, render(project, layers, filters))


def formatted(python: Mapping[RelPath, RenderedFile], todo: Collection[RelPath]) -> Any:
    key = frozenset((path, file.text) for path, file in python.items()), frozenset(todo)
    return texts.get(key) or texts.setdefault(key, _by_ruff(python, todo))


QUICK = {
    "os.fsync": lambda _: None,  # guards against power cuts, not kills
    "scaffold.project.generate.render": rendered,
    "scaffold.languages.python.format._by_ruff": formatted,
}


def in_package(path: str) -> str:
    """The path inside of the package, whatever the package was called; others as they are."""
    return re.sub(r"^src/[^/]+/", "", path)


class Life(RuleBasedStateMachine):
    """The life of one project, by the real command's ways."""

    @initialize(pack=st.sampled_from(PACKS))
    def be_born(self, pack: str) -> None:
        self.quick = ExitStack()
        for name, quick in QUICK.items():
            self.quick.enter_context(mock.patch(name, quick))
        self.folder = Path(tempfile.mkdtemp())
        self.quick.enter_context(
            mock.patch("tempfile.tempdir", str(self.folder))
        )  # kills leave some
        first = spec(tool("search", p=TEXT), tool("a"))
        self.living = Living.born(self.folder / "project", first, pack)
        self.root = self.living.root
        self.written: set[str] = set()
        self.deleted: set[str] = set()
        self.strays: set[str] = set()  # files that were there before a tool asked for them
        self.modes: set[str] = set()  # files whose mode a person has changed
        self.outside = self.folder / "outside"  # what links lead to
        self.outside.write_text("Outside.\n")
        self.pack = pack
        self.count = 0

    def teardown(self) -> None:
        shutil.rmtree(self.folder)
        self.quick.close()
        texts.clear()

    def files(self) -> dict[str, bytes]:
        """Every file but our records and those of git."""
        return self.living.files()

    def lost(self) -> set[str]:
        """What a person has written and is nowhere in the project."""
        there = b"".join(self.files().values()).decode(errors="replace") if self.written else ""
        return {words for words in self.written if words not in there}

    def edit_the_spec(self, random: Random) -> None:
        for _ in range(random.randrange(1, 4)):
            random.choice([edit_the_tools, edit_the_tools, edit_the_rest])(self.living.spec, random)
        self.living.save()

    def edit_the_files(self, random: Random) -> None:
        moving = self.lost()  # in the hands of a run
        for _ in range(random.randrange(1, 4)):
            ours = [path for path in self.files() if path[:10] != "templates/"]
            paths = [p for p in ours if p != "mcp.yaml" and not (self.root / p).is_symlink()]
            handlers = [path for path in paths if "/tools/" in path and path.endswith(".py")]
            path = random.choice(random.choice([paths, handlers or paths]))
            file, kind = self.root / path, random.random()
            if kind < 0.1:
                file.unlink()
                self.deleted.add(path)
            elif kind < 0.15 and (lock := read(self.root)) and path in lock.files:
                if lock.files[RelPath(path)].may_be_link:
                    file.unlink()
                    file.symlink_to(self.outside)
                    self.deleted.add(path)
            elif kind < 0.2:
                file.chmod(file.stat().st_mode ^ 0o111)
                self.modes.add(in_package(path))
            elif kind < 0.25:
                data = file.read_bytes().replace(b"\r\n", b"\n")
                file.write_bytes(data.replace(b"\n", b"\r\n"))
            else:
                self.count += 1
                words = f"# [mine {self.count}]"
                if kind < 0.35:
                    file = file.with_name(f"mine_{self.count}.py")
                    package = self.living.package.name
                    self.living.write(
                        str(file.relative_to(self.root)),
                        f"import {package}.lifespan\n{words}\n",
                    )
                else:
                    with file.open("a", newline="") as stream:
                        stream.write(f"{words}\n")
                self.written.add(words)
        self.written -= self.lost() - moving  # by the person's own hand

    def edit(self, random: Random) -> None:
        for something in (self.edit_the_spec, self.edit_the_files):
            if random.random() < 0.7:
                something(random)
        if random.random() < 0.3:
            edit_the_templates(self.root, self.pack, random)
        if random.random() < 0.2:  # the spec gets another text, and means what it meant
            self.living.write("mcp.yaml", self.living.read("mcp.yaml") + random.choice([" ", "\n"]))
        self.written -= self.lost()

    def run(self, random: Random) -> bool:
        """Whether the run goes through; conflicts are decided in one of the ways there are."""
        try:
            outcome = regenerate(self.root, [], False)
            if outcome.applied is None:
                forced = [step.path for step in outcome.update.plan.conflicts if step.wanted]
                force = forced if random.random() < 0.5 else []
                outcome = regenerate(self.root, force, not force)
        except ScaffoldError:
            return False
        problems = {step.path: step.problem for step in outcome.update.plan.steps if step.problem}
        self.strays |= {path for path, problem in problems.items() if problem.id == "found-there"}
        return outcome.applied is not None

    @rule(random=chance)
    def edit_run_and_be_killed(self, random: Random) -> None:
        """The next edit comes between the kill and the recovery."""
        self.edit(random)
        killed(lambda: self.run(random), random.randrange(CHANGES))
        assert not self.lost()

    @rule(random=chance)
    def edit_and_save_while_the_run_writes(self, random: Random) -> None:
        """A person saves a file just before the run makes one of its changes."""
        self.edit(random)
        instant, changes = random.randrange(CHANGES), 0
        seed = random.random()

        def save(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal changes
            changes += event in ("os.rename", "os.link", "os.remove")
            if changes == instant + 1:
                changes += 1
                self.edit_the_files(Random(seed))
                sets = {"written": self.written, "deleted": self.deleted, "modes": self.modes}
                now = {name: [*paths] for name, paths in sets.items()}
                (self.folder / "saved").write_text(json.dumps(now))

        def running() -> int:
            sys.addaudithook(save)
            return int(self.run(random))

        done = ended(started(running))
        self.count += 4
        with suppress(FileNotFoundError):
            saved = json.loads((self.folder / "saved").read_text())
            self.written, self.deleted = set(saved["written"]), set(saved["deleted"])
            self.modes = set(saved["modes"])
            (self.folder / "saved").unlink()
        assert not self.lost()
        if done:
            assert not self.unfinished()

    def unfinished(self) -> bool:
        folder = self.root / ".scaffold/run"
        return (folder / "journal.json").exists() or (folder / "stage").exists()

    @invariant()
    def there_is_nothing_to_do_only_if_a_full_run_would_do_nothing(self) -> None:
        try:
            if not is_up_to_date(self.root):
                return
        except ScaffoldError:
            return
        update = plan(self.root)
        planned, lock = update.plan, read(self.root)
        assert lock
        assert not [*planned.writes, *planned.conflicts]
        made = update.generated
        assert made.recorded(planned.relocked(lock.version, made.inputs), self.root) == lock

    @rule(random=chance)
    def edit_and_run(self, random: Random) -> None:
        """In the end nothing is lost, all that nobody edited is as in a new project, and it works."""
        self.edit(random)
        for _ in range(random.randrange(3)):
            killed(lambda: self.run(random), random.randrange(CHANGES))
            assert not self.lost()
        done = self.run(random)
        assert not self.lost()
        if done:
            orphans = self.nothing_is_left_to_do()
            self.it_is_as_if_new_but_for_what_people_did(orphans)
            self.the_server_starts()

    def the_server_starts(self) -> None:
        """Unless a person has to resolve a merge first, or has deleted how it is started."""
        texts = [path.read_bytes() for path in self.root.glob("src/**/*.py")]
        if any(self.root.glob("src/*/__main__.py")) and not any(map(has_markers, texts)):
            assert listed(self.living) == [tool["name"] for tool in self.living.spec["tools"]]

    def nothing_is_left_to_do(self) -> set[str]:
        """The files that are kept though nothing asks for them: merged ones, unedited, among them."""
        before = stamps(self.root)
        outcome = regenerate(self.root, [], False)
        assert not outcome.update.plan.writes
        assert stamps(self.root) == before, "the second run writes nothing"
        lock, plan = read(self.root), outcome.update.plan
        assert lock
        known = {entry.id for entry in lock.files.values() if entry.orphan} - {None}
        # Markers that were accepted, and files that each run names until somebody deletes them.
        left_over = any(step.is_left_over for step in plan.orphans)
        undecided = known or plan.conflicts or left_over
        if not undecided:
            assert is_up_to_date(self.root), "and the next one need not look"
        return {step.path for step in outcome.update.plan.orphans if step.owner == "merged"}

    def it_is_as_if_new_but_for_what_people_did(self, orphans: set[str]) -> None:
        strays = set(map(in_package, self.strays))
        document, packs = parse(written(self.living.spec)), read_packs(self.root)
        new = generate(document, self.folder, Path(), packs).everything
        fresh = {str(path): file.content for path, file in new.items()}
        exact = {str(path) for path, file in new.items() if file.data is not None}
        here = {
            path: data if path in exact else data.replace(b"\r\n", b"\n")
            for path, data in self.files().items()
            if path[:10] != "templates/"
        }
        here["mcp.yaml"] = fresh["mcp.yaml"]  # the user's, and maybe with a space more
        assert self.outside.read_text() == "Outside.\n"
        for made, file in new.items():
            if here.get(made) == fresh[made] and in_package(made) not in self.modes:
                assert os.access(self.root / made, os.X_OK) == file.executable, made
        for path in here.keys() | fresh.keys():
            if (
                here.get(path) != fresh.get(path)
                and in_package(path) not in map(in_package, self.deleted)
                and in_package(path.removesuffix(".orig")) not in strays
                and path.removesuffix(".orig") not in orphans
            ):
                assert b"# [mine " in here.get(path, b""), path


TestLife = Life.TestCase
TestLife.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=STEPS,
    phases=[Phase.generate],  # to shrink a life takes many minutes
)
