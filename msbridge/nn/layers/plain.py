"""The base of layers that have no settings."""

from msbridge.nn.cell.cell import Cell

__all__ = ["PlainLayer"]


class PlainLayer(Cell):
    """A layer that takes no arguments: what a script passes by mistake (torch's `inplace`) is a TypeError."""

    def __init__(self) -> None:
        super().__init__()
