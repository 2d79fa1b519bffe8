"""The measures of the house: file and function length, nesting, import cycles, annotations, docstrings.

python tools/house.py            print the medians and ratios
python tools/house.py --strict   and fail on what is over the limits
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 60
NESTING_MAX = 4

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)


def functions(tree: ast.AST) -> Iterator[_Function]:
    """Every function and method of a module."""
    return (node for node in ast.walk(tree) if isinstance(node, _Function))


def length(function: _Function) -> int:
    """Lines of a function without its docstring."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is not None:
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


def nesting(node: ast.AST, depth: int = 0) -> int:
    """How deep blocks stand in each other; `elif` does not count as deeper."""
    deepest = depth
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _Function | ast.ClassDef):
            continue
        is_elif = isinstance(node, ast.If) and isinstance(child, ast.If) and node.orelse == [child]
        inside = depth + (isinstance(child, _BLOCKS) and not is_elif)
        deepest = max(deepest, nesting(child, inside))
    return deepest


def unannotated(function: _Function) -> list[str]:
    """The parameters of a function that say no type."""
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [extra for extra in (arguments.vararg, arguments.kwarg) if extra]
    missing = [a.arg for a in every if a.annotation is None and a.arg not in {"self", "cls"}]
    return missing + (["return"] if function.returns is None else [])


def undocumented(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Public names without a docstring."""
    if ast.get_docstring(tree) is None:
        yield 1, "the module"
    for node in tree.body:
        if isinstance(node, _Function | ast.ClassDef) and not node.name.startswith("_"):
            if ast.get_docstring(node) is None:
                yield node.lineno, node.name
            if isinstance(node, ast.ClassDef):
                yield from _undocumented_methods(node)


def _undocumented_methods(owner: ast.ClassDef) -> Iterator[tuple[int, str]]:
    for node in owner.body:
        if isinstance(node, _Function) and not node.name.startswith("_") and ast.get_docstring(node) is None:
            yield node.lineno, f"{owner.name}.{node.name}"


def imports(tree: ast.AST, known: set[str]) -> set[str]:
    """The modules of ours that a module imports, wherever in it the import stands."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
            found.add(node.module)
    return found & known


def cycles(graph: dict[str, set[str]]) -> Iterator[list[str]]:
    """Import cycles, deferred imports included; packages importing their own modules count."""
    done: set[str] = set()

    def walk(name: str, path: list[str]) -> Iterator[list[str]]:
        if name in path:
            yield [*path[path.index(name) :], name]
        elif name not in done:
            for other in sorted(graph[name]):
                yield from walk(other, [*path, name])
            done.add(name)

    for name in graph:
        yield from walk(name, [])


def faults(path: Path, tree: ast.Module, lines: int) -> Iterator[str]:
    """What is over the limits in one file."""
    where = path.relative_to(ROOT)
    if lines > FILE_LINES_MAX:
        yield f"{where}:1 {lines} lines, the most is {FILE_LINES_MAX}"
    for function in functions(tree):
        here = f"{where}:{function.lineno} {function.name}"
        if length(function) > FUNCTION_LINES_MAX:
            yield f"{here} has {length(function)} lines, the most is {FUNCTION_LINES_MAX}"
        if nesting(function) > NESTING_MAX:
            yield f"{here} nests {nesting(function)} deep, the most is {NESTING_MAX}"
        if missing := unannotated(function):
            yield f"{here} has no type for {', '.join(missing)}"
    for line, name in undocumented(tree):
        yield f"{where}:{line} {name} has no docstring"


def remarks(tree: ast.Module, text: str) -> int:
    """Lines of comments and docstrings, those under constants and fields included."""
    strings = (node for node in ast.walk(tree) if isinstance(node, ast.Expr) and _is_text(node.value))
    documented = sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in strings)
    return documented + sum(line.lstrip().startswith("#") for line in text.splitlines())


def pages(tree: ast.Module) -> int:
    """Lines of the docstrings that are rules' pages: data, not code."""
    ruled = (each for each in functions(tree) if any("rule" in ast.unparse(mark) for mark in each.decorator_list))
    texts = (each.body[0] for each in ruled if ast.get_docstring(each) is not None)
    return sum((text.end_lineno or text.lineno) - text.lineno + 1 for text in texts)


def _is_text(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def module_name(path: Path) -> str:
    """The dotted name of a source file."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def main() -> int:
    """Measure the tree, print the figures, and say with the exit status whether it holds."""
    paths = sorted(SOURCE.rglob("*.py"))
    sources = {path: path.read_text(encoding="utf-8") for path in paths}
    trees = {path: ast.parse(text) for path, text in sources.items()}
    file_lines = [text.count("\n") for text in sources.values()]
    lengths = [length(function) for tree in trees.values() for function in functions(tree)]
    problems = [fault for path in paths for fault in faults(path, trees[path], sources[path].count("\n"))]
    known = {module_name(path) for path in paths}
    graph = {module_name(path): imports(tree, known) - {module_name(path)} for path, tree in trees.items()}
    problems += [f"import cycle: {' → '.join(cycle)}" for cycle in cycles(graph)]
    data = sum(pages(tree) for tree in trees.values())
    said = sum(remarks(trees[path], text) for path, text in sources.items()) - data
    lines = sum(file_lines) - data
    test_lines = sum(path.read_text(encoding="utf-8").count("\n") for path in (ROOT / "tests").rglob("*.py"))
    print(
        f"house: {len(paths)} files, median {median(file_lines):g} lines; {len(lengths)} functions, median "
        f"{median(lengths):g}; {100 * said / lines:.1f} lines of comments and docstrings per 100; "
        f"{test_lines / lines:.2f} test lines a source line; {data:,} lines of rules' pages not counted"
    )
    print(*problems, sep="\n", end="\n" if problems else "")
    return int(bool(problems) and "--strict" in sys.argv)


if __name__ == "__main__":
    raise SystemExit(main())
