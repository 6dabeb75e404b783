"""What initializers, tuples of Parameters and functions over several types refuse when they are made."""

from mindspore import Parameter, ParameterTuple, Tensor
from mindspore.common import initializer as initializers
from mindspore.ops import composite  # noqa: F401  # the expressions name it

from tests.oracle.case import each


def pair() -> ParameterTuple:
    return ParameterTuple([Parameter(Tensor([1.0]), name="a"), Parameter(Tensor([2.0]), name="b")])


def names(parameters: ParameterTuple) -> list[str]:
    return [parameter.name for parameter in parameters]


def shape_of(init: object, shape: tuple) -> tuple:
    return initializers.initializer(init, shape).init_data().shape


CASES = [
    *each(
        """
        names(pair().clone("x")), names(pair().clone("x.y_1", "zeros")), type(pair().clone("x")).__name__
        shape_of("xavier_uniform", (2, 3)), shape_of("he_normal", (2, 3, 1)), shape_of("zeros", (2,))
        """
    ),
    *each(
        """
        shape_of("xavier_uniform", (2,))
        shape_of("xavier_normal", (2,))
        shape_of("he_uniform", (2,))
        shape_of("he_normal", ())
        shape_of(initializers.VarianceScaling(), (2,))
        shape_of(initializers.Orthogonal(), (2,))
        pair().clone("")
        pair().clone("a b")
        """,
        raises=ValueError,
    ),
    *each(
        """
        pair().clone(3)
        pair().clone(None)
        composite.MultitypeFuncGraph(3)
        Tensor(shape="a", dtype=ms.float32)
        """,
        raises=TypeError,
    ),
    *each(
        """
        composite.HyperMap(3)
        composite.HyperMap("a")
        """,
        raises=RuntimeError,
    ),
]
