"""The recipes of docs/pack-recipes.md, each built from its blocks as they stand there."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.command import run
from tests.generated import REPOSITORY, Generated, listening
from tests.raw_client import LEGACY, MODERN, WireCheck
from tests.raw_web_client import HttpClient
from tests.repository import Repository
from tests.teams.building import QUESTIONS, TABLE

pytestmark = pytest.mark.usefixtures("starts_programs")

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
    blocks = re.findall(
        r"```(?:toml|jinja|yaml|js)\n((?:# |\{# |// )(\S+).*?)```", section, re.DOTALL
    )
    assert blocks
    return {path: text for text, path in blocks}


def write(pack: Path, *recipes: Mapping[str, str]) -> Path:
    """Write a pack of several recipes, of which each may have rows for its table."""
    texts = {path: text for recipe in recipes for path, text in recipe.items()}
    rows = "".join(recipe.get("pack.toml", "") for recipe in recipes)
    for path, text in {**texts, "pack.toml": TABLE + rows}.items():
        (pack / path).parent.mkdir(parents=True, exist_ok=True)
        (pack / path).write_text(text, "utf-8")
    return pack


def made_with(pack: Path, folder: Path) -> Path:
    """Create a server with a pack, in a folder; there is nothing to warn of."""
    folder.with_suffix(".yaml").write_text(SPEC)
    ended = run("new", folder.with_suffix(".yaml"), folder, "--pack", pack)
    assert (ended.code, "warning" in ended.err) == (0, False), ended.err
    return folder


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pack of all recipes that add or override templates: no two of them have one in common."""
    headings = (
        "A Helm chart",
        "Request ids in the log",
        "A handler template of your own",
        "A logo",
    )
    pack = write(tmp_path_factory.mktemp("recipes") / "acme", *map(files, headings))
    (pack / "files/docs").mkdir(parents=True)
    (pack / "files/docs/logo.png").write_bytes(b"\x89PNG\r\n")
    return pack


@pytest.fixture(scope="module")
def made(starts_programs: None, pack: Path) -> Path:
    """A server made with it."""
    return made_with(pack, pack.with_name("weather"))


def test_the_servers_of_the_recipes_pass_their_own_checks(pack: Path) -> None:
    ended = run("pack", "check", pack, "--python", sys.executable, timeout=600)
    assert ended.err == "acme: 8 servers checked\n"


@pytest.mark.parametrize("version", [LEGACY[-1], MODERN])
@pytest.mark.parametrize("declared", [True, False], ids=["async", "in a thread"])
def test_each_line_that_a_call_logs_has_the_id_of_its_request(
    made: Path, version: str, declared: bool, check: WireCheck, tmp_path: Path
) -> None:
    project = Generated(shutil.copytree(made, tmp_path / "p"), "weather", {"WEATHER_KEY": "k"})
    handler = project.source / "tools/forecast.py"
    head = handler.read_text().partition("raise NotWritten")[0]
    text = f"import logging\n{head}logging.info(arguments.city)\n    return 'sun'\n"
    handler.write_text(text if declared else text.replace("async def", "def"))
    with listening(project, "streamable-http", tmp_path / "log") as server:
        for id, city in (("abc-1", "Rome"), ("not one!", "Oslo")):
            with HttpClient(server, version, check, {"X-Request-Id": id}) as client:
                assert client.call("forecast", city=city)["result"]["content"][0]["text"] == "sun"
        lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    ids = {line["message"]: line["request"] for line in lines}
    assert ids["Rome"] == "abc-1"
    assert re.fullmatch("[0-9a-f]{32}", ids["Oslo"])


def test_a_handler_begins_with_the_text_of_the_spec(made: Path) -> None:
    text = (made / "src/weather/tools/forecast.py").read_text()
    assert text.endswith(
        "    # Owner: data@acme.example\n"
        "    # city: Name of the city #1\n"
        "    # TODO: ask the user first, with context.elicit\n"
        "    raise NotWritten\n"
    )


def test_a_logo_is_copied_and_the_readme_shows_it(made: Path) -> None:
    assert (made / "docs/logo.png").read_bytes() == b"\x89PNG\r\n"
    assert '<img src="docs/logo.png" alt="Acme">' in (made / "README.md").read_text()


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
    copy = project / "src/weather/_generated/runtime/command.py"
    assert copy.read_text() == module.read_text()
    assert "gmtime" in copy.read_text()
    assert Generated(project, "weather").run("--help").returncode == 0

    # In a pack, and told when the original has changed since.
    pack = write(tmp_path / "acme", {"runtime/command.py": module.read_text()})
    other = made_with(pack, tmp_path / "q")
    assert "gmtime" in (other / "src/weather/_generated/runtime/command.py").read_text()
    noted = re.search("which was ([0-9a-f]{12})", module.read_text())
    assert noted
    module.write_text(module.read_text().replace(noted[1], "0" * 12))
    assert "template-outdated" in run("regenerate", project).err


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
