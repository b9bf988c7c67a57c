"""How posts become chunks."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blog_search.posts import CHUNK_LENGTH, read_posts, split


def headings_and_texts(post: str) -> list[tuple[str, str]]:
    return [(chunk.heading, chunk.text) for chunk in split("a.md", post)]


def test_each_heading_begins_a_chunk() -> None:
    post = "# Title\n\nLead.\n\n## One\nFirst.\n\nSecond.\n## Two ##\nThird.\n"
    assert headings_and_texts(post) == [
        ("Title", "Lead."),
        ("One", "First.\n\nSecond."),
        ("Two", "Third."),
    ]


def test_code_between_fences_stays_whole_and_holds_no_headings() -> None:
    code = "```sh\n# not a heading\n\nmake\n```"
    assert headings_and_texts(f"# Title\n\n{code}\n") == [("Title", code)]


def test_paragraphs_share_a_chunk_while_they_fit() -> None:
    paragraph = "word " * (CHUNK_LENGTH // 15)
    chunks = split("a.md", f"{paragraph}\n\n" * 7)
    assert [len(chunk.text.split("\n\n")) for chunk in chunks] == [2, 2, 2, 1]


def test_a_word_longer_than_a_chunk_is_cut() -> None:
    chunks = split("a.md", "x" * (2 * CHUNK_LENGTH + 1))
    assert [len(chunk.text) for chunk in chunks] == [CHUNK_LENGTH, CHUNK_LENGTH, 1]


@pytest.mark.parametrize(
    ("post", "title"),
    [
        (
            "---\ndate: 2024-01-02\ntitle: 'From YAML'\n---\n# Heading\n\nText.",
            "From YAML",
        ),
        ('+++\ntitle = "From TOML"\n+++\nText.', "From TOML"),
        ("Lead.\n\n# Heading\n\nText.", "Heading"),
        ("---\ndraft: true\n---\nText.", "a.md"),
        ("Text.\n\n---\n\ntitle: not front matter\n\n---\n", "a.md"),
    ],
)
def test_the_title_is_in_the_front_matter_or_the_first_heading(
    post: str, title: str
) -> None:
    chunks = split("a.md", post)
    assert {chunk.title for chunk in chunks} == {title}
    assert "draft" not in chunks[0].text


@given(
    st.lists(st.sampled_from(["word", "é" * 700, " ", "\n", "\n\n", "```\n", "---\n"]))
)
def test_every_word_is_in_one_chunk_in_order(parts: list[str]) -> None:
    post = "".join(parts)
    chunks = split("a.md", post)
    assert all(0 < len(chunk.text) <= CHUNK_LENGTH for chunk in chunks)
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    text = "".join(chunk.text for chunk in chunks)
    front_matter = re.match(r"---\n[\s\S]*?^---\n", post, re.MULTILINE)
    body = post[front_matter.end() :] if front_matter else post
    assert re.sub(r"[\s`]", "", text) == re.sub(r"[\s`]", "", body)


def test_posts_are_found_in_folders_below_by_paths_with_slashes(tmp_path: Path) -> None:
    (tmp_path / "2024" / "may").mkdir(parents=True)
    (tmp_path / "2024" / "may" / "post.md").write_bytes(
        b"\xef\xbb\xbf# Caf\xe9\r\n\r\nText."
    )
    (tmp_path / "notes.txt").write_text("Not a post.")
    [(source, [chunk])] = read_posts(tmp_path).items()
    assert source == "2024/may/post.md"
    assert (chunk.title, chunk.text) == ("Caf\N{REPLACEMENT CHARACTER}", "Text.")


def test_a_folder_that_is_not_there_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(NotADirectoryError, match="nowhere"):
        read_posts(tmp_path / "nowhere")
