"""The formats of strings in JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Callable

BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
# A label may have two hyphens after its second character only if it is encoded.
LABEL = "(?!(?![Xx][Nn])[^.]{2}--)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
TIME = (
    r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
)
SIGN = r"(?:[A-Za-z0-9._~!$&'()*+,;=:{}-]|%[0-9A-Fa-f]{{2}})*"
NAME = r"(?:\w|%[0-9A-Fa-f]{2})(?:\.?(?:\w|%[0-9A-Fa-f]{2}))*(?:\*|:[1-9][0-9]{0,3})?"
EXPRESSION = r"\{[+#./;?&=,!@|]?" + rf"{NAME}(?:,{NAME})*" + r"\}"
POINTER = "(?:/(?:[^/~]|~[01])*)*"
MINUTES = "[0-9]+M(?:[0-9]+S)?"
CLOCK = f"T(?:[0-9]+H(?:{MINUTES})?|{MINUTES}|[0-9]+S)"
MONTHS = "[0-9]+M(?:[0-9]+D)?"
CALENDAR = f"(?:[0-9]+Y(?:{MONTHS})?|{MONTHS}|[0-9]+D)"
# What may follow a backslash, a class without it, and what is Python's or has no meaning.
ESCAPE = r"\\(?:c[A-Za-z]|u\{[0-9A-Fa-f]{1,6}\}|[pP]\{[\w=]+\}|k<\w+>|[bBdDsSwWfnrtvux0-9]|[\W_])"
CLASS = r"\[(?!\^?\])[^\]]*\]"
ODD = r"\(\?(?![:=!]|<[=!]|<[^\W\d]\w*>)|[*+?}][+]|\]"
COUNT = r"\{[0-9]+(?:,[0-9]*)?\}"


def matches(pattern: str) -> Callable[[str], bool]:
    """Return what tells whether a text matches in full; compiled when it is first needed."""
    return lambda text: re.fullmatch(pattern, text, re.ASCII) is not None


def is_date(text: str) -> bool:
    if not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        return False
    year, month, day = map(int, text.split("-"))
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 29 if is_leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return 1 <= month <= 12 and 1 <= day <= days[month - 1]


def is_time(text: str) -> bool:
    """Return whether a text is a time with an offset; a leap second ends a day of UTC."""
    match = re.fullmatch(TIME, text)
    if not match:
        return False
    hour, minute, second = map(int, match.group(1, 2, 3))
    hours, minutes = int(match[5] or 0), int(match[6] or 0)
    offset = hours * 60 + minutes
    utc = hour * 60 + minute + (offset if match[4] == "-" else -offset)
    is_second = second < 60 or (second == 60 and utc % 1440 == 1439)
    return hour < 24 and minute < 60 and is_second and hours < 24 and minutes < 60


def is_ipv6(text: str) -> bool:
    head, gap, tail = text.partition("::")
    groups = [group for part in (head, tail) if part for group in part.split(":")]
    if groups and text.endswith(groups[-1]) and is_ipv4(groups[-1]):
        groups[-1:] = ["0", "0"]
    is_long = len(groups) <= 7 if gap else len(groups) == 8
    return is_long and all(re.fullmatch("[0-9A-Fa-f]{1,4}", group) for group in groups)


def is_email(text: str) -> bool:
    name, _, domain = text.rpartition("@")
    if len(name) > 64 or not re.fullmatch(
        rf'{ATOM}(?:\.{ATOM})*|"(?:[ !#-\[\]-~]|\\[ -~])*"', name
    ):
        return False
    if domain[:1] == "[" and domain[-1:] == "]":
        address = domain[1:-1]
        return (
            is_ipv6(address[5:]) if address[:5].lower() == "ipv6:" else is_ipv4(address)
        )
    return is_hostname(domain)


def is_reference(text: str) -> bool:
    """Return whether a text is a URI or a relative reference (RFC 3986)."""
    parts = re.fullmatch(
        r"(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", text
    )
    if not parts:
        return False
    scheme, authority, path, query, fragment = parts.groups(default="")
    user, _, host = re.sub(":[0-9]*$", "", authority).rpartition("@")
    is_address = host[:1] == "[" and host[-1:] == "]"
    wholes = [(user, ""), ("" if is_address else host, ""), (path, "@/")]
    return (
        (is_ipv6(host[1:-1]) if is_address else ":" not in host)
        and re.fullmatch("(?:[A-Za-z][A-Za-z0-9+.-]*)?", scheme) is not None
        and not (parts[1] is None and parts[2] is None and ":" in path.split("/")[0])
        and all(
            re.fullmatch(SIGN.format(more), part)
            for part, more in [*wholes, (query, "@/?"), (fragment, "@/?")]
        )
    )


def is_regex(text: str) -> bool:
    """Return whether a text is a pattern of ECMA-262, of up to 10,000 characters."""
    plain = re.sub(ESCAPE, "a", text[:10_001])
    classes = re.findall(CLASS, plain)
    outer = re.sub(rf"{CLASS}|\[\^?\]", "a", plain)
    is_odd = len(plain) > 10_000 or "\\" in plain or re.search(ODD, outer) is not None
    if is_odd or re.search("[{}]", re.sub(COUNT, "", outer)):
        return False
    outer = re.sub(r"\(\?<([=!])", r"(?\1", outer).replace("(?<", "(?P<")
    return all(map(is_compiled, [outer, *classes]))


def is_compiled(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return False
    return True


is_ipv4 = matches(rf"{BYTE}(?:\.{BYTE}){{3}}")
is_hostname = matches(rf"(?=.{{1,253}}\Z)(?:{LABEL}\.)*{LABEL}")
FORMATS: dict[str, Callable[[str], bool]] = {
    "date": is_date,
    "time": is_time,
    "date-time": lambda text: (
        text[10:11] in ("T", "t") and is_date(text[:10]) and is_time(text[11:])
    ),
    "duration": matches(f"P(?:[0-9]+W|{CALENDAR}(?:{CLOCK})?|{CLOCK})"),
    "email": is_email,
    "hostname": is_hostname,
    "ipv4": is_ipv4,
    "ipv6": is_ipv6,
    "uri": lambda text: re.match("[^:/?#]+:", text) is not None and is_reference(text),
    "uri-reference": is_reference,
    "uri-template": matches(
        rf"(?:[^\x00-\x20\x7f-\x9f\"%<>\\^`{{|}}]|%[0-9A-Fa-f]{{2}}|{EXPRESSION})*"
    ),
    "uuid": matches("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"),
    "regex": is_regex,
    "json-pointer": matches(POINTER),
    "relative-json-pointer": matches(f"(?:0|[1-9][0-9]*)(?:#|{POINTER})"),
}
