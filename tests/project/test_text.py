"""Whatever a person writes into a spec, each format reads back, and nothing but that."""

from __future__ import annotations

import ast
import inspect
import io
import json
import re
import subprocess
import tokenize
import tomllib
from collections.abc import Callable
from html import unescape

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from ruff import find_ruff_bin

from scaffold.base import text as filters
from scaffold.base.data import json as json_filter
from scaffold.base.text import Text
from scaffold.languages.python.text import FILTERS, doc, py

HOSTILE = [
    *("'", '"', "'''", '"""', "\\", "\\n", "\\u0041", "\\N{DASH}", "{", "}", "{{", "}}", "{%", "${", "$("),
    *("`", "``", "|", "*", "**", "_", "__", "~~", "<b>", "</b>", "<!--", "-->", "&amp;", "&#65;", "![", "](", "["),
    *("#", "# ", "- ", "+ ", "1. ", "1) ", "> ", "===", "---", "***", "    ", ":", ": ", "=", "!", "@", "%", ";"),
    *("\n", "\r\n", "\r", "\t", "\f", "\v", "\0", "\x1b[31m", "\x7f", "\x85", "\u2028", "\u2029", " ", "\xa0", "\u3000"),
    *("\u202e", "\u2066", "\u200b", "\u200d", "\ufeff", "\u3164", "\ufffe", "\U000e0041", "é", "e\u0301", "漢", "😀", "👩\u200d🔬"),
    *("https://a.b/c_d", "www.a.b", "a@b.c", "noqa", "type: ignore", "fmt: off", "coding: utf-7", "snake_case"),
    *("word", "more", "x" * 90, "EOF", "import os", "yes", "null", "12", "0x1F"),
]  # fmt: skip
unicode = st.characters(codec="utf-8")
texts = st.one_of(
    st.text(unicode),
    st.lists(st.sampled_from(HOSTILE)).map("".join),
    st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(unicode, max_size=3))).map(" ".join),
)


def on_one_line(text: str) -> str:
    """What `md` promises to show, for a text without invisible characters."""
    return re.sub("[\t-\r\x1c-\x1e\x85\u2028\u2029 ]+", " ", text).strip()


def shown(text: str) -> str:
    """`on_one_line`, with the escapes for what is invisible undone on both sides."""
    return re.sub(r"\\u([0-9a-f]{4})|\\U([0-9a-f]{8})", lambda e: chr(int(e[1] or e[2], 16)), text)


class TestText:
    @pytest.mark.parametrize(
        "use",
        [
            str,
            "{}".format,
            lambda text: f"{text:>9}",
            lambda text: "%s" % text,  # noqa: UP031 - one of the ways that must fail
            lambda text: text + "x",
            lambda text: "x" + text,
            lambda text: text * 2,
            lambda text: text % (),
            list,
            len,
            sorted,
            lambda text: text[0],
            lambda text: "a" in text,
            lambda text: sorted([text, text]),
        ],
    )
    def test_only_filters_accept_a_text(self, use: Callable[[object], object]) -> None:
        with pytest.raises(TypeError, match="must pass a quoting filter"):
            use(Text("secret"))

    def test_the_repr_hides_the_text(self) -> None:
        assert repr([Text("secret")]) == "[<Text of 6 characters>]"

    def test_an_empty_text_is_false(self) -> None:
        assert not Text("")
        assert Text(" ")

    def test_a_lone_surrogate_is_refused_since_no_file_can_hold_it(self) -> None:
        with pytest.raises(ValueError, match="surrogates"):
            Text("\ud800")

    @given(texts)
    def test_a_filter_takes_names_as_well_as_text(self, text: str) -> None:
        assert all(
            quote(Text(text)) == quote(text)
            for quote in [*FILTERS.values(), *filters.FILTERS.values()]
        )


class TestData:
    @given(texts)
    def test_python_reads_the_text(self, text: str) -> None:
        assert ast.literal_eval(py(text)) == text

    @given(texts)
    def test_toml_reads_the_text_as_value_and_as_key(self, text: str) -> None:
        quoted = filters.toml(text)
        assert tomllib.loads(f"{quoted} = {quoted} # comment") == {text: text}

    @given(texts)
    def test_json_reads_the_text(self, text: str) -> None:
        assert json.loads(json_filter(text)) == text

    @given(texts)
    def test_yaml_reads_the_text_as_value_and_as_key(self, text: str) -> None:
        quoted = filters.yaml(text)
        document = f"? {quoted}\n: - {quoted} # comment\n"
        assert yaml.load(document, yaml.SafeLoader) == {text: [text]}
        assert yaml.load(document, yaml.CSafeLoader) == {text: [text]}

    @given(texts)
    def test_each_literal_is_one_line_that_shows_all_characters(self, text: str) -> None:
        for quote in (py, filters.toml, json_filter, filters.yaml, filters.sh):
            assert len(quote(text).splitlines()) == 1
            assert not re.search(
                "[\0-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]", quote(text)
            )

    @pytest.mark.usefixtures("starts_programs")
    @given(st.lists(texts, max_size=5))
    def test_a_shell_reads_each_text_as_one_word(self, words: list[str]) -> None:
        script = "printf '%s\\0' start " + " ".join(map(filters.sh, words))
        done = subprocess.run(["bash", "-c", script], capture_output=True, check=True)
        expected = ["start", *(word.replace("\0", "\ufffd") for word in words)]
        assert done.stdout.decode().split("\0")[:-1] == expected


def ruff(command: str, source: str, *arguments: str) -> str:
    """What ruff prints for a file on its standard input."""
    done = subprocess.run(
        [find_ruff_bin(), command, "--isolated", "--no-cache", *arguments, "-"],
        input=source.encode(),
        capture_output=True,
        check=False,
    )
    return (done.stdout + done.stderr).decode()


def lines_of(text: str) -> str:
    """What `doc` promises to keep of a text whose lines are not too long."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4).split("\n")
    plain = ("".join(" " if c.isspace() else c for c in line).rstrip() for line in lines)
    # Again, for a docstring begins on the line of its quotes, whatever the text began with.
    return inspect.cleandoc(inspect.cleandoc("\n".join(plain)))


class TestDocstring:
    @given(st.lists(texts, min_size=1, max_size=40))
    @settings(deadline=None)
    def test_a_docstring_keeps_its_words_and_ruff_does_not_change_it(self, many: list[str]) -> None:
        many = [text for text in many if text.strip()]
        source = "\n\n".join(
            f'class C{number}:\n    """{doc(text)}"""\n\n'
            f'    def f(self):\n        """{doc(text, 8)}"""\n'
            for number, text in enumerate(many)
        )
        for text, node in zip(many, ast.parse(source).body, strict=True):
            assert isinstance(node, ast.ClassDef)
            assert isinstance(node.body[1], ast.FunctionDef)
            for documented in (node, node.body[1]):
                assert (ast.get_docstring(documented) or "").split() == text.split()
        assert ruff("format", source) == source
        assert ruff("check", source, "--ignore=N") == "All checks passed!\n"

    @given(texts)
    @example("\n0\n 0")
    def test_short_lines_are_kept(self, text: str) -> None:
        read = ast.literal_eval(f'"""{doc(text, width=10**6)}"""')
        assert inspect.cleandoc(read).strip() == lines_of(text).strip()

    @given(st.lists(st.text("abc\"\\'-", min_size=1, max_size=30)), st.sampled_from([0, 4, 8]))
    def test_no_line_passes_the_width(self, words: list[str], indent: int) -> None:
        docstring = " " * indent + f'"""{doc(" ".join(words), indent)}"""'
        assert all(len(line) <= 88 for line in docstring.split("\n"))

    def test_long_lists_hang_and_the_closing_quotes_get_a_line(self) -> None:
        text = f"Finds.\n\n- {'first ' * 20}\n- second\n\n  more\n"
        assert doc(text) == (
            "Finds.\n\n"
            "    - first first first first first first first first first first first first first\n"
            "      first first first first first first first\n"
            "    - second\n\n"
            "      more\n"
            "    "
        )


MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
AROUND = [
    *("{}", "# {}", "- {}", "1. {}", "> {}", "above\n\n{}", "[{}](to)", "{}[x](to)", "a {} b"),
    *("**{}**", "_{}_", "{}b", "{}lt;", "{}: [x](to)", "| {} | b |\n| --- | --- |\n| a | {} |"),
]


def structure(tokens: list[Token]) -> list[object]:
    """The tokens of a document, each text among them as its length of zero or more."""
    inner = [(token.type, structure(token.children or [])) for token in tokens]
    return [
        token for at, token in enumerate(inner) if token[0] != "text" or inner[at - 1][0] != "text"
    ]


class TestMarkdown:
    @given(texts.filter(on_one_line), st.sampled_from(AROUND))
    def test_the_text_is_displayed_literally_in_any_context(self, text: str, around: str) -> None:
        tokens = MARKDOWN.parse(around.replace("{}", filters.md(text)))
        harmless = MARKDOWN.parse(around.replace("{}", "word"))
        assert structure(tokens) == structure(harmless)
        html = MARKDOWN.render(around.replace("{}", filters.md(text)))
        expected = MARKDOWN.render(around.replace("{}", "word")).replace("word", on_one_line(text))
        assert shown(unescape(html)) == shown(expected)

    @given(texts.filter(on_one_line), st.sampled_from(["{}", "above\n\n{}\n\nbelow"]))
    def test_a_block_shows_every_line_in_its_paragraph(self, text: str, around: str) -> None:
        harmless = MARKDOWN.render(around.replace("{}", "word"))
        html = MARKDOWN.render(around.replace("{}", filters.md_block(text)))
        paragraphs = re.split(r"\n\s*\n", re.sub("\r\n?", "\n", text))
        lines = [[on_one_line(line) for line in part.split("\n")] for part in paragraphs]
        expected = "</p>\n<p>".join(
            "<br />\n".join(filter(None, part)) for part in lines if any(part)
        )
        assert shown(unescape(html)) == shown(harmless.replace("word", expected))

    @given(texts.filter(on_one_line), st.sampled_from(["a {} b", "| {} |\n| --- |\n| {} |"]))
    def test_a_code_span_shows_the_text_in_tables_too(self, text: str, around: str) -> None:
        html = MARKDOWN.render(around.replace("{}", filters.md_code(text)))
        harmless = MARKDOWN.render(around.replace("{}", "`word`"))
        assert shown(unescape(html)) == shown(harmless.replace("word", on_one_line(text)))

    @pytest.mark.parametrize("text", ["read_chunk: 1 to 20 (default 5).", "R&D, 3 > 2", "C# - 1.5"])
    def test_plain_prose_stays_as_it_is(self, text: str) -> None:
        assert filters.md(text) == text

    @pytest.mark.parametrize("text", ["https://a.b/c", "HTTP://a.b", "ftp://a.b", "www.a.b"])
    def test_github_does_not_turn_an_address_into_a_link(self, text: str) -> None:
        assert re.search(r"\w://|www\.", filters.md(text), re.IGNORECASE) is None


ORDERS = [
    *("noqa", "NOQA: F401", "x # noqa", "x #noqa", "ruff: noqa", "flake8: noqa", "type: ignore"),
    *("x # type: ignore", "fmt: off", "fmt: skip", "isort: skip_file", "coding: latin-1"),
    *("-*- coding: utf-16 -*-", "vim: set fileencoding=latin-1 :", "syntax=evil/image", "escape=`"),
    *("/// script", "!/bin/sh", "mypy: ignore-errors", "pragma: no cover"),
]


class TestComment:
    @given(st.one_of(texts, st.sampled_from(ORDERS)))
    def test_a_text_is_one_comment_that_shows_all_characters(self, text: str) -> None:
        line = f"# {filters.comment(text)}\n"
        kinds = [token.type for token in tokenize.generate_tokens(io.StringIO(line).readline)]
        assert kinds == [tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER]
        assert tomllib.loads(line) == {}
        assert yaml.safe_load(line) is None

    def test_a_harmless_number_sign_is_kept(self) -> None:
        assert filters.comment('such as "#rrggbb"') == 'such as "#rrggbb"'

    @pytest.mark.parametrize("text", ORDERS)
    def test_no_tool_reads_a_comment_as_a_directive(self, text: str) -> None:
        comment = filters.comment(text)
        unformatted = f"# {comment}\nimport os  # {comment}\nx = 'a'  # {comment}\n"
        assert "F401" in ruff("check", unformatted, "--select=F401")
        assert 'x = "a"' in ruff("format", unformatted)
        assert ast.parse(unformatted, type_comments=True).type_ignores == []
        encoding, _ = tokenize.detect_encoding(io.BytesIO(unformatted.encode()).readline)
        assert encoding == "utf-8"
        assert not re.match(r"# *[a-zA-Z]\w* *=", unformatted), "a directive of a Dockerfile"


class TestDockerfile:
    @given(texts)
    def test_a_word_is_the_text_on_one_line(self, text: str) -> None:
        word = filters.dockerfile(text)
        assert word[0] == word[-1] == '"'
        inside = re.fullmatch(r'(?:[^"\\$]|\\["\\$])*', word[1:-1])
        assert inside, "a quote or a variable is not escaped"
        assert shown(re.sub(r"\\(.)", r"\1", word[1:-1])) == shown(on_one_line(text))
