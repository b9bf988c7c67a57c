# Generated from mcp.yaml by mcp-scaffold: edit the spec, not this file.
"""The command `blog-search`: its options, and the start of the server."""

import argparse
import atexit
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping

from blog_search._generated.limits import Limits, LimitsError, add_options, use_options
from blog_search._generated.log import Formatter, reason
from blog_search._generated.loop import run
from blog_search._generated.settings import Settings, SettingsError

LEVELS = ("debug", "info", "warning", "error")
VARIABLES = {
    "host": "BLOG_SEARCH_HOST",
    "port": "BLOG_SEARCH_PORT",
    "log_level": "BLOG_SEARCH_LOG_LEVEL",
}


def main() -> None:
    """Serve until the client leaves or a signal stops the server."""
    options = read_options()
    open_standard_streams(options.transport)
    handler = logging.StreamHandler()
    handler.setFormatter(Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=options.log_level.upper(), handlers=[handler])
    failure: str | int = 0
    try:
        failure = run(serve(options))
    except* SettingsError as errors:
        failure = f"blog-search: {reason(errors)}"
    except* KeyboardInterrupt:
        pass
    sys.exit(failure)


async def serve(options: argparse.Namespace) -> int:
    """Serve on the transport of the options; return the exit code of the process."""
    if sys.stdin.isatty():
        print("blog-search:", invitation(options), file=sys.stderr)
    # Imported here: what a handler's module prints must not reach standard output.
    if options.transport == "stdio":
        from blog_search._generated import stdio

        code = await stdio.serve()
    else:
        from blog_search._generated import http

        code = await http.serve(options)
    leave(code)
    return code


def invitation(options: argparse.Namespace) -> str:
    """Return a hint for a person who has started the server in a terminal."""
    if options.transport == "stdio":
        return "waiting for a client on standard input; to try it: python client.py"
    host = f"[{options.host}]" if ":" in options.host else options.host
    path = "sse" if options.transport == "sse" else "mcp"
    url = f"http://{host}:{options.port}/{path}"
    return f"waiting for clients; to try it: python client.py --url {url}"


def open_standard_streams(transport: str) -> None:
    """Open what the parent process has closed, before other files take its place."""
    if transport == "stdio" and None in (sys.stdin, sys.stdout):
        sys.exit("blog-search: standard input or output is closed")
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nothing = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nothing, mode))


def read_options() -> argparse.Namespace:
    """Read the command line and the environment; exit if anything in them is wrong."""
    parser = argparse.ArgumentParser(
        prog="blog-search",
        epilog=f"Also read from the environment: {', '.join(VARIABLES.values())}.",
    )
    version = "%(prog)s 0.1.0"
    parser.add_argument("--version", action="version", version=version)
    parser.add_argument(
        "--transport",
        choices=["stdio", "streamable-http", "sse"],
        default="stdio",
        help="how clients reach the server (default: %(default)s)",
    )
    parser.add_argument(
        "--host",
        type=host,
        default="127.0.0.1",
        help="the address to listen on (default: %(default)s)",
    )
    parser.add_argument(
        "--port",
        type=port,
        default=8000,
        help="the port to listen on (default: %(default)s)",
    )
    parser.add_argument(
        "--allowed-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a host name, besides this machine's own, that requests may name",
    )
    parser.add_argument(
        "--allow-unauthenticated",
        action="store_true",
        help="listen beyond this machine although nobody has to show a token",
    )
    parser.add_argument(
        "--log-level",
        choices=LEVELS,
        default="info",
        help="how much goes to standard error (default: %(default)s)",
    )
    add_options(parser)
    given = {
        name: text
        for name, variable in VARIABLES.items()
        if (text := os.environ.get(variable))
    }
    options = parser.parse_args(namespace=argparse.Namespace(**given))
    use_options(options)
    if faults := list(faults_of(options, given)):
        sys.exit(f"blog-search: {'; '.join(faults)}")
    return options


def faults_of(options: argparse.Namespace, given: Mapping[str, str]) -> Iterator[str]:
    """Parse the options that come from variables; yield all that is wrong."""
    parsers: dict[str, Callable[[str], object]] = {
        "host": host,
        "port": port,
        "log_level": level,
    }
    for name, text in given.items():
        if getattr(options, name) is text:  # The command line does not override it.
            try:
                setattr(options, name, parsers[name](text))
            except argparse.ArgumentTypeError as error:
                yield f"{VARIABLES[name]} {error}"
    for read in (Limits.from_environment, Settings.from_environment):
        try:
            read()
        except (LimitsError, SettingsError) as error:
            yield str(error)


def host(text: str) -> str:
    try:
        text.encode("idna")
    except UnicodeError:
        wrong = f"must be a host name, not {text!a:.80}"
        raise argparse.ArgumentTypeError(wrong) from None
    return text


def port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= 65535):
        wrong = f"must be a number from 0 to 65535, not {text!a:.80}"
        raise argparse.ArgumentTypeError(wrong)
    return int(text)


def level(text: str) -> str:
    if text not in LEVELS:
        wrong = f"must be one of {', '.join(LEVELS)}, not {text!a:.80}"
        raise argparse.ArgumentTypeError(wrong)
    return text


def leave(code: int) -> None:
    """End the process soon, even if a handler still blocks a thread.

    Functions registered with `atexit`, such as a flush of telemetry, run in either case.
    """

    def end() -> None:
        atexit.unregister(settle)
        vars(atexit)["_run_exitfuncs"]()  # It has no public name.
        os._exit(code)

    def settle() -> None:
        timer.cancel()
        timer.join()

    timer = threading.Timer(0.2, end)
    timer.daemon = True
    timer.start()
    atexit.register(settle)
