"""A company's servers, made from real tool lists, live through three versions of its pack.

The upgrades come by the recipes of docs/many-servers.md. In between, people edit their servers and
merge the requests with what they have done meanwhile. Of their texts nothing is lost, and a change of
the pack that does not reach a file is told. `MCP_SCAFFOLD_SERVERS=40` takes all lists.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.captured import captured_servers
from tests.command import Ended
from tests.corpus.recording import names_of
from tests.generated import Generated
from tests.teams.building import Repository, needs_git, run
from tests.teams.fleet import Fleet, recipe

pytestmark = [needs_git, pytest.mark.slow]

PACK = Path(__file__).with_name("company")
SERVERS = int(os.environ.get("MCP_SCAFFOLD_SERVERS", "4"))
SMALL = ("figma-context", "neo4j-cypher", "sqlite", "tavily")

GONE = {
    "v2": (
        "pack/SUPPORT.md.j2.copier",
        "pack/README.md.j2",
        "pack/src/package/_generated/metrics.py.j2",
    ),
    "v3": (
        "pack/chart/Chart.yaml.j2",
        "pack/chart/values.yaml.j2.copier",
        "pack/chart/templates/deployment.yaml.j2",
        "pack/docs/tools/tool.md.j2",
    ),
}
"""The files that a version of the pack no longer has; its folder has those that are new or changed."""

VENDOR = "LABEL org.opencontainers.image.vendor="


def release(pack: Repository, version: str) -> None:
    """Tag a version of the company's pack."""
    folder = PACK / version.partition(".")[0]
    files: dict[str, str | None] = dict.fromkeys(GONE.get(folder.name, ()))
    for path in folder.rglob("*"):
        if path.is_file():
            files[path.relative_to(folder).as_posix()] = path.read_text("utf-8")
    pack.tag(version, files)


@dataclass
class Server:
    """A server, and what people have written in it.

    `written` are texts and the file of each, `replaced` the beginnings of lines that were in their
    place. `own` and `deleted` are files. `told` is what was said in the requests and after merges.
    """

    root: Path
    number: int
    answers: dict[str, str]
    written: list[tuple[str, str]] = field(default_factory=list)
    replaced: dict[str, list[str]] = field(default_factory=dict)
    own: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)
    told: str = ""
    words: Iterator[int] = field(default_factory=count)

    @property
    def name(self) -> str:
        return self.root.name

    @property
    def package(self) -> str:
        [folder] = (self.root / "src").iterdir()
        return f"src/{folder.name}"

    @property
    def branch(self) -> str:
        return f"upgrade-pack-{self.name}"

    @property
    def handlers(self) -> list[str]:
        found = sorted((self.root / self.package / "tools").glob("*.py"))
        return [f"{self.package}/tools/{f.name}" for f in found if f.name != "__init__.py"]

    @property
    def files(self) -> dict[str, bytes]:
        """All files but the records of mcp-scaffold."""
        found = {file.relative_to(self.root).as_posix(): file for file in self.root.rglob("*")}
        skipped = (".scaffold/", "__pycache__")
        return {
            path: file.read_bytes()
            for path, file in found.items()
            if file.is_file() and not any(part in path for part in skipped)
        }

    def new_words(self) -> str:
        return f"Words {next(self.words)} by the people of {self.name}."

    def write(self, path: str, old: str, new: str, line: str = "") -> None:
        """Replace a text; `line` is how the line begins that was there before."""
        file = self.root / path
        text = file.read_text("utf-8")
        assert text.count(old) == 1, (file, old)
        file.write_text(text.replace(old, new), "utf-8")
        self.written.append((path, new.replace(old, "") if old in new else new))
        if line:
            self.replaced.setdefault(path, []).append(line)

    def append(self, path: str, text: str) -> None:
        file = self.root / path
        file.write_text(file.read_text("utf-8") + text, "utf-8")
        self.written.append((path, text))

    def add(self, path: str, text: str) -> None:
        """Write a file of their own."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        self.own.add(path)
        self.written.append((path, text))

    def handle(self, path: str) -> None:
        """Write something in a handler, and leave the rest of the work for later."""
        words = self.new_words()
        self.write(path, "    raise NotWritten", f"    # {words}\n    raise NotWritten")
        self.append(path, f'\n\ndef note_{next(self.words)}() -> str:\n    return "{words}"\n')

    def edit_spec(self, edit: Callable[[list[dict[str, Any]]], None]) -> None:
        spec = self.root / "mcp.yaml"
        document = json.loads(spec.read_text("utf-8"))
        edit(document["tools"])
        spec.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", "utf-8")

    def add_tool(self) -> None:
        text = f"Answers when nobody else does. {self.new_words()}"
        schema = {"type": "object", "properties": {"day": {"type": "string"}}}
        tool = {"name": "who_answers", "description": text, "inputSchema": schema}
        self.edit_spec(lambda tools: tools.append(tool))

    def rename_tool(self, handler: str) -> None:
        """Rename a tool; its handler is found by its texts afterwards."""
        old = names_of(Generated(self.root, ""))[Path(handler).stem]

        def rename(tools: list[dict[str, Any]]) -> None:
            [tool] = [tool for tool in tools if tool["name"] == old]
            tool |= {"name": f"new_{old[:40]}", "renamedFrom": old}

        self.edit_spec(rename)

    def follow_renames(self) -> None:
        """Expect the texts of a renamed tool's files where the run has moved them."""
        for number, (path, text) in enumerate(self.written):
            if not (self.root / path).exists():
                folder = path.rpartition("/")[0]
                texts = {
                    one: data.decode() for one, data in self.files.items() if one.startswith(folder)
                }
                [now] = [one for one, whole in texts.items() if text in whole]
                self.written[number] = (now, text)
                self.told = self.told.replace(path, f"{path} {now}")

    def lost(self) -> list[tuple[str, str]]:
        """The texts that are no longer where people wrote them."""
        files = {path: data.decode(errors="replace") for path, data in self.files.items()}
        return [(path, text) for path, text in self.written if text not in files.get(path, "")]


class Trial(Fleet):
    """The company: its pack, its repository, and its servers."""

    def __init__(self, folder: Path, lists: Path) -> None:
        super().__init__(folder)
        self.merged = self.marked = 0
        release(self.pack, "v1.0.0")
        found = {server.name: server for server in captured_servers(lists)}
        names = [*SMALL, *(n for n in found if n not in SMALL and not n.endswith("-2"))][:SERVERS]
        with ThreadPoolExecutor(4) as threads:
            made = threads.map(
                lambda pair: self.make(pair[0], found[pair[1]].spec), enumerate(names)
            )
            self.all = list(made)

    def make(self, number: int, spec: Any) -> Server:
        answers = {
            "team": f"team-{number}",
            "tier": ("internal", "public")[number % 2],
            "deploy": ("helm", "helm", "none")[number % 3],
            "package_index": ("", "https://packages.example/simple")[number // 2 % 2],
        }
        transports = ["stdio", "streamable-http"][: 1 + number % 2]
        path = self.folder / f"specs/{spec['name']}.yaml"
        path.parent.mkdir(exist_ok=True)
        document = {**spec, "transports": transports}
        path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", "utf-8")
        server = Server(self.servers / spec["name"], number, answers)
        self.new(path, server.root, "v1.0.0", answers)
        return server

    def new(self, spec: Path, root: Path, version: str, answers: dict[str, str]) -> None:
        given = [
            word for name, answer in answers.items() for word in ("--data", f"{name}={answer}")
        ]
        made = run(
            "new", spec, root, "--pack", f"{self.pack.folder}@{version}", *given, "--defaults"
        )
        assert made.code == 0, made.err

    def several(self, *command: str, code: int = 0) -> Ended:
        """Run a command over all servers."""
        ended = run(*command, "servers/*", cwd=self.work.folder, timeout=1200)
        assert ended.code == code, ended.err
        return ended

    def merge(self, server: Server) -> None:
        """Merge the request of a server into main, or main into it first; then regenerate."""
        git = self.work.git
        git("fetch", "--quiet", "origin")
        into, other = ("main", f"origin/{server.branch}")
        if server.number % 2:
            git("switch", "--quiet", "--force-create", "request", other)
            other = "main"
        else:
            git("switch", "--quiet", into)
        command = [
            "git",
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "merge",
            "--no-ff",
            "--no-commit",
        ]
        subprocess.run([*command, other], cwd=self.work.folder, capture_output=True, check=False)
        for path in git("diff", "--name-only", "--diff-filter=U").splitlines():
            if path.endswith(".py") and "_generated" not in path:
                self.keep_both(server, path.removeprefix(f"servers/{server.name}/"))
        self.settle(server)
        git("add", "--all")
        git("commit", "--quiet", "--allow-empty", "--message", f"Merge {server.branch}")
        if server.number % 2:
            git("switch", "--quiet", "main")
            git("merge", "--quiet", "--ff-only", "request")
        self.merged += 1

    def settle(self, server: Server) -> None:
        done = run("regenerate", server.root)
        if done.code == 1:
            conflicts = re.findall(r"^conflict  (\S+)$", done.err, re.MULTILINE)
            if any("<<<<<<< " not in (server.root / one).read_text("utf-8") for one in conflicts):
                # git merges no bases: a conflict that was decided on the branch is asked again.
                run("regenerate", server.root, "--accept-conflicts")
            for path in conflicts:
                self.keep_words(server, path)
            done = run("regenerate", server.root)
        assert done.code == 0, (server.name, done.err)
        server.told += done.err
        server.follow_renames()
        assert not server.lost(), (server.name, server.lost())

    def keep_words(self, server: Server, path: str) -> None:
        """Resolve a conflict of git in a file that is shared: keep what people wrote, no more."""
        self.resolve(server, path, lambda sides, texts: "".join(texts))

    def keep_both(self, server: Server, path: str) -> None:
        """Resolve a conflict of git in a handler: take the template's side, and what people wrote."""
        self.resolve(
            server,
            path,
            lambda sides, texts: "".join(
                [*(side for side in sides if not any(text in side for text in texts)), *texts]
            ),
        )

    def resolve(
        self, server: Server, path: str, decide: Callable[[tuple[str, ...], list[str]], str]
    ) -> None:
        """Replace each place with markers by what is decided of its sides and people's texts."""
        texts = [text for file, text in server.written if file == path]
        file = server.root / path
        text = file.read_text("utf-8")
        text, places = re.subn(
            r"<<<<<<< [^\n]*\n(.*?)=======\n(.*?)>>>>>>> [^\n]*\n",
            lambda found: decide(found.groups(), [one for one in texts if one in found[0]]),
            text,
            flags=re.DOTALL,
        )
        assert places, path
        file.write_text(text, "utf-8")
        self.marked += 1

    def decide(self, server: Server, path: str, line: str) -> None:
        """On the branch of a request that is a draft, replace markers with a line of both."""
        git = self.work.git
        git("fetch", "--quiet", "origin")
        git("switch", "--quiet", "--force-create", server.branch, f"origin/{server.branch}")
        text = (server.root / path).read_text("utf-8")
        pattern = r"<<<<<<< yours\n.*?\n>>>>>>> template\n"
        text, markers = re.subn(pattern, lambda _: f"{line}\n", text, flags=re.DOTALL)
        assert markers == 1, (server.name, text)
        (server.root / path).write_text(text, "utf-8")
        assert run("regenerate", server.root).code == 0
        git("add", "--all")
        git("commit", "--quiet", "--message", "Decide")
        git("push", "--quiet", "origin", server.branch)
        git("switch", "--quiet", "main")
        self.marked += 1

    def check_all(self, version: str) -> None:
        """Compare all servers with new ones."""
        with ThreadPoolExecutor(4) as threads:
            for _ in threads.map(lambda server: self.check_against_new(server, version), self.all):
                pass

    def check_against_new(self, server: Server, version: str) -> None:
        """Compare a server with one made of its spec with this version, by somebody else.

        What differs was written by people; what a template would have there was told.
        """
        twin = Server(self.folder / "twins" / version / server.name, server.number, server.answers)
        self.new(server.root / "mcp.yaml", twin.root, version, server.answers)
        if (server.root / "templates").exists():
            shutil.copytree(server.root / "templates", twin.root / "templates")
            assert run("regenerate", twin.root).code == 0
        ours, theirs = server.files, twin.files
        assert not [path for path, data in ours.items() if b"<<<<<<< " in data], server.name
        edited = {path for path, _ in server.written}
        for path in sorted(ours.keys() | theirs.keys()):
            where = f"{server.name}/{path} at {version}"
            if path not in ours:
                assert path in server.deleted, where
            elif path not in theirs:
                is_told = f"warning[orphan] `{path}`" in server.told
                assert path in server.own or is_told, where
            elif ours[path] != theirs[path]:
                is_found = f"using the existing file `{path}`" in server.told
                assert path in edited or is_found, where
                have = {*ours[path].decode().splitlines()}
                missing = [one for one in theirs[path].decode().splitlines() if one not in have]
                expected = tuple(server.replaced.get(path, ()))
                rest = [line for line in missing if not (expected and line.startswith(expected))]
                assert not rest or path in server.told, (where, rest)


def begin(server: Server) -> None:
    """What people write in a server of version 1: each fourth server has people of one kind."""
    first, *more = server.handlers
    server.handle(first)
    page = first.replace(f"{server.package}/tools/", "docs/tools/").replace(".py", ".md")
    match server.number % 4:
        case 1:
            server.write("README.md", "An MCP server, ", f"{server.new_words()}\n\nAn MCP server, ")
            server.write("Dockerfile", "WORKDIR /home/server", "WORKDIR /home/ann", "WORKDIR")
            server.append(".gitlab-ci.yml", f"\nours:\n  script: [echo {server.new_words()!r}]\n")
            server.append("SUPPORT.md", f"\n{server.new_words()}\n")
            server.append(page, f"\n{server.new_words()}\n")
            server.write(
                "pyproject.toml", "dependencies = [\n", 'dependencies = [\n    "anyio>=4,<5",\n'
            )
            server.add(f"{server.package}/own.py", f'OWN = "{server.new_words()}"\n')
            if server.answers["deploy"] == "helm":
                new = f"replicas: 5  # {server.new_words()}"
                server.write("chart/values.yaml", "replicas: 1", new, "replicas:")
            if more:
                other = page.replace(Path(first).stem, Path(more[0]).stem)
                (server.root / other).unlink()
                server.deleted.add(other)
        case 2:
            new = f'{VENDOR}"{server.new_words()}"'
            server.write("Dockerfile", f'{VENDOR}"Northwind Ltd"', new, VENDOR)
            image = "image: ghcr.io/astral-sh/uv:python3.13-bookworm"
            server.write(
                ".gitlab-ci.yml",
                image,
                f"image: registry.example/uv  # {server.new_words()}",
                "image:",
            )
            server.append(page, f"\n{server.new_words()}\n")
        case 3:
            extends = '{% extends "@northwind/Dockerfile.j2" %}\n'
            label = f'LABEL own="{server.new_words()}"\n'
            text = f"{extends}{{% block labels %}}\n{label}{{% endblock %}}\n"
            server.add("templates/Dockerfile.j2", text)
            table = 'contract = 3\n\n[[files]]\ntemplate = "OWN.md.j2"\nowner = "merged"\n'
            server.add("templates/pack.toml", table)
            server.add("templates/OWN.md.j2", f"# {server.new_words()}\n")
            module = f"{server.package.removeprefix('src/')}._generated.metrics"
            server.write(
                first, "import logging\n", f"import logging\nimport {module} as counters\n"
            )


def go_on(server: Server) -> None:
    """What people do while the request for version 2 is open."""
    first, *more = server.handlers
    match server.number % 4:
        case 0:
            server.add_tool()
        case 1:
            server.append("README.md", f"\n{server.new_words()}\n")
            for handler in more[:1]:
                server.handle(handler)
        case 2:
            server.rename_tool(first)
        case 3:
            server.add_tool()
            server.rename_tool(first)


@pytest.fixture
def trial(tmp_path: Path, corpus: Path) -> Trial:
    return Trial(tmp_path, corpus / "tools")


def test_nothing_is_lost_and_every_loss_of_a_template_s_text_is_told(trial: Trial) -> None:
    started = time.perf_counter()
    for server in trial.all:
        begin(server)
    trial.several("regenerate")
    trial.publish("servers")

    # Version 2, by the recipe for GitHub.
    release(trial.pack, "v2.0.0")
    behind = run("status", "servers/*", "--behind", cwd=trial.work.folder, timeout=600)
    assert behind.out.split() == sorted(f"servers/{server.name}" for server in trial.all)
    bodies = trial.folder / "bodies"
    bodies.mkdir()
    gh = trial.folder / "bin/gh"
    gh.parent.mkdir()
    loop = (
        f'while [ $# -gt 0 ]; do [ "$1" != --body-file ] || cp "$2" "{bodies}/$branch"; shift; done'
    )
    gh.write_text(f"#!/bin/sh\nbranch=$4\n{loop}\n")
    gh.chmod(0o755)
    script = recipe("yaml", "upgrade-packs.yml")["jobs"]["upgrade"]["steps"][-1]["run"]
    ended = trial.run(script, timeout=1200)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert trial.branches == {"main", *(server.branch for server in trial.all)}
    for server in trial.all:
        server.told += (bodies / server.branch).read_text("utf-8")
        assert "`SUPPORT.md` is gone: the catalog" in server.told
        assert f"`{server.package}/tools/" in server.told, "the handler of v2 is told"

    # Meanwhile, people have gone on.
    for server in trial.all:
        go_on(server)
    trial.several("regenerate")
    for server in trial.all:
        server.follow_renames()
    trial.publish("more tools")
    for server in trial.all:
        if server.number % 4 == 2:
            [words] = [text for path, text in server.written if text.startswith(VENDOR)]
            trial.decide(server, "Dockerfile", f'{words} on-call="business-hours"')
        trial.merge(server)
    for server in trial.all:
        if server.number % 4 == 3:
            assert "imports `_generated/metrics.py`, which no longer exists" in server.told
            handler = next(path for path, text in server.written if "as counters" in text)
            server.written = [one for one in server.written if "as counters" not in one[1]]
            server.write(
                handler, "._generated.metrics as counters", "._generated.telemetry as counters"
            )
    trial.several("regenerate", "--check")
    trial.publish("version 2")
    trial.check_all("v2.0.0")

    # A version that needs a later mcp-scaffold is a mistake: no server takes it.
    table = (PACK / "v2/pack/pack.toml.copier").read_text("utf-8")
    trial.pack.tag("v2.1.0", {"pack/pack.toml.copier": table.replace(">=0.1", ">=99")})
    refused = trial.several("pack", "upgrade", "--defaults", code=2)
    assert refused.err.count("error[pack-requires]") == len(trial.all)
    assert trial.work.git("status", "--porcelain") == ""

    # Version 3, by the recipe for GitLab. A block that people fill is gone.
    release(trial.pack, "v3.0.0")
    [script] = recipe("yaml", "upgrade packs:")["upgrade packs"]["script"]
    trial.work.git("--git-dir", str(trial.origin), "config", "receive.advertisePushOptions", "true")
    for server in trial.all:
        trial.work.git("push", "--quiet", "--delete", "origin", server.branch)
    site = {"CI_SERVER_HOST": "gitlab.example.org", "CI_DEFAULT_BRANCH": "main"}
    ended = trial.run(script, timeout=1200, **site)
    stopped = [server for server in trial.all if server.number % 4 == 3]
    assert ended.returncode == 1, ended.stderr
    assert ended.stdout.count("no longer has a block `labels`") == len(stopped)
    requested = [server for server in trial.all if server not in stopped]
    assert trial.branches == {"main", *(server.branch for server in requested)}
    for server in requested:
        server.told += trial.work.git(
            "--git-dir", str(trial.origin), "log", "-1", "--format=%B", server.branch
        )
        assert "v2.0.0 → v3.0.0" in server.told
    for server in stopped:
        server.written = [one for one in server.written if one[0] != "templates/Dockerfile.j2"]
        server.write("templates/Dockerfile.j2", "block labels", "block image_labels")
        done = run("pack", "upgrade", server.root, "--defaults")
        assert done.code == 0, done.err
        server.told += done.err
    for server in trial.all:
        server.handle(server.handlers[-1]) if server.number % 4 == 0 else None
    trial.several("regenerate")
    trial.publish("more handlers")
    for server in requested:
        if server.number % 4 == 2:
            image = next(text for path, text in server.written if path == ".gitlab-ci.yml")
            trial.decide(server, ".gitlab-ci.yml", image)
        trial.merge(server)
    trial.several("regenerate", "--check")
    trial.several("regenerate", "--prune")
    trial.publish("version 3")
    for server in trial.all:
        assert not server.lost(), server.name
    trial.check_all("v3.0.0")
    state = json.loads(trial.several("status", "--format", "json").out)["projects"]
    assert {one["pack"]["version"] for one in state} == {"v3.0.0"}
    assert {one["verdict"] for one in state} == {"up to date"}

    for server in trial.all[:4]:
        check_tests(server.root)
    texts = sum(len(server.written) for server in trial.all)
    files = sum(len(server.files) for server in trial.all)
    print(
        f"{len(trial.all)} servers, {files} files, {texts} texts of people, {trial.merged} merges,"
        f" {trial.marked} conflicts, {time.perf_counter() - started:.0f} s"
    )


def check_tests(project: Path) -> None:
    """Run the tests of the protocol that the server has: the handlers are unfinished."""
    path = f"{project / 'src'}{os.pathsep}{project}"
    tests = map(str, project.glob("tests/test_*_contract.py"))
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests],
        cwd=project,
        env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout
