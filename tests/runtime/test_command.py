"""Options of the command line, each also a variable."""

from __future__ import annotations

from typing import Any

import pytest

from templates.python.runtime.command import read_options
from templates.python.runtime.http import Http


def options(*arguments: str, monkeypatch: pytest.MonkeyPatch, **env: str) -> Any:
    http = Http(lambda _: None)  # type: ignore[arg-type, return-value]
    monkeypatch.setattr("sys.argv", ["blog-search", *arguments])
    for name, text in env.items():
        monkeypatch.setenv(name, text)
    transports = ("stdio", "streamable-http", "sse")
    return read_options("blog-search", "1.2.3", transports, [http.add_options])


def test_each_option_has_a_default(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = options(monkeypatch=monkeypatch)
    assert (parsed.transport, parsed.host, parsed.port, parsed.log_level) == (
        "stdio",
        "127.0.0.1",
        8000,
        "info",
    )
    assert (parsed.call_time, parsed.threads, parsed.message_size) == (600, 128, 4 * 2**20)
    assert (parsed.allowed_hosts, parsed.allow_unauthenticated) == ("", False)


def test_a_variable_stands_for_an_option_and_an_option_wins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    env = {
        "BLOG_SEARCH_PORT": "9000",
        "BLOG_SEARCH_LOG_LEVEL": "debug",
        "BLOG_SEARCH_CALL_TIME": "5",
        "BLOG_SEARCH_THREADS": "",
        "BLOG_SEARCH_ALLOW_UNAUTHENTICATED": "1",
    }
    parsed = options("--log-level", "error", monkeypatch=monkeypatch, **env)
    assert (parsed.port, parsed.log_level, parsed.call_time, parsed.threads) == (
        9000,
        "error",
        5,
        128,
    )
    assert parsed.allow_unauthenticated is True


def test_an_address_that_a_platform_puts_into_the_port_is_ignored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Kubernetes does, for a service of the server's name."""
    parsed = options(monkeypatch=monkeypatch, BLOG_SEARCH_PORT="tcp://10.0.0.1:80")
    assert parsed.port == 8000


WRONG = [
    (["--transport", "carrier-pigeon"], {}, "--transport"),
    (["--port", "many"], {}, "a port is a number from 0 to 65535"),
    (["--threads", "many"], {}, "must be above 0"),
    (["--port", "70000"], {}, "a port is a number from 0 to 65535"),
    (["--threads", "0"], {}, "must be above 0"),
    (["--call-time", "nan"], {}, "--call-time"),
    (["--log-level", "all"], {}, "--log-level"),
    (["extra"], {}, "extra"),
    ([], {"BLOG_SEARCH_PORT": "many"}, "BLOG_SEARCH_PORT cannot be 'many'"),
    ([], {"BLOG_SEARCH_PORT": "70000"}, "BLOG_SEARCH_PORT cannot be '70000'"),
    ([], {"BLOG_SEARCH_THREADS": "9" * 5000}, "BLOG_SEARCH_THREADS cannot be"),
    ([], {"BLOG_SEARCH_LOG_LEVEL": "loud"}, "BLOG_SEARCH_LOG_LEVEL cannot be 'loud'"),
    ([], {"BLOG_SEARCH_ALLOW_UNAUTHENTICATED": "ture"}, "UNAUTHENTICATED cannot be 'ture'"),
]


@pytest.mark.parametrize(("arguments", "env", "message"), WRONG, ids=lambda value: str(value)[:40])
def test_an_invalid_option_is_reported_with_its_name(
    arguments: list[str],
    env: dict[str, str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as raised:
        options(*arguments, monkeypatch=monkeypatch, **env)
    assert raised.value.code == 2
    errors = capsys.readouterr().err
    assert errors.startswith("usage: blog-search ")
    assert message in errors
    assert len(errors) < 2000


def test_the_version_is_that_of_the_spec(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        options("--version", monkeypatch=monkeypatch)
    assert capsys.readouterr().out == "blog-search 1.2.3\n"
