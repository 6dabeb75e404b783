"""Primitives that scripts define: what computes them, and what differentiates them."""

import copy

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, ops
from msbridge.mappings import table
from msbridge.ops import Primitive, PrimitiveWithInfer, operations, prim_attr_register, vm_impl_registry
from msbridge.ops.primitive.primitive import Inputs, defaults_of
from msbridge.ops.primitive.registries import bprop_getters
from msbridge.ops.training import gradient_primitives

X = Tensor([1.0, 2.0])


class Tripled(PrimitiveWithInfer):
    @prim_attr_register
    def __init__(self, factor: int = 3) -> None:
        pass

    def vm_impl(self, x: Tensor) -> Tensor:
        return Tensor(x.asnumpy() * self.factor)

    def get_bprop(self):
        return lambda x, out, dout: (dout * self.factor,)


class Named(Primitive):
    @prim_attr_register
    def __init__(self) -> None:
        pass


def test_a_class_computes_by_its_own_methods() -> None:
    assert (Tripled()(X) == X * 3).all()
    assert (ms.grad(lambda x: Tripled(5)(x).sum())(X) == 5).all()


def test_a_class_computes_by_what_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vm_impl_registry, "data", {})
    monkeypatch.setattr(bprop_getters, "data", {})
    with pytest.raises(RuntimeError, match="vm_impl"):
        Named()(X)
    vm_impl_registry.register(Named)(lambda prim: lambda x: Tensor(x.asnumpy() + 1))
    bprop_getters.register(Named)(lambda prim: lambda x, out, dout: (dout * 7,))
    assert (Named()(X) == X + 1).all()
    assert (ms.grad(lambda x: Named()(x).sum())(X) == 7).all()


def test_what_is_settled_is_not_computed() -> None:
    class Settled(Primitive):
        def check_elim(self, *args: Tensor) -> tuple[bool, Tensor]:
            return True, args[0]

    assert Settled("a")(X) is X


def test_copies_have_the_attributes() -> None:
    for copied in (copy.deepcopy(Tripled(4)), Tripled(4)._clone(), copy.copy(Tripled(4))):
        assert copied.factor == 4
        assert (copied(X) == X * 4).all()
    assert np.array_equal(copy.deepcopy(ops.ReduceSum(True))(X, 0), ops.ReduceSum(True)(X, 0))


def test_layouts_are_kept_under_their_own_name() -> None:
    layout = ms.Layout((2, 2), ("a", "b"))
    assert "in_layout" in ops.Add().shard((layout("a", "b"), layout("a", "b"))).attrs


def test_inputs_by_keyword_have_the_words_of_mindspore() -> None:
    assert ops.ReduceAny()(x=Tensor([True, False]), axis=0)
    with pytest.raises(TypeError, match=r"ReduceMax.*no input 'axes': they are \(x, axis\).*'axis'"):
        ops.ReduceMax()(X, axes=0)


@pytest.mark.parametrize(("name", "row"), table("primitive_inputs.toml", Inputs).items())
def test_words_for_inputs_are_of_a_primitive_and_its_function(name: str, row: Inputs) -> None:
    primitive = getattr(operations, name, None) or getattr(gradient_primitives, name)
    own = set(defaults_of(primitive.function)) - {primitive.renamed.get(one, one) for one in primitive.defaults}
    assert set(row.rename.values()) <= own
    assert all(word != function for word, function in row.rename.items())
