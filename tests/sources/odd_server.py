"""A server over stdio that lists one tool, and misbehaves as its argument says.

python odd_server.py pages|endless|repeated|asks|noise|flood|silent|deaf|ends|wrong|huge|cut|unmarked
"""

import json
import sys
import time
from typing import Any

HOW = sys.argv[1]
LINES = {
    "cut": '{"jsonrpc": "2.0", "id": ID, "result": {"tools": [',
    "unmarked": '{"id": ID, "result": {"tools": []}}',
}
TOOLS = [{"name": f"tool_{n}", "inputSchema": {"type": "object"}} for n in range(5)]


def send(**message: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def page(cursor: str | None) -> dict[str, Any]:
    at = int(cursor or 0)
    if HOW == "endless":
        return {"tools": [], "nextCursor": str(at + 1)}
    if HOW == "repeated":
        return {"tools": [], "nextCursor": "1"}
    if HOW == "wrong":
        return {"tools": "none"}
    if HOW == "huge":
        return {"tools": [{**TOOLS[0], "description": "x" * 40_000_000}]}
    more = {"nextCursor": str(at + 1)} if HOW == "pages" and at + 1 < len(TOOLS) else {}
    return {"tools": TOOLS[at : at + 1] if HOW == "pages" else TOOLS[:1], **more}


print("odd_server: started", file=sys.stderr, flush=True)
if HOW == "ends":
    sys.exit("odd_server: no TOKEN in the environment")
while HOW == "flood":
    sys.stdout.write("x" * 1_000_000)
for line in sys.stdin:
    if HOW in ("silent", "deaf"):
        time.sleep(600)
    message = json.loads(line)
    if HOW == "noise":
        print("Loading…", flush=True)
    match message.get("method"):
        case "initialize":
            info = {"name": "odd", "version": "1.2.3"}
            about = {"serverInfo": info, "capabilities": {"tools": {}, "prompts": {}}}
            send(id=message["id"], result={"protocolVersion": "2025-06-18", **about})
        case "tools/list":
            if HOW == "asks":
                asked = {"messages": [], "maxTokens": 1}
                send(id="mine", method="sampling/createMessage", params=asked)
                answer = json.loads(sys.stdin.readline())
                print(f"odd_server: refused: {'error' in answer}", file=sys.stderr, flush=True)
                if "error" not in answer:
                    sys.exit(1)
            if HOW in LINES:
                print(LINES[HOW].replace("ID", str(message["id"])), flush=True)
                continue
            send(id=message["id"], result=page(message.get("params", {}).get("cursor")))
        case "tools/call":
            sys.exit("odd_server: a tool was called")
        case _ if "id" in message:
            send(id=message["id"], error={"code": -32601, "message": "Method not found"})
