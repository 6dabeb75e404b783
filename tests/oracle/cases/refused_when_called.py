"""Options of transformations that only a call refuses, numbers beside 0, seeds of the operators' generator."""

from mindspore import Tensor

from tests.oracle.case import Case, rand, values


def total(x: Tensor) -> Tensor:
    return x.sum()


def double(x: Tensor) -> Tensor:
    return x * 2


MADE = (
    "ms.grad(total, 0, 5)",
    "ms.grad(total, ())",
    "ms.value_and_grad(total, 0, 'ab')",
    "ops.GradOperation(get_by_list=True)(total, 5)",
    "ms.jit(double, backend='tpu')",
    "ms.jit(double, mode='other')",
    "ms.jit(double, jit_config=5)",
    "ms.vmap(5)",
    "ms.vmap([double])",
    "ms.jacrev(double, 'a')",
    "ms.jacrev(double, (0, 0))",
    "ms.jacfwd(double, -1)",
)
TYPES = (
    "ms.grad(total, 0, 5)(x)",
    "ms.grad(total, None, 'ab')(x)",
    "ms.value_and_grad(total, 0, {'a': 1})(x)",
    "ops.GradOperation(get_by_list=True)(total, 5)(x)",
    "ms.jacrev(double, 'a')(x)",
    "ms.jacfwd(double, 1.5)(x)",
    "ms.jacrev(double)()",
)
VALUES = (
    "ms.jacrev(double, -1)(x)",
    "ms.jacrev(double, (0, 0))(x)",
    "ms.jacfwd(double, 3)(x)",
    "ms.jacrev(5)(x)",
    "ms.jacfwd(5)(x)",
    "ms.jvp(5, x, x)",
)
RUNTIME = (
    "ms.grad(total, ())(x)",
    "ms.grad(total, 0, [5])(x)",
    "ms.jacrev(double, ())(x)",
    "ms.vmap(5)(x)",
    "ms.jit(double, backend=5)(x)",
)
SEEDS = (
    "[ms.manual_seed(6), ms.set_seed(9), ms.initial_seed()][2]",
    "[ms.set_seed(9), ms.manual_seed(7), ms.set_seed(8), ms.default_generator.initial_seed()][3]",
    "ms.manual_seed(-5).initial_seed()",
    "ms.manual_seed(2**63 + 1).initial_seed()",
)
CASES = [
    *(Case(f"callable({expression})") for expression in MADE),
    *(Case(expression, raises=TypeError, says="", x=rand(2)) for expression in TYPES),
    *(Case(expression, raises=ValueError, says="", x=rand(2)) for expression in VALUES),
    *(Case(expression, raises=RuntimeError, says="", x=rand(2)) for expression in RUNTIME),
    *(Case(expression) for expression in SEEDS),
    *(
        Case(f"{name}(x, y)", x=values(0.0, 0.0, 0.0, 0.0, 2.0), y=values(0.0, -1.0, float("inf"), 2.0, 0.0))
        for name in ("ops.xlogy", "mint.xlogy", "x.xlogy(y) + ops.xlogy", "ops.Xlogy()", "ops.xdivy")
    ),
    Case("ops.xlogy(0.0, x)", x=values(0.0, 1.0)),
    Case("ops.xlogy(x, 0)", x=values(0.0, 1.0)),
    Case("mnp.cumprod([1, 2, 3])"),
    Case("mnp.cumprod(((1, 2), (3, 4)), 1)"),
    Case("mnp.cumprod([True, False])"),
    Case("mnp.cumprod([1.5, 2])"),
]
