"""What a graph's source means where Python's own meaning is another: assignments, names from outside, `in`, `not`."""

# ruff: noqa: F823, RET504, RUF060  what Python reads otherwise is what these functions are for

from collections.abc import Callable

import mindspore as ms
from mindspore import Parameter, Tensor, nn

from tests.oracle.case import Case

items = [1, 2]
table = Tensor([1.0, 2.0])
total = Parameter(Tensor([1.0, 2.0]), name="total")
count = 3
words = ("a",)
OPERATORS = {
    "+": "add",
    "-": "subtract",
    "*": "multiply",
    "/": "divide",
    "//": "floor",
    "%": "remainder",
    "**": "power",
}


def add(x, y):
    x += y
    return x


def subtract(x, y):
    x -= y
    return x


def multiply(x, y):
    x *= y
    return x


def divide(x, y):
    x /= y
    return x


def floor(x, y):
    x //= y
    return x


def remainder(x, y):
    x %= y
    return x


def power(x, y):
    x **= y
    return x


def other_name(x, y):
    z = x
    z += y
    return x, z


def of_computed(x, y):
    z = x * 1
    w = z
    z -= y
    return x, z, w


def of_view(x, y):
    z = x.view(2, 1)
    z *= y
    return x, z


def after_view(x, y):
    z = x.view(2, 1)
    x += y
    return x, z


def of_part(x, y):
    z = x[:1]
    z += y
    return x, z


def inner(x, y):
    x += y
    return x


def by_function(x, y):
    return inner(x, y), x


def in_loop(x, y):
    for each in (x, x * 2):
        each += y
    return x


def global_parameter(x, y):
    total += x
    return total, x


def global_read_first(x, y):
    before = total.sum()
    total -= before
    return total


def global_number(x, y):
    count += y
    return count


def global_tuple(x, y):
    words += ("b",)
    return words


def global_list(x, y):
    items.append(3)
    return items


def global_list_extended(x, y):
    items += [4]
    return items


def global_list_item(x, y):
    items[0] = 9
    return items


def global_item(x, y):
    table[0] = 7.0
    return table


def global_rebound(x, y):
    total = total + 1
    return total


def list_of_caller(x, y):
    x += [y]
    return x


def is_itself(x, y):
    z = x
    return x is x, z is not x, x is y, x is None, y is not None


def contained(x, y):
    return x in (x, 1), x in [x + 1, x], x in (1, 2), x not in (x, 1), x[0] in (x[0], y), x in (), y in (1, 2)


def contained_of_dtype(x, y):
    return x in (x.astype(ms.float16),), x in (x[:1],), x in (None, "a")


def negated(x, y):
    return not x[0], not (x[0] > 5), not x[:1], not y, not [], not [x], not None


def chosen(x, y):
    return x if not x[0] else x + 1


class Holds(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor([1.0, 2.0]), name="w")

    def construct(self, x):
        self.w += x
        w = self.w
        w *= 2
        return w, not self.training, {"k": x}.items()


class Within(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.first = Holds()

    def construct(self, x):
        x += 1
        return self.first(x)[0], x


def called(function: Callable, x: object = None, y: object = 1, times: int = 1) -> object:
    """What comes of calls, what the caller's values are then, and those of the module."""
    globals().update(items=[1, 2], table=Tensor([1.0, 2.0]), count=3, words=("a",))
    total.set_data(Tensor([1.0, 2.0]))
    x = Tensor([1.0, 2.0]) if x is None else x
    results = [ms.jit(function)(x, y) for _ in range(times)]
    return results, x, items, table, total.asnumpy(), count, words


def in_memory(take: Callable[[Tensor], object]) -> object:
    x = Tensor([1.0, 2.0])
    taken = take(x)
    ms.jit(add)(x, 3)
    return taken


def twice(x):
    y = x
    y *= 2
    return (x * y).sum()


def mixed(x):
    y = x * 1
    y *= x
    y += 1
    return (x * y).sum()


def gradient(function: Callable, wrap: Callable, mode: int = ms.PYNATIVE_MODE) -> object:
    """A gradient through assignments, and the input then."""
    ms.set_context(mode=mode)
    try:
        x = Tensor([1.0, 2.0])
        return wrap(function)(x), x
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def cell(kind: type, mode: int = ms.GRAPH_MODE) -> object:
    ms.set_context(mode=mode)
    try:
        net, x = kind(), Tensor([1.0, 5.0])
        return net(x), net(x), x, [parameter.asnumpy() for parameter in net.get_parameters()]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


WRAPS = {
    "ms.grad": ms.grad,
    "jit inside": lambda function: ms.grad(ms.jit(function)),
    "jit outside": lambda function: ms.jit(ms.grad(function)),
}

CASES = [
    *(
        Case(f"called({name}, None, {value})")
        for name in OPERATORS.values()
        for value in ("2", "1.5", "Tensor([2., 3.])")
    ),
    *(Case(f"called({name}, Tensor([7, 2], ms.int32), 2)") for name in OPERATORS.values()),
    *(Case(f"called({name}, total, 2., 2)") for name in OPERATORS.values()),
    Case("called(add, 3, 2)"),
    Case("called(add, Tensor(1.), 2)"),
    Case("called(add, Tensor([1, 2], ms.int8), 1.5)"),
    Case("called(add, Tensor([1., 2.], ms.float16), 1.5)"),
    Case("called(add, None, Tensor([1., 2.], ms.float64))"),
    Case("called(add, None, (1., 2.))"),
    Case("called(add, (1,), (2,))"),
    *(
        Case(f"called({name.__name__}, None, 3)")
        for name in (
            other_name,
            of_computed,
            of_view,
            after_view,
            of_part,
            by_function,
            in_loop,
            is_itself,
            contained,
            contained_of_dtype,
            negated,
            chosen,
        )
    ),
    *(
        Case(f"called({name.__name__}, None, 1, 2)")
        for name in (
            global_parameter,
            global_read_first,
            global_number,
            global_tuple,
            global_list,
            global_list_extended,
            global_list_item,
            global_item,
            global_rebound,
        )
    ),
    Case("called(list_of_caller, [1, 2], 3)"),
    Case("in_memory(lambda x: x.view(-1))"),
    Case("in_memory(lambda x: x.asnumpy())"),
    Case("in_memory(lambda x: x * 1)"),
    *(
        Case(f"gradient({function}, WRAPS[{wrap!r}], ms.{mode})")
        for function in ("twice", "mixed")
        for wrap in WRAPS
        for mode in ("PYNATIVE_MODE", "GRAPH_MODE")
    ),
    *(Case(f"cell({kind}, ms.GRAPH_MODE)") for kind in ("Holds", "Within")),
]
