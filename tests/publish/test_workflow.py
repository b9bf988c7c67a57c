"""A workflow publishes what was checked, in the right order, and may do so; nothing else is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from scaffold.publish import workflow
from scaffold.publish.subject import WORKFLOW, WORKFLOWS, Subject, subject
from scaffold.yaml.source import parse

CHECK = "mcp-scaffold publish --check --format github"
SOUND = f"""\
on: {{push: {{tags: ["v*"]}}}}
permissions: {{contents: write, id-token: write, packages: write}}
jobs:
  publish:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - run: {CHECK}
      - run: uv build
      - run: docker build .
      - uses: actions/upload-artifact@v5
      - run: uv publish
      - run: docker login --username x --password-stdin
      - run: docker push images.example/example/library:1
      - run: gh release create v1
        env: {{GH_TOKEN: "${{{{ github.token }}}}"}}
      - run: ./mcp-publisher login github-oidc
      - run: ./mcp-publisher publish
"""


@pytest.fixture(scope="module")
def about(whole: Path) -> Subject:
    """The project, whose workflows the tests replace."""
    return subject(whole)


def found_in(about: Subject, text: str, **others: str) -> list[tuple[str, str]]:
    """The ids of what is wrong with a workflow and others, and the lines that are shown."""
    texts = {WORKFLOW: text} | {f"{WORKFLOWS}/{name}.yml": more for name, more in others.items()}
    documents = {path: parse(one, path) for path, one in texts.items()}
    files = {path: one for path, one in about.documents.items() if not path.startswith(WORKFLOWS)}
    found = [*workflow.faults(replace(about, documents={**files, **documents}))]
    assert all(one.hint and one.place and one.place.line for one in found)
    return [(one.id, ((one.place and one.place.excerpt) or "").strip()) for one in found]


def with_check(text: str) -> str:
    """The workflow with another step that checks."""
    old = f"      - run: {CHECK}\n"
    assert old in SOUND
    return SOUND.replace(old, f"      {text}" if text else "")


def test_a_sound_workflow_has_no_findings(about: Subject) -> None:
    assert found_in(about, SOUND) == []


SAME = "\n        "


@pytest.mark.parametrize(
    "step",
    [
        f"- run: {CHECK} || exit 1\n",
        f"- run: |{SAME}  {CHECK} || {{{SAME}    echo no{SAME}    exit 1{SAME}  }}\n",
        f"- run: |{SAME}  if ! {CHECK}; then{SAME}    exit 1{SAME}  fi\n",
        f"- run: {CHECK} && uv build\n",
        f"- run: {CHECK} 2>&1 > log\n",
        f"- run: {CHECK} | tee log{SAME}shell: bash\n",
        f"- run: |{SAME}  set -o pipefail{SAME}  {CHECK} | tee log\n",
        f"- run: {CHECK}{SAME}continue-on-error: false\n",
        f"- run: {CHECK}{SAME}if: github.event_name == 'push'\n",
        f"- run: {CHECK}{SAME}if: startsWith(github.ref, 'refs/tags/')\n",
        f'- run: |{SAME}  uvx "mcp-scaffold@$(jq -r ".version" lock.json)" publish . \\{SAME}  --check\n',
        "- run: make publish-check\n",
        "- run: uv run scripts/check.py\n",
        "- uses: ./.github/actions/check\n",
    ],
)
def test_a_check_that_ends_the_job_is_one(about: Subject, step: str) -> None:
    assert found_in(about, with_check(step)) == []


@pytest.mark.parametrize(
    "step",
    [
        f"- run: {CHECK} || true\n",
        f"- run: {CHECK} || echo failed\n",
        f"- run: {CHECK} | tee log\n",
        f"- run: {CHECK} &\n",
        f"- run: |{SAME}  set +e{SAME}  {CHECK}{SAME}  echo done\n",
        f"- run: |{SAME}  {CHECK} && echo fine{SAME}  uv build\n",
        f"- run: ({CHECK}) || true\n",
        f"- run: |{SAME}  {CHECK}{SAME}  echo done{SAME}shell: bash {{0}}\n",
        f"- run: |{SAME}  if {CHECK}; then{SAME}    echo fine{SAME}  fi\n",
        f"- run: {CHECK}{SAME}continue-on-error: true\n",
        f'- run: {CHECK}{SAME}continue-on-error: "${{{{ true }}}}"\n',
        f"- run: {CHECK}{SAME}if: false\n",
        f'- run: {CHECK}{SAME}if: "${{{{ false }}}}"\n',
        f"- run: {CHECK}{SAME}if: github.event_name == 'pull_request'\n",
    ],
)
def test_a_check_that_stops_nothing_is_an_error(about: Subject, step: str) -> None:
    [(id, line)] = found_in(about, with_check(step))
    assert id == "publish-order"
    assert CHECK in line


@pytest.mark.parametrize(
    "step",
    [
        "",
        f"- run: echo {CHECK}\n",
        "- run: python -m twine check dist/*\n",
        "- uses: release-drafter/release-drafter@v6\n",
        f"- run: |{SAME}  # {CHECK}{SAME}  id\n",
        f"- run: |{SAME}  cat <<EOF{SAME}  {CHECK}{SAME}  EOF\n",
        "- run: mcp-scaffold publish --bundle\n",
    ],
)
def test_what_is_no_check_is_not_taken_for_one(about: Subject, step: str) -> None:
    assert found_in(about, with_check(step)) == [("publish-order", "- run: uv publish")]


def test_a_job_counts_as_its_steps(about: Subject) -> None:
    job = "    runs-on: ubuntu-latest\n"
    for key in ("if: false", "continue-on-error: true"):
        two = SOUND.replace(
            "  publish:\n" + job + "    steps:\n      - uses: actions/checkout@v5\n",
            f"  check:\n    {key}\n{job}    steps:\n      - run: {CHECK}\n"
            f"  publish:\n    needs: [check]\n{job}    steps:\n",
        ).replace(f"      - run: {CHECK}\n      - run: uv build", "      - run: uv build")
        found = found_in(about, two)
        assert [(id, CHECK in line) for id, line in found] == [("publish-order", True)]
        assert found_in(about, two.replace(f"    {key}\n", "")) == []
        unordered = two.replace(f"    {key}\n", "").replace("    needs: [check]\n", "")
        assert found_in(about, unordered) == [("publish-order", "- run: uv publish")]


@pytest.mark.parametrize("when", ["always()", "${{ !cancelled() }}", "success() || failure()"])
def test_what_is_published_after_a_failure_is_an_error(about: Subject, when: str) -> None:
    text = SOUND.replace("- run: uv publish\n", f'- run: uv publish\n        if: "{when}"\n')
    assert found_in(about, text) == [("publish-order", "- run: uv publish")]


@pytest.mark.parametrize(
    ("step", "line"),
    [
        ("      - run: uv publish\n", "- run: ./mcp-publisher publish"),
        ("      - run: docker push images.example/example/library:1\n", "- run: ./mcp-publisher publish"),
        ("      - run: ./mcp-publisher publish\n", "jobs:"),
    ],
)  # fmt: skip
def test_a_step_that_was_removed_is_missed(about: Subject, step: str, line: str) -> None:
    text = SOUND.replace(step, "")
    assert found_in(about, text) == [("publish-step", line)]
    assert found_in(about, text.replace("      - run: uv build\n", "      - run: ./scripts/release.sh\n")) == []  # fmt: skip
    never = SOUND.replace(step, f"{step}        if: false\n")
    assert found_in(about, never) == [("publish-step", line)]


@pytest.mark.parametrize(
    ("old", "new", "id", "line"),
    [
        ("      - run: ./mcp-publisher login github-oidc\n", "", "publish-login", "- run: ./mcp-publisher publish"),
        ("login github-oidc", "login dns --domain a.example", "publish-login", "dns"),
        ("      - run: docker login --username x --password-stdin\n", "", "publish-login", "docker push"),
        ('\n        env: {GH_TOKEN: "${{ github.token }}"}', "", "publish-login", "gh release"),
        ("contents: write", "contents: read", "publish-permission", "gh release"),
    ],
)  # fmt: skip
def test_a_login_that_is_missing_is_an_error(
    about: Subject, old: str, new: str, id: str, line: str
) -> None:
    assert old in SOUND
    [(found, shown)] = found_in(about, SOUND.replace(old, new))
    assert (found, line in shown) == (id, True)


def test_trusted_publishing_needs_a_permission(about: Subject) -> None:
    text = SOUND.replace(", id-token: write", "")
    assert found_in(about, text) == [
        ("publish-permission", "- run: uv publish"),
        ("publish-permission", "- run: ./mcp-publisher login github-oidc"),
    ]
    with_token = text.replace("run: uv publish", "run: uv publish --token x")
    assert found_in(about, with_token) == [("publish-permission", "- run: ./mcp-publisher login github-oidc")]  # fmt: skip
    on_the_job = text.replace("    steps:", "    permissions: write-all\n    steps:")
    assert found_in(about, on_the_job) == []


def test_the_own_token_needs_a_permission_for_images(about: Subject) -> None:
    there = replace(
        about, publish=about.publish.model_copy(update={"image": "ghcr.io/example/library"})
    )
    login = "      - uses: docker/login-action@v3\n        with: {password: '${{ secrets.GITHUB_TOKEN }}'}\n"
    text = SOUND.replace("      - run: docker login --username x --password-stdin\n", login)
    assert found_in(there, text) == []
    found = found_in(there, text.replace(", packages: write", ""))
    assert found == [("publish-permission", "- run: docker push images.example/example/library:1")]
    assert found_in(about, text.replace(", packages: write", "")) == []


SECOND = """\
on: workflow_dispatch
permissions: {id-token: write}
jobs:
  upload:
    runs-on: ubuntu-latest
    steps:
      - run: uv publish
"""


def test_a_second_workflow_is_checked_too(about: Subject) -> None:
    assert found_in(about, SOUND, again=SECOND) == [("publish-order", "- run: uv publish")]
    checked = SECOND.replace("- run", f"- run: {CHECK}\n      - run")
    assert found_in(about, SOUND, again=checked) == []


@pytest.mark.parametrize(
    "step",
    ["uv publish --dry-run", "uv publish --index testpypi", "npm publish", "uv build", "id"],
)
def test_a_workflow_that_publishes_nothing_of_this_is_left_alone(about: Subject, step: str) -> None:
    assert found_in(about, SOUND, again=SECOND.replace("uv publish", step)) == []


def test_a_workflow_that_is_called_is_a_part_of_its_caller(about: Subject) -> None:
    called = SOUND.replace('on: {push: {tags: ["v*"]}}', "on: workflow_call")
    caller = """\
on: {push: {tags: ["v*"]}}
jobs:
  check:
    uses: ./.github/workflows/check.yml
  publish:
    needs: check
    uses: ./.github/workflows/called.yml
"""
    unchecked = called.replace(f"      - run: {CHECK}\n", "")
    check = f"on: workflow_call\njobs: {{a: {{steps: [{{run: {CHECK}}}]}}}}\n"
    assert found_in(about, caller, called=unchecked, check=check) == []
    alone = found_in(about, caller.replace("    needs: check\n", ""), called=unchecked, check=check)
    assert alone == [("publish-order", "- run: uv publish")]
    assert found_in(about, check, called=unchecked) != []


@pytest.mark.parametrize(
    "expression",
    [
        "github.event.head_commit.message",
        "github.event['release']['name']",
        "github.head_ref",
        "github['head_ref']",
        "github.ref_name",
        "inputs.version",
        "github.event.inputs.version || 'x'",
        "format('{0}', github.event.release.name)",
        "toJSON(github.event)",
    ],
)
def test_texts_of_others_in_a_script_are_an_error(about: Subject, expression: str) -> None:
    text = SOUND.replace("run: uv build", f'run: uv build "${{{{ {expression} }}}}"')
    [(id, line)] = found_in(about, text)
    assert (id, expression in line) == ("publish-injection", True)
    script = f"uses: actions/github-script@v8\n        with:\n          script: return `${{{{ {expression} }}}}`"
    assert [id for id, _ in found_in(about, SOUND.replace("run: uv build", script))] == ["publish-injection"]  # fmt: skip


@pytest.mark.parametrize(
    "expression",
    [
        "github.sha",
        "github.event.number",
        "github.event['number']",
        "github.event.pull_request.head.sha",
        "github.event_name",
        "github.repository",
        "steps.build.outputs.name",
        "github.ref_name == 'v1' && 'a' || 'b'",
        "startsWith(github.ref, 'refs/tags/') && 'a' || 'b'",
        "inputs.dry && '--dry-run' || ''",
    ],
)
def test_texts_that_nobody_else_chooses_are_no_error(about: Subject, expression: str) -> None:
    text = SOUND.replace("run: uv build", f'run: uv build "${{{{ {expression} }}}}"')
    assert found_in(about, text) == []
    named = "${{ github.event.release.name }}"
    step = f'run: uv build "$NAME"\n        env: {{NAME: "{named}"}}'
    assert found_in(about, SOUND.replace("run: uv build", step)) == []


@pytest.mark.parametrize(
    "text",
    ["", "[]", "jobs: 1", "jobs: {a: 1, b: {steps: 1}, c: {steps: [1, {}, {run: 1}], needs: {a: 1}}}", "on: [1]\njobs: {a: {uses: ./.github/workflows/publish-mcp.yml}}"],
)  # fmt: skip
def test_any_workflow_is_read_without_failing(about: Subject, text: str) -> None:
    found_in(about, text)
