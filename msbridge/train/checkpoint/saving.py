"""Saving checkpoints as MindSpore's files, in MindSpore's words."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import torch

from msbridge.converters import CheckpointError, Entry
from msbridge.converters.formats import ckpt, encryption, safetensors
from msbridge.converters.tensors.entry import entry
from msbridge.core.checks.arguments import boolean, instance, one_of
from msbridge.core.checks.no_effect_warnings import without_meaning
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.runtime import device_to_host
from msbridge.core.runtime.path_mapping import StrPath, resolve
from msbridge.core.tensor.tensor import Tensor
from msbridge.train.checkpoint import background_saving

__all__ = ["async_ckpt_thread_status", "save_checkpoint"]

FORMATS = ("ckpt", "safetensors")

Chooser = Callable[[str], bool]


def save_checkpoint(
    save_obj: Any,
    ckpt_file_name: StrPath,
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
    **kwargs: Any,
) -> None:
    """Write parameters to a file that the real MindSpore loads, too. The old file is replaced by the complete new one.

    Args:
        save_obj: a Cell, a list of {"name": str, "data": Tensor} or of Parameters, or a dict name → Parameter, Tensor,
            ndarray or str. A name that comes twice keeps the last value.
        ckpt_file_name: the target; its suffix is added when it is missing.
        integrated_save: whether a parameter that is divided over processes is put together, for which all of them call
            this; else each saves its part.
        async_save: True, "thread" or "process": copy the values and write them in a thread, one file at a time. What
            fails there is raised by the next save or at the end of `Model.train`, and else said when Python ends.
        append_dict: more to store: name → int, float, bool, str, Tensor or Parameter.
        enc_key: encrypts the file; 16, 24 or 32 bytes.
        enc_mode: "AES-GCM", "AES-CBC" or "SM4-CBC".
        choice_func: says of each name whether it is saved; None saves all.
        crc_check: whether a checksum is stored.
        format: "ckpt" or "safetensors".
        remove_redundancy: noted in a safetensors file; there is no redundancy in one process.
        incremental: only False; map parameters do not exist here.
        global_step_num: only None; it is for a storage service.
        kwargs: nothing; MindSpore takes every further keyword, a warning names them here.

    Raises:
        TypeError: an argument, or an element of `save_obj` or `append_dict`, is of another type.
        ValueError: the format, the mode or the key is not allowed, or an option does not go with the format.
        OSError: the target is a folder or cannot be written.

    Examples:
        >>> ms.save_checkpoint(nn.Dense(2, 3), "net.ckpt")
        >>> sorted(ms.load_checkpoint("net.ckpt"))
        ['bias', 'weight']

    Follows: mindspore.save_checkpoint (2.10).
    """
    without_meaning("save_checkpoint", kwargs)
    _refuse("save_checkpoint", incremental=(incremental, False), global_step_num=(global_step_num, None))
    path, write = writing(
        save_obj,
        ckpt_file_name,
        integrated_save,
        async_save,
        append_dict,
        enc_key,
        enc_mode,
        choice_func,
        crc_check,
        format,
        remove_redundancy,
    )
    background_saving.perform(path, write, in_thread=bool(async_save))
    background_saving.raise_failure(but_last=bool(async_save))


def writing(
    save_obj: Any,
    name: StrPath,
    integrated_save: bool,
    async_save: bool | str,
    append_dict: Mapping[str, Any] | None,
    enc_key: bytes | None,
    enc_mode: str,
    choice_func: Chooser | None,
    crc_check: bool,
    format: str,
    remove_redundancy: bool | None = None,
) -> tuple[str, Callable[[], None]]:
    """Check the arguments of `save_checkpoint`; return the file and what writes it, with the values of now."""
    path = _target(name, format)
    _check_save_options(integrated_save, async_save, crc_check, enc_key, enc_mode, format)
    chosen = choice_func or (lambda name: True)
    values = dict(_name_values(save_obj, chosen)) | dict(_convert_append_dict(append_dict))
    entries = [entry(name, _host_value(value, integrated_save)) for name, value in values.items()]
    if async_save:
        entries = [_detach(one) for one in entries]
    notes = {} if remove_redundancy is None else {"remove_redundancy": str(remove_redundancy)}

    def write() -> None:
        if format == "safetensors":
            by_name = sorted(entries, key=lambda one: one.name)
            metadata = {"format": "ms"} | notes
            safetensors.write(path, by_name, metadata=metadata, crc_check=crc_check, permissions=ckpt.PERMISSIONS)
            return
        wrap_sink = (lambda sink: encryption.EncryptingSink(sink, enc_key, enc_mode)) if enc_key is not None else None
        ckpt.write(path, entries, crc_check=crc_check, wrap=wrap_sink)

    return path, write


def async_ckpt_thread_status() -> bool:
    """Whether a checkpoint is being written in a thread.

    Returns:
        A bool.

    Follows: mindspore.async_ckpt_thread_status (2.10).
    """
    return background_saving.is_running()


def check_parameter(name: str, value: Any, kind: Any) -> None:
    """Raise ValueError unless an option is an instance of a type."""
    if not isinstance(value, kind):
        raise ValueError(f"The parameter {name!r} must be isinstance of {kind}, but got {value!r}.")


def _target(name: StrPath, format: str) -> str:
    """Return the absolute path to write, with its suffix."""
    one_of(format, "format", "save_checkpoint", FORMATS)
    if not isinstance(name, str | os.PathLike):
        raise TypeError(
            f"For 'save_checkpoint', the parameter {name} for checkpoint file name is invalid, 'ckpt_file_name' must "
            f"be string, but got {type(name)}."
        )
    path = os.path.realpath(resolve(name))
    if os.path.isdir(path):  # noqa: PTH112  the path is a string from here on
        raise IsADirectoryError(f"For 'save_checkpoint', the file name {path} is a folder; it must be a file name.")
    return _with_suffix(path, format)


def _with_suffix(path: str, format: str) -> str:
    return path if path.endswith(format) else f"{path}.{format}"


def _check_save_options(
    integrated_save: bool, async_save: bool | str, crc_check: bool, enc_key: bytes | None, enc_mode: str, format: str
) -> None:
    boolean(integrated_save, "integrated_save", "save_checkpoint")
    instance(async_save, "async_save", "save_checkpoint", (bool, str))
    if isinstance(async_save, str) and async_save not in ("process", "thread"):
        raise ValueError(
            f"For 'save_checkpoint', 'async_save' can only be 'process' or 'thread', but got {async_save}."
        )
    check_parameter("crc_check", crc_check, bool)
    check_parameter("enc_key", enc_key, bytes | None)
    check_parameter("enc_mode", enc_mode, str)
    if enc_key is None:
        return
    if format == "safetensors":
        raise ValueError("For 'save_checkpoint', 'enc_key' must be None when the format is 'safetensors'.")
    if crc_check:
        raise ValueError(
            "For 'save_checkpoint', crc_check=True does not go with 'enc_key': MindSpore cannot load the file. "
            "AES-GCM proves by itself that the file is whole."
        )
    try:
        encryption.check_key(enc_key, enc_mode)
    except CheckpointError as error:
        raise ValueError(f"For 'save_checkpoint', {error}") from error


def _name_values(save_obj: Any, chosen: Chooser) -> Iterator[tuple[str, Any]]:
    """Yield the values to save as (name, value)."""
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


def _convert_append_dict(append_dict: Mapping[str, Any] | None) -> Iterator[tuple[str, Any]]:
    if append_dict is None:
        return
    instance(append_dict, "append_dict", "save_checkpoint", dict)
    for name, value in append_dict.items():
        if hasattr(value, "get_state"):  # a Generator
            value = value.get_state()
        if not isinstance(name, str) or not isinstance(value, int | float | bool | str | Tensor):
            raise TypeError(
                "For 'save_checkpoint', 'append_dict' must map str to int, float, bool, str, Tensor, Parameter or "
                f"Generator, but got {type(name)} ({name!r}) and {type(value)}."
            )
        yield name, value if isinstance(value, str | Tensor) else Tensor(value)


def _host_value(value: Any, is_whole: bool) -> torch.Tensor | str:
    if isinstance(value, str):
        return value
    data = (value if isinstance(value, Tensor) else Tensor(value))._data
    return device_to_host.read(device_to_host.whole_of(data) if is_whole else data)


def _detach(one: Entry) -> Entry:
    """Copy the values, so that training may continue while they are written."""
    return one if one.is_text else entry(one.name, one.tensor(copy=True))


def _refuse(op: str, **options: tuple[Any, Any]) -> None:
    for name, (value, allowed) in options.items():
        if value != allowed:
            raise ValueError(f"For {op!r}, {name} can only be {allowed!r} in msbridge, got {value!r}.")
