"""What objects do after their attributes are set."""

from collections.abc import Iterable
from typing import Any

import mindspore as ms  # noqa: F401  what lines use
import mindspore.dataset as ds
import numpy as np
from mindspore import Parameter, Tensor, amp, nn  # noqa: F401
from mindspore.dataset import audio, vision  # noqa: F401

from tests.oracle.case import each


def changed(value: Any, **settings: Any) -> Any:
    """Set attributes and return the object."""
    for name, setting in settings.items():
        setattr(value, name, setting)
    return value


def numbers(**arguments: Any) -> Any:
    return ds.NumpySlicesDataset(list(range(8)), ["x"], **{"shuffle": False, **arguments})


def sizes_and_rows(data: Any, **settings: Any) -> tuple:
    """Return the number of rows that a dataset says, and those it has, after attributes are set."""
    changed(data, **settings)
    rows = [row[0].tolist() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    return data.get_dataset_size(), len(data), rows


def source_settings(data: Any) -> tuple:
    return data.num_samples, data.num_shards, data.shard_id, data.source_len


def repeats(sampler: Any) -> bool:
    """Whether two epochs have the same order; of 64 rows, which are not drawn alike by chance."""
    data = ds.NumpySlicesDataset(list(range(64)), ["x"], sampler=sampler)
    return epochs_are_equal(data)


def epochs_are_equal(data: Any) -> bool:
    iterator = data.create_tuple_iterator(num_epochs=2, output_numpy=True)
    first, second = ([int(row[0]) for row in iterator] for _ in range(2))
    return first == second


def scale_after(manager: Any, overflows: Iterable[bool]) -> list[tuple]:
    """Return what a manager shows after each step."""
    shown = []
    for overflow in overflows:
        manager.update_loss_scale(bool(overflow))
        shown.append((manager.get_loss_scale(), manager.cur_iter, manager.last_overflow_iter, manager.bad_step))
    return shown


def image() -> np.ndarray:
    return np.arange(6 * 6 * 3, dtype=np.uint8).reshape(6, 6, 3)


def wave() -> np.ndarray:
    return np.linspace(-1, 1, 16, dtype=np.float32).reshape(1, 16)


class OwnBackward(nn.Cell):
    """Twice its input, whose gradient is said to be 10."""

    def construct(self, x: Tensor) -> Tensor:
        return x * 2

    def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> tuple[Tensor]:
        return (dout * 10,)


class Doubled(nn.Cell):
    def construct(self, x: Tensor) -> Tensor:
        return x * 2


def optimizer() -> nn.Optimizer:
    return nn.SGD([Parameter(Tensor(np.ones(2, np.float32)), name="w")], 0.1)


LINES = """
    OwnBackward().has_bprop, Doubled().has_bprop
    ms.grad(OwnBackward())(Tensor([1.0]))
    ms.grad(changed(OwnBackward(), has_bprop=False))(Tensor([1.0]))
    ms.grad(changed(OwnBackward(), has_bprop=True))(Tensor([1.0]))
    ms.grad(changed(changed(OwnBackward(), has_bprop=False), has_bprop=True))(Tensor([1.0]))
    ms.grad(changed(Doubled(), has_bprop=False))(Tensor([1.0]))
    changed(Doubled(), has_bprop=False).has_bprop
    changed(OwnBackward(), has_bprop=False).has_bprop
    ms.grad(changed(Doubled(), has_bprop=True))(Tensor([1.0]))
    len(optimizer().init_params["params"])
    changed(optimizer(), init_params={"params": []}).init_params
    sizes_and_rows(numbers(), dataset_size=3)
    sizes_and_rows(numbers().batch(2), dataset_size=3)
    sizes_and_rows(numbers().map(lambda x: x + 1), dataset_size=3)
    sizes_and_rows(numbers().repeat(2), dataset_size=3)
    sizes_and_rows(changed(numbers(), dataset_size=3), dataset_size=None)
    sizes_and_rows(numbers(), num_samples=3)
    sizes_and_rows(numbers(), num_shards=2, shard_id=1)
    sizes_and_rows(numbers().batch(3), batch_size=2)
    sizes_and_rows(numbers().batch(3), drop_remainder=True)
    sizes_and_rows(numbers().take(3), count=5)
    sizes_and_rows(numbers().skip(3), count=5)
    sizes_and_rows(numbers().repeat(3), count=2)
    sizes_and_rows(numbers(), sampler=ds.SequentialSampler(2, 3))
    sizes_and_rows(numbers().batch(2), dataset_size=7, batch_size=4)
    source_settings(numbers())
    source_settings(numbers(num_samples=3))
    source_settings(numbers(num_shards=2, shard_id=1))
    source_settings(ds.GeneratorDataset(list(range(8)), "x", num_samples=3))
    source_settings(ds.GeneratorDataset(list(range(8)), "x", num_shards=4, shard_id=2, num_samples=1))
    source_settings(ds.GeneratorDataset(lambda: iter([(1,)]), "x"))
    repeats(ds.RandomSampler())
    repeats(changed(ds.RandomSampler(), reshuffle_each_epoch=False))
    repeats(ds.DistributedSampler(2, 0))
    repeats(changed(ds.DistributedSampler(2, 0), shuffle=False))
    epochs_are_equal(numbers().shuffle(8))
    epochs_are_equal(changed(numbers().shuffle(8), reshuffle_each_epoch=False))
    scale_after(amp.DynamicLossScaleManager(1024, 2, 3), [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0])
    scale_after(changed(amp.DynamicLossScaleManager(1024, 2, 3), cur_iter=100), [0, 0, 1, 0])
    scale_after(changed(amp.DynamicLossScaleManager(8, 2, 1), increase_ratio=3, decrease_ratio=0.25), [0, 0, 1, 0])
    scale_after(changed(amp.DynamicLossScaleManager(8, 2, 2), last_overflow_iter=1), [0, 0, 0])
    scale_after(changed(amp.DynamicLossScaleManager(8, 2, 2), scale_factor=5), [0, 0, 1])
    scale_after(changed(amp.DynamicLossScaleManager(8, 2, 2), bad_step_max=2), [1, 1, 0, 1])
    scale_after(changed(amp.DynamicLossScaleManager(8, 2, 2), bad_step_max=2), [1, 1, 1])
    scale_after(changed(amp.DynamicLossScaleManager(8, 2, 2), loss_scale=3), [0, 0, 0])
    changed(vision.Crop((0, 0), 3), size=(2, 4))(image())
    changed(vision.Crop((0, 0), 3), coordinates=(1, 2))(image())
    changed(vision.ResizedCrop(0, 0, 3, 3, (4, 4)), top=2)(image())
    changed(vision.Pad(1), padding=(0, 1, 2, 0))(image())
    changed(vision.Pad(1), fill_value=(7, 8, 9))(image())
    changed(vision.AdjustBrightness(1.5), brightness_factor=0.5)(image())
    changed(vision.AdjustContrast(1.5), contrast_factor=0.5)(image())
    changed(vision.Posterize(3), bits=1)(image())
    changed(audio.Contrast(), enhancement_amount=10.0)(wave())
    changed(audio.Gain(), gain_db=3.0)(wave())
    changed(audio.Fade(), fade_in_len=4)(wave())
"""

CASES = each(LINES, may_raise=True)
