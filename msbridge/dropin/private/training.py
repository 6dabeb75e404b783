"""Private parts of MindSpore's training and checkpoints, which scripts import."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future
from functools import wraps
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from msbridge.core.parameter.parameter import Parameter
from msbridge.core.runtime.path_mapping import StrPath
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.device.streams import synchronize
from msbridge.nn.cell.cell import Cell
from msbridge.train.callbacks import Callback, ModelCheckpoint
from msbridge.train.callbacks.callback import as_callbacks
from msbridge.train.checkpoint.loading import load_param_into_net
from msbridge.train.checkpoint.saving import save_checkpoint

_current: dict[str, Cell | None] = {"net": None}


class _Types(dict[str, Any]):
    """numpy's types by the names of MindSpore's; a dict until 2.2, a function since."""

    def __call__(self, tensor_type_str: str) -> Any:
        return self[tensor_type_str]


_NAMES = [
    *("Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64"),
    *("Float16", "Float32", "Float64", "Bool"),
]
tensor_to_np_type = _Types({name: np.dtype(name.lower()).type for name in _NAMES}, str="U")
tensor_to_ms_type: dict[str, Type] = {
    **{name: getattr(mstype, "bool_" if name == "Bool" else name.lower()) for name in _NAMES},
    "BFloat16": mstype.bfloat16,
    "str": mstype.string,
}


def make_directory(path: str, arg_name: str = "path") -> str:
    """Create a folder for this user only, unless it is there; return its real path.

    Raises:
        TypeError: `path` is not a str, or the folder may not be created.
        ValueError: it is empty.

    Follows: mindspore.train._utils._make_directory (2.10).
    """
    if not isinstance(path, str):
        raise TypeError(f"The folder '{arg_name}' must be a str, got {path!r}.")
    if not path.strip():
        raise ValueError(f"The folder '{arg_name}' must not be empty.")
    folder = Path(path).resolve()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except PermissionError as error:
        raise TypeError(f"The folder '{arg_name}', {folder}, may not be created: {error}") from error
    return str(folder)


def set_cur_net(net: Cell | None) -> None:
    """Keep the network that `checkpoint_cb_for_save_op` fills.

    Follows: mindspore.train.callback._callback.set_cur_net (2.10).
    """
    _current["net"] = net


def checkpoint_cb_for_save_op(parameter_list: list[dict[str, Any]]) -> bool:
    """Fill the network that was kept with parameters; return whether there is one.

    Args:
        parameter_list: dicts with "name" and "data", a Tensor.

    Raises:
        RuntimeError: a parameter has another shape or dtype.

    Follows: mindspore.train.callback._callback.checkpoint_cb_for_save_op (2.10).
    """
    network = _current["net"]
    if network is None:
        return False
    parameters = {row["name"]: Parameter(wrap(row["data"]._data), name=row["name"]) for row in parameter_list}
    load_param_into_net(network, parameters, strict_load=True)
    _current["net"] = None
    return True


def exec_save(
    ckpt_file_name: StrPath,
    data_list: Mapping[str, Sequence[Any]],
    enc_key: bytes | None = None,
    enc_mode: str = "AES-GCM",
    map_param_inc: bool = False,
    crc_check: bool = False,
    format: str = "ckpt",
    remove_redundancy: bool | None = None,
) -> None:
    """Write a checkpoint.

    Args:
        ckpt_file_name: the target.
        data_list: by name, the shape, the name of the type such as "Float32", and the values: an ndarray or bytes.
        enc_key: encrypts the file.
        enc_mode: how.
        map_param_inc: hash tables are saved whole.
        crc_check: whether a checksum is stored.
        format: "ckpt" or "safetensors".
        remove_redundancy: noted in a safetensors file.

    Follows: mindspore.train.serialization._exec_save (2.10).
    """
    values = {name: _value(*row) for name, row in data_list.items()}
    save_checkpoint(
        values,
        ckpt_file_name,
        enc_key=enc_key,
        enc_mode=enc_mode,
        crc_check=crc_check,
        format=format,
        remove_redundancy=remove_redundancy,
        incremental=map_param_inc,
    )


def _value(shape: Sequence[int], kind: str, data: Any) -> Tensor | str:
    if kind == "str":
        return str(data)
    if kind == "BFloat16":
        bits = np.frombuffer(data, np.uint16) if isinstance(data, bytes) else np.asarray(data)
        if bits.dtype == np.uint16:
            bits = (bits.astype(np.uint32) << 16).view(np.float32)
        return Tensor(bits.reshape(_sizes(shape)).astype(np.float32), mstype.bfloat16)
    array = np.frombuffer(data, tensor_to_np_type[kind]) if isinstance(data, bytes) else np.asarray(data)
    return Tensor(array.reshape(_sizes(shape)), tensor_to_ms_type[kind])


def _sizes(shape: Sequence[int]) -> tuple[int, ...]:
    """Return a shape; [0] represents no axis."""
    return () if list(shape) == [0] else tuple(shape)


def get_merged_param_data(*given: Any) -> Tensor:
    """Return a parameter's values, whole: none is split over devices.

    Args:
        given: what the releases put here: network, names and layouts, and among them the values, a Tensor.

    Follows: mindspore.train.serialization._get_merged_param_data (2.10).
    """
    return next(value for value in given if isinstance(value, Tensor))


def special_process_par(par: Parameter, new_par: Parameter) -> bool:
    """Copy a value that has further axes of length 1 behind those of the parameter; return whether it has.

    Follows: mindspore.train.serialization._special_process_par (2.10).
    """
    shape, given = par.shape, new_par.shape
    if len(given) <= len(shape) or set(given[len(shape) :]) != {1}:
        return False
    par.set_data(new_par.reshape(shape).astype(par.dtype))
    return True


def save_graph(network: Cell, file_name: StrPath) -> None:
    """Write nothing: there is no compiled graph of MindSpore's.

    Follows: mindspore.train.serialization._save_graph (2.10), in PyNative mode.
    """


def transfer_tensor_to_tuple(inputs: Any) -> tuple[Any, ...]:
    """Return inputs as a tuple, for a network that is called with `*inputs`.

    Follows: mindspore.train.model._transfer_tensor_to_tuple (2.10).
    """
    return (inputs,) if isinstance(inputs, Tensor) else inputs


def save_final_ckpt(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a training method of a Model: checkpoint callbacks with `exception_save` save when it raises.

    Follows: mindspore.train.model._save_final_ckpt (2.10).
    """

    @wraps(func)
    def train_and_save(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return func(self, *args, **kwargs)
        except BaseException as error:
            for callback in as_callbacks(kwargs.get("callbacks")):
                if isinstance(callback, ModelCheckpoint):  # what has saved already does not save again
                    callback.__exit__(type(error), error, error.__traceback__)
            raise

    return train_and_save


def has_parameter_server() -> bool:
    """Return False: no process is a server of parameters, its scheduler or its worker, and none keeps a cache of them.

    Follows: mindspore.parallel._ps_context._is_role_pserver and its like (1.x to 2.6).
    """
    return False


is_ps_mode = is_role_pserver = is_role_sched = is_role_worker = has_parameter_server
cache_enable = enable_distributed_mindrt = has_parameter_server


def configure_cache_of_server(*settings: object) -> NoReturn:
    """Refuse to configure a parameter server's cache of embeddings, which is not there.

    Raises:
        RuntimeError: always.

    Follows: mindspore.parallel._ps_context._set_cache_enable and its like (1.x to 2.6), without a parameter server.
    """
    raise RuntimeError(
        f"A parameter server's cache of embeddings is not available in msbridge; it was to be set to {settings!r}. "
        "Train without 'vocab_cache_size'."
    )


set_cache_enable = set_cache_size = set_sparse_format = clone_hash_table = configure_cache_of_server
insert_accumu_init_info = insert_weight_init_info = configure_cache_of_server
insert_hash_table_size = reinsert_hash_table_size = configure_cache_of_server


def get_ps_mode_rank() -> int:
    """Return 0, the number of a process without a parameter server.

    Follows: mindspore.parallel._ps_context._get_ps_mode_rank (1.x to 2.6).
    """
    return 0


def reset_op_id() -> None:
    """Do nothing: operators have no numbers.

    Follows: mindspore.parallel._utils._reset_op_id (2.10).
    """


reset_op_id_with_offset = reset_op_id


class StepSync(Callback):
    """Wait at the end of each step until the device has done what was asked of it.

    Follows: mindspore.train.model._StepSync (2.10).
    """

    def step_end(self, run_context: Any) -> None:
        """Wait."""
        synchronize()


_training: dict[str, Any] = {"dataset": None}


def set_training_dataset(dataset: Any) -> None:
    """Keep the data set, or its helper, that is being trained on.

    Follows: mindspore.dataset.engine.datasets._set_training_dataset (2.10).
    """
    _training["dataset"] = dataset


def get_training_dataset() -> Any:
    """Return the dataset that was kept last, or None.

    Follows: mindspore.dataset.engine.datasets._get_training_dataset (2.10).
    """
    return _training["dataset"]


class ParamDictFuture:
    """A checkpoint that is being read in a thread.

    Args:
        executor: whose thread reads it.
        param_dict_future: what `executor.submit` returned.

    Follows: mindspore.train.serialization.ParamDictFuture (2.10).
    """

    def __init__(self, executor: Executor, param_dict_future: "Future[dict[str, Any]]") -> None:
        self.executor = executor
        self.param_dict_future = param_dict_future

    def result(self) -> dict[str, Any]:
        """Wait for the parameters, and end the thread."""
        found = self.param_dict_future.result()
        self.executor.shutdown()
        return found
