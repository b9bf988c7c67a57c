"""The edits of two people to one text come together, line by line."""

from __future__ import annotations

import random
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold.base.files import RelPath
from scaffold.disk.diff import lines
from scaffold.disk.merge import Conflict, Merged, merge, merged
from scaffold.disk.tree import has_markers

texts = st.lists(st.sampled_from("aab c\n"), max_size=12).map("".join)

CLEAN = {
    "nobody changed anything": ("a b c", "a b c", "a b c", "a b c"),
    "only you changed": ("a b c", "a X c", "a b c", "a X c"),
    "only the template changed": ("a b c", "a b c", "a Y c", "a Y c"),
    "both changed lines apart": ("a b c", "X b c", "a b Y", "X b Y"),
    "both made the same change": ("a b c", "a X c", "a X c", "a X c"),
    "both added the same line at the end": ("a", "a b", "a b", "a b"),
    "you deleted, the template changed another line": ("a b c d", "b c d", "a b c Y", "b c Y"),
    "both deleted the same line": ("a b c", "a c", "a c", "a c"),
    "both deleted the same of two equal lines": ("a a b", "a b", "a b", "a b"),
    "from nothing to the same": ("", "a b", "a b", "a b"),
    "to nothing on both sides": ("a b", "", "", ""),
    "to nothing on one side": ("a b", "", "a b", ""),
    "the last line lost its end on one side": ("a b c", "a b c|", "X b c", "X b c|"),
}

CONFLICTS = {
    "both changed a line": ("a b c", "a X c", "a Y c", "a < X = Y > c", [(1, 2)]),
    "both changed adjoining lines": ("a b", "X b", "a Y", "< X b = a Y >", [(0, 2)]),
    "both added at one place": ("a d", "a b d", "a c d", "a < b = c > d", [(1, 2)]),
    "a line was added above": ("a b c d", "n a b X d", "a b Y d", "n a b < X = Y > d", [(3, 4)]),
    "you deleted what the template changed": ("a b c", "a c", "a Y c", "a < = Y > c", [(1, 1)]),
    "only what differs is marked": (
        "a b c d e f g",
        "a X c d e f P g",
        "a Y c d e f P g",
        "a < X = Y > c d e f P g",
        [(1, 2)],
    ),
    "common lines between are marked too": ("", "a 1 b", "c 1 d", "< a 1 b = c 1 d >", [(0, 3)]),
    "a marker never follows an unfinished line": ("a", "b|", "c|", "< b = c >", [(0, 1)]),
}


def text(words: str) -> str:
    """`a b|` is the lines a and b, the last without its end; `<`, `=` and `>` are the markers."""
    marks = {"<": "<<<<<<< yours", "=": "=======", ">": ">>>>>>> template"}
    return "".join(f"{marks.get(word, word)}\n" for word in words.split()).replace("|\n", "")


@pytest.mark.parametrize("case", CLEAN)
def test_separate_edits_are_both_kept(case: str) -> None:
    base, ours, theirs, merged = map(text, CLEAN[case])
    assert merge(base, ours, theirs).text == merge(base, theirs, ours).text == merged
    assert not merge(base, ours, theirs).conflicts


@pytest.mark.parametrize("case", CONFLICTS)
def test_edits_of_the_same_lines_conflict(case: str) -> None:
    *sides, merged, places = CONFLICTS[case]
    result = merge(*map(text, sides))
    assert result.text == text(merged)
    assert list(result.conflicts) == [Conflict(*place) for place in places]
    assert has_markers(result.text.encode())
    assert has_markers(result.text.replace("\n", "\r\n").encode())


ENTRIES = {
    "the line below": ("v=1 d=1", "v=1 d=2", "v=2 d=1", "v=2 d=2"),
    "the line above": ("d=1 v=1", "d=2 v=1", "d=1 v=2", "d=2 v=2"),
    "both, one of them equally": ("v=1 d=1", "v=2 d=2", "v=2 d=1", "v=2 d=2"),
    "a line was added above": ("v=1", "a=1 v=1", "v=2", "a=1 v=2"),
    "a line was added below": ("v=1 b", "v=1 a=1 b", "v=2 b", "v=2 a=1 b"),
    "one was changed, one added, and one equal": ("d=1 v=1", "d=2 v=2 a=1", "d=1 v=2", "d=2 v=2 a=1"),
    "the line below was deleted": ("v=1 d=1 e", "v=1 e", "v=2 d=1 e", "v=2 e"),
    "the lines on both sides": ("a=1 v=1 b=1", "a=2 v=1 b=2", "a=1 v=2 b=1", "a=2 v=2 b=2"),
}  # fmt: skip


@pytest.mark.parametrize("name", ENTRIES)
def test_adjacent_edits_merge_if_each_line_is_an_entry(name: str) -> None:
    base, ours, theirs, wanted = map(text, ENTRIES[name])
    for first, second in ((ours, theirs), (theirs, ours)):
        assert merge(base, first, second, entries=True) == Merged(wanted, ())


@pytest.mark.parametrize("name", sorted({*CONFLICTS} - {"both changed adjoining lines"}))
def test_edits_of_the_same_entry_conflict(name: str) -> None:
    base, ours, theirs = map(text, CONFLICTS[name][:3])
    assert merge(base, ours, theirs, entries=True).conflicts


@given(texts, texts)
def test_an_unchanged_side_takes_all_changes_of_the_other(base: str, other: str) -> None:
    for result in (merge(base, base, other), merge(base, other, base), merge(base, other, other)):
        assert (result.text, result.conflicts) == (other, ())


@given(texts, texts, texts)
def test_a_merge_is_symmetric(base: str, ours: str, theirs: str) -> None:
    there, back = merge(base, ours, theirs), merge(base, theirs, ours)
    assert bool(there.conflicts) == bool(back.conflicts)
    if not there.conflicts:
        assert there.text == back.text


@given(texts, texts, texts)
def test_no_added_line_is_lost(base: str, ours: str, theirs: str) -> None:
    def count(text: str) -> Counter[str]:
        return Counter(line.rstrip("\n") for line in lines(text))

    merged = count(merge(base, ours, theirs).text)
    assert count(ours) - count(base) <= merged
    assert count(theirs) - count(base) <= merged


def edited(rng: random.Random, text: list[str], words: str) -> list[str]:
    text = list(text)
    for _ in range(rng.randrange(4)):
        at = rng.randrange(len(text) + 1)
        text[at : at + rng.randrange(4)] = [
            f"{rng.choice(words)}\n" for _ in range(rng.randrange(4))
        ]
    return text


@pytest.mark.usefixtures("starts_programs")
@pytest.mark.parametrize("words", ["abcdef", "abcdefghijklmnopqrstuvwxyz"])
def test_merges_agree_with_git(tmp_path: Path, words: str) -> None:
    rng = random.Random(7)
    clean = git_clean = 0
    sides = [tmp_path / name for name in ("ours", "base", "theirs")]
    for _ in range(200):
        base = [f"{rng.choice(words)}\n" for _ in range(rng.randrange(30))]
        ours, theirs = edited(rng, base, words), edited(rng, base, words)
        for file, side in zip(sides, (ours, base, theirs), strict=True):
            file.write_text("".join(side))
        command = ["git", "merge-file", "-p", "-q", *map(str, sides)]
        git = subprocess.run(command, capture_output=True, text=True, check=False)
        merged = merge("".join(base), "".join(ours), "".join(theirs))
        clean += not merged.conflicts
        git_clean += git.returncode == 0
        if not merged.conflicts and git.returncode == 0:
            assert merged.text == git.stdout
    assert clean >= 0.98 * git_clean > 50


def test_a_merge_that_would_produce_an_invalid_file_conflicts() -> None:
    base, ours, theirs = (
        '{\n  "a": 1,\n  "b": 2\n}\n',
        '{\n  "a": 1\n}\n',
        '{\n  "a": 1,\n  "x": 3,\n  "b": 2\n}\n',
    )
    assert merge(base, ours, theirs, entries=True).conflicts == ()
    assert merged(RelPath("server.json"), base, ours, theirs).conflicts
    assert merged(RelPath("Dockerfile"), "A x=1\nB", "A x=2\nB", "A x=1\nC").text == "A x=2\nC"
    assert merged(RelPath("README.md"), "A x=1\nB", "A x=2\nB", "A x=1\nC").conflicts
