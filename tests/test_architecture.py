"""Laws of the source that no linter knows: layers of the standard library, small modules, no cycles, plain names."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import grimp
import networkx
import pytest

import rulekit

PACKAGE = Path(rulekit.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
RULES = ("powerboats", "ps", "readings", "hexgrid", "dist", "errors", "rules")
MOST_LINES = 400


def name(module: Path) -> str:
    """A module's path below the package, as an id of a test."""
    return module.relative_to(PACKAGE).as_posix()


def imported(module: Path) -> Iterator[str]:
    """The top-level packages that a module imports anywhere."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "rulekit").partition(".")[0] if not node.level else "rulekit"


@pytest.mark.parametrize(
    "module", [module for module in MODULES if name(module).removesuffix(".py").partition("/")[0] in RULES], ids=name
)
def test_rules_use_the_standard_library_only(module: Path) -> None:
    assert set(imported(module)) <= sys.stdlib_module_names | {"rulekit"}


@pytest.mark.parametrize("module", MODULES, ids=name)
def test_module_is_small_and_says_what_it_is(module: Path) -> None:
    text = module.read_text(encoding="utf-8")
    assert len(text.splitlines()) < MOST_LINES
    assert not text or ast.get_docstring(ast.parse(text))
    assert module.stem not in {"utils", "util", "common", "helpers", "misc"}


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = grimp.build_graph("rulekit", exclude_type_checking_imports=True)
    arrows = networkx.DiGraph(
        (importer, target) for importer in graph.modules for target in graph.find_modules_directly_imported_by(importer)
    )
    circles = [sorted(ring) for ring in networkx.strongly_connected_components(arrows) if len(ring) > 1]
    assert arrows.number_of_edges() > len(MODULES) // 2
    assert not circles
