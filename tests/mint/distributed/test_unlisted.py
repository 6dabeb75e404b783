"""What MindSpore's module has beside its published names, in one process."""

import io
import pickle

import pytest

from msbridge import Tensor
from msbridge.mint.distributed import unlisted


def test_one_process_has_the_whole_tensor() -> None:
    whole, part = Tensor([[1.0], [2.0]]), Tensor([[0.0], [0.0]])
    assert unlisted.scatter_tensor(part, whole) is None
    assert part.asnumpy().tolist() == [[1.0], [2.0]]
    gathered = Tensor([[0.0], [0.0]])
    handle = unlisted.gather_into_tensor(gathered, whole, async_op=True)
    assert handle is not None
    handle.wait()
    assert gathered.asnumpy().tolist() == [[1.0], [2.0]]
    assert (unlisted.get_cache_group_rank(), unlisted.get_cache_group_size()) == (0, 1)
    with pytest.raises(TypeError):
        unlisted.scatter_tensor(part, 1)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        unlisted.gather_into_tensor(part, whole, "0")  # type: ignore[arg-type]


def test_pickles_of_plain_values() -> None:
    value = {"a": [1, range(3), {2.5}]}
    assert unlisted.RestrictedUnpickler(io.BytesIO(pickle.dumps(value))).load() == value
    with pytest.raises(pickle.UnpicklingError, match="Tensor"):
        unlisted.RestrictedUnpickler(io.BytesIO(pickle.dumps(Tensor))).load()
    assert unlisted.restricted_loads(pickle.dumps(Tensor)) is Tensor
