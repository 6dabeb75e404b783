"""The global names that a module's own functions look up."""

import inspect
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType


def globals_used(module: ModuleType) -> set[str]:
    """Return the names that functions look up in a module: those of its file, decorated or not, and others."""
    functions = [value for value in vars(module).values() if isinstance(value, FunctionType)]
    return _find_in([one.__code__ for one in functions if one.__globals__ is vars(module)]) | _find_in_file(module)


@cache
def _find_in_file(module: ModuleType) -> set[str]:
    code = _code_of(module)
    return _find_in([code]) if code else set()


def _find_in(codes: list[CodeType]) -> set[str]:
    for code in codes:  # what is defined inside is appended on the way
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return {name for code in codes if code.co_flags & inspect.CO_OPTIMIZED for name in code.co_names}


def _code_of(module: ModuleType) -> CodeType | None:
    """Return the code of a module's file; None for a module that has no file."""
    spec = module.__spec__
    if spec is None or not spec.has_location or spec.origin is None:
        return None
    if get_code := getattr(spec.loader, "get_code", None):
        return get_code(spec.name)  # type: ignore[no-any-return]
    return compile(Path(spec.origin).read_bytes(), spec.origin, "exec")  # pytest's loader has no `get_code`
