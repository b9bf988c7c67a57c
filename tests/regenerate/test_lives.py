"""Edits of the spec, edits of files and kills in any order: nothing is lost, and all comes right."""

from __future__ import annotations

import ast
import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from scaffold.diagnostics import ScaffoldError
from scaffold.pipeline import regenerate
from tests.disk.processes import killed
from tests.regenerate.living import NUMBER, TEXT, Living, Spec, spec, tool

EXAMPLES = int(os.environ.get("MCP_SCAFFOLD_LIVES", "15"))
STEPS = 5
CHANGES = 60  # that a run makes to the disk, about

chance = st.randoms(use_true_random=True)

NAMES = ["search", "get.user", "get_user", "getUser", "list", "a", "B"]
SCHEMAS = [TEXT, NUMBER, {"enum": ["x", "y"]}, {"type": "array", "items": TEXT}]
PROMPT = {"name": "search", "arguments": [{"name": "topic", "required": True}]}
RESOURCE = {"uri": "blog://search", "name": "search"}


def edit_the_tools(spec: Spec, random: Random) -> None:
    tools: list[dict[str, Any]] = spec["tools"]
    for one in tools:
        one.pop("renamedFrom", None)
    one, free = random.choice(tools), [n for n in NAMES if n not in {t["name"] for t in tools}]
    properties = one["inputSchema"]["properties"]
    kinds: list[Callable[[], object]] = [
        lambda: properties.update({random.choice("pqr"): random.choice(SCHEMAS)}),
        lambda: random.shuffle(tools),
        lambda: one.update(description=f"Does {random.random()}."),
    ]
    if free:
        name = random.choice(free)
        kinds += [
            lambda: tools.append(tool(name, p=TEXT)),
            lambda: one.update(name=name, renamedFrom=one["name"]),
            lambda: one.update(name=name),
        ]
    if len(tools) > 1:
        kinds.append(lambda: tools.remove(one))
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


class Life(RuleBasedStateMachine):
    """The life of one project, by the real command's ways."""

    def __init__(self) -> None:
        super().__init__()
        self.quick = mock.patch("os.fsync")  # which guards against power cuts, not kills
        self.quick.start()
        self.folder = Path(tempfile.mkdtemp())
        self.living = Living.born(self.folder / "project", spec(tool("search", p=TEXT), tool("a")))
        self.root = self.living.root
        self.written: set[str] = set()
        self.deleted: set[str] = set()
        self.count = 0

    def teardown(self) -> None:
        shutil.rmtree(self.folder)
        self.quick.stop()

    def lost(self) -> set[str]:
        """What a person has written and is nowhere in the project."""
        there = b"".join(self.living.files().values()).decode()
        return {words for words in self.written if words not in there}

    def edit_the_spec(self, random: Random) -> None:
        for _ in range(random.randrange(1, 4)):
            random.choice([edit_the_tools, edit_the_tools, edit_the_rest])(self.living.spec, random)
        self.living.save()

    def edit_the_files(self, random: Random) -> None:
        for _ in range(random.randrange(1, 4)):
            paths = [path for path in self.living.files() if path != "mcp.yaml"]
            handlers = [path for path in paths if "/tools/" in path and path.endswith(".py")]
            path = random.choice(random.choice([paths, handlers or paths]))
            file, kind = self.root / path, random.random()
            if kind < 0.1:
                file.unlink()
                self.deleted.add(path)
            elif kind < 0.2:
                data = file.read_bytes().replace(b"\r\n", b"\n")
                file.write_bytes(data.replace(b"\n", b"\r\n"))
            else:
                self.count += 1
                words = f"# [mine {self.count}]"
                if kind < 0.3:
                    file = file.with_name(f"mine_{self.count}.py")
                    package = next((self.root / "src").iterdir()).name
                    self.living.write(
                        str(file.relative_to(self.root)),
                        f"import {package}.lifespan\n{words}\n",
                    )
                else:
                    with file.open("a", newline="") as stream:
                        stream.write(f"{words}\n")
                self.written.add(words)
        self.written -= self.lost()  # by the person's own hand

    def edit(self, random: Random) -> None:
        for something in (self.edit_the_spec, self.edit_the_files):
            if random.random() < 0.7:
                something(random)

    def run(self, random: Random) -> bool:
        """Whether the run goes through; conflicts are decided in one of the ways there are."""
        try:
            made = regenerate(self.root, [], False)
            if made.applied is None:
                forced = [step.path for step in made.planned.plan.conflicts if step.wanted]
                force = forced if random.random() < 0.5 else []
                made = regenerate(self.root, force, not force)
        except ScaffoldError:
            return False
        return made.applied is not None

    @rule(random=chance)
    def edit_run_and_be_killed(self, random: Random) -> None:
        """The next edit comes between the kill and the recovery."""
        self.edit(random)
        killed(lambda: self.run(random), random.randrange(CHANGES))
        assert not self.lost()

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
            self.every_handler_is_there()

    def nothing_is_left_to_do(self) -> set[str]:
        """The files that are kept though nothing asks for them: merged ones, unedited, among them."""
        stamps = self.living.stamps()
        made = regenerate(self.root, [], False)
        assert not made.planned.plan.changes
        assert self.living.stamps() == stamps, "the second run writes nothing"
        return {step.path for step in made.planned.plan.orphans if step.owner == "merged"}

    def it_is_as_if_new_but_for_what_people_did(self, orphans: set[str]) -> None:
        fresh_root = self.folder / "fresh"
        fresh = Living.born(fresh_root, self.living.spec).files()
        shutil.rmtree(fresh_root)
        here = {path: data.replace(b"\r\n", b"\n") for path, data in self.living.files().items()}
        for path in here.keys() | fresh.keys():
            if here.get(path) != fresh.get(path) and path not in self.deleted | orphans:
                assert b"# [mine " in here.get(path, b""), path

    def every_handler_is_there(self) -> None:
        (table,) = self.root.glob("src/*/_generated/handlers.py")
        for node in ast.parse(table.read_bytes()).body:
            if isinstance(node, ast.ImportFrom) and node.module and ".tools." in node.module:
                file = self.root / "src" / f"{node.module.replace('.', '/')}.py"
                with suppress(SyntaxError):
                    names = {getattr(n, "name", None) for n in ast.parse(file.read_bytes()).body}
                    assert {alias.name for alias in node.names} <= names, file


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=EXAMPLES, stateful_step_count=STEPS, deadline=None)
