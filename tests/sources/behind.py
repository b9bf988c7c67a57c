"""A server over stdio whose tool `do` tells what it was sent, or fails as its arguments say.

python behind.py [FILE]    FILE gets a line for each start, and for each message
python behind.py --HOW     The server itself misbehaves, in a way that is named below
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

GIVEN = sys.argv[1] if len(sys.argv) > 1 else os.devnull
HOW = GIVEN.removeprefix("--") if GIVEN.startswith("--") else ""
NOTES = Path(os.devnull if HOW else GIVEN)
ANYTHING: dict[str, Any] = {"type": "object"}
COUNT = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}
TOOLS = [
    {"name": "do", "inputSchema": ANYTHING},
    {"name": "count", "inputSchema": ANYTHING, "outputSchema": COUNT},
]
ERRORS = {
    "invalid": -32602,
    "unknown": -32601,
    "internal": -32603,
    "own": -32050,
    "generic": -32000,
    "request": -32600,
}
LINES = {
    "unmarked": '{"id": ID, "result": {"content": []}}',
    "numbers": (
        '{"jsonrpc": "2.0", "id": ID, "result": {"content": [], "structuredContent": {"numbers":'
        " [9007199254740993.5, 0.10000000000000000001, 9007199254740993, 1%s]}}}" % ("0" * 30)
    ),
    "unanswered": '{"jsonrpc": "2.0", "id": ID}',
    "surrogate": '{"jsonrpc": "2.0", "id": ID, "result": {"content": "\\ud800"}}',
    "cut": '{"jsonrpc": "2.0", "id": ID, "result": {"content": [',
}
held: list[int] = []
LISTS = {
    "resources/list": {"resources": [{"uri": "it://one", "name": "one"}]},
    "resources/templates/list": {"resourceTemplates": [{"uriTemplate": "it://{id}", "name": "it"}]},
    "prompts/list": {"prompts": [{"name": "ask", "arguments": [{"name": "about"}]}]},
}


def note(line: str) -> None:
    with NOTES.open("a") as file:
        file.write(line + "\n")


def send(**message: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def text(value: object) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": json.dumps(value)}]}


def tools(cursor: str | None) -> dict[str, Any]:
    """A page of the list of tools."""
    at = int(cursor or 0)
    match HOW:
        case "pages":
            more = {"nextCursor": str(at + 1)} if at + 1 < len(TOOLS) else {}
            return {"tools": TOOLS[at : at + 1], **more}
        case "endless":
            return {"tools": [], "nextCursor": str(at + 1)}
        case "repeated":
            return {"tools": [], "nextCursor": "1"}
        case "wrong":
            return {"tools": "none"}
        case "huge":
            return {"tools": [{**TOOLS[0], "description": "x" * 40_000_000}]}
        case "asks":
            asked = {"messages": [], "maxTokens": 1}
            send(id="mine", method="sampling/createMessage", params=asked)
            if "error" not in json.loads(sys.stdin.readline()):
                sys.exit("behind: the request was not refused")
    return {"tools": TOOLS}


def answer(id_: int, params: dict[str, Any]) -> None:
    arguments = params.get("arguments") or {}
    how = arguments.get("how")
    if how in ERRORS:
        send(id=id_, error={"code": ERRORS[how], "message": f"secret of {how}"})
    elif how == "end":
        sys.exit(1)
    elif how == "silent":
        pass
    elif how == "hold":
        held.append(id_)
    elif how == "release":
        for each in (*held, id_):
            send(id=each, result=text("released"))
    elif how in LINES:
        print(LINES[how].replace("ID", str(id_)), flush=True)
    elif how == "endless":
        while True:
            sys.stdout.write("x" * 1_000_000)
    elif how == "wrong":
        send(id=id_, result={"content": "none"})
    elif how == "rich":
        send(
            id=id_,
            result={
                "content": [{"type": "text", "text": "x", "_meta": {"a/b": 1}}],
                "structuredContent": {"none": None, "real": 5.0, "deep": [{"": [None]}]},
                "isError": True,
                "_meta": {"mine.org/key": {"n": 2}},
            },
        )
    elif how == "large":
        send(id=id_, result=text("x" * 3_000_000))
    elif how == "progress":
        token = params["_meta"]["progressToken"]
        for done in (1, 2):
            about = {"progressToken": token, "progress": done, "total": 2, "message": f"{done}."}
            send(method="notifications/progress", params=about)
        time.sleep(0.2)
        send(id=id_, result=text("done"))
    elif params["name"] == "count":
        structured = {"count": arguments.get("count", 1)}
        send(id=id_, result={**text(structured), "structuredContent": structured})
    else:
        send(id=id_, result=text(params.get("arguments")))


if HOW == "ends":
    sys.exit("behind: no TOKEN in the environment")
while HOW == "flood":
    sys.stdout.write("x" * 1_000_000)
note("started with " + os.environ.get("TOKEN", "nothing"))
for line in sys.stdin:
    note(line.strip())
    if HOW == "silent":
        time.sleep(600)
    if HOW == "noise":
        print("Loading…", flush=True)
    message = json.loads(line)
    method, params = message.get("method"), message.get("params") or {}
    match method:
        case "initialize":
            offers: dict[str, Any] = {
                "tools": {},
                "resources": {},
                "prompts": {},
                "completions": {},
            }
            about = {"serverInfo": {"name": "behind", "version": "1.0"}, "capabilities": offers}
            send(id=message["id"], result={"protocolVersion": "2025-06-18", **about})
        case "tools/list" if HOW in LINES:
            print(LINES[HOW].replace("ID", str(message["id"])), flush=True)
        case "tools/list":
            send(id=message["id"], result=tools(params.get("cursor")))
        case "tools/call" if HOW:
            sys.exit("behind: a tool was called")
        case _ if method in LISTS:
            send(id=message["id"], result=LISTS[method])
        case "tools/call":
            answer(message["id"], params)
        case "resources/read":
            content = {"uri": params["uri"], "text": "it", "_meta": {"a/b": 1}}
            send(id=message["id"], result={"contents": [content], "_meta": {"a/b": 2}})
        case "prompts/get":
            said = {"role": "assistant", "content": {"type": "text", "text": json.dumps(params)}}
            send(id=message["id"], result={"messages": [said], "description": "It."})
        case "completion/complete":
            send(id=message["id"], result={"completion": {"values": [params["argument"]["value"]]}})
        case _ if "id" in message:
            send(id=message["id"], error={"code": -32601, "message": "Method not found"})
