"""Where msbridge follows the documentation and not the CPU build of 2.10.0, expression by expression.

    ORACLE tests/oracle/divergences.py                 what the real one returns; ORACLE is its interpreter
    python tests/oracle/divergences.py --msbridge      what msbridge returns

The rows are in divergences.toml; `python tools/divergences_page.py` writes docs/divergences.md of them.
"""

import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

ROWS = Path(__file__).parent / "divergences.toml"


@dataclass(frozen=True)
class Divergence:
    """A row of divergences.toml.

    Attributes:
        because: what the documentation says.
        cases: expression → (the result of the CPU build, that of msbridge).
        of_torch: expression → what msbridge returns with some other releases of torch.
    """

    because: str
    cases: dict[str, tuple[str, str]]
    of_torch: dict[str, str] = field(default_factory=dict)


def rows() -> list[Divergence]:
    """Return the rows of the table, in its order."""
    return [Divergence(**row) for row in tomllib.loads(ROWS.read_text(encoding="utf-8"))["divergence"]]


def outcome(expression: str) -> str:
    """Evaluate an expression with the `mindspore` that there is."""
    return shown(eval(expression, names()))


def names() -> dict[str, object]:
    """Return what an expression can use."""
    import mindspore as ms
    from mindspore import Tensor, mint, nn, ops

    from tests.oracle.compiled import compiled

    def changed(x: Tensor, method: str, *arguments: object) -> Tensor:
        getattr(x, method)(*arguments)
        return x

    def stepped(make: object) -> Tensor:
        """A weight of 1 after two steps with a gradient of 1."""
        weight = ms.Parameter(Tensor([1.0]), name="w")
        optimizer = make([weight])
        for _ in range(2):
            optimizer((Tensor([1.0]),))
        return weight.value()

    def written(take: object) -> Tensor:
        """A Tensor after a write into what was taken of it."""
        x = Tensor([1.0, 2.0, 3.0])
        take(x)[0] = 100.0
        return x

    def held(take: object, change: object) -> str:
        """What was taken of a Parameter, after this was changed."""
        weight = ms.Parameter(Tensor([1.0, 2.0]), name="w")
        taken = take(weight)
        change(weight)
        return str(taken.tolist())

    def stepped_on(again: object) -> Tensor:
        """A weight of 1 after a step with a gradient of 1, a change, and another step."""
        weight = ms.Parameter(Tensor([1.0]), name="w")
        optimizer = nn.SGD([weight], 0.5)
        optimizer((Tensor([1.0]),))
        again(weight)
        optimizer((Tensor([1.0]),))
        return weight.value()

    def gradient_of_lstm(dtype: object) -> Tensor:
        """The gradient of the sum of an LSTM's outputs with respect to its input, all weights a half."""
        network = nn.LSTM(1, 1)
        for weight in network.get_parameters():
            weight.set_data(Tensor(np.full(weight.shape, 0.5), ms.float32))
        network.to_float(dtype)
        return ms.grad(lambda x: network(x)[0].astype(ms.float32).sum())(Tensor([[[1.0]]], ms.float32))

    def trained_batch_norm(level: str) -> Tensor:
        """The output of BatchNorm in training for a column of 1 and 3, which has mean 2 and deviation 1."""
        network = ms.amp.auto_mixed_precision(nn.SequentialCell(nn.Dropout(p=0.0), nn.BatchNorm1d(1)), level)
        return network.set_train()(Tensor([[1.0], [3.0]], ms.float32))

    def in_half(function: object, behind: Tensor | None = None) -> Tensor:
        """The result of a function in a Cell in float16; or twice a Tensor after that, whether it raises or not."""

        class Half(nn.Cell):
            def construct(self, x: Tensor) -> Tensor:
                return function(x)

        network = Half().to_float(ms.float16)
        if behind is None:
            return network(Tensor([1.0, 2.0]))
        try:
            network(Tensor([1.0, 2.0]))
        except IndexError:
            return behind * 2
        return behind

    def yielded_buffer() -> str:
        """The rows of a generator function that yields one array twice, and writes into it between."""
        from mindspore import dataset

        def rows() -> Iterator[tuple[np.ndarray]]:
            buffer = np.zeros(1, np.float32)
            for value in (1.0, 2.0):
                buffer[:] = value
                yield (buffer,)

        read = dataset.GeneratorDataset(rows, ["x"]).batch(2).create_tuple_iterator(num_epochs=1, output_numpy=True)
        return str(next(read)[0][:, 0].tolist())

    def centralized(make: object) -> Tensor:
        """Weights of 0 after a step with centralized gradients of 1 and 3."""
        weight = ms.Parameter(Tensor([[0.0, 0.0]]), name="w")
        make([{"params": [weight], "grad_centralization": True}])((Tensor([[1.0, 3.0]]),))
        return weight.value()

    def assigned(index: object) -> object:
        """A Tensor after a write of 5, 6, or the error that refuses it."""
        x = Tensor([[1.0, 2.0], [3.0, 4.0]])
        try:
            x[index] = Tensor([5.0, 6.0])
        except ValueError as error:
            return type(error).__name__
        return x

    def star(module: str) -> str:
        """Return the class of the error of `from module import *`."""
        try:
            exec(f"from {module} import *", {})
        except Exception as error:
            return type(error).__name__
        return ""

    def reset_in_graph() -> Tensor:
        """The output of a Cell in graph mode for 1, after the number that it multiplies with went from 2 to 5."""

        class Scaled(nn.Cell):
            def __init__(self) -> None:
                super().__init__()
                self.factor = 2

            def construct(self, x: Tensor) -> Tensor:
                return x * self.factor

        ms.set_context(mode=ms.GRAPH_MODE)
        try:
            network = Scaled()
            network(Tensor([1.0]))
            network.factor = 5
            return network(Tensor([1.0]))
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)

    known = {
        "assigned": assigned,
        "centralized": centralized,
        "compiled": compiled,
        "changed": changed,
        "reset_in_graph": reset_in_graph,
        "stepped": stepped,
        "stepped_on": stepped_on,
        "star": star,
        "written": written,
        "held": held,
        "gradient_of_lstm": gradient_of_lstm,
        "trained_batch_norm": trained_batch_norm,
        "in_half": in_half,
        "yielded_buffer": yielded_buffer,
        "Tensor": Tensor,
        "mint": mint,
        "ms": ms,
        "nn": nn,
        "np": np,
    }
    return {**known, "ops": ops, "__name__": __name__}  # MindSpore asks a function for its module


def shown(value: object) -> str:
    """Return a result as text: dtype and numbers, to six digits."""
    dtype = getattr(value, "dtype", None)
    if dtype is None:
        return repr(value)
    return f"{dtype} {np.array2string(value.asnumpy(), precision=5, separator=', ').replace(chr(10), '')}"


if __name__ == "__main__":
    if "--msbridge" in sys.argv:
        import msbridge

        msbridge.install()
    for expression in (case for row in rows() for case in row.cases):
        print(expression, outcome(expression), sep="\n    ")
