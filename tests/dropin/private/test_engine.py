"""What libraries import from the engine's private modules; the values are those of MindSpore 2.10."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Parameter, Tensor, nn, ops
from msbridge.dropin.private.engine import (
    AmpDecorator,
    AmpLevel,
    HookType,
    _random_normal,
    _random_uniform,
    _truncated_normal,
    auto_black_list,
    create_amp_strategy,
    function_forbid_reuse,
    get_cache_prim,
    handle_loss,
    is_sharding_propagation,
    load_dismatch_prefix_params,
    mstype_to_detype,
    no_init_parameters,
    pynative_executor,
    swap_cache,
)


def test_the_executor_turns_recording_off_and_on() -> None:
    was = pynative_executor.enable_grad()
    pynative_executor.set_enable_grad(False)
    assert (was, pynative_executor.enable_grad()) == (True, False)
    pynative_executor.set_enable_grad(was)
    pynative_executor.sync()
    with pytest.raises(AttributeError, match="value_and_grad"):
        _ = pynative_executor.new_graph


def test_a_primitive_is_made_once() -> None:
    make = get_cache_prim(ops.ReduceSum)
    assert make(True) is make(True)
    assert make(True) is not make(False)
    assert make(keep_dims=True)(Tensor([[1.0, 2.0]]), 1).asnumpy().tolist() == [[3.0]]


def test_only_functions_are_marked() -> None:
    def own() -> int:
        return 1

    assert function_forbid_reuse(own)() == 1
    with pytest.raises(TypeError, match="function type"):
        function_forbid_reuse(3)  # type: ignore[type-var]


def test_parameters_without_a_checkpoint_have_values() -> None:
    with no_init_parameters():
        net = nn.Dense(3, 2)
    assert np.abs(net.weight.asnumpy()).max() > 0


def test_black_listed_cells_stay_wide() -> None:
    net = nn.SequentialCell(nn.Dense(2, 2), nn.BatchNorm1d(2))
    assert auto_black_list(net, [nn.BatchNorm1d], ms.float16) is net
    assert net(Tensor([[1.0, 2.0]])).dtype == ms.float16


def test_names_with_a_prefix_more_are_loaded() -> None:
    net = nn.Dense(2, 1, has_bias=True)
    loaded = {"backbone.bias": Parameter(Tensor([7.0]), name="backbone.bias")}
    missing = ["bias"]
    with pytest.warns(UserWarning, match="backbone"):
        load_dismatch_prefix_params(net, loaded, missing, False)
    assert missing == []
    assert net.bias.asnumpy() == [7.0]


def test_a_loss_is_made_a_number() -> None:
    assert handle_loss(Tensor([1.0, 2.0])) == 1.5
    assert handle_loss((Tensor(3.0), 1)).asnumpy() == 3.0
    assert handle_loss(2) == 2


def test_propagation_is_a_search_mode() -> None:
    assert is_sharding_propagation() is False


def test_precision_inside_the_engine_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="auto_mixed_precision"):
        create_amp_strategy(3, ms.float16, [], [])  # type: ignore[arg-type]


@pytest.mark.usefixtures("mindspore_is_msbridge")
def test_the_chip_is_named_where_one_is_emulated() -> None:
    from mindspore._c_expression import MSContext

    assert MSContext.get_instance().get_ascend_soc_version() in ("", "ascend910")


def test_operators_of_a_list_are_narrowed_within_a_block() -> None:
    x = Tensor(np.full((2, 2), 1 + 2**-12, np.float32))
    with AmpDecorator(AmpLevel.AmpO1, ms.float16, [("MatMul", [])], []):
        inside = ops.matmul(x, x)
    with (
        AmpDecorator(AmpLevel.AmpO0, ms.float16, [("MatMul", [])], []),
        AmpDecorator(AmpLevel.AmpO2, ms.float16, [], [("MatMul", []), ("BatchMatMul", [])]),
    ):
        kept = ops.matmul(x, x)
    assert inside.dtype == kept.dtype == ms.float32
    assert inside.asnumpy().tolist() == [[2.0, 2.0], [2.0, 2.0]]
    assert kept.asnumpy().tolist() == ops.matmul(x, x).asnumpy().tolist() != inside.asnumpy().tolist()


def test_kinds_of_functions_on_gradients_have_the_engines_numbers() -> None:
    assert [one.value for one in HookType] == [0, 1, 2, 3, 4, 5]
    primitive = ops.ReLU()
    primitive.set_hook_fn(lambda *gradients: gradients, HookType.HookBackward)
    with pytest.raises(TypeError, match="hook_fn"):
        primitive.set_hook_fn(3, HookType.HookBackward)


@pytest.mark.parametrize(
    ("is_device_to_host", "host", "device"),
    [
        (True, [[0.0, 0.0], [0.0, 1.0], [0.0, 0.0], [4.0, 5.0]], [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]),
        (False, [[0.0, 0.0]] * 4, [[0.0, 1.0], [0.0, 0.0], [4.0, 5.0], [0.0, 0.0]]),
    ],
)
def test_blocks_of_a_cache_are_copied(is_device_to_host: bool, host: list[object], device: list[object]) -> None:
    there, here = ops.zeros((4, 2)), ops.arange(8.0).reshape(4, 2)
    swap_cache(there, here, Tensor([[0, 1], [2, 3]], ms.int64), is_device_to_host)
    assert (there.asnumpy().tolist(), here.asnumpy().tolist()) == (host, device)


def test_arrays_are_filled_by_a_seed() -> None:
    for fill, given, low, high in (
        (_random_normal, (1.0, 2.0), -np.inf, np.inf),
        (_random_uniform, (1.0, 2.0), 1.0, 2.0),
        (_truncated_normal, (-2.0, 2.0, 0.5, 1.0), -2.0, 2.0),
    ):
        first, again, other = (np.zeros((50, 40), np.float32) for _ in range(3))
        for seed, array in ((7, first), (7, again), (8, other)):
            fill(np.int64(seed), array, *given)
        assert (first == again).all()
        assert (first != other).any()
        assert first.min() >= low
        assert first.max() <= high
    drawn = np.zeros((200, 100), np.float32)
    _random_normal(1, drawn, 1.0, 2.0)
    assert abs(drawn.mean() - 1) < 0.05
    assert abs(drawn.std() - 2) < 0.05
    _truncated_normal(1, drawn, -2.0, 2.0, 0.5, 1.0)
    assert abs(drawn.mean() - 0.377) < 0.03  # MindSpore 2.10's 20,000 draws: 0.377, deviation 0.851
    assert abs(drawn.std() - 0.851) < 0.03


def test_pipelines_name_dtypes() -> None:
    assert [mstype_to_detype(kind) for kind in (ms.int32, ms.float16, ms.bool_, ms.uint8)] == [
        "int32", "float16", "bool", "uint8",
    ]  # fmt: skip


@pytest.mark.usefixtures("mindspore_is_msbridge")
def test_the_names_are_where_libraries_look_for_them() -> None:
    import mindspore
    from mindspore import version
    from mindspore._c_expression import Cell_, MixedPrecisionType
    from mindspore.common.api import cells_compile_cache
    from mindspore.ops.operations import BufferAppend, BufferGetItem, BufferSample
    from mindspore.ops.operations._rl_inner_ops import EnvCreate, MuxReceive, PriorityReplayBufferCreate

    assert version.__version__ == mindspore.__version__
    assert cells_compile_cache == {}
    assert all((BufferAppend, BufferGetItem, BufferSample, EnvCreate, MuxReceive, PriorityReplayBufferCreate))
    cell = nn.Dense(2, 3)
    Cell_.set_mixed_precision_type(cell, MixedPrecisionType.FP16)
    assert (isinstance(cell, Cell_), cell.get_mixed_precision_type()) == (True, MixedPrecisionType.FP16)
