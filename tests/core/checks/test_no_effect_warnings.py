"""Settings without effect are in the table, and are said once, at the user's line."""

import warnings

import pytest

import msbridge as ms
from msbridge import nn
from msbridge.core.checks import no_effect_warnings
from msbridge.core.checks.no_effect_warnings import WithoutEffectWarning, without_effect
from msbridge.core.context import context

EFFECTIVE = {
    "set_context": {"ascend_config", "check_bprop", "deterministic", "device_id", "jit_level", "runtime_num_threads"},
    "set_auto_parallel_context": {
        *("auto_parallel_new_interface", "dataset_strategy", "device_num", "full_batch", "full_batch_is_set"),
        *("global_rank", "gradients_mean", "mirror_mean", "parallel_mode", "parameter_broadcast"),
        *("pipeline_config", "pipeline_scheduler", "pipeline_stages", "strategy_ckpt_load_file"),
    },
}


@pytest.mark.parametrize(
    ("owner", "keys"),
    [("set_context", context.CONTEXT_KEYS), ("set_auto_parallel_context", context.AUTO_PARALLEL_KEYS)],
)
def test_every_key_has_an_effect_or_a_row(owner: str, keys: dict[str, object]) -> None:
    names = (name.rpartition(".") for name in no_effect_warnings.settings())
    listed = {key for of, _, key in names if of == f"mindspore.{owner}"}
    assert listed == set(keys) - EFFECTIVE[owner]


def test_it_is_said_once_and_at_the_users_line() -> None:
    with context.preserve_context():
        with pytest.warns(WithoutEffectWarning) as caught:
            ms.set_context(save_graphs=2)
        ms.set_context(save_graphs=1)
    assert [str(each.message) for each in caught] == [
        "set_context: save_graphs=2 has no effect in msbridge: there is no compiled graph to write."
    ]
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    "settings",
    [
        {"save_graphs": False, "save_graphs_path": "graphs", "mode": 0, "device_target": "CPU"},
        {"max_call_depth": 5000, "enable_graph_kernel": True, "jit_level": "O1", "deterministic": "OFF"},
        {"max_device_memory": "1024GB", "memory_offload": "OFF"},
    ],
)
def test_a_default_and_a_setting_of_speed_say_nothing(settings: dict[str, object]) -> None:
    ms.set_context(**settings)


def test_data_parallel_training_says_nothing() -> None:
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True, device_num=1)
    ms.set_auto_parallel_context(parameter_broadcast=True, all_reduce_fusion_config=[85, 160])
    ms.reset_auto_parallel_context()


SAID = {
    "set_auto_parallel_context: auto_pipeline=True": lambda: ms.set_auto_parallel_context(auto_pipeline=True),
    "nn.Adam: use_lazy=True": lambda: nn.Adam(nn.Dense(1, 1).trainable_params(), use_lazy=True),
    "nn.EmbeddingLookup: slice_mode": lambda: nn.EmbeddingLookup(2, 2, slice_mode="table_row_slice"),
    "mint.rand: device='CPU'": lambda: ms.mint.rand(2, device="CPU"),
}


@pytest.mark.parametrize("said", SAID)
def test_what_a_user_would_miss_is_said(said: str) -> None:
    with pytest.warns(WithoutEffectWarning) as caught:
        SAID[said]()
    assert str(caught[0].message).startswith(said)
    assert caught[0].filename == __file__


def test_a_setting_without_a_row_says_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        without_effect("mindspore.nothing.of.this")
