"""String types of the format that must match a pattern, and texts that are in a variable."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field

from scaffold.format.fields import Model, Pattern

ServerName = Annotated[
    str,
    Pattern(
        "server name",
        r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$",
        "use lowercase letters, digits and single dashes, and begin with a letter: `blog-search`",
        64,
    ),
]
Version = Annotated[
    str,
    Pattern(
        "version",
        r"^[0-9]+(\.[0-9]+)*([-_.]?(a|b|c|rc|alpha|beta|pre|preview)[-_.]?[0-9]*)?"
        r"([-_.]?(post|rev|r)[-_.]?[0-9]*)?([-_.]?dev[-_.]?[0-9]*)?"
        r"(\+[a-z0-9]+([-_.][a-z0-9]+)*)?$",
        'write a version such as "0.1.0" or "2.0.0rc1" (PEP 440)',
        64,
    ),
]
ToolName = Annotated[
    str,
    Pattern(
        "tool name",  # if there is a `/`, no part can be only dots
        r"^([A-Za-z0-9_.-]+|\.*[A-Za-z0-9_-][A-Za-z0-9_.-]*(/\.*[A-Za-z0-9_-][A-Za-z0-9_.-]*)+)$",
        "use at most 128 letters, digits, `_`, `-` and `.` (MCP 2025-11-25, "
        "server/tools#tool-names)",
        128,
    ),
]
Name = Annotated[
    str,
    Pattern(
        "name",
        r"^[^\s\u0000-\u001f\u007f]([^\u0000-\u001f\u007f]*[^\s\u0000-\u001f\u007f])?$",
        "use visible characters, without line breaks, and no spaces at either end",
        256,
    ),
]
Uri = Annotated[
    str,
    Pattern(
        "URI",
        r"^[A-Za-z][A-Za-z0-9+.-]*:[^\s\u0000-\u001f\u007f{}]+$",
        "begin with a scheme, and do not use spaces or braces: `config://server` (RFC 3986)",
    ),
]
UriTemplate = Annotated[
    str,
    Pattern(
        "URI template",
        r"^[A-Za-z][A-Za-z0-9+.-]*:([^\s\u0000-\u001f\u007f{}]"
        r"|\{[+#./;?&]?[A-Za-z0-9_.%]+(\*|:[1-9][0-9]{0,3})?"
        r"(,[A-Za-z0-9_.%]+(\*|:[1-9][0-9]{0,3})?)*\})+$",
        "begin with a scheme, and put variables in braces: `post://{slug}` (RFC 6570)",
    ),
]
EXPRESSION = re.compile(r"\{([+#./;?&]?)([^{}]*)\}")
"""An expression of a URI template: its operator, and its variables with modifiers."""
IconAddress = Annotated[
    str,
    Pattern(
        "icon address",
        r"^(https://|data:)\S+$",
        "use an `https:` or `data:` URI (MCP 2025-11-25, basic/index#icons)",
    ),
]
WebAddress = Annotated[str, Pattern("web address", r"^https?://\S+$", "begin with `https://`")]
WebOrigin = Annotated[
    str,
    Pattern(
        "origin",
        r"^(https?|wss?)://(\*\.)?[A-Za-z0-9.-]+(:[0-9]+)?$",
        "write a scheme and a host, without a path: `https://api.example.com`",
        255,
    ),
]
PageOrigin = Annotated[
    str,
    Pattern(
        "origin",
        r"^(\*|(?!http://[^/]*:80$|https://[^/]*:443$)[a-z][a-z0-9+.-]*"
        r"://([a-z0-9_.-]+|\[[0-9a-f:.]+\])(:[1-9][0-9]{0,4})?)$",
        "write it as browsers send it, in lowercase, without a path or the usual port: "
        "`https://app.example.com`",
        255,
    ),
]
IssuerAddress = Annotated[
    str,
    Pattern(
        "issuer address",
        r"^(https://[^\s?#]+|http://(localhost|127\.0\.0\.1|\[::1\])([:/][^\s?#]*)?)$",
        "begin with `https://`, as `iss` in the tokens does (RFC 8414)",
    ),
]
Scope = Annotated[
    str,
    Pattern(
        "scope",
        r"^[!#-\[\]-~]+$",
        "write each scope as an item of its own, in ASCII without spaces (RFC 6749, 3.3)",
        256,
    ),
]
MediaType = Annotated[
    str,
    Pattern(
        "media type",
        r"^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+"
        r'(\s*;\s*[^\s;=]+=([^\s;"]+|"[^"]*"))*$',
        "write a type and a subtype: `text/markdown`",
    ),
]
VariableName = Annotated[
    str,
    Pattern(
        "variable name",
        r"^[A-Za-z_][A-Za-z0-9_]*$",
        "use letters, digits and `_`, and do not begin with a digit: `API_TOKEN`",
        128,
        is_plain=True,
    ),
]
ErrorName = Annotated[
    str,
    Pattern(
        "error name",
        r"^[A-Z][A-Za-z0-9]*$",
        "use letters and digits, and begin with a capital: `ChunkNotFound`",
        64,
        is_plain=True,
    ),
]
Host = Annotated[
    str,
    Pattern(
        "host",
        r"^([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*)$",
        "write a host name or an IP address: `localhost`, `127.0.0.1`",
        253,
    ),
]
HttpMethod = Annotated[
    str, Pattern("HTTP method", r"^[A-Z]{1,16}$", "write the method in capitals: `GET`")
]
HttpPath = Annotated[
    str,
    Pattern(
        "path",
        r"^/[^\s\u0000-\u001f\u007f]*$",
        "begin with `/`, and put arguments in braces: `/users/{id}`",
        2048,
    ),
]
Namespace = Annotated[
    str,
    Pattern(
        "namespace",
        r"^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$",
        "write `io.github.Owner`, or a domain of yours in reverse: `com.example`",
        128,
    ),
]
RepositoryAddress = Annotated[
    str,
    Pattern(
        "repository address",
        r"^https://(github\.com/[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]*[A-Za-z0-9_-]"
        r"|gitlab\.com(/[A-Za-z0-9_.-]+)+/[A-Za-z0-9_.-]*[A-Za-z0-9_-])$",
        "name a repository on GitHub or GitLab: `https://github.com/owner/name`",
        255,
    ),
]
RemoteAddress = Annotated[
    str,
    Pattern(
        "remote address",
        r"^https://[^\s\u0000-\u001f\u007f{}]+$",
        "begin with `https://`, and name a public server",
        2048,
    ),
]
Image = Annotated[
    str,
    Pattern(
        "image name",
        r"^([a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]+)?/)?[a-z0-9]+([._/-]+[a-z0-9]+)*$",
        "write its registry, owner and name in lowercase, without a tag",
        255,
    ),
]
Date = Annotated[
    str,
    Pattern(
        "date",
        r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$",
        'write the year, the month and the day: "2027-01-31"',
    ),
]


class FromVariable(Model):
    """A value that is read from the environment."""

    env: VariableName = Field(description="Variable in `env` that holds it.")
