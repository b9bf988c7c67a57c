"""Find regular expressions that JSON Schema engines read differently, and suggest fixes.

JSON Schema patterns follow ECMA-262 (2020-12 core, 6.4). The engine of the generated servers
differs slightly from that. Only patterns that it reads as ECMA-262 does are accepted.
"""

from __future__ import annotations

import re

import jsonschema_rs

_ESCAPED = (
    r"(?P<property>\\[pP]\{(?P<name>[^}]*)\})"
    r"|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
    r"|(?P<escape>\\u\{[0-9a-fA-F]{1,6}\}|\\x\{[^}]*\}?|\\.?)"
)
_TOKEN = re.compile(
    rf"{_ESCAPED}"
    r"|(?P<group>\((?:\?(?:[:=!]|<[=!]|<[^\W\d]\w*>|P?[<>=]|[a-z-]+[:)]?|.)?)?)"
    r"|(?P<class>\[\^?\]?)"
    r"|(?P<quantifier>[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??"
    r"|(?P<other>[\s\S])",
    re.DOTALL,
)
_IN_CLASS = re.compile(rf"(?P<end>\])|{_ESCAPED}|(?P<other>[\s\S])", re.DOTALL)
_ESCAPES = frozenset("dDwWsSbBtnvfrcxu") | frozenset("123456789")
_ESCAPES_IN_CLASS = frozenset("dDwWsStnvfrcxu")
_GROUPS = re.compile(r"\((\?(:|=|!|<=|<!|<[^\W\d]\w*>))?")

_INSTEAD = {
    "A": "`^`",
    "Z": "`$`",
    "z": "`$`",
    "h": r"`[ \t]`",
    "H": r"`[^ \t]`",
    "R": r"`(?:\r\n|[\n\r])`",
    "N": r"`[^\n]`",
    "a": r"`\x07`",
    "e": r"`\x1b`",
    "0": r"`\x00`",
    "b": r"`\x08`",
    "k": r"`\1`, the number of the group",
}
_UNICODE = re.compile("\\\\[pPu]\\{|[\U00010000-\U0010ffff]")
_CLASS = re.compile(r"\[(?:\\.|[^\]\\])*\]", re.DOTALL)
_NEEDLESS = re.compile(r"(?<!\\)(?:\\\\)*\\[^\w^$\\.*+?()\[\]{}|/]")
"""An unnecessary escape: an error in patterns that need the Unicode mode of ECMA-262."""
_PROPERTY = re.compile(
    "C[cfnos]?|L[Clmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?"
    "|((Cased_|Lowercase_|Modifier_|Other_|Titlecase_|Uppercase_)?Letter)"
    "|((Decimal_|Letter_|Other_)?Number)|((Spacing_|Enclosing_|Nonspacing_)?Mark)"
    "|((Connector_|Dash_|Close_|Final_|Initial_|Other_|Open_)?Punctuation)"
    "|((Currency_|Modifier_|Math_|Other_)?Symbol)|((Line_|Paragraph_|Space_)?Separator)"
    "|Any|ASCII|Alphabetic|Emoji|Uppercase|Lowercase|White_Space|X?ID_(Start|Continue)"
    "|(Script|sc|Script_Extensions|scx|General_Category|gc)=[A-Za-z_]+"
)
"""Common properties in `\\p{…}` (ECMA-262, tables 67 to 69)."""


def problem(pattern: str) -> tuple[str, str] | None:
    """Return what is wrong with a pattern and a hint; None if all engines read it alike."""
    if found := _unlike(pattern):
        return found
    if _UNICODE.search(pattern) and (escape := _NEEDLESS.search(_CLASS.sub("", pattern))):
        sign = escape[0][-1]
        message = f"`\\{sign}` is not allowed in a pattern with `\\p`, `\\u{{` or emoji"
        return message, f"write `{sign}`"
    try:
        jsonschema_rs.Draft202012Validator({"pattern": pattern}, offline=True)
    except ValueError:
        return (
            "not a regular expression, or too large",
            "check its brackets and quantifiers (ECMA-262)",
        )
    return None


def _unlike(pattern: str) -> tuple[str, str] | None:
    """Return the first construct that is not ECMA-262 or not supported by the engine."""
    at = open_groups = 0
    repeatable = quantified = False
    while at < len(pattern):
        token = _TOKEN.match(pattern, at)
        assert token
        at = token.end()
        if token["quantifier"]:
            if quantified:
                return (
                    f"`{token[0]}` follows another quantifier",
                    "group with `(?:…)`, or remove one",
                )
            if not repeatable:
                sign = token[0][0]
                return f"`{token[0]}` has nothing to repeat", f"write `\\{sign}` to match `{sign}`"
            quantified = True
            continue
        repeatable, quantified = True, False
        if fault := _escaped(token, _ESCAPES):
            return fault
        if token["escape"]:
            repeatable = token[0] not in (r"\b", r"\B")
        elif token["group"]:
            if not _GROUPS.fullmatch(token[0]):
                return _group(token[0])
            open_groups += 1
            repeatable = False
        elif token["class"]:
            if token[0] in ("[]", "[^]"):
                return f"`{token[0]}` is an empty class", r"write `[\s\S]` for any character"
            end = _class(pattern, at)
            if not isinstance(end, int):
                return end
            at = end
        elif token[0] == ")":
            open_groups -= 1
            if open_groups < 0:
                return "unmatched `)`", r"write `\)` to match `)`"
        elif token[0] in ("{", "}", "]"):
            return f"unmatched `{token[0]}`", f"write `\\{token[0]}` to match `{token[0]}`"
        else:
            repeatable = token[0] not in "^$|"
    return ("unclosed `(`", r"write `\(` to match `(`") if open_groups else None


def _class(pattern: str, at: int) -> int | tuple[str, str]:
    """Return the end of the character class that is open at an offset, or its error."""
    while at < len(pattern):
        token = _IN_CLASS.match(pattern, at)
        assert token
        at = token.end()
        if token["end"]:
            return at
        if fault := _escaped(token, _ESCAPES_IN_CLASS):
            return fault
    return "unclosed `[`", r"write `\[` to match `[`"


def _escaped(token: re.Match[str], known: frozenset[str]) -> tuple[str, str] | None:
    """Return what is wrong with an escape; `known` are the letters that may be escaped."""
    if token["half"]:
        hint = "write the character itself, or its code point: `\\u{1F600}`"
        return "half of a surrogate pair is not a character", hint
    if token["property"] and not _PROPERTY.fullmatch(token["name"]):
        hint = r"write a category such as `\p{L}`, or a script such as `\p{Script=Greek}`"
        return f"not all engines know the property `{token[0]}`", hint
    if not token["escape"]:
        return None
    escape, letter = token[0], token[0][1:2]
    if not letter:
        return "a backslash at the end", r"write `\\` to match a backslash"
    if escape.startswith(r"\x{"):
        return f"not all engines know the escape `{escape}`", f"write `\\u{escape[2:]}`"
    if letter in known or not (letter.isalnum() or letter in "<>"):
        return None
    instead = _INSTEAD.get(letter, f"`{letter}`")
    return f"not all engines know the escape `{escape}`", f"write {instead}"


def _group(group: str) -> tuple[str, str]:
    if group.startswith("(?P"):
        return f"`{group}` is Python syntax", "write `(?<name>…)`, or `(?:…)` without a name"
    if re.fullmatch(r"\(\?[a-z-]+[:)]?", group):
        message = f"`{group}` sets flags, which JSON Schema patterns cannot"
        return message, "spell out both cases: `[Aa]`"
    hint = "write `(?:…)`, `(?=…)`, `(?!…)` or `(?<name>…)`"
    return f"`{group}` is not an ECMA-262 group", hint
