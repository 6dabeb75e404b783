"""Dotted names: the path of a layer, and the last part, which names the tensor in it."""


def join_path(path: str, leaf: str) -> str:
    """Put the path of a layer and the last part of a name together."""
    return f"{path}.{leaf}" if path else leaf


def parent(name: str) -> str:
    """Return the name before the last dot: the path of the layer that has a tensor."""
    return name.rpartition(".")[0]


def leaf(name: str) -> str:
    """Return the name behind the last dot."""
    return name.rpartition(".")[2]
