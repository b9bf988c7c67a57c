"""`mcp-scaffold init`: a project that works, at once and after the first edits."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import time
from pathlib import Path

import jsonschema_rs
import pytest
import yaml
from uv import find_uv_bin

from scaffold.commands.starter import init, starters
from scaffold.format.schema import schema_text
from tests import command
from tests.command import Ended
from tests.generated import REPOSITORY, Generated
from tests.project_tools import mypy_findings_in_all, passed, ruff_findings
from tests.terminal import terminal

COMMAND = [sys.executable, "-c", "from scaffold.cli.main import main; main()"]
NAMES = [starter.name for starter in starters()]
LONG = "a-{}-server-with-a-rather-long-name"


def scaffold(folder: Path, *arguments: str) -> Ended:
    env = os.environ | {"NO_COLOR": "1", "PYTHONPATH": str(REPOSITORY)}
    return command.run(*arguments, cwd=folder, env=env)


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in NAMES],
)
def project(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new project of each starter, called by a name longer than the starter's own."""
    folder, name = tmp_path_factory.mktemp("starters"), LONG.format(request.param)
    ended = scaffold(folder, "init", name, "--starter", request.param)
    assert ended == Ended(
        0, "", f"{name}: created in {name}\nnext:\n  cd {name}\n  uv run python client.py\n"
    )
    return folder / name


@pytest.mark.usefixtures("starts_programs")
def test_the_client_script_of_a_starter_succeeds(project: Path) -> None:
    ended = Generated.at(project).script()
    assert ended.returncode == 0, ended
    steps = [line for line in ended.stdout.splitlines() if line[:4] in ("ok  ", "FAIL", "todo")]
    assert len(steps) > 5
    assert all(step.startswith("ok") for step in steps)


@pytest.mark.usefixtures("starts_programs")
@pytest.mark.slow
def test_the_tests_of_a_starter_pass(project: Path) -> None:
    output = passed(project, "pytest", "-p", "no:cacheprovider")
    assert re.search(r"\d+ passed in", output), output
    assert "skipped" not in output


@pytest.mark.usefixtures("starts_programs")
@pytest.mark.slow
def test_ruff_and_mypy_accept_a_starter(tmp_path: Path) -> None:
    for name in NAMES:
        assert scaffold(tmp_path, "init", LONG.format(name), "--starter", name).code == 0
    assert ruff_findings(tmp_path) == ""
    assert mypy_findings_in_all(tmp_path) == ""
    source = "".join(path.read_text() for path in tmp_path.rglob("*.py"))
    assert "noqa" not in source
    assert "type: ignore" not in source


def test_a_starter_is_up_to_date_and_each_tool_has_an_example_and_a_handler(project: Path) -> None:
    assert scaffold(project, "regenerate", "--check").err == "already up to date\n"
    assert scaffold(project, "validate", "mcp.yaml") == Ended(0, "", "mcp.yaml: no problems\n")
    text = (project / "mcp.yaml").read_text()
    spec = yaml.safe_load(text)
    for tool in spec["tools"]:
        assert any(not example.get("isError") for example in tool["examples"])
    modules = [path for path in project.rglob("*.py") if "_generated" not in path.parts]
    written = "".join(path.read_text() for path in modules)
    assert "raise NotWritten" not in written
    assert not re.search(r"\bstarter\b", written)
    named = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", text.splitlines()[0])
    assert named
    schema = (project / named[1]).read_text()
    assert schema == schema_text()
    assert jsonschema_rs.validator_for(json.loads(schema)).is_valid(spec)


@pytest.mark.parametrize("name", NAMES)
def test_an_edit_of_the_spec_keeps_handlers_tests_and_dependencies(
    tmp_path: Path, name: str
) -> None:
    scaffold(tmp_path, "init", "demo", "--starter", name)
    demo = tmp_path / "demo"
    before = {
        path: path.read_text() for path in demo.rglob("*.py") if "_generated" not in str(path)
    }
    dependencies = (demo / "pyproject.toml").read_text()
    spec = demo / "mcp.yaml"
    added = "  - {name: added, description: Is new., inputSchema: {type: object}}\n\n"
    spec.write_text(spec.read_text().replace("tools:\n", f"tools:\n{added}", 1))
    ended = scaffold(demo, "regenerate")
    assert ended.code == 0, ended
    assert "create    src/demo/tools/added.py" in ended.err
    written = {path for path in before if path.name not in ("client.py", "test_demo_contract.py")}
    assert {path: path.read_text() for path in written} == {p: before[p] for p in written}
    assert (demo / "pyproject.toml").read_text() == dependencies


def test_bytecode_beside_the_modules_of_a_starter_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(REPOSITORY / "templates/starters", tmp_path / "templates/starters")
    cache = tmp_path / "templates/starters/minimal/src/starter/tools/__pycache__"
    cache.mkdir(exist_ok=True)
    (cache / "count_days.cpython-311.pyc").write_bytes(b"\xa7\r\r\n")
    starters_here = tmp_path / "templates/starters"
    monkeypatch.setattr("scaffold.commands.starter._folder", lambda: starters_here)
    init(starters()[0], "demo", tmp_path / "demo")
    assert not [*(tmp_path / "demo").rglob("*.pyc")]


@pytest.mark.usefixtures("starts_programs")
def test_answers_to_a_pack_can_be_passed_in_the_same_call(tmp_path: Path) -> None:
    pack = REPOSITORY / "examples/company-pack"
    ended = scaffold(
        tmp_path, "init", "demo", "--pack", str(pack), "--yes", "--data", "company=Acme Inc"
    )
    assert ended.code == 0, ended
    answers = json.loads((tmp_path / "demo/.scaffold/pack.json").read_text())["answers"]
    assert answers["company"] == "Acme Inc"


def test_with_uv_a_server_over_http_alone_is_started_before_it_is_tried(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(
        'name: web\nversion: "1"\ntransports: [streamable-http]\n'
        "env: [{name: WEB_KEY, description: Key of the API.}]\n"
        "tools: [{name: find, description: Find a page., inputSchema: {type: object}}]\n"
    )
    env = os.environ | {"PATH": f"{Path(find_uv_bin()).parent}:/usr/bin:/bin"}
    ended = command.run("new", "spec.yaml", "--format", "json", cwd=tmp_path, env=env)
    *_, start, then = json.loads(ended.out)["next"]
    assert (start, then) == ("uv run --env-file .env web &", "uv run python client.py")


DOWN = "\x1b[B"
"""The key with an arrow, as terminals send it."""


class TestQuestions:
    """In a terminal, what is not given is asked for."""

    @pytest.mark.usefixtures("starts_programs")
    def test_a_name_is_asked_for_until_it_is_valid_and_a_starter_chosen_with_the_arrows(
        self, tmp_path: Path
    ) -> None:
        with terminal([*COMMAND, "init"], tmp_path) as screen:
            screen.shows("Name of the server")
            screen.types("My Notes\n")
            screen.shows("did you mean `my-notes`?")
            screen.shows("Name of the server")
            screen.types("notes\n")
            screen.shows("Starter")
            screen.types(f"{DOWN}{DOWN}\n")
            assert screen.ends() == 0
        assert (tmp_path / "notes/src/notes/tools/search_files.py").exists()

    @pytest.mark.usefixtures("starts_programs")
    def test_ctrl_c_writes_nothing(self, tmp_path: Path) -> None:
        with terminal([*COMMAND, "init"], tmp_path) as screen:
            screen.shows("[my-server]: ")
            time.sleep(1)  # while `input` sets up the terminal, it misses signals
            screen.types("\x03")
            assert screen.ends() == 1
        assert "Traceback" not in screen.screen
        assert not [*tmp_path.iterdir()]

    @pytest.mark.usefixtures("starts_programs")
    def test_a_full_folder_is_reported_before_any_question(self, tmp_path: Path) -> None:
        (tmp_path / "mine.txt").write_text("mine")
        with terminal([*COMMAND, "init", "."], tmp_path) as screen:
            assert screen.ends() == 2
        assert "is not empty" in screen.screen
        assert "Starter" not in screen.screen
        settled = ["--name", "a", "--starter", "minimal"]
        for options in (settled, ["b", "--yes"]):  # nothing is left to ask
            with terminal([*COMMAND, "init", *options], tmp_path) as screen:
                assert screen.ends() == 0
            assert "[" not in screen.screen


@pytest.mark.usefixtures("starts_programs")
@pytest.mark.slow
def test_three_commands_lead_from_the_wheel_to_a_successful_call(tmp_path: Path) -> None:
    uv = find_uv_bin()
    passed(REPOSITORY, uv, "build", "--quiet", "--wheel", "-o", str(tmp_path))
    [wheel] = tmp_path.glob("*.whl")
    mcp_scaffold = (uv, "tool", "run", "--quiet", "--from", str(wheel), "mcp-scaffold")
    for name in NAMES:
        passed(tmp_path, *mcp_scaffold, "init", name, "--starter", name)
    output = passed(tmp_path / "api", uv, "run", "--quiet", "python", "client.py")
    assert "FAIL" not in output
