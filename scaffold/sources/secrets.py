"""Keep secrets out of specs: detect them in commands and URLs, and expand `${VARIABLE}`s."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from urllib.parse import unquote

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.secrets import in_words, is_likely_secret_name
from scaffold.format.handler import variables
from scaffold.format.http_handler import HEADER


def secrets_in(words: Sequence[str]) -> Iterator[str]:
    """Yield what in a command has a secret as its value: options, headers, variables, URLs."""
    for word, following in zip_longest(words, words[1:], fillvalue=""):
        option = re.fullmatch(r"--?([\w.-]+)", word)
        if option and not following.startswith("-") and _is_secret(option[1], following):
            yield word
        if match := re.fullmatch(r"([\w.-]+)\s*[=:]\s*(.*)", word, re.DOTALL):
            if _is_secret(match[1], match[2]):
                yield match[1]
            elif match[1].startswith("-"):
                yield from secrets_in([match[2]])
        for name, value in re.findall(r"[?&]([\w.-]+)=([^&#]*)", word):
            if _is_secret(name, value):
                yield name
        yield from re.findall(r"\w+://[^:/@\s]*:(?=[^/@\s]+@)(?!\$\{\w+\}@)", word)
        if len(parts := word.split()) > 1:
            yield from secrets_in(parts)


def without_secrets(url: str) -> str:
    """Return a URL with `${VARIABLE}` in place of a password and of each secret in its query."""

    def variable(match: re.Match[str]) -> str:
        name = unquote(match[1])
        if not _is_secret(name, match[2]):
            return match[0]
        return f"{match[1]}=${{{variable_for(name)}}}"

    url = re.sub(r"(?<=[?&])([^=&#]*)=([^&#\s]*)", variable, url)
    return re.sub(r"(?<=://)([^:/?#\s]*):(?!\$\{\w+\}@)[^/?#\s]*@", r"\1:${PASSWORD}@", url)


def variable_for(name: str) -> str:
    """Return the name of a variable for what is called so: `apiKey` becomes `API_KEY`."""
    return re.sub("[^A-Z0-9]", "_", in_words(name).upper())


def filled(text: str) -> str:
    """Return a text with each variable that is set in place of `${NAME}` or `${env:NAME}`."""
    return re.sub(r"\$\{(?:env:)?(\w+)\}", lambda match: os.environ.get(match[1], match[0]), text)


def headers(given: Sequence[str]) -> dict[str, str]:
    """Return headers, each given as `NAME: VALUE`. Raises ScaffoldError for one without a colon."""
    result = {}
    for header in given:
        name, colon, value = header.partition(":")
        if not colon or not HEADER.fullmatch(name.strip()):
            message = f"`{name.strip()[:40]}` is not a header"
            hint = "write `--header 'NAME: VALUE'`"
            raise ScaffoldError.of("bad-header", message, "--header", hint)
        result[name.strip()] = value.strip()
    return result


def filled_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return headers as they are sent. Raises ScaffoldError if a variable is not set."""
    sent = {name: filled(value) for name, value in headers.items()}
    for name, value in sent.items():
        if missing := variables(value):
            message = f"the variable `{missing[0]}` of the header `{name}` is not set"
            raise ScaffoldError.of("bad-header", message, "--header", f"set `{missing[0]}`")
        if not value.isprintable() or not value.isascii():
            message = f"the value of the header `{name}` has characters that are not allowed"
            hint = "check its variable for a line break"
            raise ScaffoldError.of("bad-header", message, "--header", hint)
    return sent


def _is_secret(name: str, value: str) -> bool:
    """Return whether an option, a header or a variable of this name holds a secret, not a file."""
    if not value or variables(value) or os.path.exists(value):
        return False
    return is_likely_secret_name(name)
