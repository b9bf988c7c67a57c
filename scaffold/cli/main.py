"""The command line: parse arguments, do the work and report.

Exit codes: 0 success; 1 the project does not match its spec; 2 invalid input. Data goes to
standard output, everything else to standard error.
"""

from __future__ import annotations

import gc
import io
import os
import re
import sys
from importlib import import_module
from typing import NoReturn

import click

from scaffold import __version__
from scaffold.cli.console import unknown

_COMMANDS = {
    "add": ("add", "Add an entry to the spec of PROJECT, and regenerate."),
    "breaking": ("breaking", "Find changes of SPEC that break callers."),
    "check": ("check", "Run all checks of PROJECT."),
    "clients": ("clients", "Install a server into MCP clients, and remove it again."),
    "dev": ("dev", "Run the server of PROJECT and restart it on every change."),
    "import": ("importing", "Write a spec from a tool list, an API or a server."),
    "init": ("init", "Create a working project in DIR."),
    "new": ("init", "Create a project from SPEC in DEST."),
    "pack": ("pack", "Manage packs: list, show, eject, upgrade, create and check."),
    "publish": ("publish", "Prepare PROJECT for the MCP registry and package indexes."),
    "regenerate": ("regenerate", "Update each PROJECT to match its spec."),
    "schema": ("validate", "Print the JSON Schema of the spec format, for editors."),
    "status": ("status", "Show which projects are behind, edited or in conflict."),
    "validate": ("validate", "Check specs for errors and for problems in clients and models."),
}
"""The module of each command and the first sentence of its help; only what runs is imported."""

_LIBRARIES = ("click", "copier", "jinja2", "jsonschema-rs", "mcp", "msgspec", "pydantic", "ruff")

_EMPTY = re.compile(r"--[\w-]+=")
"""An option with an empty value."""


def run() -> NoReturn:
    """Run the command line, and end the process without finalizing the interpreter.

    Freeing every object takes a fifth of a short run.
    """
    try:
        try:
            main()
        except SystemExit as done:
            code = int(done.code or 0)
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
    except BrokenPipeError:  # the reader closed the pipe
        code = 1
    except OSError as error:  # such as a full disk below standard output
        os.write(2, f"error: {error.strerror}\n".encode())
        code = 2
    os._exit(code)


class Commands(click.Group):
    """The commands, none of which takes an empty argument: most often, a variable is not set."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return [*_COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, for which its module is imported."""
        if cmd_name not in _COMMANDS:
            if ctx.resilient_parsing:  # to complete a word
                return None
            raise unknown(f"there is no command `{cmd_name}`", cmd_name, [*_COMMANDS])
        module = import_module(f"scaffold.cli.{_COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, "import_" if cmd_name == "import" else cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of the commands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, words) in _COMMANDS.items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. Raises click.UsageError for an empty one, or an empty value."""
        ours = args[: args.index("--")] if "--" in args else args
        for before, word in zip([ctx.info_name, *ours], ours, strict=False):
            if not word:
                raise click.UsageError(f"the argument after `{before}` is empty", ctx)
            if _EMPTY.fullmatch(word):
                raise click.UsageError(f"the value of `{word[:-1]}` is empty", ctx)
        return super().parse_args(ctx, args)


def _show_version(context: click.Context, _: click.Parameter, is_wanted: bool) -> None:
    if is_wanted and not context.resilient_parsing:
        if context.meta["format"] == "json":
            click.echo(_versions())
        else:
            click.echo(__version__)
        context.exit()


def _versions() -> str:
    """Return the versions that a bug report needs, as JSON; those of libraries are below `libraries`."""
    import json
    import platform
    from importlib.metadata import version  # slow to import

    table = {
        "mcp-scaffold": __version__,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.release()} {platform.machine()}",
        "libraries": {name: version(name) for name in _LIBRARIES},
    }
    return json.dumps(table, indent=2)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--format",
    type=click.Choice(("human", "json")),
    default="human",
    is_eager=True,  # read before `--version`, wherever it is
    expose_value=False,
    hidden=True,
    callback=lambda context, _, value: context.meta.update(format=value),
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit; with --format json, also those of Python and of libraries.",
)
def main() -> None:
    """Generate an MCP server project from a YAML spec and keep it in sync."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # escape what the terminal's encoding lacks
            stream.reconfigure(errors="backslashreplace")
    gc.set_threshold(500_000)  # few cycles are made, and looking for them takes a third of a run
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # plugins would see every spec
