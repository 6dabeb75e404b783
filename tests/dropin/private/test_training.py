"""What libraries import from the private parts of training; the values are those of MindSpore 2.10."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import msbridge as ms
from msbridge import Parameter, Tensor, nn
from msbridge.dropin.private import training as private
from msbridge.train.callbacks import CallbackManager, LambdaCallback, RunContext


def test_values_are_written_by_their_types(tmp_path: Path) -> None:
    path = tmp_path / "a.ckpt"
    floats = np.arange(4, dtype=np.float32)
    half = (floats.view(np.uint32) >> 16).astype(np.uint16)
    rows = {
        "x": [[2, 2], "Float32", floats],
        "y": [[0], "str", np.array("abc")],
        "z": [[1], "Int32", np.array([3], np.int32).tobytes()],
        "b": [[4], "BFloat16", half.tobytes()],
    }
    private.exec_save(str(path), rows)
    found = ms.load_checkpoint(str(path))
    np.testing.assert_array_equal(found["x"].asnumpy(), [[0, 1], [2, 3]])
    assert (found["y"], found["z"].asnumpy().tolist(), found["b"].dtype) == ("abc", [3], ms.bfloat16)
    assert found["b"].astype(ms.float32).asnumpy().tolist() == [0, 1, 2, 3]


def test_types_are_found_by_name() -> None:
    assert private.tensor_to_ms_type["Float32"] == ms.float32
    assert private.tensor_to_np_type["Bool"] is np.bool_
    assert private.tensor_to_np_type("Int64") is np.int64


def test_a_kept_network_is_filled() -> None:
    network = nn.Dense(1, 1, has_bias=False)
    rows = [{"name": "weight", "data": Tensor([[2.0]])}]
    assert not private.checkpoint_cb_for_save_op(rows)
    private.set_cur_net(network)
    assert private.checkpoint_cb_for_save_op(rows)
    assert network.weight.asnumpy().tolist() == [[2.0]]
    assert not private.checkpoint_cb_for_save_op(rows)


def test_parameters_are_whole() -> None:
    data = Tensor([1.0])
    assert private.get_merged_param_data(nn.Dense(1, 1), "weight", data, True) is data
    assert private.get_merged_param_data(nn.Dense(1, 1), {}, "weight", data, True) is data


def test_axes_of_length_1_behind_are_taken_off() -> None:
    parameter = Parameter(Tensor([0.0, 0.0]))
    assert private.special_process_par(parameter, Parameter(Tensor([[1.0], [2.0]])))
    assert parameter.asnumpy().tolist() == [1.0, 2.0]
    assert not private.special_process_par(parameter, Parameter(Tensor([[1.0, 2.0]])))


def test_inputs_become_a_tuple() -> None:
    x = Tensor([1.0])
    assert private.transfer_tensor_to_tuple(x) == (x,)
    assert private.transfer_tensor_to_tuple((x, x)) == (x, x)


def test_callbacks_are_called_together() -> None:
    seen: list[str] = []
    hooks = {name: lambda _, name=name: seen.append(name) for name in ("on_train_begin", "on_eval_step_end")}
    with CallbackManager([LambdaCallback(**hooks)]) as callbacks:
        callbacks.on_train_begin(RunContext({}))
        callbacks.begin(RunContext({}))
        callbacks.on_eval_step_end(RunContext({}))
    assert seen == ["on_train_begin", "on_eval_step_end"]


@pytest.mark.usefixtures("mindspore_is_msbridge")
def test_the_names_are_where_scripts_look_for_them() -> None:
    from mindspore.train.amp import AMP_BLACK_LIST, AMP_WHITE_LIST, _OutputTo16
    from mindspore.train.callback import _CallbackManager, _checkpoint_cb_for_save_op, _set_cur_net
    from mindspore.train.callback._callback import set_cur_net
    from mindspore.train.callback._checkpoint import CheckpointManager, _chg_ckpt_file_name_if_same_exist
    from mindspore.train.model import _transfer_tensor_to_tuple
    from mindspore.train.serialization import _exec_save, _get_merged_param_data, tensor_to_np_type

    assert nn.Conv2d in AMP_WHITE_LIST
    assert nn.LayerNorm in AMP_BLACK_LIST
    assert _set_cur_net is set_cur_net is private.set_cur_net
    assert _CallbackManager is CallbackManager
    assert all((_OutputTo16, _checkpoint_cb_for_save_op, CheckpointManager, _chg_ckpt_file_name_if_same_exist))
    assert all((_transfer_tensor_to_tuple, _exec_save, _get_merged_param_data, tensor_to_np_type))


@pytest.mark.usefixtures("mindspore_is_msbridge")
def test_a_folder_for_callbacks(tmp_path: Path) -> None:
    from mindspore.train._utils import _make_directory

    assert _make_directory(str(tmp_path / "a" / ".." / "b")) == str(tmp_path / "b")
    assert (tmp_path / "b").stat().st_mode & 0o777 == 0o700
    for path, error in ((3, TypeError), (None, TypeError), (" ", ValueError)):
        with pytest.raises(error, match="folder"):
            _make_directory(path)


def test_a_checkpoint_that_is_read_in_a_thread_ends_its_thread() -> None:
    executor = ThreadPoolExecutor(max_workers=1)
    future = private.ParamDictFuture(executor, executor.submit(lambda: {"a": 1}))
    assert future.result() == {"a": 1}
    with pytest.raises(RuntimeError, match="shutdown"):
        executor.submit(print)


@pytest.mark.usefixtures("mindspore_is_msbridge")
def test_a_loop_of_a_script_finds_what_the_models_has() -> None:
    from mindspore import nn
    from mindspore.common.initializer import _init_random_normal, _init_random_uniform, _init_truncated_normal
    from mindspore.dataset.core.validator_helpers import INT32_MAX
    from mindspore.dataset.engine.datasets import _get_training_dataset, _set_training_dataset
    from mindspore.dataset.transforms.validators import check_random_transform_ops
    from mindspore.numpy.utils import _to_tensor
    from mindspore.numpy.utils_const import _raise_value_error
    from mindspore.ops.function.nn_func import _get_cache_prim, _innner_log_softmax
    from mindspore.train._utils import check_value_type
    from mindspore.train.callback import Callback
    from mindspore.train.metrics.metric import EvaluationBase
    from mindspore.train.model import _StepSync

    _set_training_dataset("here")
    assert _get_training_dataset() == "here"
    assert isinstance(_StepSync(), Callback)
    assert _StepSync().step_end(None) is None
    assert INT32_MAX == 2**31 - 1
    assert isinstance(nn.Accuracy(), EvaluationBase)
    assert isinstance(nn.Precision(), EvaluationBase)
    assert all((check_random_transform_ops, _to_tensor, _raise_value_error, _get_cache_prim, _innner_log_softmax))
    with pytest.raises(TypeError, match="model"):
        check_value_type("model", 3, nn.Cell)
    evenly, bell, cut = (
        _init_random_uniform(1.0, 3.0, (1000,)),
        _init_random_normal(2.0, 0.5, (1000,)),
        _init_truncated_normal(-1.0, 1.0, 0.0, 1.0, (1000,)),
    )
    assert (evenly.min() >= 1, evenly.max() < 3, evenly.dtype) == (True, True, np.float32)
    assert abs(bell.mean() - 2) < 0.1
    assert abs(bell.std() - 0.5) < 0.1
    assert (abs(cut).max() <= 1, cut.std() > 0.4) == (True, True)


@pytest.mark.usefixtures("mindspore_is_msbridge")
def test_a_metric_of_a_script_checks_shapes_and_values() -> None:
    from mindspore.nn.metrics.metric import EvaluationBase

    class Hits(EvaluationBase):
        def clear(self) -> None: ...
        def update(self, *inputs: object) -> None: ...
        def eval(self) -> None: ...

    scores, classes = np.zeros((2, 3)), np.zeros(2)
    one, several = Hits("classification"), Hits("multilabel")
    one._check_shape(scores, classes)
    several._check_value(scores, scores)
    for bad in (scores, np.zeros(3)):
        with pytest.raises(ValueError, match="classification"):
            one._check_shape(scores, bad)
    with pytest.raises(ValueError, match="multilabel"):
        several._check_shape(scores, np.zeros((2, 2)))
    with pytest.raises(ValueError, match="0 or 1"):
        several._check_value(scores + 0.5, scores)
    with pytest.raises(TypeError, match="eval_type"):
        Hits("neither")
