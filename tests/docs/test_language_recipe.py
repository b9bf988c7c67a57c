"""The pack for JavaScript in docs/pack-recipes.md, from its blocks to running servers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.command import Ended, run
from tests.docs.test_pack_recipes import files
from tests.generated import Generated
from tests.npm import BIN, NODE
from tests.raw_client import LEGACY, StdioClient, WireCheck
from tests.waiting import WITHIN, wait_until

pytestmark = pytest.mark.usefixtures("starts_programs")

TITLE = {"title": {"type": "string", "description": "Title of the note."}}

SPEC: dict[str, Any] = {
    "name": "notes",
    "version": "1.0.0",
    "description": "Keeps notes.",
    "env": [{"name": "NOTES_FOLDER", "description": "Where notes are.", "default": "notes"}],
    "errors": [
        {"name": "NoteNotFound", "message": "No note called {{{title}}}"},
        {"name": "Context", "message": "Words that only Python reserves are free: {class}"},
    ],
    "tools": [
        {
            "name": "read_note",
            "description": "Return the text of a note.",
            "errors": ["NoteNotFound", "Context"],
            "inputSchema": {"type": "object", "properties": TITLE, "required": ["title"]},
        },
        {"name": "delete", "description": "Delete all.", "inputSchema": {"type": "object"}},
    ],
}

READ_NOTE = """\
import { NoteNotFound } from "../_generated/errors.js";

export async function readNote({ title }) {
  console.log("reading");
  if (title !== "a") throw new NoteNotFound({ title });
  return { text: "A" };
}
"""

DELETE = """\
import { readNote } from "./read_note.js";

export const delete_ = async () => typeof readNote;
"""


class Server(Generated):
    """A server that Node runs."""

    def spawn(self, *arguments: str, **env: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [NODE, "src/main.js"],
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )


@pytest.fixture(scope="module", autouse=True)
def _node() -> None:
    """Node.js comes as a wheel, but not for each platform."""
    if not NODE.exists():
        pytest.skip(f"there is no Node.js at {NODE}")


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pack of the page, with a header of its own."""
    folder = tmp_path_factory.mktemp("recipes") / "acme-node"
    for path, text in {**files("A pack in another language"), "header.j2": "// Acme\n"}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    return folder


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """Return an environment with Node and a home of its own."""
    (tmp_path / "home/.cursor").mkdir(parents=True)
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "HOME": str(tmp_path / "home"), "NO_COLOR": "1"}


@pytest.fixture
def project(pack: Path, tmp_path: Path, env: dict[str, str]) -> Path:
    """A server with written handlers."""
    root = new(pack, tmp_path / "notes", SPEC)
    (root / "src/tools/read_note.js").write_text(READ_NOTE)
    (root / "src/tools/delete.js").write_text(DELETE)
    return root


def new(pack: Path, root: Path, spec: dict[str, Any]) -> Path:
    root.with_suffix(".yaml").write_text(yaml.safe_dump(spec))
    ended = run("new", root.with_suffix(".yaml"), root, "--pack", pack)
    assert (ended.code, "warning" in ended.err) == (0, False), ended.err
    return root


def renamed(root: Path) -> Ended:
    """Rename a tool in the spec of a project, and regenerate."""
    [first, *others] = SPEC["tools"]
    tool = {**first, "name": "get_text", "renamedFrom": "read_note"}
    (root / "mcp.yaml").write_text(yaml.safe_dump({**SPEC, "tools": [tool, *others]}))
    return run("regenerate", root)


def test_a_new_server_passes_its_own_checks(
    pack: Path, tmp_path: Path, env: dict[str, str]
) -> None:
    root = new(pack, tmp_path / "notes", SPEC)
    ended = run("check", root, env=env)
    assert (ended.code, ended.err.splitlines()[-1]) == (0, "3 checks passed"), ended.err
    stub = (root / "src/tools/read_note.js").read_text()
    assert stub.startswith(
        "// Acme\n// Return the text of a note.\n// - title: string. Title of the note.\n"
    )
    readme = (root / "README.md").read_text()
    assert "Start it with `node src/main.js`, and check it with `node --test`." in readme
    example = (root / ".env.example").read_text()
    assert example.startswith("# Copy this file to `.env`")
    assert "`node --env-file .env src/main.js`" in example
    assert run("regenerate", root, "--check").code == 0


def test_a_failed_check_shows_the_error_of_node(project: Path, env: dict[str, str]) -> None:
    (project / "src/tools/delete.js").write_text("export async function delete() {}\n")
    ended = run("check", project, env=env)
    assert ended.code == 1
    assert "FAIL  tests      node --test" in ended.err


def test_a_rename_moves_the_handler_and_reports_each_old_name(
    project: Path, env: dict[str, str]
) -> None:
    more = 'import { readNote } from "./tools/read_note.js";\n\nexport const again = readNote;\n'
    (project / "src/again.js").write_text(more)
    ended = renamed(project)
    assert ended.code == 0
    assert "move      src/tools/get_text.js  (from src/tools/read_note.js)" in ended.err
    in_two_lines = "`readNote` (line 1), `read_note` (line 1), `readNote` (line 3)"
    for path, line, names in (
        ("src/again.js", 1, in_two_lines),
        ("src/tools/delete.js", 1, in_two_lines),
        ("src/tools/get_text.js", 3, "`readNote` (line 3)"),
    ):
        warning = f"{path}:{line}: warning[old-names] `{path}` may use old names: {names}\n"
        assert warning in ended.err
    assert "main.js" not in ended.err
    assert (project / "src/tools/get_text.js").read_text() == READ_NOTE
    assert run("check", project, env=env).code == 1
    for path in ("src/again.js", "src/tools/delete.js", "src/tools/get_text.js"):
        text = (project / path).read_text()
        text = text.replace("readNote", "getText").replace("read_note", "get_text")
        (project / path).write_text(text)
    assert run("check", project, env=env).code == 0


def test_a_reserved_word_that_was_renamed_is_reported_too(project: Path) -> None:
    [first, second] = SPEC["tools"]
    tools = [first, {**second, "name": "clear", "renamedFrom": "delete"}]
    (project / "mcp.yaml").write_text(yaml.safe_dump({**SPEC, "tools": tools}))
    assert "src/tools/clear.js:3: warning[old-names]" in run("regenerate", project).err


@pytest.mark.parametrize("version", LEGACY)
def test_the_server_speaks_the_protocol(project: Path, version: str, check: WireCheck) -> None:
    with StdioClient(Server(project, "notes"), version, check) as client:
        listed = client.request("tools/list")["result"]["tools"]
        assert [tool["name"] for tool in listed] == ["read_note", "delete"]
        assert client.call("read_note", title="a")["result"]["structuredContent"] == {"text": "A"}
        absent = client.call("read_note", title="b")["result"]
        assert (absent["isError"], absent["content"][0]["text"]) == (True, "No note called {b}")
        assert client.call("delete")["result"]["content"][0]["text"] == "function"
        assert client.call("toString")["error"]["code"] == -32602
        assert client.request("resources/list")["error"]["code"] == -32601
        assert (client.faults, client.garbage) == ([], [])
    assert "reading" in client.log


def test_no_text_or_name_of_a_spec_becomes_code(
    pack: Path, tmp_path: Path, env: dict[str, str]
) -> None:
    hostile = "*/ process.exit(3) /*\u2028process.exit(3)\n`${process.exit(3)}` \" ' \\"
    names = ["__proto__", "handlers", "get_2fa", "get2fa", "import", "class", "a.b/c", "A-B_C"]
    schema = {"type": "object", "properties": {hostile: {"description": hostile}}}
    tools = [
        {"name": name, "title": hostile, "description": hostile, "inputSchema": schema}
        for name in names
    ]
    message = '`${{process.exit(3)}}` " \\'
    errors = [{"name": name, "message": message} for name in ("Odd", "ToolError", "Map")]
    spec = {**SPEC, "title": hostile, "errors": errors}
    path = tmp_path / "odd.yaml"
    path.write_text(yaml.safe_dump({**spec, "description": hostile, "tools": tools}))
    ended = run("new", path, tmp_path / "odd", "--pack", pack)
    assert ended.code == 0, ended.err
    ended = run("check", tmp_path / "odd", env=env)
    assert ended.code == 0, ended.err
    script = tmp_path / "odd/src/_generated/try.js"
    script.write_text('import * as errors from "./errors.js"; new errors.Odd({})')
    assert subprocess.run([NODE, script], check=False).returncode == 0


def test_clients_start_the_server_from_anywhere(
    project: Path, tmp_path: Path, env: dict[str, str]
) -> None:
    installed = run("clients", "install", "--client", "cursor", cwd=project, env=env)
    assert installed.code == 0, installed.err
    entry = yaml.safe_load((project / ".cursor/mcp.json").read_text())["mcpServers"]["notes"]
    assert (Path(entry["command"]).stem, entry["args"]) == ("node", [f"{project}/src/main.js"])
    tried = run("clients", "test", "--client", "cursor", cwd=project, env=env)
    assert "Cursor: works over stdio, 2 tools" in tried.out, tried.err


def test_edits_are_compared_without_rules_of_python(project: Path) -> None:
    renamed(project)
    ended = run("breaking", project / "mcp.yaml", "--against", project.with_suffix(".yaml"))
    assert (ended.code, "tool-renamed" in ended.out + ended.err) == (1, True), ended.err


def test_dev_restarts_the_server_after_each_save(
    project: Path, tmp_path: Path, env: dict[str, str]
) -> None:
    code = "from scaffold.cli.main import main; main()"
    log = tmp_path / "log"
    with log.open("wb") as output:
        command = [sys.executable, "-c", code, "dev", str(project)]
        dev = subprocess.Popen(command, env=env, stdout=output, stderr=subprocess.STDOUT)
    try:
        starts = "notes: starts, and lists read_note, delete\n"
        wait_until(lambda: starts in log.read_text(), log.read_text)
        (project / "src/tools/delete.js").write_text("export async function delete() {}\n")
        wait_until(lambda: "waiting for a change" in log.read_text(), log.read_text)
        (project / "src/tools/delete.js").write_text(DELETE)
        wait_until(lambda: log.read_text().count(starts) == 2, log.read_text)
    finally:
        dev.terminate()
        dev.wait(WITHIN)


def test_unsupported_features_are_refused_or_left_out(pack: Path, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        yaml.safe_dump({**SPEC, "prompts": [{"name": "p", "messages": []}]})
    )
    refused = run("new", tmp_path / "a.yaml", tmp_path / "a", "--pack", pack)
    assert refused.code == 2
    assert "[pack-lacks] the pack `acme-node` does not serve `prompts`" in refused.err
    assert "hint: remove it, or use another pack" in refused.err
    web = {**SPEC, "transports": ["stdio", "streamable-http"]}
    (tmp_path / "b.yaml").write_text(yaml.safe_dump(web))
    left_out = run("new", tmp_path / "b.yaml", tmp_path / "b", "--pack", pack)
    assert "leaves out `streamable-http`" in left_out.err
    assert "streamable-http" not in (tmp_path / "b/clients/README.md").read_text()


def test_the_pack_passes_the_checks_of_packs(
    pack: Path, tmp_path: Path, env: dict[str, str]
) -> None:
    copy = shutil.copytree(pack, tmp_path / "acme-node")
    ended = run("pack", "check", copy, env=env, timeout=300)
    assert (ended.code, ended.err) == (0, "acme-node: 1 server checked\n")
