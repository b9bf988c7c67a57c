"""The recipes of docs/pack-recipes.md, each built from its blocks as they stand there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.generated import Generated, listening
from tests.raw_client import LEGACY, MODERN, WireCheck
from tests.raw_web_client import HttpClient
from tests.teams.building import QUESTIONS, REPOSITORY, TABLE, Repository, needs_git, run

PAGE = (REPOSITORY / "docs/pack-recipes.md").read_text("utf-8")

SPEC = """\
name: weather
version: "1.2.0"
description: Tells the weather.
transports: [stdio, streamable-http]
http: {port: 9000}
env:
  - {name: WEATHER_KEY, description: Key of the service, secret: true}
  - {name: WEATHER_UNITS, description: Units, default: metric}
errors:
  - {name: UnknownCity, message: "No such city: {city}"}
tools:
  - name: forecast
    title: Forecast
    description: Forecasts the weather. Of a city.
    x-owner: data@acme.example
    annotations: {destructiveHint: true}
    errors: [UnknownCity]
    inputSchema:
      type: object
      properties: {city: {type: string, description: "Name of the city #1"}}
      required: [city]
"""


def files(heading: str) -> dict[str, str]:
    """The files of a recipe, by the path in the first line of each block."""
    section = re.split(r"\n## ", PAGE.partition(f"\n## {heading}\n")[2])[0]
    blocks = re.findall(r"```(?:toml|jinja|yaml)\n((?:# |\{# )(\S+).*?)```", section, re.DOTALL)
    assert blocks
    return {path: text for text, path in blocks}


@pytest.fixture
def made(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A server made with the pack of one recipe, after a check of the pack that runs servers."""
    pack = write(tmp_path / "acme", files(request.param))
    (tmp_path / "spec.yaml").write_text(SPEC)
    ended = run("new", tmp_path / "spec.yaml", tmp_path / "p", "--pack", pack)
    assert ended.code == 0, ended.err
    assert "warning" not in ended.err
    assert run("regenerate", tmp_path / "p", "--check").code == 0
    return tmp_path / "p"


def write(pack: Path, texts: dict[str, str]) -> Path:
    texts = {**texts, "pack.toml": TABLE + texts.get("pack.toml", "")}
    for path, text in texts.items():
        (pack / path).parent.mkdir(parents=True, exist_ok=True)
        (pack / path).write_text(text, "utf-8")
    return pack


def recipe(heading: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("made", [heading], indirect=True, ids=[heading])


RUN = ("A Helm chart", "Request ids in the log", "A handler template of your own")


@pytest.mark.parametrize("heading", RUN)
def test_the_servers_of_a_recipe_pass_their_own_checks(heading: str, tmp_path: Path) -> None:
    write(tmp_path / "acme", files(heading))
    ended = run("pack", "check", tmp_path / "acme", "--python", sys.executable, timeout=600)
    assert ended.err == "acme: 4 servers checked\n"


@recipe("Request ids in the log")
@pytest.mark.parametrize("version", [LEGACY[-1], MODERN])
@pytest.mark.parametrize("declared", [True, False], ids=["async", "in a thread"])
def test_each_line_that_a_call_logs_has_the_id_of_its_request(
    made: Path, version: str, declared: bool, check: WireCheck, tmp_path: Path
) -> None:
    handler = made / "src/weather/tools/forecast.py"
    head = handler.read_text().partition("raise NotWritten")[0]
    text = f"import logging\n{head}logging.info(arguments.city)\n    return 'sun'\n"
    handler.write_text(text if declared else text.replace("async def", "def"))
    project = Generated(made, "weather", {"WEATHER_KEY": "k"})
    with listening(project, "streamable-http", tmp_path / "log") as server:
        for id, city in (("abc-1", "Rome"), ("not one!", "Oslo")):
            with HttpClient(server, version, check, {"X-Request-Id": id}) as client:
                assert client.call("forecast", city=city)["result"]["content"][0]["text"] == "sun"
        lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    ids = {line["message"]: line["request"] for line in lines}
    assert ids["Rome"] == "abc-1"
    assert re.fullmatch("[0-9a-f]{32}", ids["Oslo"])


@recipe("A handler template of your own")
def test_a_handler_begins_with_what_the_spec_says(made: Path) -> None:
    text = (made / "src/weather/tools/forecast.py").read_text()
    assert text.endswith(
        "    # Owner: data@acme.example\n"
        "    # city: Name of the city #1\n"
        "    # TODO: ask the user first, with context.elicit\n"
        "    raise NotWritten\n"
    )


def test_a_module_of_the_runtime_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC)
    project = tmp_path / "p"
    assert run("new", tmp_path / "spec.yaml", project).code == 0
    section = PAGE.partition("\n## A module of the runtime\n")[2]
    [first, second] = re.findall(r"^    .+\n", section, re.MULTILINE)[:2]
    assert run("pack", "eject", "runtime/command.py", cwd=project).code == 0
    module = project / "templates/runtime/command.py"
    text = module.read_text().replace("import threading\n", "import threading\nimport time\n")
    assert text.count(first) == 1
    module.write_text(text.replace(first, first + second))
    ended = run("regenerate", project)
    assert ended.code == 0, ended.err
    made = project / "src/weather/_generated/runtime/command.py"
    assert made.read_text() == module.read_text()
    assert "gmtime" in made.read_text()
    listed = subprocess.run(
        [sys.executable, "-m", "weather", "--help"],
        env={**os.environ, "PYTHONPATH": str(project / "src")}, capture_output=True, check=False,
    )  # fmt: skip
    assert listed.returncode == 0, listed.stderr

    # In a pack, and told when the original has changed since.
    pack = write(tmp_path / "acme", {"runtime/command.py": module.read_text()})
    ended = run("new", tmp_path / "spec.yaml", tmp_path / "q", "--pack", pack)
    assert (ended.code, "warning" in ended.err) == (0, False), ended.err
    assert "gmtime" in (tmp_path / "q/src/weather/_generated/runtime/command.py").read_text()
    was = re.search("which was ([0-9a-f]{12})", module.read_text())
    assert was
    module.write_text(module.read_text().replace(was[1], "0" * 12))
    assert "template-outdated" in run("regenerate", project).err


@needs_git
def test_an_answer_moves_to_the_new_name_of_its_question(tmp_path: Path) -> None:
    pack = Repository(tmp_path / "acme")
    row = '[[files]]\ntemplate = "OWNERS.j2"\nowner = "merged"\n'
    old = "team: {type: str, default: platform}\n"
    first = {"copier.yml": QUESTIONS + old, "pack.toml": TABLE + row}
    pack.tag("v1.0.0", {**first, "OWNERS.j2.copier": "<< team >>\n"})
    new = files("Renaming a question")["copier.yml"]
    pack.tag("v2.0.0", {"copier.yml": QUESTIONS + new, "OWNERS.j2.copier": "<< owner >>\n"})
    last = new.replace("<< team | default('platform') >>", "platform")
    assert last != new
    pack.tag("v3.0.0", {"copier.yml": QUESTIONS + last})
    (tmp_path / "spec.yaml").write_text(SPEC)
    project = tmp_path / "p"
    source = f"{pack.folder}@v1.0.0"
    assert (
        run("new", tmp_path / "spec.yaml", project, "--pack", source, "--data", "team=d").code == 0
    )
    for version in ("v2.0.0", "v3.0.0"):
        ended = run("pack", "upgrade", project, "--to", version, "--defaults")
        assert ended.code == 0, ended.err
        assert (project / "OWNERS").read_text() == "d\n"
        record = json.loads((project / ".scaffold/pack.json").read_text())
        assert record["answers"] == {"owner": "d"}
    fresh = run("new", tmp_path / "spec.yaml", tmp_path / "q", "--pack", pack.folder, "--defaults")
    assert fresh.code == 0, fresh.err
    assert (tmp_path / "q/OWNERS").read_text() == "platform\n"


def test_a_logo_is_copied_and_the_readme_shows_it(tmp_path: Path) -> None:
    pack = write(tmp_path / "acme", files("A logo"))
    (pack / "files/docs").mkdir(parents=True)
    (pack / "files/docs/logo.png").write_bytes(b"\x89PNG\r\n")
    (tmp_path / "spec.yaml").write_text(SPEC)
    made = run("new", tmp_path / "spec.yaml", tmp_path / "p", "--pack", pack)
    assert (made.code, "warning" in made.err) == (0, False), made.err
    assert (tmp_path / "p/docs/logo.png").read_bytes() == b"\x89PNG\r\n"
    assert '<img src="docs/logo.png" alt="Acme">' in (tmp_path / "p/README.md").read_text()
