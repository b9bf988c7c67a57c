"""Clients from npm, and how each is made to connect to its servers and list their tools."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scaffold.clients.client import read_client
from tests import npm

MACHINE = platform.machine().lower().replace("x86_64", "x64").replace("aarch64", "arm64")
SYSTEM = f"{sys.platform}-{MACHINE}"

MODEL = "{model}"
"""In arguments, variables and settings: the address of the provider of models."""


@dataclass(frozen=True)
class Real:
    """A client: its program in its package, and a run of it in which it lists tools.

    `env` and `settings` (by file below the home) lead it to a provider that refuses everything, so
    that it starts like for work, and ends soon. `quick` are the transports of each run of the tests. `seen` are names under which the model sees the
    tools, if the run asks a model.
    """

    id: str
    program: str
    arguments: tuple[str, ...]
    transports: tuple[str, ...]
    quick: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    seen: str = ""

    def command(self, cache: Path) -> list[str]:
        """Return the command that starts it, installed at the first use."""
        client = read_client(self.id)
        assert client.package
        assert client.version
        path = npm.installed(client.package, client.version, self.program, cache)
        return [str(npm.NODE), str(path)] if path.suffix == ".js" else [str(path)]


ALL = ("stdio", "streamable-http", "sse")

CLAUDE = Real("claude-code", f"../claude-code-{SYSTEM}/claude", ("mcp", "list"), ALL, ALL)

CODEX = Real(
    "codex",
    "bin/codex.js",
    ("exec", "--skip-git-repo-check", "hello"),
    ("stdio", "streamable-http"),
    ("stdio",),
    settings={
        ".codex/config.toml": 'model_provider = "fake" # ours\n\n[model_providers.fake]\nname = "fake"\n'
        f'base_url = "{MODEL}/v1"\nrequest_max_retries = 0\nstream_max_retries = 0\n'
    },
)

GEMINI = Real(
    "gemini-cli",
    "bundle/gemini.js",
    ("--prompt", "hello"),
    ALL,
    ("streamable-http",),
    env={
        "GEMINI_API_KEY": "none",
        "GOOGLE_GEMINI_BASE_URL": MODEL,
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
    },
    settings={
        ".gemini/settings.json": '{\n  // ours\n  "security": {"auth": {"selectedType": "gemini-api-key"}}\n}\n'
    },
)

QWEN = Real(
    "qwen-code",
    "cli-entry.js",
    ("--prompt", "hello"),
    ALL,
    ("sse",),
    env={"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": f"{MODEL}/v1", "OPENAI_MODEL": "none"},
    seen="mcp__blog__search",
)

OPENCODE = Real("opencode", f"../opencode-{SYSTEM}/bin/opencode", ("mcp", "list"), ALL, ("stdio",))

COPILOT = Real(
    "copilot-cli",
    f"../copilot-{SYSTEM}/copilot",
    ("--prompt", "hello", "--allow-all-tools"),
    ALL,
    (),
    env={
        "COPILOT_OFFLINE": "true",
        "COPILOT_PROVIDER_BASE_URL": f"{MODEL}/v1",
        "COPILOT_MODEL": "none",
    },
    seen="blog-search",
)

REAL = (CLAUDE, CODEX, GEMINI, QWEN, OPENCODE, COPILOT)
