"""The project's own files agree with one another and with the code."""

import ast
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PARTS = {"sdk/python": ["sdk/python/src/thousand"], ".": ["referee", "workers"]}
PACKAGE_OF_MODULE = {"grpc": "grpcio", "google": "protobuf", "grpc_health": "grpcio-health-checking", "jwt": "pyjwt"}
PACKAGE_OF_MODULE |= {"confusable_homoglyphs": "confusable-homoglyphs"}
DOCUMENTED = ["proto", "sdk", "referee", "workers", "tests", "benchmarks", "deploy"]
OURS = {"thousand", "referee", "workers"}


def load(folder: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))


def declared(folder: str) -> set[str]:
    """Names of all that a distribution declares, extras included."""
    project = load(folder)["project"]
    every = project["dependencies"] + [
        one for extra in project.get("optional-dependencies", {}).values() for one in extra
    ]
    return {re.split(r"[^\w.-]", one)[0].lower() for one in every}


def imported(folder: Path) -> set[str]:
    """Top-level modules that the code in a folder imports, the standard library aside."""
    found: set[str] = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found.update(alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                found.add(node.module.partition(".")[0])
    return found - set(sys.stdlib_module_names) - OURS


def test_both_distributions_have_one_version() -> None:
    version = load(".")["project"]["version"]
    assert load("sdk/python")["project"]["version"] == version
    assert any(one == f"thousand-sdk[cli]=={version}" for one in load(".")["project"]["dependencies"])
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", sorted(PARTS))
def test_what_is_imported_is_declared(folder: str) -> None:
    modules = {module for part in PARTS[folder] for module in imported(ROOT / part)}
    missing = {PACKAGE_OF_MODULE.get(module, module) for module in modules} - declared(folder)
    assert missing == set()


@pytest.mark.parametrize("folder", sorted(PARTS))
def test_every_dependency_has_a_reason(folder: str) -> None:
    text = (ROOT / folder / "pyproject.toml").read_text(encoding="utf-8")
    lists = re.findall(r"^(?:dependencies|cli|dev|fast) = \[\n(.*?)^\]", text, re.MULTILINE | re.DOTALL)
    assert lists
    assert [line for one in lists for line in one.splitlines() if "#" not in line] == []


def test_locks_pin_the_same_versions_and_name_no_private_index() -> None:
    lock_text = (ROOT / "uv.lock").read_text(encoding="utf-8")
    requirements = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    pinned = dict(re.findall(r"^([\w.-]+)==([^\s;\\]+)", requirements, re.MULTILINE))
    locked = {package["name"]: package["version"] for package in tomllib.loads(lock_text)["package"]}
    assert pinned == {name: version for name, version in locked.items() if not name.startswith("thousand-")}
    assert set(re.findall(r"https?://([^/\"]+)", lock_text)) <= {"pypi.org", "files.pythonhosted.org"}
    assert re.findall(r"https?://", requirements) == []


@pytest.mark.parametrize("folder", DOCUMENTED)
def test_every_folder_has_a_readme(folder: str) -> None:
    assert (ROOT / folder / "README.md").exists()


def test_links_in_readmes_lead_somewhere() -> None:
    pages = [*ROOT.glob("*.md"), *(page for part in DOCUMENTED for page in (ROOT / part).rglob("*.md"))]
    links = [
        (page, target)
        for page in pages
        if "node_modules" not in page.parts and ".venv-peers" not in page.parts
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
        if "://" not in target
    ]
    assert [
        f"{page.relative_to(ROOT)}: {target}" for page, target in links if not (page.parent / target).exists()
    ] == []
