"""Parameters of 1.1: how they are printed."""

from msbridge.core.parameter.parameter import Parameter


def _text(self: Parameter) -> str:
    return f"Parameter (name={self.name})"


OVERRIDES = {"Parameter.__repr__": _text, "Parameter.__str__": _text}
