"""Cells that hold Cells: what they take and refuse, and the marks that flags and recomputation leave on them."""

from collections import OrderedDict
from collections.abc import Callable

import numpy as np
from mindspore import Parameter, Tensor, nn

from tests.oracle.case import Case, each


class Named(nn.Cell):
    taken = 3

    def construct(self, x: Tensor) -> Tensor:
        return x

    @property
    def fixed(self) -> int:
        return 1


def dense() -> nn.Cell:
    return nn.Dense(2, 2, weight_init="ones")


def parameter() -> Parameter:
    return Parameter(Tensor([1.0]))


def names(cell: nn.Cell) -> list[str]:
    return [parameter.name for parameter in cell.get_parameters()]


def kinds(cells: object) -> list[str]:
    return [type(cell).__name__ for cell in cells]


def after(cell: nn.Cell, *changes: Callable) -> tuple:
    """Change a container, and tell its children and the names of its parameters."""
    for change in changes:
        change(cell)
    return kinds(cell.cells()), list(cell.name_cells()), names(cell)


def called(cell: nn.SequentialCell, *changes: Callable) -> tuple:
    """Change a sequence, and tell what it computes, what it holds, and what it lists for its call."""
    for change in changes:
        change(cell)
    return cell(Tensor(np.array([-2.0, 3.0], np.float32))), kinds(cell.cells()), kinds(cell.cell_list)


def having(name: str, *values: object) -> tuple:
    """Set one attribute of a Cell to several values in turn, and tell what it is then."""
    cell = Named()
    for value in values:
        setattr(cell, name, value)
    return type(getattr(cell, name)).__name__, name in cell._cells


def marks(cell: nn.Cell) -> list[tuple]:
    return [(part._scope, part.get_flags()) for _, part in cell.cells_and_names()]


def recomputed(cell: nn.Cell, **options: object) -> list[tuple]:
    cell.recompute(**options)
    return marks(cell)


def scoped(cell: nn.Cell) -> list[tuple]:
    cell[0].recompute()
    cell.generate_scope()
    return marks(cell)


def ordered(*pairs: tuple) -> OrderedDict:
    return OrderedDict(pairs)


CASES = [
    *each(
        """
        after(nn.CellDict({"a": dense(), "b": nn.ReLU()}))
        after(nn.CellDict([["a", dense()], ("b", dense())]))
        after(nn.CellDict(nn.CellDict({"a": dense()})))
        after(nn.CellDict({"a": dense()}, auto_prefix=False))
        after(nn.CellDict({}))
        after(nn.CellDict(), lambda c: c.update({"a": dense()}), lambda c: c.update([("b", dense())]))
        after(nn.CellDict({"a": dense()}), lambda c: c.update({"a": nn.ReLU(), "b": dense()}))
        after(nn.CellDict({"a": dense(), "b": dense()}), lambda c: c.pop("a"))
        after(nn.CellDict({"a": dense(), "b": dense()}), lambda c: c.__delitem__("b"))
        after(nn.CellDict({"a": dense()}), lambda c: c.clear())
        after(nn.CellList([dense(), nn.ReLU()]), lambda c: c.append(dense()), lambda c: c.extend([nn.Tanh()]))
        after(nn.CellList([dense(), dense()]), lambda c: c.insert(0, nn.ReLU()))
        after(nn.CellList([dense(), dense()]), lambda c: c.insert(-1, nn.ReLU()))
        after(nn.CellList([]), lambda c: c.append(nn.CellDict({"b": dense()})))
        after(nn.CellList([dense(), nn.ReLU(), dense()]), lambda c: c.__delitem__(slice(0, 2)))
        [after(cells) for cells in (lambda c: (c[1:], c))(nn.CellList([dense(), nn.ReLU(), dense()]))]
        [after(cells) for cells in (lambda c: (c[::-1], c))(nn.CellList([dense(), nn.ReLU(), dense()]))]
        [after(cells) for cells in (lambda c: (c[1:], c))(nn.CellList([nn.ReLU(), dense()], auto_prefix=False))]
        kinds([nn.CellList([nn.Tanh(), nn.ReLU()])[True], nn.SequentialCell(nn.Tanh(), nn.ReLU())[True]])
        after(nn.SequentialCell(ordered(("a", dense()), ("b", nn.ReLU()))))
        after(nn.SequentialCell(nn.CellList([dense()])))
        after(nn.SequentialCell(nn.SequentialCell([dense()])))
        after(nn.SequentialCell(dense(), nn.ReLU()), lambda c: c.__setitem__(-1, dense()))
        called(nn.SequentialCell([nn.ReLU()]), lambda c: c.insert_child_to_cell("b", nn.Tanh()))
        called(nn.SequentialCell([nn.ReLU()]), lambda c: c.insert_child_to_cell("0", nn.Tanh()))
        called(nn.SequentialCell([nn.ReLU()]), lambda c: setattr(c, "b", nn.Tanh()))
        called(nn.SequentialCell([nn.ReLU()]), lambda c: setattr(c, "b", nn.Tanh()), lambda c: c.append(nn.ELU()))
        called(nn.SequentialCell(ordered(("a", nn.ReLU()))), lambda c: setattr(c, "a", nn.Tanh()))
        called(nn.SequentialCell([nn.ReLU()]), lambda c: setattr(c, "cell_list", [nn.Tanh()]))
        called(nn.SequentialCell([nn.ReLU()]), lambda c: setattr(c, "cell_list", (nn.Tanh(), nn.ELU())))
        called(nn.SequentialCell([nn.ReLU(), nn.Tanh()]), lambda c: c._cells.__delitem__("0"))
        called(nn.SequentialCell([nn.ReLU(), nn.Tanh()]), lambda c: c.__delitem__(0))
        called(nn.SequentialCell([nn.ReLU(), nn.Tanh()]), lambda c: c.__setitem__(0, nn.ELU()))
        called(nn.SequentialCell(), lambda c: c.insert_child_to_cell("0", nn.Tanh()))
        called(nn.SequentialCell([nn.ReLU(), nn.Tanh()])[1:], lambda c: c.append(nn.ELU()))
        after(Named(), lambda c: c.insert_child_to_cell("a", dense()), lambda c: c.insert_child_to_cell("a", nn.ReLU()))
        having("x", 1, parameter())
        having("x", None, dense())
        having("x", Tensor([1.0]), parameter())
        having("x", parameter(), Tensor([3.0]))
        having("x", dense(), None, dense())
        having("x", parameter(), None)
        recomputed(nn.SequentialCell(dense(), nn.SequentialCell(nn.ReLU())))
        recomputed(dense(), mp_comm_recompute=False, parallel_optimizer_comm_recompute=True)[0]
        recomputed(dense(), use_reentrant=False)[0]
        scoped(nn.SequentialCell(nn.SequentialCell(dense()), nn.ReLU()))
        marks(nn.SequentialCell(dense(), nn.ReLU()).add_flags(fp16=False, mine="a"))
        marks(nn.SequentialCell(dense(), nn.ReLU()).add_flags_recursive(mine=1))
        """
    ),
    *each(
        """
        nn.CellDict({"a": nn.SequentialCell(dense())})
        nn.CellDict({"a": nn.CellList([dense()])})
        nn.CellDict({"a": nn.CellDict({"b": dense()})})
        nn.CellDict(None)
        nn.CellDict(1)
        nn.CellDict({"a": 1})
        nn.CellDict({"a": None})
        nn.CellDict({1: dense()})
        nn.CellDict([1])
        after(nn.CellDict(), lambda c: c.update(1))
        after(nn.CellDict(), lambda c: c.update({"b": nn.ReLU}))
        nn.CellList((dense(), dense()))
        nn.CellList(cell for cell in [dense()])
        nn.CellList(nn.CellList([dense()]))
        nn.CellList([nn.CellDict({"b": dense()})])
        nn.CellList([None])
        nn.CellList([dense(), 1])
        after(nn.CellList([dense()]), lambda c: c.extend((dense(),)))
        after(nn.CellList([dense()]), lambda c: c.extend(nn.SequentialCell(dense())))
        after(nn.CellList([dense()]), lambda c: c.append([dense()]))
        after(nn.CellList([dense()]), lambda c: c.insert("0", dense()))
        after(nn.CellList([dense()]), lambda c: c.insert(0, 1))
        nn.CellList([dense()])["0"]
        nn.SequentialCell((dense(), nn.ReLU()))
        nn.SequentialCell({"a": dense()})
        nn.SequentialCell([1])
        nn.SequentialCell(ordered((1, dense())))
        nn.SequentialCell(dense())[0.0]
        after(nn.SequentialCell(dense()), lambda c: c.append(None))
        after(nn.SequentialCell(dense()), lambda c: c.__setitem__(0, 1))
        Named().insert_child_to_cell(1, dense())
        Named().insert_child_to_cell("a", 1)
        Named().insert_param_to_cell("a", Tensor(1.0))
        Named().register_buffer(1, Tensor(1.0))
        having("x", dense(), parameter(), 1)
        recomputed(dense(), mp_comm_recompute=1)
        """,
        raises=(TypeError, KeyError),
    ),
    *each(
        """
        nn.CellDict({"keys": dense()})
        nn.CellDict({"a.b": dense()})
        nn.CellDict({"": dense()})
        nn.CellDict({"a": dense()})["b"]
        after(nn.CellDict({"a": dense()}), lambda c: c.pop("b"))
        nn.SequentialCell(ordered(("construct", dense())))
        nn.SequentialCell(ordered(("a.b", dense())))
        Named().insert_child_to_cell("a.b", dense())
        Named().insert_child_to_cell("taken", dense())
        Named().insert_param_to_cell("taken", parameter())
        Named().insert_param_to_cell("a.b", parameter())
        having("taken", parameter())
        """,
        raises=KeyError,
    ),
    Case("nn.CellList([dense()])[1]", raises=IndexError),
    Case("after(nn.CellList([dense()]), lambda c: c.insert(5, dense()))", raises=IndexError),
    Case("recomputed(dense(), other=1)", raises=ValueError),
    Case("ops.ReLU().recompute(1)", raises=TypeError),
    Case("ops.ReLU().recompute().attrs, ops.ReLU().recompute(False).attrs"),
]
