"""The command of Claude Code, as far as it adds and removes servers; it notes what it is asked in `calls`."""

import json
import sys
from pathlib import Path

arguments = sys.argv[1:]
with (Path.home() / "calls").open("a") as calls:
    print(json.dumps(arguments), file=calls)
file = Path.home() / ".claude.json"
whole = json.loads(file.read_text()) if file.exists() else {"started": 0}
servers = whole.setdefault("mcpServers", {})
if arguments[1] == "add-json":
    if arguments[4] in servers:
        sys.exit(f"MCP server {arguments[4]} already exists")
    servers[arguments[4]] = json.loads(arguments[5])
else:
    del servers[arguments[4]]
whole["started"] += 1
file.write_text(json.dumps(whole, indent=2) + "\n")
