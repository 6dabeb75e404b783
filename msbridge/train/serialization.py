"""Saving and loading checkpoints as MindSpore's files, in MindSpore's words."""

import os
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import torch

from msbridge.converters import CheckpointError, Entry, open_checkpoint
from msbridge.converters.formats import ckpt, encryption, safetensors
from msbridge.converters.tensors.entry import entry
from msbridge.core import context, host
from msbridge.core.parameter import Parameter
from msbridge.core.paths import resolve
from msbridge.core.release import default
from msbridge.core.tensor import Tensor, wrap

FORMATS = ("ckpt", "safetensors")
FLOATS = frozenset([torch.float16, torch.float32, torch.float64, torch.bfloat16])  # cast into each other when loaded
INTEGERS = frozenset([torch.int8, torch.int16, torch.int32, torch.int64])  # unsigned ones are not
SHOWN = 20  # names in a warning
WRITER = "asyn_save_ckpt"  # the name of MindSpore's thread, which scripts look for

Chooser = Callable[[str], bool]
Prefixes = str | Sequence[str] | None

_writer: threading.Thread | None = None


def save_checkpoint(
    save_obj: Any,
    ckpt_file_name: str | os.PathLike,
    integrated_save: bool = True,
    async_save: bool | str = False,
    append_dict: Mapping[str, Any] | None = None,
    enc_key: bytes | None = None,
    enc_mode: str = "AES-GCM",
    choice_func: Chooser | None = None,
    crc_check: bool = False,
    format: str = "ckpt",
    *,
    remove_redundancy: bool | None = None,
    incremental: bool = False,
    global_step_num: int | None = None,
) -> None:
    """Write parameters to a file that the real MindSpore loads, too. The old file is replaced by the complete new one.

    Args:
        save_obj: a Cell, a list of {"name": str, "data": Tensor} or of Parameters, or a dict name → Parameter, Tensor,
            ndarray or str. A name that comes twice keeps the last value.
        ckpt_file_name: the target; its suffix is added when it is missing.
        integrated_save: whether a parameter that is split over devices is put together; nothing is split here.
        async_save: True, "thread" or "process": copy the values and write them in a thread. One write at a time.
        append_dict: more to store: name → int, float, bool, str, Tensor or Parameter.
        enc_key: encrypts the file; 16, 24 or 32 bytes.
        enc_mode: "AES-GCM", "AES-CBC" or "SM4-CBC".
        choice_func: says of each name whether it is saved; None saves all.
        crc_check: whether a check sum is stored.
        format: "ckpt" or "safetensors".
        remove_redundancy: noted in a safetensors file; there is no redundancy in one process.
        incremental: only False; map parameters do not exist here.
        global_step_num: only None; it is for a storage service.

    Raises:
        TypeError: an argument, or an element of `save_obj` or `append_dict`, is of another type.
        ValueError: the format, the mode or the key is not allowed, or an option does not go with the format.
        OSError: the target is a folder or cannot be written.

    Follows: mindspore.save_checkpoint (2.10).
    """
    path = _target(ckpt_file_name, format)
    _check_save_options(integrated_save, async_save, crc_check, enc_key, enc_mode, format)
    _refuse("save_checkpoint", incremental=(incremental, False), global_step_num=(global_step_num, None))
    chosen = choice_func or (lambda name: True)
    values = dict(_named(save_obj, chosen)) | dict(_appended(append_dict))
    entries = [entry(name, _host_value(value)) for name, value in values.items()]
    notes = {} if remove_redundancy is None else {"remove_redundancy": str(remove_redundancy)}

    def write() -> None:
        if format == "safetensors":
            by_name = sorted(entries, key=lambda one: one.name)
            metadata = {"format": "ms"} | notes
            safetensors.write(path, by_name, metadata=metadata, crc_check=crc_check, permissions=ckpt.PERMISSIONS)
            return
        wrap_sink = (lambda sink: encryption.EncryptingSink(sink, enc_key, enc_mode)) if enc_key is not None else None
        ckpt.write(path, entries, crc_check=crc_check, wrap=wrap_sink)

    if not async_save:
        write()
        return
    entries = [_detached(one) for one in entries]
    _write_in_thread(write)


def load_checkpoint(
    ckpt_file_name: str | os.PathLike,
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
) -> dict[str, Parameter | str]:
    """Read a checkpoint, and load it into a Cell when one is given.

    Args:
        ckpt_file_name: a `.ckpt` or safetensors file; which of them it is, its content tells.
        net: the Cell to load into; see `load_param_into_net`.
        strict_load: see `load_param_into_net`.
        filter_prefix: names that begin so are left out.
        dec_key: the key of an encrypted file.
        dec_mode: "AES-GCM", "AES-CBC" or "SM4-CBC".
        specify_prefix: only names that begin so are taken.
        choice_func: says of each name whether it is taken; not asked when one of the prefixes is given.
        crc_check: whether the check sum is compared; a file without one gets a warning.
        remove_redundancy: see `load_param_into_net`.
        format: "ckpt" or "safetensors".

    Returns:
        name → Parameter in the order of the file; a text is a str. Every Parameter has memory of its own.

    Raises:
        TypeError: the file name or a prefix is of another type.
        ValueError: there is no such file, it is damaged or encrypted, or no name is left.

    Follows: mindspore.load_checkpoint (2.10).
    """
    if not isinstance(ckpt_file_name, str | os.PathLike):
        kind = type(ckpt_file_name)
        raise TypeError(f"For 'load_checkpoint', the argument 'ckpt_file_name' must be string, but got {kind}.")
    if format not in FORMATS:
        raise ValueError(f"For 'load_checkpoint', the format must be one of {FORMATS}, got {format!r}.")
    _check_instance("dec_key", dec_key, bytes | None)
    _check_instance("dec_mode", dec_mode, str)
    _check_instance("crc_check", crc_check, bool)
    _check_instance("remove_redundancy", remove_redundancy, bool)
    wanted = _filter(_prefixes(specify_prefix), _prefixes(filter_prefix), choice_func)
    try:
        found = _read(Path(resolve(ckpt_file_name)), wanted, dec_key, dec_mode, crc_check)
    except CheckpointError as error:
        raise CheckpointError(f"For 'load_checkpoint', {error}") from error
    if not found:
        raise ValueError(
            f"The loaded parameter dict is empty: {ckpt_file_name} has no entry that 'filter_prefix', 'specify_prefix' "
            "and 'choice_func' let through."
        )
    if net is not None:
        load_param_into_net(net, found, strict_load, remove_redundancy)
    return found


def load_checkpoint_async(
    ckpt_file_name: str | os.PathLike,
    net: Any = None,
    strict_load: bool = False,
    filter_prefix: Prefixes = None,
    dec_key: bytes | None = None,
    dec_mode: str = "AES-GCM",
    specify_prefix: Prefixes = None,
    choice_func: Chooser | None = None,
) -> "Future[dict[str, Parameter | str]]":
    """Read a checkpoint in a thread; `.result()` waits and gives what `load_checkpoint` gives.

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
    `strict_load`.

    Args:
        net: the Cell.
        parameter_dict: name → Parameter, as `load_checkpoint` gives it; texts are passed over.
        strict_load: refuse other dtypes, where otherwise float is cast to float and int to int.
        remove_redundancy: only False; files without redundancy need several processes.

    Returns:
        (names of the Cell that were not loaded, names of the checkpoint that were not taken); before 2.0 the first.

    Raises:
        TypeError: an argument is of another type.
        RuntimeError: a shape or dtype does not fit. Trailing axes of length one are dropped.

    Follows: mindspore.load_param_into_net (2.10).
    """
    _check_load_arguments(net, parameter_dict, strict_load, remove_redundancy)
    not_loaded, remaining = [], dict.fromkeys(parameter_dict)
    parameters = [parameter for _, parameter in net.parameters_and_names()]
    for parameter in parameters:
        if parameter.name not in parameter_dict:
            if not parameter.name.startswith("accu_grads"):
                not_loaded.append(parameter.name)
        elif isinstance(loaded := parameter_dict[parameter.name], Parameter):
            _update(parameter, loaded, strict_load)
            remaining.pop(parameter.name, None)
    if not strict_load:
        not_loaded = _load_prefixed(parameters, parameter_dict, not_loaded)
    if not_loaded:
        _warn_not_loaded(not_loaded, len(parameters), list(remaining))
    return (not_loaded, list(remaining)) if default("load_param_into_net.returns") == "both" else not_loaded


def async_ckpt_thread_status() -> bool:
    """Whether a checkpoint is being written in a thread.

    Follows: mindspore.async_ckpt_thread_status (2.10).
    """
    return _writer is not None and _writer.is_alive()


# -- saving ------------------------------------------------------------------------------------------------------------


def _target(name: str | os.PathLike, format: str) -> str:
    """Give the absolute path to write, with its suffix."""
    if format not in FORMATS:
        raise ValueError(f"For 'save_checkpoint', the format must be 'safetensors' or 'ckpt', but got {format}.")
    if not isinstance(name, str | os.PathLike):
        raise TypeError(
            f"For 'save_checkpoint', the parameter {name} for checkpoint file name is invalid, 'ckpt_file_name' must "
            f"be string, but got {type(name)}."
        )
    path = os.path.realpath(resolve(name))
    if os.path.isdir(path):  # noqa: PTH112  the path is a string from here on
        raise IsADirectoryError(f"For 'save_checkpoint', the file name {path} is a folder; it must be a file name.")
    return path if path.endswith(format) else f"{path}.{format}"


def _check_save_options(
    integrated_save: bool, async_save: bool | str, crc_check: bool, enc_key: bytes | None, enc_mode: str, format: str
) -> None:
    if not isinstance(integrated_save, bool):
        raise TypeError(f"For 'save_checkpoint', 'integrated_save' must be a bool, but got {type(integrated_save)}.")
    if not isinstance(async_save, bool | str):
        raise TypeError(f"For 'save_checkpoint', 'async_save' must be bool or str, but got {type(async_save)}.")
    if isinstance(async_save, str) and async_save not in ("process", "thread"):
        raise ValueError(
            f"For 'save_checkpoint', 'async_save' can only be 'process' or 'thread', but got {async_save}."
        )
    _check_instance("crc_check", crc_check, bool)
    _check_instance("enc_key", enc_key, bytes | None)
    _check_instance("enc_mode", enc_mode, str)
    if enc_key is None:
        return
    if format == "safetensors":
        raise ValueError("For 'save_checkpoint', 'enc_key' must be None when the format is 'safetensors'.")
    if crc_check:
        raise ValueError(
            "For 'save_checkpoint', crc_check=True does not go with 'enc_key': MindSpore cannot load such a file. "
            "AES-GCM proves by itself that the file is whole."
        )
    try:
        encryption.check_key(enc_key, enc_mode)
    except CheckpointError as error:
        raise CheckpointError(f"For 'save_checkpoint', {error}") from error


def _named(save_obj: Any, chosen: Chooser) -> Iterator[tuple[str, Any]]:
    """Give what is to be saved as (name, value)."""
    if hasattr(save_obj, "parameters_and_names"):
        pairs: Iterable[tuple[Any, Any]] = ((one.name, one) for _, one in save_obj.parameters_and_names())
    elif isinstance(save_obj, dict):
        pairs = save_obj.items()
    elif isinstance(save_obj, list):
        pairs = map(_list_element, save_obj)
    else:
        raise TypeError(
            f"For 'save_checkpoint', the parameter 'save_obj' must be nn.Cell, list or dict, but got {type(save_obj)}."
        )
    for name, value in pairs:
        if not isinstance(name, str) or not (isinstance(value, Tensor | str) or hasattr(value, "__array_interface__")):
            raise TypeError(
                "For 'save_checkpoint', 'save_obj' must map str to Parameter, Tensor, ndarray or str, but got "
                f"{type(name)} ({name!r}) and {type(value)}."
            )
        if chosen(name):
            yield name, value


def _list_element(element: Any) -> tuple[Any, Any]:
    if isinstance(element, Parameter):
        return element.name, element
    if isinstance(element, dict) and "name" in element and isinstance(element.get("data"), Tensor):
        return element["name"], element["data"]
    raise TypeError(
        "For 'save_checkpoint', a list must hold Parameters or dicts {'name': str, 'data': Tensor}, but got "
        f"{type(element)}: {element!r:.200}."
    )


def _appended(append_dict: Mapping[str, Any] | None) -> Iterator[tuple[str, Any]]:
    if append_dict is None:
        return
    if not isinstance(append_dict, dict):
        raise TypeError(f"For 'save_checkpoint', the argument 'append_dict' must be dict, but got {type(append_dict)}.")
    for name, value in append_dict.items():
        if hasattr(value, "get_state"):  # a Generator
            value = value.get_state()
        if not isinstance(name, str) or not isinstance(value, int | float | bool | str | Tensor):
            raise TypeError(
                "For 'save_checkpoint', 'append_dict' must map str to int, float, bool, str, Tensor, Parameter or "
                f"Generator, but got {type(name)} ({name!r}) and {type(value)}."
            )
        yield name, value if isinstance(value, str | Tensor) else Tensor(value)


def _host_value(value: Any) -> torch.Tensor | str:
    if isinstance(value, str):
        return value
    return host.read((value if isinstance(value, Tensor) else Tensor(value))._data)


def _detached(one: Entry) -> Entry:
    """Copy the values, so that training may go on while they are written."""
    return one if one.is_text else entry(one.name, one.tensor(copy=True))


def _write_in_thread(write: Callable[[], None]) -> None:
    global _writer
    if _writer is not None:
        _writer.join()
    _writer = threading.Thread(target=write, name=WRITER)
    _writer.start()


# -- loading -----------------------------------------------------------------------------------------------------------


def _read(path: Path, wanted: Chooser, key: bytes | None, mode: str, crc_check: bool) -> dict[str, Parameter | str]:
    with open_checkpoint(path, key=key, mode=mode, crc_check=crc_check) as checkpoint:
        if checkpoint.format not in FORMATS:
            raise CheckpointError(
                f"{path} is no MindSpore checkpoint; make one of it: msbridge convert {path} NEW.ckpt"
            )
        if crc_check and not checkpoint.has_crc:
            warnings.warn(f"{path} holds no check sum; it was loaded without a check.", stacklevel=4)
        entries = [one for one in checkpoint.entries.values() if wanted(one.name)]
        if checkpoint.format == "safetensors":
            entries.sort(key=lambda one: one.name)
        return {one.name: one.text() if one.is_text else _parameter(one) for one in entries}


def _parameter(one: Entry) -> Parameter:
    return Parameter(wrap(one.tensor().to(context.torch_device())), one.name)


def _prefixes(prefix: Prefixes) -> list[str] | None:
    """Check a prefix or several.

    Raises:
        TypeError: it is neither text nor texts.
        ValueError: one is empty.
    """
    if prefix is None:
        return None
    found = [prefix] if isinstance(prefix, str) else prefix
    if not isinstance(found, list | tuple) or not all(isinstance(one, str) for one in found):
        raise TypeError(
            "For 'load_checkpoint', 'specify_prefix' and 'filter_prefix' must be string, list[string] or "
            f"tuple[string], but got {prefix!r}."
        )
    if "" in found:
        raise ValueError("For 'load_checkpoint', the value of 'specify_prefix' or 'filter_prefix' can't include ''.")
    return list(found)


def _filter(specify: list[str] | None, leave_out: list[str] | None, choice_func: Chooser | None) -> Chooser:
    if specify is None and leave_out is None:
        return choice_func or (lambda name: True)

    def wanted(name: str) -> bool:
        return (not specify or name.startswith(tuple(specify))) and not name.startswith(tuple(leave_out or ()))

    return wanted


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
    if not isinstance(strict_load, bool | int):
        raise TypeError(f"{op} 'strict_load' must be a bool, but got {type(strict_load)}.")
    if remove_redundancy:
        raise TypeError(f"{op} remove_redundancy=True needs several processes with a parallel mode, got stand_alone.")


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


def _load_prefixed(
    parameters: list[Parameter], loaded: dict[str, Any], missing: list[str], strict_load: bool = False
) -> list[str]:
    """Load the parameters that the checkpoint has under a longer name; give the names that stay without values."""
    candidates = [name for name, value in loaded.items() if isinstance(value, Tensor)]
    while missing:
        longer = ((one, name) for one in missing for name in candidates if name.endswith(one))
        short, name = next(longer, ("", ""))
        if not name:
            break
        prefix = name.removesuffix(short)
        warnings.warn(
            f"The checkpoint's names begin with {prefix!r}, the network's do not; loaded without it.", stacklevel=3
        )
        for parameter in parameters:
            if parameter.name in missing and prefix + parameter.name in loaded:
                _update(parameter, loaded[prefix + parameter.name], strict_load)
                missing.remove(parameter.name)
    return missing


def _warn_not_loaded(names: list[str], total: int, unused: list[str]) -> None:
    def listing(some: list[str]) -> str:
        return ", ".join(some[:SHOWN]) + (f" and {len(some) - SHOWN} more" if len(some) > SHOWN else "")

    text = f"{len(names)} of {total} parameters of the network are not in the checkpoint and stay: {listing(names)}."
    if unused:
        text += f" Not taken from the checkpoint: {listing(unused)}."
    warnings.warn(text, stacklevel=3)


# -- both --------------------------------------------------------------------------------------------------------------


def _check_instance(name: str, value: Any, kind: Any) -> None:
    if not isinstance(value, kind):
        raise ValueError(f"The parameter {name!r} must be isinstance of {kind}, but got {value!r}.")


def _refuse(op: str, **options: tuple[Any, Any]) -> None:
    for name, (value, allowed) in options.items():
        if value != allowed:
            raise ValueError(f"For {op!r}, {name} can only be {allowed!r} in msbridge, got {value!r}.")
