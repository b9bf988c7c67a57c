"""The format of `publish`: the packages of the server, and its entry in the MCP registry."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from scaffold.format.fields import UNIQUE, AnyObject, Limits, Model
from scaffold.format.texts import Image, Namespace, RemoteAddress, RepositoryAddress

Line = Annotated[str, Limits({"minLength": 1, "maxLength": 100})]


class Package(StrEnum):
    """A kind of package, by its name in the registry."""

    NPM = "npm"
    PYPI = "pypi"
    MCPB = "mcpb"
    OCI = "oci"


class Remote(Model):
    """A running server that anyone can connect to."""

    url: RemoteAddress = Field(description="Address of the server, which begins with `https://`.")
    transport: Literal["streamable-http", "sse"] = Field(
        "streamable-http", description="Transport of the server at `url`."
    )


class Publish(Model):
    """How the server is published. Without this key, nothing for it is generated."""

    namespace: Namespace = Field(
        description="Namespace in the registry, with the owner's own capitals.",
        examples=["io.github.Owner"],
    )
    packages: Annotated[tuple[Package, ...], UNIQUE] | None = Field(
        None,
        description="What is published: a package in the registry of its language (`pypi`, `npm`), "
        "a bundle for desktop clients (`mcpb`), a container image (`oci`). Default: the package.",
    )
    description: Line | None = Field(
        None, description="For lists of servers. Default: the first sentence of `description`."
    )
    author: Line | None = Field(
        None, description="Name of the author. Default: the last part of the namespace."
    )
    license: Line | None = Field(None, description="License, as an SPDX expression.")
    repository: RepositoryAddress | None = Field(
        None,
        description="Repository on GitHub or GitLab. "
        "Default for `io.github.Owner`: `https://github.com/Owner/NAME`.",
    )
    image: Image | None = Field(
        None, description="Name of the container image, without a tag, for `oci`."
    )
    remotes: tuple[Remote, ...] = Field(
        (), description="Running servers that anyone can connect to."
    )
    server: AnyObject | None = Field(
        None,
        description="JSON merge patch (RFC 7396) for `server.json`. "
        "The name and the version are always those of the spec.",
    )
    manifest: AnyObject | None = Field(
        None,
        description="JSON merge patch (RFC 7396) for the `manifest.json` of the bundle. "
        "The name and the version are always those of the spec.",
    )

    @property
    def owner(self) -> str | None:
        """The owner on GitHub that the namespace belongs to, if it is one of GitHub's."""
        owner = self.namespace.removeprefix("io.github.")
        return None if owner == self.namespace else owner

    def repository_of(self, name: str) -> str | None:
        """Return the address of the repository of a server, by its name, if it is known."""
        if self.repository is None and self.owner:
            return f"https://github.com/{self.owner}/{name}"
        return self.repository
