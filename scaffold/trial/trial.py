"""Start a server from its entries in clients, and check its responses."""

from __future__ import annotations

import re
import socket
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import anyio
import httpx2
from mcp.client._transport import TransportStreams

from scaffold.base.diagnostics import Diagnostic, Place
from scaffold.base.diagnostics.wording import join, quote
from scaffold.clients.client import Client
from scaffold.clients.places import Machine, is_here
from scaffold.clients.reading import Meant, meant, wrong_address
from scaffold.connect.streams import EndedError, connected, started
from scaffold.install.listing import Held, listed
from scaffold.install.subject import Subject
from scaffold.trial import surroundings
from scaffold.trial.findings import Findings, Trial, secrets_in, write_again
from scaffold.trial.session import Heard, judge_failure, judge_names, talk
from scaffold.trial.variables import Expander, is_reference, judge_references

PATIENCE = 60.0
"""Seconds that a trial waits at most for the first answer; some clients wait longer."""

LISTING = 60.0
"""Seconds that the rest of the conversation may take."""

MAX_STRAY_LINES = 20
"""How many lines that are no messages are kept."""

MAX_STRAY_BYTES = 1000
"""How many bytes of such a line are kept."""

_HANDSHAKE = ("2025-11-25",)

_PLACEHOLDER = re.compile(r"PASTE_\w+_HERE|/ABSOLUTE/PATH/TO\b[^\s\"']*|\bpaste-token-here\b")


def trials(
    subject: Subject, clients: Iterable[Client], machine: Machine, wanted: bool
) -> Iterator[Trial]:
    """Yield a trial of each entry that clients have for the server.

    A client without an entry is a fault if it is `wanted`. An entry in a file that several clients
    read is tried for those that are `wanted`. Otherwise it is tried for those that are here, or if
    there are none, for all. Raises ScaffoldError.
    """
    entries = [(client, [*listed(subject, client, machine)]) for client in clients]
    here = {client.id for client, _ in entries if is_here(client, machine)}
    known = {held.path for client, every in entries for held in every if client.id in here}
    for client, every in entries:
        for held in every:
            if wanted or client.id in here or held.path not in known:
                yield tried(client, held, subject, machine)
        if wanted and not every:
            yield _missing(subject, client)


def tried(client: Client, held: Held, subject: Subject, machine: Machine) -> Trial:
    """Start the server as the client would, list its tools, and return what is wrong.

    The environment of `machine` is that of a shell.
    """
    if held.problem:
        return Trial(client, held.path, findings=(held.problem,))
    attempt = _Attempt(client, held, subject, machine)
    attempt.run()
    return Trial(
        client,
        held.path,
        attempt.meant.transport,
        attempt.heard.version if attempt.heard else "",
        attempt.seconds,
        len(attempt.heard.tools or ()) if attempt.heard else None,
        tuple(attempt.findings.diagnostics),
        attempt.limit,
        client.approval.get(held.scope, ""),
    )


def _missing(subject: Subject, client: Client) -> Trial:
    message = f"{client.name} has no entry for `{subject.server.name}`"
    hint = f"run `{subject.installing(client.id)}`"
    if not client.root:
        message = f"the configuration of {client.name} is in its dialog, not in a file"
        hint = "look there"
    finding = Diagnostic("client-no-entry", message, Place(client.id), hint)
    return Trial(client, None, findings=(finding,))


@dataclass(slots=True)
class _Attempt:
    client: Client
    held: Held
    subject: Subject
    machine: Machine
    meant: Meant = field(init=False)
    findings: Findings = field(init=False)
    heard: Heard | None = None
    seconds: float | None = None
    _expander: Expander = field(init=False)
    _began: float = 0.0
    _stray: list[tuple[int, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        client, machine = self.client, self.machine
        self.meant = meant(client, self.held.fields)
        environment = surroundings.of_client(client, machine.environ, machine.system)
        self._expander = Expander(client, environment, self._inputs(), machine, str(self._folder))
        self.findings = Findings(Place(str(self.held.path)), self._pasted())

    @property
    def _folder(self) -> Path:
        """Where the client starts servers."""
        return self.subject.project if self.held.scope == "project" else Path(self.machine.home)

    def run(self) -> None:
        """Find what is wrong; start the server unless that cannot work."""
        add = self.findings.add
        for fault in self.meant.faults:
            add("client-entry", fault, write_again(self.subject, self.client))
        for left in dict.fromkeys(_PLACEHOLDER.findall(str(self.held.fields))):
            message = f"`{left}` still stands where a value belongs"
            add("client-placeholder", message, "write the value in its place")
        if self.meant.transport == "stdio" and not self.findings.diagnostics:
            self._start()
        elif self.meant.transport and not self.findings.diagnostics:
            self._reach()
        listed = [tool.name for tool in self.heard.tools or ()] if self.heard else []
        judge_names(self.client, self.subject.server.name, listed, self.findings)
        if self.heard:
            self._compare(self.heard, listed)

    def _start(self) -> None:
        """Start the server, and talk to it."""
        environment = self._environment()
        command = [
            self._expander.expand(word, "args" if at else "command", self.meant.env)
            for at, word in enumerate(self.meant.command)
        ]
        judge_references(self._expander, self._optional, self.findings)
        client, folder, findings = self.client, self._folder, self.findings
        started_in = folder / (self.meant.folder or "")
        paths = [*command, f"{started_in}/"]
        if other := surroundings.other_project(paths, started_in, self.subject.project):
            message = f"it starts the server of `{other}`, not of this project"
            findings.add("client-server", message, write_again(self.subject, self.client))
            return
        program = surroundings.find_program(
            command[0], client, folder, environment, self.machine, findings
        )
        missing = surroundings.missing_folders(command, self.meant.folder, folder)
        for name in missing if program else ():
            message = f"the directory `{name}` does not exist"
            findings.add("client-program", message, write_again(self.subject, self.client))
        if program and not missing:
            whole = [program, *command[1:]]
            with self._elsewhere(environment) as away:
                self._talk(lambda log: started(whole, log, started_in, away, self._keep))

    @contextmanager
    def _elsewhere(self, environment: Mapping[str, str]) -> Iterator[dict[str, str]]:
        """Yield the environment with stand-ins: a temporary folder, an address where nobody answers.

        What the entry lacks is still missing.
        """
        required = {variable.name for variable in self.subject.server.env if variable.required}
        with tempfile.TemporaryDirectory() as folder, socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{closed.getsockname()[1]}"
            made_up = {
                name: text.replace("{folder}", folder).replace("{address}", address)
                for name, text in self.subject.stand_ins.items()
                if name in environment or name not in required
            }
            yield {**environment, **made_up, **({"NO_PROXY": "127.0.0.1"} if made_up else {})}

    def _reach(self) -> None:
        """Talk to the server at the address in the entry."""
        url = self._expander.expand(self.meant.url, "url")
        self.findings.secrets |= secrets_in(url)
        headers = self._expander.expand(dict(self.meant.headers), "headers")
        if token := self.meant.token and self._named(self.meant.token):
            headers |= {"Authorization": f"Bearer {token}"}
        judge_references(self._expander, (), self.findings)
        if wrong := wrong_address(url, headers):
            self.findings.add("client-entry", wrong)
            return
        self._talk(lambda _: connected(url, headers, self.meant.transport))

    def _environment(self) -> dict[str, str]:
        """Return the environment of the server."""
        environment = surroundings.of_server(self.client, self._expander.environment)
        for name in self.meant.names:
            if (value := self._named(name)) is not None:
                environment[name] = value
        return {**environment, **self._expander.expand(dict(self.meant.env), "env")}

    def _named(self, name: str) -> str | None:
        """Return the value of a variable that the entry names."""
        value = self._expander.environment.get(name)
        if value is None:
            self._expander.unset.append(name)
        else:
            self._expander.secrets[name] = value
        return value

    def _inputs(self) -> dict[str, str]:
        """Return values for what the client asks for: those of the variables that get them."""
        values = {}
        headers = {self.subject.server.bearer_env or "": str(dict(self.meant.headers))}
        for name, text in {**self.meant.env, **headers}.items():
            for id in re.findall(r"\$\{input:([^}]+)\}", str(text)):
                if name in self.machine.environ:
                    values[id] = self.machine.environ[name]
                elif name in self._optional:
                    values[id] = ""
        return values

    def _pasted(self) -> dict[str, str]:
        """Return the secrets that the entry itself has, by name."""
        secret = {variable.name for variable in self.subject.server.env if variable.secret}
        values = {name: text for name, text in self.meant.env.items() if name in secret}
        for name, text in self.meant.headers.items():
            values[name] = text.removeprefix("Bearer ")
        return {
            name: text
            for name, text in values.items()
            if not (is_reference(text) or _PLACEHOLDER.search(text))
        }

    @property
    def _optional(self) -> set[str]:
        return {variable.name for variable in self.subject.server.env if not variable.required}

    def _talk(
        self, connect: Callable[[IO[bytes]], AbstractAsyncContextManager[TransportStreams]]
    ) -> None:
        """Talk to the server, and judge how it ended."""
        with tempfile.TemporaryFile() as log:
            self._began = time.monotonic()
            failure: Exception | None = None
            try:
                anyio.run(self._converse, connect(log))
            except Exception as error:  # noqa: BLE001 - what nobody expected is raised again
                failure = error
            while isinstance(failure, ExceptionGroup):
                failure = failure.exceptions[0]
            is_lost = self._judge_output()
            if isinstance(failure, EndedError):
                when = "before it answered" if self.seconds is None else "after its first answer"
                self.findings.add(
                    "client-stopped", f"the server {failure} {when}", self.findings.end_of(log)
                )
            elif isinstance(failure, (TimeoutError, httpx2.TimeoutException)) and not is_lost:
                self._judge_time(self.findings.end_of(log))
            elif failure and not is_lost:
                end_of_log = self.findings.end_of(log)
                judge_failure(
                    failure, self.meant, self.client, self.subject, end_of_log, self.findings
                )

    async def _converse(self, connection: AbstractAsyncContextManager[TransportStreams]) -> None:
        handshake = self.client.handshake.get(self.meant.transport, _HANDSHAKE)
        with anyio.fail_after(self._patience) as scope:

            def answered() -> None:
                if self.seconds is None:
                    self.seconds = time.monotonic() - self._began
                    scope.deadline = anyio.current_time() + LISTING

            async with connection as streams:
                self.heard = await talk(streams, handshake, answered)

    def _keep(self, number: int, line: bytes) -> None:
        """Keep a line of standard output that is no message."""
        if len(self._stray) < MAX_STRAY_LINES:
            text = line[:MAX_STRAY_BYTES].decode(errors="replace").rstrip("\r")
            self._stray.append((number, text))

    @property
    def _patience(self) -> float:
        return min(self.limit or PATIENCE, PATIENCE)

    @property
    def limit(self) -> float | None:
        """How many seconds the client waits, as the entry says or as it always does, if known."""
        limits, fields = self.client.limits, self.held.fields
        given = fields.get(limits.start_field) if isinstance(fields, Mapping) else None
        if isinstance(given, bool) or not isinstance(given, (int, float)) or not given > 0:
            return limits.start
        return given * limits.start_unit

    def _judge_time(self, end_of_log: str | None) -> None:
        client, limit = self.client, self.limit
        if self.seconds is not None:
            message = f"it did not list its tools within {LISTING:g} seconds"
            self.findings.add("client-slow", message, end_of_log)
            return
        message = f"it did not answer within {self._patience:g} seconds"
        if limit is not None and limit <= PATIENCE:
            message += f", and {client.name} does not wait longer"
        elif limit is not None:
            message += f"; {client.name} waits {limit:g}"
        start = "start it once by hand: it may have to download packages"
        self.findings.add("client-slow", message, end_of_log or start)

    def _judge_output(self) -> bool:
        """Judge lines that are no messages; return whether an answer may be among them."""
        for number, line in self._stray[:1]:
            more = f" (and {len(self._stray) - 1} more)" if len(self._stray) > 1 else ""
            shown = quote(self.findings.masked(line))
            message = f"line {number} of its standard output is no message: {shown}{more}"
            self.findings.add("client-output", message, "print to standard error instead")
        return any(line.lstrip("\ufeff").startswith("{") for _, line in self._stray)

    def _compare(self, heard: Heard, listed: Sequence[str]) -> None:
        """Compare what the server said and listed with the spec."""
        name = heard.name
        if heard.tools is None and self.subject.tools:
            message = f"it does not say that it has tools, and {self.client.name} does not ask"
            self.findings.add("client-answer", message, "`capabilities` needs `tools`")
        elif name and name != self.subject.server.name:
            message = f"the server there calls itself `{name}`, not `{self.subject.server.name}`"
            self.findings.add("client-server", message, "the entry leads to another project")
        elif missing := [tool for tool in self.subject.tools if tool not in listed]:
            message = f"it does not list {join(missing[:5], 'and')}, which the spec has"
            hint = "regenerate the project, or restart the server"
            self.findings.add("client-server", message, hint)
