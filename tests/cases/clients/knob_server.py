"""A server over stdio that is wrong in the way that its argument, a JSON object, says.

It needs nothing but Python, and logs what it was started with to the file `log`.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

KNOBS: dict[str, Any] = {
    "name": "blog",
    "tools": ["search"],
    "needs": [],  # variables that must be set
    "delay": 0,  # seconds before the first answer
    "before": "",  # what is printed at the start
    "between": "",  # what is printed before each answer
    "version": "",  # the version of `initialize`, instead of the one asked for
    "errors": [],  # methods that are answered with an error
    "ends": "",  # the method at which it ends, with a traceback
    "silent": "",  # the method that it never answers
    "broken": False,  # whether answers lack `jsonrpc`
    "mark": False,  # whether it begins with a byte order mark
    "capabilities": {"tools": {}},
    "schema": {"type": "object"},  # of the arguments of its tools
    "after": "",  # what is printed after the tools
    "leaves": False,  # whether it ends after the tools
}


def main() -> None:
    knobs = KNOBS | json.loads(sys.argv[1] if len(sys.argv) > 1 else "{}")
    for name in knobs["needs"]:
        if not os.environ.get(name):
            sys.exit(f"error: {name} is not set")
    if knobs["before"]:
        print(knobs["before"], flush=True)
    if knobs["mark"]:
        print(end="\ufeff", flush=True)
    time.sleep(knobs["delay"])
    for line in sys.stdin:
        message = json.loads(line)
        method = message["method"]
        if method == knobs["ends"]:
            raise ValueError(f"no {method} with {os.environ.get('TOKEN')}")
        if "id" not in message or method == knobs["silent"]:
            continue
        if knobs["between"]:
            print(knobs["between"], flush=True)
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        result = None if method in knobs["errors"] else answered(method, message, knobs)
        if result is None:
            answer["error"] = {"code": -32601, "message": f"no {method} here"}
        else:
            answer["result"] = result
        if knobs["broken"]:
            del answer["jsonrpc"]
        print(json.dumps(answer), flush=True)
        if method == "tools/list" and knobs["after"]:
            print(knobs["after"], flush=True)
        if method == "tools/list" and knobs["leaves"]:
            sys.exit("error: nothing left to do")


def answered(method: str, message: dict[str, Any], knobs: dict[str, Any]) -> Any:
    if method == "initialize":
        return {
            "protocolVersion": knobs["version"] or message["params"]["protocolVersion"],
            "capabilities": knobs["capabilities"],
            "serverInfo": {"name": knobs["name"], "version": "1"},
        }
    if method == "tools/list":
        tools = [{"name": name, "inputSchema": knobs["schema"]} for name in knobs["tools"]]
        return {"tools": tools}
    return None


if __name__ == "__main__":
    main()
