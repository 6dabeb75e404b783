"""Names of MindSpore's own modules lead to operators that are there."""

import pytest

import msbridge as ms
from msbridge import Tensor, mint, ops
from msbridge.ops import variants


@pytest.mark.parametrize("name", sorted(variants.PLACES))
def test_a_name_leads_to_an_operator(name: str) -> None:
    assert callable(eval(f"ops.{name}"))  # `getattr` finds no private names while the drop-in is installed


def test_variants_are_those_of_mint() -> None:
    assert ops.baddbmm_ext is mint.baddbmm
    assert ops.softmax_ext is mint.nn.functional.softmax
    assert (ops.chunk_view, ops.vector_norm_ext) == (mint.chunk, mint.linalg.vector_norm)
    assert ops.argmax_ext(Tensor([1.0, 3.0, 2.0])).dtype == ms.int64
    x = Tensor([1.0, 2.0])
    ops.put_(x, Tensor([0]), Tensor([5.0]))
    assert x.asnumpy().tolist() == [5.0, 2.0]


def test_other_names_are_not_there() -> None:
    with pytest.raises(AttributeError, match="nothing_ext"):
        _ = ops.nothing_ext
