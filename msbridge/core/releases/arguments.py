"""Arguments of an earlier release: a function that takes them and hands them on to today's."""

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msbridge.core.releases.rows import Row

_MORE = inspect.Parameter("more", inspect.Parameter.VAR_POSITIONAL)
_LATER = inspect.Parameter("later", inspect.Parameter.VAR_KEYWORD)


def override_arguments(today: Any, arguments: str, rename: Mapping[str, str], is_method: bool = False) -> Any:
    """Return a function, or class of a primitive, with earlier arguments and their defaults.

    Arguments that later releases have are taken, too, and not printed.

    Args:
        today: a function, or a class that `msbridge.ops.primitive.primitive.derive` made.
        arguments: those before, of a method without the first: "x, axis=-1"; `...` represents today's default.
        rename: argument before → today's, where neither name nor position decides; "" for one that has no effect.
        is_method: whether the function is a method.
    """
    if isinstance(today, type):
        return _override_primitive(today, arguments)
    first = next(iter(inspect.signature(today).parameters)) if is_method else ""
    return _override_function(today, ", ".join(filter(None, (first, arguments))), rename)


def signature_of(arguments: str) -> inspect.Signature:
    """Read arguments: "x, axis=-1"."""
    return inspect.signature(eval(f"lambda {arguments}: None", {}))


def today_names(before: inspect.Signature, today: inspect.Signature, rename: Mapping[str, str]) -> dict[str, str]:
    """Return today's name of each argument: `rename`'s, else the same, else that of its position if it is a new one."""
    names = dict(zip(before.parameters, today.parameters, strict=False))
    for name in before.parameters:
        is_same = name in today.parameters or names.get(name, name) in before.parameters
        names[name] = rename.get(name, name if is_same else names[name])
    return names


def map_renamed_arguments(row: Row, today: Callable[..., Any]) -> dict[str, str]:
    """Return today's name of each argument that had another name before a row's change."""
    if row.arguments is None:
        return {}
    names = today_names(signature_of(row.arguments), inspect.signature(today), row.rename)
    return {before: now for before, now in names.items() if before != now}


def _override_function(today: Callable[..., Any], arguments: str, rename: Mapping[str, str]) -> Callable[..., Any]:
    signature = inspect.signature(today)
    before = signature_of(arguments)
    names = today_names(before, signature, rename)
    shown = [_fill_default(each, signature.parameters.get(names[each.name])) for each in before.parameters.values()]
    taken = _open(shown, takes_more=_keeps_places(shown, signature, names))
    handed = _format_call_arguments(taken, signature, names)
    call = eval(f"lambda {_text(taken)}: today({handed})", {"today": today})
    call.__defaults__ = tuple(each.default for each in shown if _is_positional(each) and _has_default(each)) or None
    call.__kwdefaults__ = {each.name: each.default for each in shown if not _is_positional(each) and _has_default(each)}
    functools.wraps(today)(call)
    call.__signature__ = before.replace(parameters=shown)
    return call  # type: ignore[no-any-return]


def _keeps_places(shown: Sequence[inspect.Parameter], today: inspect.Signature, names: Mapping[str, str]) -> bool:
    """Whether all arguments are where today's are, so that those of later releases may follow by position."""
    places = [name for name, each in today.parameters.items() if _is_positional(each)]
    positional = [names[each.name] for each in shown if _is_positional(each)]
    by_name = any(each.kind is each.KEYWORD_ONLY for each in shown)
    return positional == places[: len(positional)] and not by_name


def _open(parameters: Sequence[inspect.Parameter], takes_more: bool) -> inspect.Signature:
    """Return a signature that takes more arguments by keyword, and by position where they can be passed on."""
    kinds = {each.kind for each in parameters}
    more = [_MORE] if takes_more and _MORE.kind not in kinds else []
    later = [] if _LATER.kind in kinds else [_LATER]
    return inspect.Signature(sorted([*parameters, *more, *later], key=lambda each: each.kind))


def _format_call_arguments(taken: inspect.Signature, today: inspect.Signature, names: Mapping[str, str]) -> str:
    """Write the call of today's function: by position as long as the places are the same, else by keyword."""
    places = [name for name, each in today.parameters.items() if _is_positional(each)]
    words, in_order = [], True
    for place, each in enumerate(taken.parameters.values()):
        target = names.get(each.name, each.name)
        if each.kind is each.VAR_POSITIONAL:
            words += [f"*{each.name}"] if in_order else []
        elif each.kind is each.VAR_KEYWORD:
            words.append(f"**{each.name}")
        elif target:
            in_order = in_order and _is_positional(each) and places[place : place + 1] == [target]
            words.append(each.name if in_order else f"{target}={each.name}")
        else:
            in_order = False
    return ", ".join(words)


def _override_primitive(today: Any, arguments: str) -> type:
    """Return a derived primitive whose attributes have other names and defaults."""
    earlier = signature_of(arguments).parameters.values()
    pairs = [
        (each.name if each.name in today.defaults else name, each)
        for name, each in zip(today.defaults, earlier, strict=False)
    ]
    body = {
        "defaults": {
            before.name: before.default if before.default not in (before.empty, ...) else today.defaults[name]
            for name, before in pairs
        },
        "renamed": {before.name: today.renamed.get(name, name) for name, before in pairs},
        "__module__": today.__module__,
        "__doc__": today.__doc__,
    }
    return type(today.__name__, (today,), body)


def _fill_default(before: inspect.Parameter, today: inspect.Parameter | None) -> inspect.Parameter:
    is_open = before.default is ... and today is not None
    return before.replace(default=today.default) if is_open and today else before


def _text(signature: inspect.Signature) -> str:
    """Write parameters; a default is set afterwards, and only its place is held."""
    plain = [
        each.replace(default=None if _has_default(each) else each.empty, annotation=each.empty)
        for each in signature.parameters.values()
    ]
    return str(signature.replace(parameters=plain)).strip("()")


def _is_positional(parameter: inspect.Parameter) -> bool:
    return parameter.kind is parameter.POSITIONAL_OR_KEYWORD


def _has_default(parameter: inspect.Parameter) -> bool:
    return parameter.default is not parameter.empty
