"""Texts into a spec that has one of them in each place where the format takes any."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count, cycle
from typing import Any

from hypothesis import strategies as st

HOSTILE = [
    *('"', "'", '"""', "'''", "\\", "\\N{DASH}", "\n", "\r\n", "\t", "\x1b[2J", "\u2028", "\u202e"),
    *("`", "```\n", "|", "*", "__", "~~", "<script>", "<!--", "-->", "&lt;", "![x](y)", "[x]: y"),
    *("\n# x", "\n- x", "\n1. x", "\n> x", "\n===", "\n---\n", "\n    x", "\n| a |\n|---|\n"),
    *("#", "# noqa", "# type: ignore", "# fmt: off", "\nimport os", "\n[tool.x]\n", "\nRUN x"),
    *("{{", "}}", "{% raw %}", "{% endraw %}", "{# x #}", "{0}", "${x}", "$(x)", "%s", "{x!r}"),
    *("é", "e\u0301", "漢", "👩\u200d🔬", "no", "null", "1e3", " ", "\xa0", "x" * 100, "word " * 30),
    *("https://a.b/c_d", "a@b.c", "\x00", "\x7f", "\x85", "\ufeff", "\ufffe", "<<<<<<<", ">>> 1/0"),
    *("{{ project }}", "{{ ''.__class__.__mro__ }}", "__import__('os')", "~", "%", "\u200b", "&"),
]  # fmt: skip
texts = (
    st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(codec="utf-8"), max_size=3)))
    .map("".join)
    .filter(lambda text: any(c.isprintable() and not c.isspace() for c in text))
)


class Texts:
    """Texts without end, fitted to what a place takes."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = cycle(texts)
        self._numbers = count(1)

    def any(self) -> str:
        return next(self._texts)

    def key(self) -> str:
        """A text that no other is equal to, and no identifier."""
        return f"{self.any()}-{next(self._numbers)}"

    def name(self) -> str:
        """A text that no other is equal to, without controls and not too long (an entry's name)."""
        text = re.sub(r"[\x00-\x1f\x7f]", "", self.any())
        return f"n{text[:200]}-{next(self._numbers)}"

    def word(self) -> str:
        """A text without blanks, controls and braces (an address)."""
        return re.sub(r"[\s\x00-\x1f\x7f\ufeff{}]", "", self.key())

    def plain(self) -> str:
        """A text without braces (a message with placeholders)."""
        return re.sub("[{}]", "", self.any())


def spec(source: Sequence[str]) -> dict[str, Any]:
    """One of each thing that a spec can hold."""
    texts = Texts(source)

    def entry(**rest: Any) -> dict[str, Any]:
        return {"title": texts.any(), "description": texts.any()} | rest

    def icon() -> dict[str, Any]:
        return {"src": f"https://{texts.word()}", "mimeType": "image/png", "sizes": [texts.any()]}

    def anything() -> dict[str, Any]:
        return {texts.key(): [texts.any(), {texts.key(): texts.any()}]}

    def schema(**properties: Any) -> dict[str, Any]:
        text = entry(type="string", default=texts.any(), examples=[texts.any()])
        return entry(type="object", properties={texts.key(): text, **properties})

    def argument() -> dict[str, Any]:
        return {"name": texts.name(), "title": texts.any(), "description": texts.any()}

    definition, required, only = texts.key(), texts.name(), {"const": texts.any()}
    pointer = definition.replace("~", "~0").replace("/", "~1")
    filled = argument() | {"name": "who", "required": True}
    return {
        **entry(name="demo", version="1.0.0", instructions=texts.any()),
        "websiteUrl": f"https://{texts.word()}",
        "icons": [icon()],
        "transports": ["stdio", "streamable-http", "sse"],
        "auth": {"bearer": {"env": "TOKEN"}},
        "env": [
            {"name": "URL", "description": texts.any(), "default": texts.any()},
            {"name": "TOKEN", "description": texts.any(), "secret": True, "required": False},
        ],
        "errors": [
            {"name": "NotFound", "message": texts.plain() + "{who}" + texts.plain()},
            {"name": "Gone", "message": f"{texts.plain()}{{{{"},
        ],
        "tools": [
            entry(
                name="find",
                icons=[icon()],
                inputSchema={
                    **schema(
                        **{required: entry(type="string")},
                        kind={"enum": [f"{texts.any()}.", "b"]},
                        fixed=only,
                        deep=schema(inner=schema()),
                        part={"$ref": f"#/$defs/{percent(pointer)}"},
                        listed={"type": "array", "items": schema(), "$comment": texts.any()},
                    ),
                    "required": [required],
                    "$defs": {definition: schema()},
                    "patternProperties": {literally(texts.plain()): {}},
                    "dependentRequired": {texts.key(): [texts.any()]},
                    "x-unknown": anything(),
                },
                outputSchema=schema(),
                annotations={"title": texts.any(), **anything()},
                _meta={"example.com/x": anything()},
                errors=["NotFound"],
                examples=[
                    {"name": texts.name(), "arguments": {required: "x", texts.any(): texts.any()}}
                ],
            )
        ],
        "resources": [
            entry(uri=f"x://{texts.word()}", name=texts.name(), text=texts.any(), icons=[icon()]),
            entry(uri=f"x://{texts.word()}", name=texts.name(), file="about.txt"),
            entry(uri=f"x://{texts.word()}", name=texts.name(), annotations=anything()),
        ],
        "resourceTemplates": [
            entry(uriTemplate=f"post:{texts.word()}{{slug}}", name=texts.name(), _meta=anything())
        ],
        "prompts": [
            entry(
                name=texts.name(),
                arguments=[filled],
                messages=[
                    {"role": "user", "content": f"{{who}}{doubled(texts.any())}"},
                    {
                        "role": "assistant",
                        "content": {
                            "type": "resource",
                            "resource": {
                                "uri": f"x://{texts.word()}",
                                "text": texts.any(),
                            },
                        },
                    },
                ],
            ),
            entry(name=texts.name(), arguments=[argument(), argument()]),
        ],
    }


def doubled(text: str) -> str:
    """A text whose braces stand for themselves."""
    return re.sub("[{}]", r"\g<0>" * 2, text)


def percent(pointer: str) -> str:
    """A JSON pointer as a URI fragment (RFC 6901, section 6)."""
    return "".join(
        c if re.match("[A-Za-z0-9/~_-]", c) else "".join(f"%{byte:02X}" for byte in c.encode())
        for c in pointer
    )


def literally(text: str) -> str:
    """A regular expression for just this text (ECMA-262, SyntaxCharacter)."""
    return re.sub(r"[\^$\\.*+?()[\]{}|/]", r"\\\g<0>", text)
