"""Types made by calling their classes. The judge is MindSpore 2.10."""

import pickle

import pytest

from msbridge.core.types import dtype as mstype
from msbridge.core.types import type_metaclass


@pytest.mark.parametrize(
    ("made", "name", "shown"),
    [
        (mstype.Float(32), "Float32", "mindspore.float32"),
        (mstype.Int(64), "Int64", "mindspore.int64"),
        (mstype.UInt(8), "UInt8", "mindspore.uint8"),
        (mstype.BFloat(16), "BFloat16", "mindspore.bfloat16"),
        (mstype.Complex(64), "Complex64", "mindspore.complex64"),
        (mstype.Bool(), "Bool", "mindspore.bool"),
        (mstype.Float(), "Float", "mindspore.float"),
        (mstype.String(), "String", "mindspore.string_"),
        (mstype.List([mstype.float32]), "List", "mindspore.list_"),
        (mstype.Tuple(), "Tuple", "mindspore.tuple_"),
        (mstype.NoneType(), "None", "mindspore.type_none"),
        (mstype.FunctionType(), "Func", "mindspore.function"),
        (mstype.TensorType(), "Tensor", "mindspore.tensor"),
        (mstype.TensorType(mstype.int32), "Tensor[Int32]", "mindspore.tensor[int32]"),
    ],
)
def test_a_class_finds_its_type(made: mstype.Type, name: str, shown: str) -> None:
    assert (str(made), repr(made)) == (name, shown)


def test_a_type_by_bits_is_the_type() -> None:
    assert mstype.Float(32) is mstype.float32
    assert isinstance(mstype.Float(64), mstype.Float)


def test_the_type_of_a_tensor_knows_its_elements() -> None:
    found = mstype.TensorType(mstype.float16)
    assert found.element_type() is mstype.float16
    assert found == mstype.TensorType(mstype.float16) != mstype.TensorType(mstype.float32)
    type_metaclass.TypeMeta.known.pop("Tensor[Float16]")  # as in a process that has not made it
    assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: mstype.Float(33), RuntimeError),
        (lambda: mstype.Int(3), RuntimeError),
        (lambda: mstype.TensorType(3), TypeError),
        (lambda: mstype.Float(1.5), TypeError),
        (mstype.Type, TypeError),
        (lambda: type_metaclass.str_to_type("zz"), RuntimeError),
        (lambda: type_metaclass.type_id_to_type("a"), TypeError),
        (lambda: type_metaclass.type_id_to_type(999), ValueError),
        (lambda: type_metaclass.type_to_type_id(3), TypeError),
        (lambda: type_metaclass.type_to_type_id(mstype.TensorType(mstype.int8)), ValueError),
    ],
)
def test_what_is_no_type_is_refused(make, error: type[Exception]) -> None:
    with pytest.raises(error):
        make()


def test_types_have_numbers_and_names() -> None:
    assert type_metaclass.type_to_type_id(mstype.float32) == 43
    assert type_metaclass.type_id_to_type(43) is mstype.float32
    assert type_metaclass.str_to_type("int32") is type_metaclass.str_to_type("Int32") is mstype.int32


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("float32", "number", True),
        ("float32", "float_", True),
        ("float32", "float16", False),
        ("int8", "float_", False),
        ("number", "float_", False),
        ("string", "string", True),
    ],
)
def test_kinds_of_types(one: str, other: str, expected: bool) -> None:
    assert type_metaclass.issubclass_(getattr(mstype, one), getattr(mstype, other)) is expected
