"""Loading MindSpore's checkpoints into Parameters and Cells, in MindSpore's words."""

import os
import warnings
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import torch

from msbridge.converters import CheckpointError, Entry, open_checkpoint
from msbridge.converters.tensors.packed_recurrent import find_packed_lstms
from msbridge.core.checks.arguments import boolean, one_of
from msbridge.core.context import context
from msbridge.core.parameter.parameter import Parameter, adopt
from msbridge.core.releases.rows import Default
from msbridge.core.runtime.path_mapping import StrPath, resolve
from msbridge.core.runtime.printable import printable
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.train.checkpoint import background_saving
from msbridge.train.checkpoint.saving import FORMATS, Chooser, check_parameter
from msbridge.train.loop import resuming

__all__ = ["load_checkpoint", "load_checkpoint_async", "load_param_into_net"]

FLOATS = frozenset([torch.float16, torch.float32, torch.float64, torch.bfloat16])  # cast into each other when loaded
INTEGERS = frozenset([torch.int8, torch.int16, torch.int32, torch.int64])  # unsigned ones are not
MAX_NAMES_SHOWN = 20  # names in a warning

Prefixes = str | Sequence[str] | None
_RESULT = Default("train.load_param_into_net", "both")


def load_checkpoint(
    ckpt_file_name: StrPath,
    net: Any = None,
    strict_load: bool = False,
    filter_prefix: Prefixes = None,
    dec_key: bytes | None = None,
    dec_mode: str = "AES-GCM",
    specify_prefix: Prefixes = None,
    choice_func: Chooser | None = None,
    crc_check: bool = False,
    remove_redundancy: bool = False,
    format: str = "ckpt",
) -> dict[str, Any]:
    """Read a checkpoint, and load it into a Cell when one is given.

    Args:
        ckpt_file_name: a `.ckpt` or safetensors file; its content decides which. One that this process is
            writing in a thread is waited for.
        net: the Cell to load into; see `load_param_into_net`.
        strict_load: see `load_param_into_net`.
        filter_prefix: names that begin so are left out.
        dec_key: the key of an encrypted file.
        dec_mode: "AES-GCM", "AES-CBC" or "SM4-CBC".
        specify_prefix: only names that begin so are taken.
        choice_func: says of each name whether it is taken; not asked when one of the prefixes is given.
        crc_check: whether the checksum is compared; a file without one gets a warning.
        remove_redundancy: see `load_param_into_net`.
        format: "ckpt" or "safetensors".

    Returns:
        name → Parameter in the order of the file; a text is a str. Every Parameter has memory of its own.

    Raises:
        TypeError: the file name or a prefix is of another type.
        ValueError: there is no such file, it is damaged or encrypted, or no name is left.

    Examples:
        >>> ms.save_checkpoint(nn.Dense(2, 3), "net.ckpt")
        >>> {name: value.shape for name, value in ms.load_checkpoint("net.ckpt").items()}
        {'weight': (3, 2), 'bias': (3,)}

    Follows: mindspore.load_checkpoint (2.10).
    """
    _check_name(ckpt_file_name)
    one_of(format, "format", "load_checkpoint", FORMATS)
    check_parameter("dec_key", dec_key, bytes | None)
    check_parameter("dec_mode", dec_mode, str)
    check_parameter("crc_check", crc_check, bool)
    check_parameter("remove_redundancy", remove_redundancy, bool)
    _check_decryption(format, dec_key, dec_mode)
    wanted = _filter(_prefixes(specify_prefix), _prefixes(filter_prefix), choice_func)
    path = resolve(ckpt_file_name)
    background_saving.wait(path)
    try:
        parameters = _read(Path(path), wanted, dec_key, dec_mode, crc_check)
    except CheckpointError as error:
        raise ValueError(f"For 'load_checkpoint', {error}") from error
    if not parameters:
        raise ValueError(
            f"The loaded parameter dict is empty: {ckpt_file_name} has no entry that 'filter_prefix', 'specify_prefix' "
            "and 'choice_func' let through."
        )
    if net is not None:
        load_param_into_net(net, parameters, strict_load, remove_redundancy)
    return parameters


def _check_decryption(format: str, dec_key: bytes | None, dec_mode: str) -> None:
    for name, value, default in (("dec_key", dec_key, None), ("dec_mode", dec_mode, "AES-GCM")):
        if format == "safetensors" and value != default:
            raise ValueError(f"For 'load_checkpoint', {name!r} must be {default!r} when the format is 'safetensors'.")


def _check_name(ckpt_file_name: Any) -> None:
    if not isinstance(ckpt_file_name, str | os.PathLike):
        kind = type(ckpt_file_name)
        raise TypeError(f"For 'load_checkpoint', the argument 'ckpt_file_name' must be string, but got {kind}.")


def load_checkpoint_async(
    ckpt_file_name: StrPath,
    net: Any = None,
    strict_load: bool = False,
    filter_prefix: Prefixes = None,
    dec_key: bytes | None = None,
    dec_mode: str = "AES-GCM",
    specify_prefix: Prefixes = None,
    choice_func: Chooser | None = None,
) -> "Future[dict[str, Any]]":
    """Read a checkpoint in a thread; `.result()` waits and returns what `load_checkpoint` returns.

    Args:
        ckpt_file_name: as in `load_checkpoint`, like all others.
        net: the Cell to load into.
        strict_load: whether dtypes have to be the same.
        filter_prefix: names that begin so are left out.
        dec_key: the key of an encrypted file.
        dec_mode: "AES-GCM", "AES-CBC" or "SM4-CBC".
        specify_prefix: only names that begin so are taken.
        choice_func: says of each name whether it is taken.

    Returns:
        A future of the dict: name → Parameter.

    Follows: mindspore.load_checkpoint_async (2.10).
    """
    executor = ThreadPoolExecutor(max_workers=1)
    future = executor.submit(
        load_checkpoint, ckpt_file_name, net, strict_load, filter_prefix, dec_key, dec_mode, specify_prefix, choice_func
    )
    executor.shutdown(wait=False)
    return future


def load_param_into_net(
    net: Any, parameter_dict: dict[str, Any], strict_load: bool = False, remove_redundancy: bool = False
) -> Any:
    """Copy loaded parameters into the parameters of a Cell that have the same names.

    A name that the checkpoint has with a prefix more (`backbone.fc.bias` for `fc.bias`) is found too, unless
    `strict_load`. An LSTM takes its weights in the form of another release too: r1.x keeps them in one tensor, in the
    order of `device_target`.

    Args:
        net: the Cell.
        parameter_dict: name → Parameter, as `load_checkpoint` returns it; texts are passed over.
        strict_load: refuse other dtypes, where otherwise float is cast to float and int to int.
        remove_redundancy: only False; files without redundancy need several processes.

    Returns:
        (names of the Cell that were not loaded, names of the checkpoint that were not taken); before 2.0 the first.

    Raises:
        TypeError: an argument is of another type.
        RuntimeError: a shape or dtype does not fit. Trailing axes of length one are dropped.

    Examples:
        >>> net, other = nn.Dense(2, 3), nn.Dense(2, 3)
        >>> ms.load_param_into_net(other, net.parameters_dict())
        ([], [])
        >>> bool((net.weight == other.weight).all())
        True

    Follows: mindspore.load_param_into_net (2.10).
    """
    _check_load_arguments(net, parameter_dict, strict_load, remove_redundancy)
    resuming.remember(net, parameter_dict)
    not_loaded, remaining = [], dict.fromkeys(name for name in parameter_dict if name != resuming.ENTRY)
    parameters = [parameter for _, parameter in net.parameters_and_names()]
    parameter_dict, formerly = _repack_lstms(parameters, parameter_dict)
    for name in formerly:
        remaining.pop(name, None)
    for parameter in parameters:
        if parameter.name not in parameter_dict:
            if not parameter.name.startswith("accu_grads"):
                not_loaded.append(parameter.name)
        elif isinstance(loaded := parameter_dict[parameter.name], Parameter):
            _update(parameter, loaded, strict_load)
            remaining.pop(parameter.name, None)
    renamed = set() if strict_load else load_prefixed(parameters, parameter_dict, not_loaded)
    if not_loaded:
        _warn_not_loaded(not_loaded, len(parameters), [name for name in remaining if name not in renamed])
    return (not_loaded, list(remaining)) if _RESULT.value == "both" else not_loaded


def _read(path: Path, wanted: Chooser, key: bytes | None, mode: str, crc_check: bool) -> dict[str, Any]:
    with open_checkpoint(path, key=key, mode=mode, crc_check=crc_check) as checkpoint:
        if checkpoint.format not in FORMATS:
            raise CheckpointError(
                f"{path} is not a MindSpore checkpoint; make one of it: msbridge convert {path} NEW.ckpt"
            )
        if crc_check and not checkpoint.has_crc:
            warnings.warn(f"{path} holds no checksum; it was loaded without a check.", stacklevel=4)
        entries = [one for one in checkpoint.entries.values() if wanted(one.name)]
        if checkpoint.format == "safetensors":
            entries.sort(key=lambda one: one.name)
        return {one.name: one.text() if one.is_text else read_parameter(one) for one in entries}


def read_parameter(entry: Entry) -> Parameter:
    """Return the parameter of an entry, on the context's device."""
    device = context.torch_device()
    # What stays on the host is read to where it stays; other devices copy from the file's mapping.
    return adopt(entry.tensor(copy=device.type == "cpu").to(device), entry.name)


def _prefixes(prefix: Prefixes) -> list[str] | None:
    """Check a prefix or several.

    Raises:
        TypeError: it is neither text nor texts.
        ValueError: one is empty, or there is none.
    """
    if prefix is None:
        return None
    prefixes = [prefix] if isinstance(prefix, str) else prefix
    if isinstance(prefixes, list | tuple) and not prefixes:
        raise ValueError(
            "For 'load_checkpoint', a list or tuple of 'specify_prefix' or 'filter_prefix' can't be empty."
        )
    if not isinstance(prefixes, list | tuple) or not all(isinstance(one, str) for one in prefixes):
        raise TypeError(
            "For 'load_checkpoint', 'specify_prefix' and 'filter_prefix' must be string, list[string] or "
            f"tuple[string], but got {prefix!r}."
        )
    if "" in prefixes:
        raise ValueError("For 'load_checkpoint', the value of 'specify_prefix' or 'filter_prefix' can't include ''.")
    return list(prefixes)


def _filter(specify: list[str] | None, leave_out: list[str] | None, choice_func: Chooser | None) -> Chooser:
    if specify is None and leave_out is None:
        if not callable(choice_func or str):
            raise ValueError(f"For 'load_checkpoint', 'choice_func' must be a function, but got {choice_func!r}.")
        return choice_func or (lambda name: True)

    def is_selected(name: str) -> bool:
        return (not specify or name.startswith(tuple(specify))) and not name.startswith(tuple(leave_out or ()))

    return is_selected


def _check_load_arguments(net: Any, parameter_dict: Any, strict_load: Any, remove_redundancy: Any) -> None:
    op = "For 'load_param_into_net',"
    if not hasattr(net, "parameters_and_names"):
        raise TypeError(f"{op} the argument 'net' should be a Cell, but got {type(net)}.")
    if not isinstance(parameter_dict, dict):
        raise TypeError(f"{op} the argument 'parameter_dict' should be a dict, but got {type(parameter_dict)}.")
    for name, value in parameter_dict.items():
        if not isinstance(name, str) or not isinstance(value, Parameter | str | list):
            raise TypeError(
                f"{op} 'parameter_dict' should map 'str' to 'Parameter', but got {type(name)} ({name!r}) and "
                f"{type(value)}."
            )
    boolean(strict_load, "strict_load", "load_param_into_net")
    check_parameter("remove_redundancy", remove_redundancy, bool)
    if remove_redundancy:
        raise TypeError(f"{op} remove_redundancy=True needs several processes with a parallel mode, got stand_alone.")


def _repack_lstms(parameters: list[Parameter], loaded: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Add the weights of LSTMs in the form that the network has; return also the names of what they are made of."""
    given = {name: one.shape for name, one in loaded.items() if isinstance(one, Parameter)}
    used: list[str] = []
    for packed in find_packed_lstms(
        {one.name: one.shape for one in parameters}, given, context.get_context("device_target") == "GPU"
    ):
        if not used:
            warnings.warn(f"{packed.sources[0]} is in the form of another release; it was changed.", stacklevel=3)
            loaded = dict(loaded)
        made = packed.operation.apply([loaded[name]._data.detach() for name in packed.sources])
        loaded |= {name: adopt(tensor, name) for name, tensor in zip(packed.targets, made, strict=True)}
        used += packed.sources
    return loaded, used


def _update(parameter: Parameter, loaded: Parameter, strict_load: bool) -> None:
    """Copy the values of a loaded parameter into one of the network."""
    shape, given = parameter.shape, loaded.shape
    if shape != given and (given[: len(shape)] != shape or set(given[len(shape) :]) != {1}):
        raise RuntimeError(
            f"For 'load_param_into_net', {parameter.name} in the argument 'net' should have the same shape as in the "
            f"argument 'parameter_dict', but it has shape {shape} in the argument 'net' and shape {given} in the "
            "argument 'parameter_dict'. Is it the checkpoint of another variant of the network?"
        )
    kinds = {parameter._data.dtype, loaded._data.dtype}
    if len(kinds) > 1 and (strict_load or not (kinds <= FLOATS or kinds <= INTEGERS)):
        raise RuntimeError(
            f"For 'load_param_into_net', {parameter.name} in the argument 'net' should have the same type as in the "
            f"argument 'parameter_dict', but it has type {parameter.dtype} in the argument 'net' and type "
            f"{loaded.dtype} in the argument 'parameter_dict'."
        )
    parameter.set_data(wrap(loaded._data.detach().reshape(shape)))


def load_prefixed(
    parameters: list[Parameter], loaded: dict[str, Any], missing: list[str], strict_load: bool = False
) -> set[str]:
    """Load the parameters that the checkpoint has under a longer name; return these longer names.

    Args:
        parameters: of the network.
        loaded: the checkpoint.
        missing: names of the network that the checkpoint does not have; those that it has with a prefix are taken out.
        strict_load: refuse other dtypes.
    """
    left, taken = dict.fromkeys(missing), set[str]()
    first, behind = _longer_names(loaded, left)
    positions = {parameter.name: number for number, parameter in enumerate(parameters)}
    for short in missing:
        if short not in left or short not in first:
            continue
        prefix = first[short]
        warnings.warn(
            f"The checkpoint's names begin with {prefix!r}, the network's do not; loaded without it.", stacklevel=3
        )
        found = behind[prefix] & left.keys()
        for name in sorted(found & positions.keys(), key=positions.__getitem__):
            _update(parameters[positions[name]], loaded[prefix + name], strict_load)
        for name in found:
            del left[name]
            taken.add(prefix + name)
    missing[:] = left
    return taken


def _longer_names(loaded: dict[str, Any], names: dict[str, None]) -> tuple[dict[str, str], dict[str, set[str]]]:
    """Return the prefix that the checkpoint has first for each of these names, and each prefix's names."""
    lengths = {len(name) for name in names} - {0}
    first: dict[str, str] = {}
    behind: dict[str, set[str]] = {}
    for longer, value in loaded.items():
        for length in lengths if isinstance(value, Tensor) and longer != resuming.ENTRY else ():
            prefix, short = longer[:-length], longer[-length:]
            if short in names:
                first.setdefault(short, prefix)
                behind.setdefault(prefix, set()).add(short)
    return first, behind


def _warn_not_loaded(names: list[str], total: int, unused: list[str]) -> None:
    def listing(some: list[str]) -> str:
        return printable(", ".join(some[:MAX_NAMES_SHOWN])) + (
            f" and {len(some) - MAX_NAMES_SHOWN} more" if len(some) > MAX_NAMES_SHOWN else ""
        )

    text = f"{len(names)} of {total} parameters of the network are not in the checkpoint and stay: {listing(names)}."
    if unused:
        text += f" Not taken from the checkpoint: {listing(unused)}."
    warnings.warn(text, stacklevel=3)
