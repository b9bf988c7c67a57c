"""A folder of Markdown posts into chunks: pieces small enough to find and to read."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

OUR_POSTS = files("blog_search") / "content"
CHUNK_LENGTH = 1200
"""Characters that a chunk has at most."""

FRONT_MATTER = re.compile(
    r"\A(---|\+\+\+)\n(?P<fields>[\s\S]*?)^\1[ \t]*\n", re.MULTILINE
)
TITLE = re.compile(r"""^title[ \t]*[:=][ \t]*["']?(.+?)["']?[ \t]*$""", re.MULTILINE)
BLOCK = re.compile(
    r"^(?P<fence>```+|~~~+)[\s\S]*?(?:^(?P=fence)|\Z)"
    r"|^#{1,6}[ \t]+(?P<heading>.+?)[ \t#]*$"
    r"|(?:^(?!```|~~~|#{1,6}[ \t]).*\S.*\n?)+",
    re.MULTILINE,
)
"""Code between fences, a heading, or a paragraph."""

LAST = CHUNK_LENGTH - 1
PART = re.compile(
    rf"\S[\s\S]{{0,{LAST}}}(?=\n|\Z)|\S[\s\S]{{0,{LAST}}}(?!\S)|\S{{{CHUNK_LENGTH}}}"
)
"""As much of a block as a chunk holds, up to the end of a line or a word if there is one."""


@dataclass(frozen=True)
class Chunk:
    """Some paragraphs of a post that stand under one heading."""

    source: str
    """Path of the post in the folder, with `/`."""
    index: int
    """Place of the chunk in the post, from 0."""
    title: str
    heading: str
    text: str


def read_posts(folder: Path) -> dict[str, list[Chunk]]:
    """The chunks of each `.md` file in the folder, by its path there.

    Links that lead out of the folder are not followed. Raises NotADirectoryError.
    """
    if not folder.is_dir():
        raise NotADirectoryError(f"no folder of posts at {folder}")
    root = folder.resolve()
    posts: dict[str, list[Chunk]] = {}
    for path in sorted(root.rglob("*.md")):
        if path.is_file() and path.resolve().is_relative_to(root):
            source = path.relative_to(root).as_posix()
            posts[source] = split(source, path.read_text("utf-8-sig", errors="replace"))
    return posts


def our_posts(
    folder: Traversable = OUR_POSTS, above: str = ""
) -> dict[str, list[Chunk]]:
    """The chunks of the posts in this package, which can be in a zip file."""
    posts: dict[str, list[Chunk]] = {}
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        source = above + entry.name
        if entry.is_dir():
            posts |= our_posts(entry, f"{source}/")
        elif source.endswith(".md"):
            posts[source] = split(source, entry.read_text("utf-8"))
    return posts


def split(source: str, post: str) -> list[Chunk]:
    """The chunks of a post; its title is in its front matter, or its first heading."""
    front_matter = FRONT_MATTER.match(post)
    title = TITLE.search(front_matter["fields"]) if front_matter else None
    body = post[front_matter.end() :] if front_matter else post
    pieces = list(cut(body))
    name = title[1] if title else first_heading(body) or source
    return [
        Chunk(source, index, name, heading or name, text)
        for index, (heading, text) in enumerate(pieces)
    ]


def first_heading(body: str) -> str:
    return next((b["heading"] for b in BLOCK.finditer(body) if b["heading"]), "")


def cut(body: str) -> Iterator[tuple[str, str]]:
    """Each chunk's heading, empty before the first one, and text."""
    heading, text = "", ""
    for block in BLOCK.finditer(body):
        if block["heading"]:
            if text:
                yield heading, text
            heading, text = block["heading"], ""
            continue
        for part in map(str.rstrip, PART.findall(block[0])):
            if text and len(text) + len("\n\n") + len(part) > CHUNK_LENGTH:
                yield heading, text
                text = ""
            text += "\n\n" + part if text else part
    if text:
        yield heading, text
