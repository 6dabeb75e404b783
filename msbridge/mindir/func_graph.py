"""A network that was read from a file."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msbridge.converters.mindir.reading import read_model
from msbridge.converters.mindir.records import Model
from msbridge.core.parameter.parameter import Parameter
from msbridge.mindir.codegen import program_of
from msbridge.mindir.program import FILE_NAME, Layer, Program
from msbridge.mindir.values import parameter_of


class FuncGraph:
    """A network that was read from a file, without the values of training since.

    Attributes:
        model: what the file holds.
        program: its graphs as functions.

    Follows: mindspore._c_expression.FuncGraph (2.10), as `mindspore.load` returns it.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.program: Program = program_of(model)

    def parameters(self) -> dict[str, Parameter]:
        """Return new parameters with the values of the file, by name, in its order."""
        return {name: parameter_of(one) for name, one in self.model.parameters().items()}

    def bind(
        self, parameters: Mapping[str, Parameter], made: Callable[[Layer, Callable[..., Any]], Any] | None = None
    ) -> Callable[..., Any]:
        """Return the network as a function of its inputs that takes these parameters; Args as `Program.bind`."""
        return self.program.bind(parameters, made)

    def explain_error(self, error: Exception, given: int) -> Exception:
        """Return the exception for an error of a call with so many inputs; a note says which node raised it."""
        wanted = len(self.model.graph.inputs)
        if given != wanted:
            names = ", ".join(self.model.inputs())
            return RuntimeError(f"{self.model.path.name} takes {wanted} inputs ({names}), got {given}.")
        node, frame = None, error.__traceback__
        while frame is not None:
            if frame.tb_frame.f_code.co_filename == FILE_NAME:
                node = self.program.nodes.get(frame.tb_lineno, node)
            frame = frame.tb_next
        if node is not None:
            error.add_note(f"In {self.model.path.name}, at the node {node.place!r}.")
        return error

    def running(self) -> str:
        """Return the place of the node that runs now, as seen from what it calls; "" where none does."""
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename != FILE_NAME:
            frame = frame.f_back  # type: ignore[assignment]
        node = self.program.nodes.get(frame.f_lineno) if frame is not None else None
        return node.place if node else ""

    def __deepcopy__(self, memo: dict[int, Any]) -> "FuncGraph":
        return self

    def __reduce__(self) -> Any:
        return open_graph, (self.model.path,)

    def __repr__(self) -> str:
        inputs = ", ".join(f"{name}: {kind}" for name, kind in self.model.inputs().items())
        nodes = sum(len(graph.nodes) for graph in self.model.every())
        return f"<FuncGraph of {self.model.path.name}: ({inputs}), {nodes} nodes>"


def open_graph(path: Path, key: bytes | None = None, mode: str = "AES-GCM") -> FuncGraph:
    """Read a file.

    Args:
        path: the file.
        key: of an encrypted file.
        mode: in which it is encrypted.

    Raises:
        CheckpointError: it is damaged or encrypted, or has operators that are not here, which are all named.
        ImportError: a package that decrypts is missing.
    """
    return FuncGraph(read_model(path, key, mode))
