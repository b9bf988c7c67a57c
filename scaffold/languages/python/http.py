"""Handlers that call an HTTP API: their requests and results as Python."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from urllib.parse import parse_qsl, quote

from msgspec import Struct

from scaffold.format.http_handler import (
    FORM,
    MULTIPART,
    HttpBody,
    HttpHandler,
    HttpParameter,
    HttpResponse,
    is_json,
    is_text,
    kind_of,
)
from scaffold.format.placeholders import Placeholder, parts, placeholders
from scaffold.format.selection import projection
from scaffold.format.spec import Spec, Tool
from scaffold.languages.python.names import attributes
from scaffold.languages.python.types.expressions import (
    Brackets,
    Expression,
    Labelled,
    literal,
    quoted,
)
from scaffold.schema.resolver import Subschema
from scaffold.schema.types import types_of

_LITERAL = "/~!$&()*+,;=:@%-._"
_SCALARS = {"string", "integer", "number", "boolean", "null"}
_EVERY = _SCALARS | {"array", "object"}


class HttpRequest(Struct, frozen=True, kw_only=True):
    """The request of a handler that calls the API.

    `api` is the API, and `request` are the arguments of its `request`, as Python. `result` is the statement that returns
    the result, which `reads` the body of the response as `body` or does without.
    """

    api: str
    request: str
    result: str
    reads: bool


def request_of(
    spec: Spec, tool: Tool, http: HttpHandler, arguments: Mapping[str, str], result_type: str
) -> HttpRequest:
    """Return the request of a tool's handler.

    `arguments` are the names of its arguments in their model.
    """
    settings = attributes(variable.name for variable in spec.env)
    known = spec.api.credentials if spec.api else ()
    credentials = {each.label: settings.get(each.label, each.label) for each in known}
    quoting = {error.name for error in spec.errors if error.fields}
    writer = _Writer(tool, http, arguments, credentials, quoting)
    result, reads = writer.result(result_type)
    base = f"{{context.shared.settings.{settings[http.url.env]}}}" if http.url else ""
    items = (quoted(http.method), writer.path(base), *writer.keywords())
    forwarded = {each.label for each in known if each.type == "forward"}
    is_forwarded = bool(forwarded if http.credentials is None else forwarded & {*http.credentials})
    return HttpRequest(
        api="for_caller(context)" if is_forwarded else "context.shared.api",
        request=", ".join(map(str, items)),
        result=result,
        reads=reads,
    )


class _Writer:
    """A writer of the Python of one handler.

    `credentials` are the names of the API's credentials by their labels. `quoting` are errors whose
    message has the body of the response.
    """

    def __init__(
        self,
        tool: Tool,
        http: HttpHandler,
        arguments: Mapping[str, str],
        credentials: Mapping[str, str],
        quoting: Container[str],
    ) -> None:
        self._tool, self._http, self._quoting = tool, http, quoting
        self._attributes = arguments
        self._members = {item.name: item for item in tool.arguments.members}
        self._path, _, self._query = http.path.partition("?")
        self._credentials = credentials
        self._styled = {item.source: item for item in http.parameters if item.place == "path"}

    def path(self, base: str) -> Expression:
        """Return the path, after the base address if it has one of its own."""
        text = base
        for part in parts(self._path):
            if isinstance(part, Placeholder):
                text += self._segment(part.name)
            else:
                text += quote(part.text, safe=_LITERAL).replace("{", "{{").replace("}", "}}")
        return f'f"{text}"' if "{" in text else f'"{text}"'

    def _segment(self, name: str) -> str:
        """Return an argument in the path."""
        parameter, value = self._styled.get(name), self._argument(name)
        if parameter and parameter.style == "json":
            value = f"wire.json_text({value})"
        equals = ", '='" if parameter and parameter.exploded and self._is_object(name) else ""
        return f"{{wire.segment({value}{equals})}}"

    def keywords(self) -> Iterator[Expression]:
        """Yield the keyword arguments of the request."""
        places: dict[str, list[Expression]] = {"query": [], "header": [], "cookie": []}
        for parameter in self._http.parameters:
            if parameter.place != "path":
                places[parameter.place].append(self._parameter(parameter))
        places["query"] += self._in_path()
        body = [*self._body(self._http.body)] if self._http.body else []
        if self._http.body and (declared := self._content_type(self._http.body)):
            places["header"].append(Labelled('"Content-Type": ', quoted(declared)))
        for label, place in (("query=", "query"), ("headers=", "header"), ("cookies=", "cookie")):
            if places[place]:  # What has a name of its own wins over the keys of an object.
                items = sorted(places[place], key=lambda item: not str(item).startswith("**"))
                yield Labelled(label, Brackets("", "{", tuple(items)))
        if self._http.credentials is not None and self._credentials:
            names = [self._credentials[parameter] for parameter in self._http.credentials]
            yield Labelled("credentials=", literal(names))
        yield from body
        for label, quotes in (("errors=", False), ("quoting=", True)):
            errors = tuple(
                Labelled(f"{quoted(status)}: ", error)
                for status, error in self._http.errors.items()
                if (error in self._quoting) is quotes
            )
            if errors:
                yield Labelled(label, Brackets("", "{", errors))
        if self._http.response and self._http.response.redirect:
            yield Labelled("redirect=", "True")

    def result(self, result_type: str) -> tuple[str, bool]:
        """Return the statement that returns the result, and whether it reads the body."""
        response = self._http.response
        if self._tool.result is not None:
            key = f", {quoted(response.key)}" if response and response.key else ""
            strict = ", strict=True" if response and response.strict else ""
            if part := _part(response):
                return f"return excerpt.of({result_type}, body{key}{part}{strict})", True
            return f"return wire.read({result_type}, body{key}{strict})", True
        if response is None:
            return 'return "Done."', False
        if part := _part(response):
            return f"return excerpt.text(body{part})", True
        if response.redirect:
            return 'return body.decode(errors="replace") or "Done."', True
        kind = kind_of(response.media_type)
        if is_text(kind) or kind.endswith("/*"):
            return 'return body.decode(errors="replace")', True
        function = {"image": "image", "audio": "audio"}.get(kind.partition("/")[0], "file")
        return f"return wire.{function}(body, {quoted(kind)})", True

    def types(self, argument: str) -> set[str]:
        """Return the JSON types that an argument may have; all of them if its schema sets none."""
        member = self._members.get(argument)
        return self._types(member.schemas) if member else {*_EVERY}

    def _types(self, schemas: Iterable[Subschema]) -> set[str]:
        """Return the types that any of some schemas allows, or else its alternatives."""
        index, types = self._tool.arguments, set[str]()
        for applied in map(index.applied, schemas):
            branches = index.children_of(applied, "anyOf", "oneOf")
            types |= {*(types_of(applied) or self._types(branches))}
        return types or {*_EVERY}

    def _is_object(self, argument: str) -> bool:
        return self.types(argument) - {"null"} == {"object"}

    def _argument(self, name: str) -> str:
        return f"arguments.{self._attributes[name]}"

    def _in_path(self) -> Iterator[Expression]:
        """Yield the parameters in the query of the path itself."""
        for name, value in parse_qsl(self._query, keep_blank_values=True):
            argument = re.fullmatch(r"\{(.*)\}", value)
            given = self._argument(argument[1]) if argument else quoted(value)
            yield Labelled(f"{quoted(name)}: ", given)

    def _parameter(self, parameter: HttpParameter) -> Expression:
        value = self._argument(parameter.source)
        label = f"{quoted(parameter.name)}: "
        types = self.types(parameter.source)
        if parameter.style == "json":
            return Labelled(label, f"wire.as_json({value})")
        if parameter.style == "deepObject" and not types <= _SCALARS:
            return f"**wire.deep({quoted(parameter.name)}, {value})"
        if parameter.place == "header" and not types <= _SCALARS:
            equals = ', "="' if parameter.exploded and self._is_object(parameter.source) else ""
            return Labelled(label, f"wire.field({value}{equals})")
        if parameter.exploded and self._is_object(parameter.source):
            return f"**wire.properties({value})"
        is_whole = parameter.exploded or types <= _SCALARS
        return Labelled(label, value if is_whole else f"wire.joined({value})")

    def _body(self, body: HttpBody) -> Iterator[Expression]:
        """Yield the keyword argument that is the body."""
        kind = kind_of(body.media_type)
        if body.argument is not None and not (is_json(kind) or kind in (FORM, MULTIPART)):
            value = self._argument(body.argument)
            is_binary = body.argument in body.files
            yield Labelled("content=", f"wire.decoded({value})" if is_binary else value)
            return
        values = self._values(body)
        types = {body.rename.get(name, name): kind for name, kind in body.types.items()}
        more = f", types={literal(types)}" if types else ""
        if kind == FORM:
            deep = f", {_names(body.rename.get(n, n) for n in body.deep)}" if body.deep else ""
            names = _names(body.rename.get(n, n) for n in body.joined)
            joint = f", joint={names}" if body.joined else ""
            yield Labelled("data=", f"wire.form({values}{deep}{more}{joint})")
        elif kind == MULTIPART:
            files = f", {_names(body.rename.get(n, n) for n in body.files)}" if body.files else ""
            named = {
                body.rename.get(n, n): body.rename.get(v, v) for n, v in body.filenames.items()
            }
            names = f", names={literal(named)}" if named else ""
            yield Labelled("files=", f"wire.parts({values}{files}{more}{names})")
        elif self._can_be_null(body):
            yield Labelled("content=", f"wire.json_text({self._argument(body.argument or '')})")
        else:
            yield Labelled("json=", values)

    def _values(self, body: HttpBody) -> str:
        """Return the expression of the JSON value that the body is made from."""
        if body.argument is not None:
            value = f"wire.plain({self._argument(body.argument)})"
            is_form = not is_json(body.media_type)
            optional = not self._members[body.argument].required
            return f"{value} or {{}}" if is_form and optional else value
        elsewhere = [
            *placeholders(self._http.path),
            *(parameter.source for parameter in self._http.parameters),
        ]
        others = [name for name in dict.fromkeys(elsewhere) if name in self._members]
        values = f"wire.given(arguments{f', {_names(others)}' if others else ''})"
        if body.rename:
            values = f"wire.renamed({values}, {literal(dict(body.rename))})"
        is_sent = body.required or not is_json(body.media_type)
        return values if is_sent else f"{values} or None"

    def _can_be_null(self, body: HttpBody) -> bool:
        """Return whether the body can be `null`, which httpx takes for no body."""
        if body.argument is None or not self._members[body.argument].required:
            return False
        schemas = self._members[body.argument].schemas
        return all(self._tool.arguments.accepts(schema, None) for schema in schemas)

    def _content_type(self, body: HttpBody) -> str | None:
        """Return the media type if httpx would not set it."""
        kind = kind_of(body.media_type)
        if kind == "application/json" and self._can_be_null(body):
            return body.media_type
        return None if kind in ("application/json", FORM, MULTIPART) else body.media_type


def _part(response: HttpResponse | None) -> str:
    """Return the arguments that say which part of a body is the result, or nothing."""
    if response is None:
        return ""
    chosen = quoted(projection(response.select)) if response.select else ""
    select = f", select=jmespath.compile({chosen})" if chosen else ""
    return select if response.limit is None else f"{select}, limit={response.limit}"


def _names(names: Iterable[str]) -> str:
    return str(literal(list(names)))
