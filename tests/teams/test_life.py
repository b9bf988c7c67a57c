"""The life of a company's pack: made once, used by three servers, upgraded under their feet."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import Ended
from tests.teams.building import REPOSITORY, SPEC, Repository, run

PACK = REPOSITORY / "examples/company-pack"

STATUS = (REPOSITORY / "examples/service-status/src/service_status/tools/get_status.py").read_text()
CATALOG = (REPOSITORY / "examples/service-status/src/service_status/services.toml").read_text()

GREET = """\
from {package}._generated.contract import Context, GreetArguments, ToolResult


async def greet(arguments: GreetArguments, context: Context) -> ToolResult:
    return f"Hello, {{arguments.name}}!"  # by hand
"""

SECOND_TOOL = """\
  - name: part
    description: Says goodbye to a person, and nothing else.
    inputSchema: {type: object, properties: {}, additionalProperties: false}
"""

OBSERVED = "src/package/_generated/observability.py.j2"
TELEMETRY = "src/package/_generated/telemetry.py.j2"


def check_server(project: Path) -> None:
    """It passes its own tests, and answers a client on every stage of the tour but the stubs."""
    env = {**os.environ, "PYTHONPATH": f"{project / 'src'}{os.pathsep}{project}"}
    tests = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=project, env=env, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert tests.returncode == 0, tests.stdout
    tour = subprocess.run(
        [sys.executable, "client.py"],
        cwd=project, env=env, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert tour.returncode == 0, tour.stdout + tour.stderr


def upgrade(project: Path, *options: str) -> Ended:
    return run("pack", "upgrade", project, "--data", "region=eu-west", *options)


@pytest.mark.slow
def test_the_life_of_a_company_pack(repository: Repository, tmp_path: Path) -> None:
    # Version 1 is the pack in `examples/`, in a repository of its own.
    files = {
        path.relative_to(PACK).as_posix(): path.read_text()
        for path in PACK.rglob("*")
        if path.is_file()
    }
    repository.tag("v1.0.0", dict(files))

    # Three servers: two small ones, and one with real data.
    servers = {name: tmp_path / name for name in ("ann", "ben", "service-status")}
    for name, project in servers.items():
        spec = tmp_path / f"{name}.yaml"
        own = REPOSITORY / f"specs/{name}.yaml"
        spec.write_text(own.read_text() if own.exists() else SPEC.format(name=name))
        made = run("new", spec, project, "--pack", f"{repository.folder}@v1.0.0",
                   "--data", "company=Acme Ltd", "--data", "package_index=https://i.example/simple",
                   "--defaults")  # fmt: skip
        assert made.code == 0, made.err
        assert (project / "Dockerfile").read_text().startswith("# Copyright Acme Ltd.")
        assert 'url = "https://i.example/simple"' in (project / "pyproject.toml").read_text()

    # Their people write handlers, and edit what is merged.
    ann, ben, status = servers.values()
    for project in (ann, ben):
        handler = project / f"src/{project.name}/tools/greet.py"
        handler.write_text(GREET.format(package=project.name))
    (status / "src/service_status/tools/get_status.py").write_text(STATUS)
    (status / "src/service_status/services.toml").write_text(CATALOG)
    edit(ann / "README.md", "An MCP server", "Ann's own words.\n\nAn MCP server")
    edit(ann / "Dockerfile", "WORKDIR /home/server", "WORKDIR /home/ann")
    edit(ben / "Dockerfile", 'vendor="Acme Ltd"', 'vendor="Ben"')
    edit(ben / "SUPPORT.md", "# Support", "# Support by Ben")

    # A spec changes; the pack is applied to what is new.
    (ann / "mcp.yaml").write_text((ann / "mcp.yaml").read_text() + SECOND_TOOL)
    assert run("regenerate", ann).code == 0
    assert (ann / "src/ann/tools/part.py").read_text().startswith("# Copyright Acme Ltd.")
    written = {
        path: path.read_bytes()
        for project in servers.values()
        for path in (project / "src").rglob("*")
        if path.is_file() and "_generated" not in path.parts and b"by hand" in path.read_bytes()
    }
    assert len(written) == 2

    # Version 2: a template dropped, one renamed, a question added, a block changed.
    table = files["pack/pack.toml"].replace("observability", "telemetry")
    repository.tag(
        "v2.0.0",
        {
            "copier.yml": files["copier.yml"]
            + "\nregion:\n  type: str\n  help: Where does it run?\n",
            "pack/pack.toml": table[: table.index('[[files]]\ntemplate = "SUPPORT.md.j2"')],
            "pack/SUPPORT.md.j2.copier": None,
            "pack/README.md.j2": None,
            f"pack/{OBSERVED}": None,
            f"pack/{TELEMETRY}": files[f"pack/{OBSERVED}"],
            "pack/src/package/_generated/server.py.j2": files[
                "pack/src/package/_generated/server.py.j2"
            ].replace("observability", "telemetry"),
            "pack/Dockerfile.j2.copier": files["pack/Dockerfile.j2.copier"].replace(
                'vendor="<< company >>"', 'vendor="<< company >>" region="<< region >>"'
            ),
        },
    )

    # A question is open: nothing happens until it is answered.
    assert run("pack", "upgrade", ann).code == 2

    # Ann and the third server: no line is both theirs and the pack's, so no conflict.
    for project, package in ((ann, "ann"), (status, "service_status")):
        done = upgrade(project)
        assert done.code == 0, done.err
        assert "SUPPORT.md" in done.err
        generated = project / "src" / package / "_generated"
        assert not (generated / "observability.py").exists()
        assert "observed(tool)," in (generated / "server.py").read_text()
        assert (generated / "telemetry.py").exists()
        assert 'region="eu-west"' in (project / "Dockerfile").read_text()
    assert "Ann's own words." in (ann / "README.md").read_text()
    assert "## Support" not in (ann / "README.md").read_text()
    assert "WORKDIR /home/ann" in (ann / "Dockerfile").read_text()

    # Ben changed the very line that the pack changes: a conflict, there and nowhere else.
    before = {path: path.read_bytes() for path in ben.rglob("*") if path.is_file()}
    stopped = upgrade(ben)
    assert stopped.code == 1
    assert stopped.err.count("error[conflict]") == 1
    assert "Dockerfile" in stopped.err
    assert {path: path.read_bytes() for path in ben.rglob("*") if path.is_file()} == before
    done = upgrade(ben, "--accept-conflicts")
    assert done.code == 1, done.err
    marked = (ben / "Dockerfile").read_text()
    assert 'vendor="Ben"\n=======\nLABEL' in marked
    start, end = marked.index("<<<<<<<"), marked.index(">>>>>>> template\n")
    line = 'LABEL org.opencontainers.image.vendor="Ben" region="eu-west"\n'
    (ben / "Dockerfile").write_text(marked[:start] + line + marked[end + 17 :])

    # Nothing is lost: handlers to the byte, and what was dropped but edited stays.
    assert {path: path.read_bytes() for path in written} == written
    assert (ben / "SUPPORT.md").read_text().startswith("# Support by Ben")
    for project in servers.values():
        record = json.loads((project / ".scaffold/pack.json").read_text())
        assert (record["version"], record["answers"]["company"]) == ("v2.0.0", "Acme Ltd")
        checked = run("regenerate", project, "--check")
        assert checked.code == 0, checked.err
        check_server(project) if project != ann else (project / "client.py").exists()

    # Ann has written no second handler yet: her tests say so, and pass.
    text = (ann / "src/ann/tools/part.py").read_text()
    (ann / "src/ann/tools/part.py").write_text(
        text.replace("raise NotWritten", 'return "Goodbye."')
    )
    check_server(ann)


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert text.count(old) == 1, (file, old)
    file.write_text(text.replace(old, new))
