"""A formatter over the whole project is no edit, in the files as in our records."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.regenerate.living import TEXT, Living, Spec

pytestmark = pytest.mark.usefixtures("starts_programs")

STYLES = ["format.indent-style='tab'", "indent-width=2", "format.quote-style='single'"]


@pytest.fixture(params=STYLES)
def formatted(blog: Living, request: pytest.FixtureRequest) -> Living:
    """The fresh project after a formatter with settings of its own, which looks at every file."""
    blog.write("src/blog/__main__.py", blog.read("src/blog/__main__.py") + "# mine\n")
    options = ["--isolated", "--config", request.param, str(blog.root)]
    subprocess.run([sys.executable, "-m", "ruff", "format", "-q", *options], check=True)
    return blog


def test_a_merge_finds_the_text_to_merge_from(formatted: Living) -> None:
    base = formatted.root / ".scaffold/base"
    (base / "src/blog/__main__.py").write_text("import lost\n")
    spec = formatted.root / ".scaffold/mcp.yaml"
    spec.write_text(spec.read_text().replace("  ", "    "))
    formatted.edit(lambda now: now.update(name="posts"))
    formatted.regenerate()
    assert "from posts._generated" in formatted.read("src/posts/__main__.py")
    assert formatted.read("src/posts/__main__.py").endswith("# mine\n")
    assert formatted.regenerate().stderr == "already up to date\n"


@pytest.mark.parametrize("now", ["news.md", None])
def test_a_file_that_the_last_spec_named_may_be_gone(blog: Living, now: str | None) -> None:
    def edit(spec: Spec) -> None:
        spec["tools"][0]["inputSchema"]["properties"].update(more=TEXT)
        spec["resources"] = [{**about, "file": now}] if now else []

    blog.write("about.md", "About.\n")
    about = {"uri": "blog://about", "name": "about", "file": "about.md"}
    blog.edit(lambda spec: spec.update(resources=[about]))
    blog.regenerate()
    options = ["--isolated", "--config", STYLES[1], str(blog.root)]
    subprocess.run([sys.executable, "-m", "ruff", "format", "-q", *options], check=True)
    (blog.root / "about.md").rename(blog.root / "news.md")
    blog.edit(edit)
    assert "conflict" not in blog.regenerate().stderr
    assert "more: " in blog.read("src/blog/_generated/models.py")


def test_stubs_go_with_their_tools(formatted: Living) -> None:
    formatted.edit(lambda spec: spec["tools"].pop())
    assert "orphan" not in formatted.regenerate().stderr
    assert not (formatted.root / "src/blog/tools/read.py").exists()


def test_the_projects_own_settings_leave_our_records_alone(blog: Living) -> None:
    base = blog.root / ".scaffold/base/src/blog/__main__.py"
    base.write_text("x = {  }\n")
    subprocess.run([sys.executable, "-m", "ruff", "format", "-q", "."], cwd=blog.root, check=True)
    assert base.read_text() == "x = {  }\n"
