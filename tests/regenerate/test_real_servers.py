"""Real servers, a third of their tools edited: no handler is lost, and the wire is the new spec's."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.captured import Captured
from tests.generated import Generated
from tests.regenerate.living import Living, Spec, tool

pytestmark = pytest.mark.usefixtures("starts_programs")


def edited(spec: Spec, turn: int) -> dict[str, str]:
    """Drop, rename, retype and add a third of the tools; old names → new names of the renamed."""
    renamed, tools = {}, []
    for number, old in enumerate(spec["tools"]):
        new = json.loads(json.dumps(old))
        properties = new["inputSchema"].get("properties", {})
        match (number // 3 + turn) % 4 if number % 3 == 0 else None:
            case 0 if len(spec["tools"]) > 1:
                continue
            case 1:
                new |= {"name": f"{old['name'][:100]}_now", "renamedFrom": old["name"]}
                renamed[old["name"]] = new["name"]
            case 2 if properties and "#/properties" not in json.dumps(new):
                properties[next(iter(properties))] = {"type": "integer", "description": "Another."}
            case 3:
                tools.append(tool(f"added_{number}", text={"type": "string"}))
        tools.append(new)
    spec["tools"] = tools
    return renamed


def write_handlers(living: Living) -> dict[str, str]:
    """A handler for each tool that answers with a word of its own; the word by name of the tool."""
    files = json.loads(living.read(".scaffold/lock.json"))["files"]
    words: dict[str, str] = {}
    for path, entry in files.items():
        if "/tools/" in path and entry.get("about"):
            word = f"mine-{len(words)}"
            stub = r"raise NotWritten\n"
            text, count = re.subn(stub, f'return "{word}"\n', living.read(path))
            assert count == 1
            living.write(path, text)
            words[entry["about"]] = word
    return words


def answers(living: Living, requests: list[dict[str, Any]]) -> dict[int, dict[str, Any]]:
    """What the server says, spoken to in raw JSON."""
    package = next(path.name for path in (living.root / "src").iterdir())
    client = {"name": "test", "version": "1"}
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
    messages = [
        {"jsonrpc": "2.0", "id": -1, "method": "initialize", "params": params},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        *({"jsonrpc": "2.0", "id": n, **request} for n, request in enumerate(requests)),
    ]
    lines = "".join(f"{json.dumps(message)}\n" for message in messages).encode()
    done = Generated(living.root, package).run(input=lines, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    found = (json.loads(line) for line in done.stdout.splitlines())
    return {answer["id"]: answer for answer in found}


def test_a_third_of_the_tools_edited(captured: Captured, tmp_path: Path) -> None:
    turn = sum(map(ord, captured.name))
    living = Living.born(tmp_path / "project", json.loads(json.dumps(captured.spec)))
    words = write_handlers(living)
    renamed: dict[str, str] = {}
    living.edit(lambda spec: renamed.update(edited(spec, turn)))
    living.regenerate()

    text = "".join(data.decode() for path, data in living.files().items() if "/tools/" in path)
    assert {word for word in words.values() if f'"{word}"' not in text} == set()
    assert living.regenerate("--check").stderr == "already up to date\n"

    callable_ = [
        tool["name"]
        for tool in living.spec["tools"]
        if not tool["inputSchema"].get("required") and "outputSchema" not in tool
        if set(tool["inputSchema"]) <= {"type", "properties", "$schema", "additionalProperties"}
    ]
    requests = [{"method": "tools/list", "params": {}}]
    requests += [
        {"method": "tools/call", "params": {"name": name, "arguments": {}}} for name in callable_
    ]
    said = answers(living, requests)
    wire = [{k: v for k, v in t.items() if k != "renamedFrom"} for t in living.spec["tools"]]
    assert said[0]["result"]["tools"] == [
        {k: v for k, v in t.items() if k != "outputSchema" or v.get("type") == "object"}
        for t in wire
    ]
    before = {new: old for old, new in renamed.items()}
    for number, name in enumerate(callable_, 1):
        word = words.get(before.get(name, name))
        content = said[number]["result"]["content"][0]["text"]
        assert content == word if word else "not implemented" in content
