"""A project switches from one built-in pack to the other, and its handlers are kept."""

from __future__ import annotations

from pathlib import Path

from tests.generated import REPOSITORY
<<<<<<< HEAD
from tests.teams.building import contents, run
=======
from tests.teams.building import run

HANDLER = '''"""Greet."""

from hello._generated.contract import Context, GreetArguments, GreetResult, TextContent


def greet(arguments: GreetArguments, context: Context) -> GreetResult:
    return TextContent(text=f"Hello {arguments.name}")
'''
GREET = {
    "name": "greet",
    "inputSchema": {
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
    },
}
SPEC = {"name": "hello", "version": "1", "tools": [GREET]}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "spec.json").write_text(json.dumps(SPEC))
    assert run("new", tmp_path / "spec.json", tmp_path / "hello").code == 0
    (tmp_path / "hello/src/hello/tools/greet.py").write_text(HANDLER)
    return tmp_path / "hello"


def texts(project: Path) -> dict[str, bytes]:
    return {
        path.relative_to(project).as_posix(): path.read_bytes()
        for path in project.rglob("*")
        if path.is_file() and path.name != "lock.json" and ".scaffold/run/" not in path.as_posix()
    }


def test_a_project_switches_there_and_back_with_its_edits(project: Path) -> None:
    readme = project / "README.md"
    readme.write_text(readme.read_text() + "\n## Ours\n")
    before = texts(project)
    switched = run("pack", "upgrade", project, "--pack", "python-stdlib")
    assert (switched.code, switched.err.splitlines()[0]) == (0, "python → python-stdlib")
    assert (project / "src/hello/tools/greet.py").read_text() == HANDLER
    assert "mcp>=" not in (project / "pyproject.toml").read_text()
    assert readme.read_text().endswith("\n## Ours\n")
    assert not (project / "tests/test_tools.py").exists()
    assert run("regenerate", project, "--check").code == 0
    assert "pack          python-stdlib" in run("status", project).out
    assert run("pack", "list", project).out.splitlines() == [
        "python-stdlib: built in",
        "python: built in",
    ]
    again = run("pack", "upgrade", project, "--pack", "python-stdlib")
    assert again.err == "python-stdlib\n\nalready up to date\n"
    back = run("pack", "upgrade", project, "--pack", "python")
    assert (back.code, back.err.splitlines()[0]) == (0, "python-stdlib → python")
    assert texts(project) == before
    assert run("regenerate", project, "--check").code == 0


def test_a_team_pack_gives_way_to_a_built_in_one(project: Path, tmp_path: Path) -> None:
    acme = tmp_path / "acme"
    acme.mkdir()
    (acme / "pack.toml").write_text('name = "acme"\ncontract = 3\nextends = "python-stdlib"\n')
    (acme / "header.j2").write_text("# Acme\n")
    assert run("pack", "upgrade", project, "--pack", acme).code == 0
    generated = project / "src/hello/_generated/runtime/protocol.py"
    assert generated.read_text().startswith("# Acme\n")
    assert run("pack", "upgrade", project, "--pack", "python-stdlib").code == 0
    assert generated.read_text().startswith('"""The protocol')
    assert not (project / ".scaffold/pack.json").exists()
    assert run("regenerate", project, "--check").code == 0


def test_a_built_in_pack_has_no_versions(project: Path) -> None:
    ended = run("pack", "upgrade", project, "--pack", "python-stdlib", "--to", "v1.0.0")
    assert (ended.code, "[pack-version]" in ended.err) == (2, True)


def test_other_transports_and_telemetry_are_left_out_with_a_warning(tmp_path: Path) -> None:
    spec = tmp_path / "spec.json"
    more = {"transports": ["stdio", "streamable-http"], "telemetry": True}
    spec.write_text(json.dumps(SPEC | more))
    ended = run("new", spec, tmp_path / "both", "--pack", "python-stdlib")
    assert ended.code == 0
    assert "warning[pack-lacks] the pack `python-stdlib` leaves out `streamable-http`" in ended.err
    assert "warning[pack-lacks] the pack `python-stdlib` leaves out `telemetry`" in ended.err
    assert "telemetry" not in (tmp_path / "both/pyproject.toml").read_text()
    assert "streamable-http" not in (tmp_path / "both/README.md").read_text()


def argument(schema: dict[str, str]) -> dict[str, object]:
    return {"tools": [{**GREET, "inputSchema": {"type": "object", "properties": {"name": schema}}}]}


def template(uri: str) -> dict[str, object]:
    return {"resourceTemplates": [{"uriTemplate": uri, "name": "t"}]}


@pytest.mark.parametrize(
    ("part", "is_refused"),
    [
        (argument({"format": "idn-hostname"}), True),
        (argument({"format": "regex"}), False),
        (argument({"$ref": "https://json-schema.org/draft/2020-12/schema"}), True),
        (argument({"pattern": "^(a+)+$"}), True),
        (argument({"pattern": "^a+$"}), False),
        (template("a://x{/b*}"), True),
        (template("a://{b}{?c,d}"), False),
        ({"transports": ["streamable-http"]}, True),
        ({"skills": "skills"}, True),
        ({"tools": [{**GREET, "ui": {"file": "ui/greet.html"}}]}, False),
    ],
)
def test_what_such_a_server_cannot_check_or_match_is_refused(
    tmp_path: Path, part: dict[str, object], is_refused: bool
) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps(SPEC | part))
    ended = run("new", spec, tmp_path / "made", "--pack", "python-stdlib")
    assert ("error[pack-lacks]" in ended.err, ended.code) == (is_refused, 2 * is_refused)


UPSTREAM = {
    "upstream": {"command": "other-server"},
    "tools": [{**GREET, "handler": {"proxy": {}}}],
}


def test_what_such_a_server_cannot_do_is_refused_before_anything_is_written(
    project: Path, tmp_path: Path
) -> None:
    spec = tmp_path / "more.json"
    spec.write_text(json.dumps(SPEC | UPSTREAM))
    ended = run("new", spec, tmp_path / "more", "--pack", "python-stdlib")
    assert ended.code == 2
    assert "more.json:1:192: error[pack-lacks]" in ended.err
    assert "cannot pass calls on to another MCP server" in ended.err
    assert not (tmp_path / "more").exists()
    assert run("validate", spec).code == 0
    assert run("pack", "upgrade", project, "--pack", "python-stdlib").code == 0
    before = texts(project)
    shutil.copy(spec, project / "mcp.yaml")
    for command in (["regenerate", project], ["validate", project / "mcp.yaml"]):
        ended = run(*command)
        assert (ended.code, "error[pack-lacks]" in ended.err + ended.out) == (2, True)
    shutil.copy(tmp_path / "spec.json", project / "mcp.yaml")
    assert texts(project) == before
>>>>>>> main


def test_a_project_that_calls_an_api_gets_the_client_of_the_pack_and_back(tmp_path: Path) -> None:
    project = tmp_path / "library"
    assert run("new", REPOSITORY / "specs/library.yaml", project).code == 0
    before = contents(project)
    assert run("pack", "upgrade", project, "--pack", "python-stdlib").code == 0
    handler = (project / "src/library/tools/get_book.py").read_text()
    assert "    body = await context.shared.api.request(" in handler
    assert "httpx2" not in "".join(path.read_text() for path in project.rglob("*.py"))
    assert run("regenerate", project, "--check").code == 0
    assert run("pack", "upgrade", project, "--pack", "python").code == 0
    after = contents(project)
    assert {path.name for path in before if after.get(path) != before[path]} <= {"lock.json"}
    assert after.keys() == before.keys()
