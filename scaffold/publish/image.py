"""Check the container image: what it listens on, and as whom it runs."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.diagnostics import Diagnostic, Place
from scaffold.diagnostics.wording import quote
from scaffold.publish.subject import Subject
from scaffold.spec.format import Transport
from scaffold.spec.publish import Package


def faults(subject: Subject) -> Iterator[Diagnostic]:
    """Yield what is wrong with the image, if one is published."""
    image = subject.image
    if image is None or image.last is None or not subject.has(Package.OCI):
        return

    def at(one: object) -> Place:
        assert image
        span = (getattr(one, "start", 0), getattr(one, "end", 0))
        return image.document.at(*span)

    users = image.named("USER")
    user = users[-1].rest.strip() if users else "root"
    if user.partition(":")[0] in ("root", "0"):
        message = "the server runs as root in the image"
        hint = "add `USER 10001` below the last command that needs root"
        yield Diagnostic("image-user", message, at(users[-1] if users else image.last), hint)
    ports = [port for one in image.named("EXPOSE") for port in one.rest.split()]
    port = str(subject.spec.http.port)
    over_http = {*subject.spec.transports} - {Transport.STDIO}
    if over_http and port not in {one.partition("/")[0] for one in ports}:
        named = f"exposes {quote(' '.join(ports))}, not {port}" if ports else "exposes no port"
        place = at(image.named("EXPOSE")[-1] if ports else image.last)
        message, hint = f"the image {named}", f"write `EXPOSE {port}`"
        yield Diagnostic("image-port", message, place, hint)
    if not image.named("ENTRYPOINT"):
        message = (
            "the image has no `ENTRYPOINT`, so that the arguments of clients replace the server"
        )
        hint = 'add `ENTRYPOINT ["COMMAND"]`, in brackets'
        yield Diagnostic("image-start", message, at(image.last), hint)
    elif not image.named("ENTRYPOINT")[-1].rest.startswith("["):
        message = "a shell starts the server, and drops the arguments of clients"
        hint = 'write `ENTRYPOINT ["COMMAND"]`, in brackets'
        yield Diagnostic("image-start", message, at(image.named("ENTRYPOINT")[-1]), hint)
