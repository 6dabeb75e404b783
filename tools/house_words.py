"""The words of the house: names and phrases that docs/vocabulary.md has replaced, and where a file still uses them.

`tools/house.py` prints and checks them.
"""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
# Names of files that were replaced by the field's words, which docs/vocabulary.md lists.
REPLACED_FILES = {
    "acquittal": "benign",
    "allowance": "memory_budget",
    "asking": "argument_checks",
    "breaks": "graph_breaks",
    "chances": "rare_distributions",
    "earlier": "r<release>, release",
    "era": "release_guess",
    "fed_runs": "forced_runs",
    "former": "legacy",
    "formerly": "r2_0_tensors",
    "lending": "thread_local_data",
    "likeness": "similarity",
    "mixing": "mixed_dtypes",
    "nearest": "suggestions",
    "notices": "no_effect_warnings",
    "observing": "observers",
    "oldest": "r1_0",
    "partials": "temporary_files",
    "pickle_machine": "pickle_vm",
    "placeholder": "symbolic",
    "placing": "scatter_elements",
    "pulling": "vector_jacobian",
    "refusing": "unavailable",
    "sameness": "equality",
    "scene": "evidence",
    "surrounding": "call_wrappers",
    "surroundings": "environment",
    "totals": "reductions",
    "turns": "fork_safe_lock",
    "value_types": "value_kinds",
    "walking": "traversal",
    "wanted": "grad_spec",
    "wider": "wider_dtypes",
    "signature_overrides": "arguments",
    "wording": "arguments",
}
# Functions are verbs or the operator's name, not participles only; those of contexts, checks and conversions, too.
PARTICIPLES = re.compile(
    r"_?(?!(?:embed|exceed|feed|indeed|need|proceed|seed|shed|speed|succeed)(?:_|$))"
    r"([a-z]+ed|bound|brought|built|caught|chosen|done|drawn|driven|fed|felt|found|given|gone|held|kept|known|laid|led|"
    r"left|lent|made|meant|met|paid|said|seen|sent|shown|sought|spent|spoken|taken|taught|told|understood|worn|written)"
    r"(_(anew|as|at|by|for|from|in|like|of|on|out|over|to|with)(_[a-z_]+)?)?"
)
# Names of operators, names that scripts call, a predicate of the public API, events of observers, and a verb.
NO_PARTICIPLES = {"_searchsorted", "bound", "communicated", "described", "installed", "searchsorted"}
# Names that say nothing of what a function does; one that is longer has a verb.
VAGUE_FUNCTIONS = {"_one", "_own", "one", "own", "rest"}
# Names that say nothing of a value; one whose last use is further away says what it is.
VAGUE_NAMES = {"found", "made", "one", "own"}
MAX_VAGUE_LINES = 3
# Limits are MAX_…, MIN_… and DEFAULT_….
REPLACED_LIMITS = re.compile(r"_?(MOST|LONGEST|FEWEST|LEAST)(_|$)")
# In the first sentence of a docstring, with the words to use.
REPLACED_WORDS = {
    r"(What|Who|How|Where|When|Which)\b": "the noun: The settings of …, The number of …, The base of …",
    r"(Return|Yield)s? (what|who|how|where|when|which)\b": "the noun: Return the number of …, the position of …",
    r"Gives?\b": "Return, Set, Send",
    r"Have\b": "Make, Register, Run",
    r"(Ask|Tell)\b": "Request, Notify",
    r"(Hand|Lend)\b": "Pass, Bind",
    r"Say\b": "Return, Set, Mark, Warn",
    r".*\bin the place of\b": "in place of",
    r".*\banew\b": "again",
    r".*\bgo(es)? on\b": "continue",
    r".*\bhanded (in|out|over)\b": "passed, returned",
    r".*\bone after the other\b": "in sequence",
    r".*\bstands? for\b": "mean, represent, refer to",
    r".*\btold (apart|from)\b": "distinguished, inferred from",
    r".*\bturned round\b": "reversed",
    r".*\bat hand\b": "given",
    r".*\bput together\b": "assemble, combine",
}
# In prose of any kind: docstrings, comments, messages, pages, tables and tests.
REPLACED_PHRASES = {  # without groups of their own
    r"(?<!here\s)\b(?:is|was) no (?:int|float|bool|str|string|number|list|tuple|dict|Tensor|Cell|file)\b": "is not a",
    r"\banew\b": "again, new",
    r"\b(?:go|goes|going|went) on\b": "continue",
    r"\bin the place of\b": "instead of",
    r"\bhand(?:s|ed|ing)? (?:on|over|in|out)\b": "pass, return, publish",
    r"\botherwise than\b": "differently from",
    r"\b(?:gives|gave)\b(?! (?:up|way)\b)": "returns, yields, passes, computes",
}
# In prose of code, pages and tables; tests have functions of these names, which recorded cases call.
REPLACED_VERBS = {
    r"\b[Ww]hatever\b": "any, regardless of, even if",
    r"\b[Ss]uch an?\b": "the noun: a file of this kind, that rule",
    r"\balone\b(?<!left\salone)(?<!Left\salone)(?<!leave\salone)(?<!-alone)(?<!stand\salone)(?<!stands\salone)"
    r"(?<!runs\salone)(?<!started\salone)(?<!process\salone)": "only, by itself",
    r"\bat all(?<!not\sat\sall)(?=[.,;:)])": "nothing",
    r"\b(?:told|tells)\b": "report, show, notify, is passed",
    r"\b(?:stand|stands|stood) for\b": "mean, represent, replace",
    r"\bstands? (?!alone|in)": "is, is in, comes before",
}
# Files that are not ours to word, or that list the words.
NO_PROSE = ("tests/scan/cases/", "tests/seeds/", "tools/house_words.py", "docs/coverage.md")

SCOPES = (
    ast.Module,
    ast.ClassDef,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)


def vague_names(tree: ast.Module) -> list[tuple[str, int, int]]:
    """Return the names that say nothing of their value and live long, with the lines of their binding and last use."""
    places: list[tuple[str, int, int]] = []
    _collect_vague(tree, places)
    return sorted(places, key=lambda place: place[1:])


def vague_places(path: Path, tree: ast.Module) -> list[str]:
    """Return where a file has a name that says nothing and lives long, as "path:line: name, write …"."""
    place = path.relative_to(ROOT)
    return [f"{place}:{line}: {name} (until {last}), write what it is" for name, line, last in vague_names(tree)]


def _collect_vague(scope: ast.AST, places: list[tuple[str, int, int]]) -> dict[str, int]:
    """Add the long-lived names of a scope and those inside it; return the last uses of names that it does not bind."""
    arguments = getattr(scope, "args", None)
    given = (
        arguments.posonlyargs + arguments.args + arguments.kwonlyargs if isinstance(arguments, ast.arguments) else []
    )
    bound = {each.arg: each.lineno for each in given if each.arg in VAGUE_NAMES}
    last, nodes = dict[str, int](), list(ast.iter_child_nodes(scope))
    while nodes:
        node = nodes.pop()
        if isinstance(node, SCOPES):
            for name, line in _collect_vague(node, places).items():
                last[name] = max(line, last.get(name, 0))
        elif not isinstance(node, ast.Name):
            nodes += ast.iter_child_nodes(node)
        elif node.id in VAGUE_NAMES:
            last[node.id] = max(node.lineno, last.get(node.id, 0))
            if isinstance(node.ctx, ast.Store):
                bound[node.id] = min(node.lineno, bound.get(node.id, node.lineno))
    places += [(name, line, last[name]) for name, line in bound.items() if last.get(name, 0) - line > MAX_VAGUE_LINES]
    return {name: line for name, line in last.items() if name not in bound}


def _doc_of(node: ast.AST) -> str:
    """Return the docstring of a definition, or of one that is a row: `define(family, fn, "Sentence.")`."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "define" and len(node.args) > 2:
        return str(getattr(node.args[2], "value", ""))
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return ast.get_docstring(node, clean=False) or ""
    return ""


def _is_verb(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function may have its name, as far as can be told from words; a property may have any."""
    if any("property" in ast.unparse(one) or "setter" in ast.unparse(one) for one in function.decorator_list):
        return True
    if function.name in VAGUE_FUNCTIONS:
        return (function.end_lineno or 0) - function.lineno < MAX_VAGUE_LINES
    return function.name in NO_PARTICIPLES or not PARTICIPLES.fullmatch(function.name)


def replaced_words(path: Path, tree: ast.Module) -> list[str]:
    """Return where a file uses a word that the vocabulary has replaced, as "path:line: word, write …"."""
    place, nodes = path.relative_to(ROOT), ast.walk(tree)
    found = [f"{place}: {path.stem}, write {REPLACED_FILES[path.stem]}"] if path.stem in REPLACED_FILES else []
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not _is_verb(node):
            found.append(f"{place}:{node.lineno}: {node.name}, write a verb that says what it does")
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and REPLACED_LIMITS.match(node.id):
            found.append(f"{place}:{node.lineno}: {node.id}, write MAX_…, MIN_… or DEFAULT_…")
        if doc := _doc_of(node):
            sentence = re.split(r"\.\s", doc)[0].replace("\n", " ")
            line = getattr(node, "lineno", 1)
            found += [
                f"{place}:{line}: {sentence[:40]}…, write {better}"
                for pattern, better in REPLACED_WORDS.items()
                if re.match(pattern, sentence)
            ]
    return found


def prose_files() -> list[Path]:
    """Return the files whose prose is ours: code, its tests and tools, pages and tables."""
    rooms = ("msbridge", "converters", "mappings", "tests", "tools", "benchmarks", "docs")
    paths = [
        path for room in rooms for kind in ("py", "md", "toml", "html") for path in (ROOT / room).rglob(f"*.{kind}")
    ]
    names = {path.relative_to(ROOT).as_posix(): path for path in [*paths, ROOT / "CONTRIBUTING.md", ROOT / "README.md"]}
    return [path for name, path in sorted(names.items()) if not name.startswith(NO_PROSE)]


def replaced_phrases(path: Path) -> list[str]:
    """Return where the prose of a file uses a phrase that the vocabulary has replaced, as `replaced_words` does."""
    text, is_test = path.read_text(encoding="utf-8"), path.is_relative_to(ROOT / "tests")
    rules = REPLACED_PHRASES if is_test else REPLACED_PHRASES | REPLACED_VERBS
    words, pattern = list(rules.values()), "|".join(f"({phrase})" for phrase in rules).replace(" ", r"\s+")
    return [
        f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, found.start()) + 1}: {found[0]!r}, write {words[index - 1]}"
        for found in re.finditer(pattern, text)
        if (index := found.lastindex)
    ]
