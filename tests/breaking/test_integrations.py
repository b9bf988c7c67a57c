"""What runs elsewhere: the action, the hooks of pre-commit, and the workflows of a project."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import shell
from tests.breaking.test_baselines import FETCH, TOOL, spec
from tests.command import run
from tests.generated import REPOSITORY
from tests.repository import AUTHOR, Repository, git

pytestmark = pytest.mark.usefixtures("starts_programs")

ACTION = yaml.safe_load((REPOSITORY / "action.yml").read_text("utf-8"))
BIN = Path(sys.executable).parent

UVX = f"""#!/bin/sh
echo "$2" >> "$CALLS"
case $1 in --from) shift 3 ;; *) shift ;; esac
exec '{BIN}/mcp-scaffold' "$@"
"""

UV = """#!/bin/sh
[ "$1" = run ] || exit 0
shift
exec "$@"
"""

GH = f"""#!{sys.executable}
import json, os, re, sys
words = sys.argv[2:]
path = next(word for word in words if word.startswith("repos/"))
method = words[words.index("--method") + 1] if "--method" in words else "GET"
store = os.environ["COMMENTS"]
comments = json.load(open(store))
if method == os.environ.get("REFUSED"):
    sys.exit(os.environ["ANSWER"])
if method == "GET":
    marker = re.search(r'startswith\\("(.*?)"\\)', words[words.index("--jq") + 1])[1]
    for one in comments:
        if one["body"].startswith(marker):
            print(one["id"])
else:
    name, _, file = words[words.index("-F") + 1].partition("=@")
    assert name == "body"
    body = open(file).read()
    if method == "POST":
        comments.append({{"id": len(comments) + 1, "body": body}})
    else:
        [one] = [one for one in comments if path.endswith(f"/{{one['id']}}")]
        one["body"] = body
    json.dump(comments, open(store, "w"))
"""


def bash(script: str, folder: Path, work: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a step of a job; `work` has stand-ins for the programs on the machines of a host."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "GITHUB_"))}
    path = os.pathsep.join([str(work / "bin"), str(BIN), os.environ["PATH"]])
    return shell.bash(script, folder, {**clean, "PATH": path, "CALLS": str(work / "calls"), **env})


@dataclass
class Job:
    """A job of GitHub that uses the action, and what became of its steps."""

    folder: Path
    work: Path
    inputs: Mapping[str, str] = field(default_factory=dict)
    event: Mapping[str, str] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)
    codes: dict[str, int] = field(default_factory=dict)
    out: str = ""

    def expand(self, text: str, outputs: Mapping[str, str]) -> str:
        """The text of a variable, with the expressions that the action has."""
        given = {name: about.get("default", "") for name, about in ACTION["inputs"].items()}
        values = {f"inputs.{name}": value for name, value in (given | dict(self.inputs)).items()}
        values |= {f"github.event.pull_request.{name}": v for name, v in self.event.items()}
        values |= {f"steps.{name}": value for name, value in outputs.items()}
        return re.sub(r"\$\{\{ (.*?) \}\}", lambda match: values.get(match[1], ""), text)

    def run(self) -> list[dict[str, Any]]:
        """Run the steps, and return the comments on the pull request."""
        for name, begin in {"summary": "", "comments": "[]"}.items():
            if not (self.work / name).exists():
                (self.work / name).write_text(begin)
        output = self.work / "output"
        fixed = {
            "GITHUB_ACTION_PATH": str(REPOSITORY),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(self.work / "summary"),
            "GITHUB_EVENT_NAME": "pull_request" if self.event else "push",
            "GITHUB_SHA": git(self.folder, "rev-parse", "HEAD").strip(),
            "GITHUB_REPOSITORY": "acme/demo",
            "RUNNER_TEMP": str(self.work),
            "COMMENTS": str(self.work / "comments"),
        }
        outputs: dict[str, str] = {}
        for step in ACTION["runs"]["steps"]:
            name = step.get("id") or step.get("name", "uses")
            failed = any(self.codes.values())
            if "run" not in step or (failed and "!cancelled()" not in step.get("if", "")):
                continue
            if name == "breaking" and self.codes["tool"]:
                continue
            if name == "comment" and "breaking.outputs.report" not in outputs:
                continue
            output.write_text("")
            env = {key: self.expand(value, outputs) for key, value in step["env"].items()}
            done = bash(step["run"], self.folder, self.work, **fixed, **self.env, **env)
            self.codes[name], self.out = done.returncode, self.out + done.stdout + done.stderr
            for line in output.read_text().splitlines():
                key, _, value = line.partition("=")
                outputs[f"{name}.outputs.{key}"] = value
        comments: list[dict[str, Any]] = json.loads((self.work / "comments").read_text())
        return comments


@pytest.fixture(scope="module")
def first(starts_programs: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository, and beside it the checkout of a pull request as GitHub makes it.

    That is a shallow merge into `main`.
    """
    folder = tmp_path_factory.mktemp("hosted")
    origin = Repository(folder / "origin")
    origin.write({"other/mcp.yaml": spec(TOOL, FETCH)})
    assert run("new", "origin/other/mcp.yaml", "origin/demo", cwd=folder).code == 0
    lock = origin.folder / "demo/.scaffold/lock.json"
    inputs = '"inputs": {'
    others = f'{inputs}"@generator": "mcp-scaffold==1.0",'
    lock.write_text(lock.read_text().replace(inputs, others))  # as if an index had it
    origin.commit("First")
    origin.git("config", "uploadpack.allowAnySHA1InWant", "true")
    origin.git("switch", "--quiet", "--create", "edit")
    origin.write({"demo/mcp.yaml": spec(TOOL)})
    assert run("regenerate", "demo", "--prune", cwd=origin.folder).code == 0
    origin.commit("Edit")
    origin.git("switch", "--quiet", "main")
    origin.write({"other/mcp.yaml": spec(TOOL)})
    origin.commit("Meanwhile")
    origin.git("merge", "--quiet", "--no-ff", "edit", "--message", "Merge")
    origin.git("branch", "--force", "merged", "HEAD")
    origin.git("reset", "--quiet", "--hard", "HEAD^")
    source = f"file://{origin.folder}"
    git(folder, "clone", "--quiet", "--depth=1", "--branch=merged", source, "pull")
    return folder


@pytest.fixture
def pull_request(first: Path, tmp_path: Path) -> Path:
    """A copy of the checkout, whose repository is a copy, too."""
    shutil.copytree(first, tmp_path, symlinks=True, dirs_exist_ok=True)
    git(tmp_path / "pull", "remote", "set-url", "origin", f"file://{tmp_path}/origin")
    return tmp_path / "pull"


def job(pull_request: Path, **inputs: str) -> Job:
    work = pull_request.parent / "work"
    (work / "bin").mkdir(parents=True, exist_ok=True)
    for name, text in {"uv": UV, "uvx": UVX, "gh": GH}.items():
        (work / "bin" / name).write_text(text)
        (work / "bin" / name).chmod(0o755)
    first = git(pull_request.parent / "origin", "rev-parse", "main^").strip()
    event = {"base.sha": first, "number": "7"}
    return Job(pull_request, work, {"project": "demo", **inputs}, event)


class TestTheAction:
    def test_breaking_changes_are_reported_in_one_comment_that_later_runs_update(
        self, pull_request: Path
    ) -> None:
        run = job(pull_request)
        [comment] = run.run()
        assert (run.codes["breaking"], run.codes["comment"]) == (1, 0)
        assert "::error file=demo/mcp.yaml,line=" in run.out
        assert "title=version-not-raised" in run.out
        assert (run.work / "summary").read_text() in comment["body"]
        assert set((run.work / "calls").read_text().splitlines()) == {str(REPOSITORY)}
        (pull_request / "demo/mcp.yaml").write_text(spec(TOOL, version="2.0.0"))
        [comment] = job(pull_request).run()
        assert "[tool-removed]" in comment["body"]
        assert "version-not-raised" not in comment["body"]

    @pytest.mark.parametrize(
        ("project", "line"),
        [("other", ""), ("new", "title=spec-added::the spec is new: there is no `mcp.yaml`")],
    )
    def test_a_new_project_and_merged_changes_of_others_pass(
        self, project: str, line: str, pull_request: Path
    ) -> None:
        (pull_request / "new").mkdir()
        (pull_request / "new/mcp.yaml").write_text(spec(TOOL))
        run = job(pull_request, project=project)
        assert run.run() == []
        assert run.codes["breaking"] == 0
        assert line in run.out

    @pytest.mark.parametrize("method", ["GET", "POST"])
    def test_if_github_refuses_the_comment_the_job_passes_and_says_why(
        self, pull_request: Path, method: str
    ) -> None:
        run = job(pull_request, **{"fail-on": "never"})
        run.env = {"REFUSED": method, "ANSWER": "gh: Body is 100% too long (HTTP 422)\n::error::x"}
        assert run.run() == []
        assert (run.codes["breaking"], run.codes["comment"]) == (0, 0)
        why = "gh: Body is 100%25 too long (HTTP 422) ::error::x"
        assert f"\n::notice::cannot comment on the pull request ({why}); see the" in run.out
        assert "\n::error::x" not in run.out

    def test_other_findings_do_not_prevent_the_comparison(self, pull_request: Path) -> None:
        (pull_request / "demo/src/demo/_generated/server.py").write_text("")
        run = job(pull_request)
        run.run()
        assert run.codes["mcp-scaffold regenerate --check"] == 1
        assert run.codes["breaking"] == 1

    @pytest.mark.parametrize(
        "version", ["@ git+https://example.org/x", "1.0 --with x", "1.0\nx=y", "$(touch ran)", "-1"]
    )
    def test_an_invalid_version_is_not_installed(self, version: str, pull_request: Path) -> None:
        run = job(pull_request, version=version)
        assert run.run() == []
        assert run.codes == {"tool": 2}
        assert not (pull_request / "ran").exists()

    def test_hostile_names_are_texts_and_no_baseline_fails_the_job(
        self, pull_request: Path
    ) -> None:
        hostile = "x; touch ran; $(touch ran) `touch ran` ${{ github.token }}"
        (pull_request / "demo").rename(pull_request / hostile)
        run = job(pull_request, project=hostile, against=f"git:{hostile}")
        [comment] = run.run()
        assert "### Failed, 1 error\n\n```text\n" in comment["body"]
        assert "error[no-baseline]" in comment["body"]
        assert run.codes["breaking"] == 2
        assert not [*pull_request.rglob("ran")]
        assert not [step for step in ACTION["runs"]["steps"] if "${{" in step.get("run", "")]


class TestHooks:
    @pytest.fixture
    def checkout(self, tmp_path: Path) -> Path:
        """A repository with a project, whose hooks come from a clone of this one."""
        ours = Repository(tmp_path / "ours")
        manifest = (REPOSITORY / ".pre-commit-hooks.yaml").read_text()
        ours.write({".pre-commit-hooks.yaml": manifest})
        ours.commit("Hooks")
        (tmp_path / "old.yaml").write_text(spec(TOOL, FETCH))
        assert run("new", "old.yaml", "demo", cwd=tmp_path).code == 0
        # `system` runs the mcp-scaffold that is installed, so that nothing is downloaded.
        hooks = [{"id": hook["id"], "language": "system"} for hook in yaml.safe_load(manifest)]
        commit = ours.git("rev-parse", "HEAD").strip()
        config = {"repos": [{"repo": str(ours.folder), "rev": commit, "hooks": hooks}]}
        demo = Repository(tmp_path / "demo")
        demo.write({".pre-commit-config.yaml": yaml.safe_dump(config)})
        demo.commit("First")
        return demo.folder

    def ran(self, checkout: Path) -> tuple[dict[str, str], str]:
        """How each hook ended in a commit (`Passed`, `Failed` or `Skipped`), and what was said."""
        git(checkout, "add", ".")
        clean = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
        env = {**clean, "PRE_COMMIT_HOME": str(checkout.parent / "cache"), "COLUMNS": "80"}
        env |= {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "PYTHONWARNINGS": ""}
        commit = shlex.join(["git", *AUTHOR, "commit", "--message", "Edit"])
        done = shell.bash(f"pre-commit install; {commit}", checkout, env)
        output = done.stdout + done.stderr
        ends = r"^mcp-scaffold (\w+).*?(Passed|Failed|Skipped)$"
        results = dict(re.findall(ends, output, re.MULTILINE))
        assert (done.returncode != 0) == ("Failed" in results.values()), output
        return results, output

    def test_a_commit_that_breaks_callers_is_stopped(self, checkout: Path) -> None:
        (checkout / "mcp.yaml").write_text(spec(TOOL))
        results, output = self.ran(checkout)
        assert results == {"validate": "Passed", "regenerate": "Failed", "breaking": "Failed"}
        assert "error[tool-removed]" in output

    def test_a_new_spec_is_committed(self, checkout: Path) -> None:
        git(checkout, "update-ref", "-d", "HEAD")
        results, _ = self.ran(checkout)
        assert results == {"validate": "Passed", "regenerate": "Passed", "breaking": "Passed"}


class TestTheWorkflowsOfAProject:
    def test_the_github_workflow_reports_what_a_pull_request_breaks(
        self, pull_request: Path
    ) -> None:
        git(pull_request, "fetch", "--quiet", "--depth=2", "origin", "merged")
        check, breaking = self.githubs(pull_request)
        assert check.endswith(" check --format github")  # a session runs that
        ended = self.ran(breaking, pull_request)
        assert ended.returncode == 1
        assert "title=tool-removed" in ended.stdout

    def test_the_gitlab_pipeline_reports_what_a_merge_request_breaks(
        self, pull_request: Path
    ) -> None:
        base = git(pull_request.parent / "origin", "rev-parse", "main").strip()
        check, breaking = self.gitlabs(pull_request / "demo")
        assert "warning[orphan]" in self.log(check, pull_request, base, code=0)
        log = self.log(breaking, pull_request, base, code=1)
        assert "error[tool-removed]" in log
        assert "error[version-not-raised]" in log

    def test_both_workflows_pass_a_pull_request_that_adds_the_project(
        self, pull_request: Path
    ) -> None:
        origin = pull_request.parent / "origin"
        git(origin, "rm", "-r", "--quiet", "demo")
        git(origin, "commit", "--quiet", "--message", "Without the project")
        base = git(origin, "rev-parse", "main").strip()
        git(pull_request, "fetch", "--quiet", "--depth=1", "origin", base)
        _, breaking = self.githubs(pull_request)
        ended = self.ran(breaking.replace("HEAD^", base), pull_request)
        assert ended.returncode == 0, ended.stderr
        assert "title=spec-added::the spec is new" in ended.stdout
        _, breaking = self.gitlabs(pull_request / "demo")
        assert "[spec-added]" in self.log(breaking, pull_request, base, code=0)

    def githubs(self, pull_request: Path) -> list[str]:
        """The scripts of the project's workflow that run mcp-scaffold."""
        file = pull_request / "demo/.github/workflows/ci.yml"
        jobs = yaml.safe_load(file.read_text())["jobs"].values()
        scripts = [step["run"] for job in jobs for step in job["steps"] if "run" in step]
        return [script for script in scripts if "mcp-scaffold" in script]

    def gitlabs(self, demo: Path) -> list[str]:
        """The scripts that run mcp-scaffold, once the project has a workflow for GitLab."""
        (demo / "templates").mkdir()
        table = 'contract = 4\nwithout = [".github/workflows/ci.yml.j2"]\n'
        table += '[[files]]\ntemplate = ".gitlab-ci.yml.j2"\nowner = "merged"\n'
        (demo / "templates/pack.toml").write_text(table)
        assert run("regenerate", cwd=demo).code == 0
        jobs = yaml.safe_load((demo / ".gitlab-ci.yml").read_text())
        common = jobs[".scaffold"]["before_script"]
        return ["\n".join([*common, *jobs[name]["script"]]) for name in ("scaffold", "breaking")]

    def log(self, script: str, pull_request: Path, base: str, code: int) -> str:
        """The log of a job of GitLab."""
        ended = self.ran(script, pull_request, CI_MERGE_REQUEST_DIFF_BASE_SHA=base)
        assert ended.returncode == code, ended.stderr
        return ended.stdout + ended.stderr

    def ran(self, script: str, pull_request: Path, **env: str) -> subprocess.CompletedProcess[str]:
        return bash(script, pull_request / "demo", job(pull_request).work, **env)
