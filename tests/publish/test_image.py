"""A Dockerfile is read as Docker reads it: what is wrong with the image is found, and no more."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from scaffold.publish import image, ownership, secrets, versions
from scaffold.publish.dockerfile import Dockerfile
from scaffold.publish.subject import Subject, subject
from scaffold.yaml.document import Document, Node

LABELS = """\
LABEL io.modelcontextprotocol.server.name="io.github.Example/library"
LABEL org.opencontainers.image.version="1.4.0"
"""
START = 'ENTRYPOINT ["/venv/bin/library"]\n'
SOUND = f"FROM python:3.13-slim\n{LABELS}USER 10001\nEXPOSE 8100\n{START}"


@pytest.fixture(scope="module")
def about(whole: Path) -> Subject:
    """The project, whose Dockerfile the tests replace."""
    return subject(whole)


def found_in(about: Subject, text: str) -> list[tuple[str, str]]:
    """The ids of what is wrong with an image, and the lines that are shown."""
    dockerfile = replace(about.documents["Dockerfile"], text=text)
    changed = replace(about, documents={**about.documents, "Dockerfile": dockerfile})
    kinds = (image.faults, ownership.faults, versions.faults, secrets.in_image)
    found = [one for faults in kinds for one in faults(changed)]
    assert all(one.hint and one.place and one.place.line for one in found)
    return [(one.id, (one.place and one.place.excerpt) or "") for one in found]


@pytest.mark.parametrize(
    "user",
    [
        'USER "10001"',
        "USER 10001:10001",
        "USER server",
        "ARG WHO=10001\nUSER ${WHO}",
        "ENV WHO=10001\nUSER $WHO",
        "USER ${WHO:-10001}",
        "USER $SET_BY_THE_BASE",
        "USER root\nRUN <<EOF\nid\nEOF\nUSER 10001",
        "RUN <<EOF\nUSER root\nEOF\nUSER 10001",
        "USER 10001\nRUN cat <<-'EOF' > /x\n\tUSER root\n\tEOF",
        "USER 10001\n# USER root",
        "USER 10001\nRUN echo \\\n  # a comment\n  USER root",
        "USER \\\n  10001",
        "user 10001",
    ],
)
def test_a_user_without_rights_is_no_error(about: Subject, user: str) -> None:
    assert found_in(about, SOUND.replace("USER 10001", user)) == []


@pytest.mark.parametrize(
    ("user", "line"),
    [
        ('USER "root"', 'USER "root"'),
        ("USER 'root'", "USER 'root'"),
        ("USER 0", "USER 0"),
        ("USER 00:0", "USER 00:0"),
        ("USER root:10001", "USER root:10001"),
        ("ARG WHO=root\nUSER ${WHO}", "USER ${WHO}"),
        ("ARG WHO\nUSER ${WHO}", "USER ${WHO}"),
        ("ARG WHO=10001\nENV WHO=0\nUSER $WHO", "USER $WHO"),
        ("ENV WHO=ro WHAT=ot\nUSER $WHO${WHAT}", "USER $WHO${WHAT}"),
        ("USER ${WHO:-root}", "USER ${WHO:-root}"),
        ("USER 10001\nUSER \\\n  root", "  root"),
        ("RUN <<EOF\nUSER 10001\nEOF", "FROM python:3.13-slim"),
        ("RUN echo \\\nUSER 10001", "FROM python:3.13-slim"),
        ("# USER 10001", "FROM python:3.13-slim"),
    ],
)
def test_root_is_found_however_it_is_written(about: Subject, user: str, line: str) -> None:
    assert found_in(about, SOUND.replace("USER 10001", user)) == [("image-user", line)]


def test_an_image_that_is_not_run_by_root_needs_no_user(about: Subject) -> None:
    text = SOUND.replace("USER 10001\n", "")
    assert found_in(about, text) == [("image-user", "FROM python:3.13-slim")]
    for base in ("gcr.io/distroless/python3:nonroot", "cgr.dev/chainguard/python"):
        assert found_in(about, text.replace("python:3.13-slim", base)) == []


@pytest.mark.parametrize(
    "expose",
    [
        "EXPOSE 8100/tcp",
        'EXPOSE "8100"',
        "EXPOSE 8000-8200",
        "EXPOSE 53/udp 8100",
        "EXPOSE 53/udp\nEXPOSE 8100",
        "ARG PORT=8100\nEXPOSE $PORT",
        "ENV PORT=8100\nEXPOSE ${PORT}/tcp",
        "EXPOSE $SET_BY_THE_BASE",
        "ENV LIBRARY_PORT=9000\nEXPOSE 9000",
    ],
)
def test_the_port_is_found_however_it_is_written(about: Subject, expose: str) -> None:
    assert found_in(about, SOUND.replace("EXPOSE 8100", expose)) == []


@pytest.mark.parametrize(
    "expose",
    [
        "EXPOSE 8100/udp",
        "EXPOSE 8000-8099",
        "EXPOSE 81000",
        "ARG PORT=8000\nEXPOSE $PORT",
        "ENV LIBRARY_PORT=9000\nEXPOSE 8100",
    ],
)
def test_another_port_is_an_error(about: Subject, expose: str) -> None:
    line = expose.splitlines()[-1]
    assert found_in(about, SOUND.replace("EXPOSE 8100", expose)) == [("image-port", line)]


@pytest.mark.parametrize(
    ("start", "is_sound"),
    [
        ("CMD library", False),
        ("ENTRYPOINT library", False),
        ("ENTRYPOINT ['library']", False),
        ("ENTRYPOINT []", False),
        ('ENTRYPOINT ["sh", "-c", "library"]', False),
        ('ENTRYPOINT ["/bin/bash", "-ec", "exec library \\"$@\\"", "--"]', True),
        ('ENTRYPOINT ["/entrypoint.sh"]', True),
        ('ENTRYPOINT [ \\\n  "library" \\\n]', True),
    ],
)
def test_arguments_of_clients_reach_the_server(about: Subject, start: str, is_sound: bool) -> None:
    found = found_in(about, SOUND.replace(START, f"{start}\n"))
    assert [id for id, _ in found] == ([] if is_sound else ["image-start"])


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", ""),
        ("# nothing\n", "# nothing"),
        ("ARG VERSION=1\n", "ARG VERSION=1"),
        (SOUND.replace("EXPOSE", "EXPOSED"), "EXPOSED 8100"),
        (SOUND.replace("USER 10001", "USER"), "USER"),
        (f"USER 10001\n{SOUND}", "USER 10001"),
        (f"{SOUND}RUN <<EOF\nid\n", "RUN <<EOF"),
    ],
)
def test_what_docker_refuses_is_an_error(about: Subject, text: str, line: str) -> None:
    assert found_in(about, text) == [("image-build", line)]


def test_the_escape_character_can_be_another(about: Subject) -> None:
    text = SOUND.replace("USER 10001", "USER `\n  root")
    assert found_in(about, f"# escape=`\n{text}") == [("image-user", "  root")]


@pytest.mark.parametrize(
    ("labels", "ids"),
    [
        (LABELS, []),
        (LABELS.replace('"', ""), []),
        (LABELS.replace("=", " "), []),
        (LABELS.replace("\nLABEL", " \\\n"), []),
        (f"ARG OWNER=Example\n{LABELS.replace('Example', '${OWNER}')}", []),
        (f"ENV V=1.4.0\n{LABELS.replace('1.4.0', '$V')}", []),
        (f"ENV V=1.3.0\n{LABELS.replace('1.4.0', '$V')}", ["publish-version"]),
        (f"ARG V=dev\n{LABELS.replace('1.4.0', '$V')}", []),
        (LABELS.replace("1.4.0", "1.3.0"), ["publish-version"]),
        (LABELS.replace('"io.github.Example', "'io.github.$Owner").replace('library"', "library'"), ["publish-name"]),
        (f"RUN <<EOF\n{LABELS}EOF", ["publish-label"]),
    ],
)  # fmt: skip
def test_labels_are_read_with_their_variables(about: Subject, labels: str, ids: list[str]) -> None:
    assert [id for id, _ in found_in(about, SOUND.replace(LABELS, f"{labels}\n"))] == ids


@pytest.mark.parametrize(
    ("line", "is_public"),
    [
        ('ENV LIBRARY_KEY="1234"', True),
        ("ENV A=1 LIBRARY_KEY=1234", True),
        ("ENV LIBRARY_KEY 1234", True),
        ("ARG LIBRARY_KEY\nENV LIBRARY_KEY=$LIBRARY_KEY", True),
        ("ENV LIBRARY_KEY=", False),
        ("ENV OTHER=LIBRARY_KEY", False),
        ('ENV HELP="set LIBRARY_KEY=1 to start"', False),
        ("ARG LIBRARY_KEY", False),
        ("RUN --mount=type=secret,id=key LIBRARY_KEY=$(cat /run/secrets/key) id", False),
    ],
)
def test_secrets_have_no_value_in_the_image(about: Subject, line: str, is_public: bool) -> None:
    found = found_in(about, f"{SOUND}{line}\n")
    assert [id for id, _ in found] == (["publish-secret"] if is_public else [])


@given(st.text(alphabet="FROMUSEARG ENVLBx=:$\\{}-\"'<\n #", max_size=80))
def test_any_text_is_read_without_failing(text: str) -> None:
    document = Document("Dockerfile", text, None, Node(None, 0, 0, None, 0))
    for one in Dockerfile.parse(document).every:
        read = (*one.words, *(word for _, word in one.settings))
        assert all(one.start <= word.start <= word.end <= one.end <= len(text) for word in read)
