"""Compare where people get two versions of a server: registry, packages, running servers."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.breaking.change import Change, Level
from scaffold.breaking.rules import made
from scaffold.diagnostics.wording import quote
from scaffold.spec.format import Spec
from scaffold.spec.publish import Publish


def distribution_changes(old: Spec, new: Spec) -> Iterator[Change]:
    """Yield what is no longer published."""
    if old.publish is None:
        return
    at = "/publish" if new.publish else ""
    kept = [*_addresses(new.publish)] if new.publish else []
    for address in _addresses(old.publish):
        if address not in kept:
            message = f"the server is no longer at {quote(address[0])} ({address[1]})"
            yield made("distribution-removed", "server", new.name, at, message)
    sources = [*_sources(new.publish)] if new.publish else []
    for source in _sources(old.publish):
        if source not in sources:
            message = f"the server is no longer published as {source}"
            yield made("distribution-removed", "server", new.name, at, message, level=Level.WARNING)


def _addresses(publish: Publish) -> Iterator[tuple[str, str]]:
    for remote in publish.remotes:
        yield remote.url, remote.transport


def _sources(publish: Publish) -> Iterator[str]:
    yield f"a server of the namespace {quote(publish.namespace)}"
    for package in publish.packages:
        image = f" {quote(publish.image)}" if package == "oci" and publish.image else ""
        yield f"{quote(package)}{image}"
