"""Check the container image: that it can be built, what it listens on, and as whom it runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scaffold.diagnostics import Diagnostic
from scaffold.diagnostics.wording import did_you_mean, quote
from scaffold.publish.dockerfile import Dockerfile, Instruction
from scaffold.publish.subject import Subject
from scaffold.spec.format import Transport
from scaffold.spec.publish import Package

_INSTRUCTIONS = [
    "ADD",
    "ARG",
    "CMD",
    "COPY",
    "ENTRYPOINT",
    "ENV",
    "EXPOSE",
    "FROM",
    "HEALTHCHECK",
    "LABEL",
    "MAINTAINER",
    "ONBUILD",
    "RUN",
    "SHELL",
    "STOPSIGNAL",
    "USER",
    "VOLUME",
    "WORKDIR",
]
_ROOT = re.compile(r"(root|0+)?(:.*)?")
_NO_ROOT = re.compile(r"nonroot|non-root|rootless|unprivileged|^cgr\.dev/", re.IGNORECASE)
"""Images that run as a user of their own, by their names."""
_PORTS = re.compile(r"(?P<first>\d+)(-(?P<last>\d+))?(/tcp)?", re.IGNORECASE)
_SHELL = re.compile(r"(.*/)?(ba|da|a|z|k)?sh")
_PASSED_ON = re.compile(r"\$[@*1]")


def faults(subject: Subject) -> Iterator[Diagnostic]:
    """Yield what is wrong with the image, if one is published."""
    image = subject.image
    if image is None or not subject.has(Package.OCI):
        return
    broken = [*_refused(image)]
    yield from broken
    if image.last and not broken:
        yield from _user(image, image.last)
        if {*subject.spec.transports} - {Transport.STDIO}:
            yield from _port(image, image.last, subject)
        yield from _start(image, image.last, subject)


def _fault(image: Dockerfile, at: Instruction, id: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(id, message, image.document.at(at.start, at.end), hint)


def _refused(image: Dockerfile) -> Iterator[Diagnostic]:
    """Yield what Docker refuses to build."""
    if image.last is None:
        message = "the Dockerfile has no `FROM`, so that no image can be built"
        hint = "write `FROM` and an image of Python, or delete the file and run `mcp-scaffold publish --metadata`"
        yield Diagnostic("image-build", message, image.document.at(0), hint)
    begins = next((number for number, one in enumerate(image.every) if one.name == "FROM"), None)
    for number, one in enumerate(image.every):
        if one.name not in _INSTRUCTIONS:
            hint = did_you_mean(one.name, _INSTRUCTIONS, "correct or remove it")
            message = f"Docker knows no instruction {quote(one.name)}"
        elif begins is not None and number < begins and one.name != "ARG":
            message, hint = f"`{one.name}` comes before `FROM`", "move it below"
        elif not one.words:
            message, hint = f"`{one.name}` has no arguments", "write them behind it, or remove it"
        elif not one.has_end:
            message = "the here-document has no end"
            hint = "repeat the word behind `<<` on a line of its own"
        else:
            continue
        yield _fault(image, one, "image-build", message, hint)


def _user(image: Dockerfile, last: Instruction) -> Iterator[Diagnostic]:
    users = [one for one in image.named("USER") if one.words]
    if not users and _NO_ROOT.search(last.words[0].value.text or "nonroot"):
        return
    user = users[-1].words[0].value if users else None
    if user and (user.text is None or not _ROOT.fullmatch(user.text)):
        return
    message = "the server runs as root in the image"
    hint = "add `USER 10001` below the last command that needs root"
    if user and not user.is_fixed:
        message += ", unless whoever builds it says otherwise"
        hint = "write `USER 10001`, or a default for the argument"
    yield _fault(image, users[-1] if users else last, "image-user", message, hint)


def _port(image: Dockerfile, last: Instruction, subject: Subject) -> Iterator[Diagnostic]:
    exposing = image.named("EXPOSE")
    words = [word.value.text for one in exposing for word in one.words]
    own = image.environment.get(f"{subject.package.upper()}_PORT")
    wanted = own.text if own else str(subject.spec.http.port)
    if wanted is None or None in words or any(_has(word or "", wanted) for word in words):
        return
    if words:
        message = f"the image exposes {quote(' '.join(filter(None, words)))}, not {wanted}"
    else:
        message = "the image exposes no port"
    at = exposing[-1] if exposing else last
    yield _fault(image, at, "image-port", message, f"write `EXPOSE {wanted}`")


def _has(word: str, wanted: str) -> bool:
    """Return whether an argument of `EXPOSE` is a port, or a range with it, over TCP."""
    found = _PORTS.fullmatch(word)
    if not found or not wanted.isdecimal():
        return False
    return int(found["first"]) <= int(wanted) <= int(found["last"] or found["first"])


def _start(image: Dockerfile, last: Instruction, subject: Subject) -> Iterator[Diagnostic]:
    hint = f'write `ENTRYPOINT ["{subject.command}"]`, in brackets'
    found = image.named("ENTRYPOINT")
    command = found[-1].command if found else []
    if command is not None and not command:
        message = (
            "the image has no `ENTRYPOINT`, so that the arguments of clients replace the server"
        )
        yield _fault(image, found[-1] if found else last, "image-start", message, hint)
    elif command is None or _drops(command):
        message = "a shell starts the server, and drops the arguments of clients"
        yield _fault(image, found[-1], "image-start", message, hint)


def _drops(words: Sequence[str]) -> bool:
    """Return whether a command is a script for a shell that does not pass its arguments on."""
    is_script = len(words) > 2 and _SHELL.fullmatch(words[0]) is not None and words[1].endswith("c")
    return is_script and not _PASSED_ON.search(words[2])
