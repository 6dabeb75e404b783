"""Packing of what the backward pass keeps."""

import msbridge as ms
from msbridge import Tensor, ops


def test_a_decorated_function_packs_what_its_operators_keep() -> None:
    seen: list[str] = []

    @ms.register_saved_tensors_hooks(lambda x: (seen.append("pack"), x + 1)[1], lambda x: (seen.append("unpack"), x)[1])
    def multiply(x: Tensor, y: Tensor) -> Tensor:
        return x * y

    x, y = ops.ones(2, ms.float32), ops.ones(2, ms.float32)
    assert multiply(x, y).tolist() == [1, 1]
    assert seen == []
    _, gradients = ms.value_and_grad(multiply, (0, 1))(x, y)
    assert [gradient.tolist() for gradient in gradients] == [[2, 2], [2, 2]]
    assert seen == ["pack", "pack", "unpack", "unpack"]


def test_blocks_stand_inside_one_another() -> None:
    seen: list[int] = []
    inner = ms.saved_tensors_hooks(lambda x: (seen.append(2), x)[1], lambda x: x)
    outer = ms.saved_tensors_hooks(lambda x: (seen.append(1), x)[1], lambda x: x)

    def fn(x: Tensor) -> Tensor:
        with outer:
            y = ops.exp(x)
            with inner:
                y = ops.exp(y)
            return ops.exp(y)

    ms.grad(fn)(Tensor([1.0], ms.float32))
    assert seen == [1, 2, 1]
