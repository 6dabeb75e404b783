"""What the names of a file represent."""

import ast

import pytest

from msbridge.dropin.release_guess.bindings import Bound
from msbridge.dropin.release_guess.nodes import Nodes
from msbridge.dropin.release_guess.sources import uses

TWICE = "try:\n    from mindspore.old import V\nexcept ImportError:\n    import mindspore.new as V\nV.x"
BRANCHES = "if 1:\n    import torch.nn as nn\nelse:\n    from mindspore import nn\nnn.x"


def used(text: str) -> list[tuple[int, str]]:
    """Return the attributes of MindSpore that a text uses, by line."""
    found = uses(Bound(Nodes(ast.parse(text))))
    return sorted((node.lineno, path) for path, node in found if isinstance(node, ast.Attribute))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import mindspore.nn as n\nn.x", [(2, "mindspore.nn.x")]),
        ("import numpy as np\nimport mindspore.numpy as np\nnp.x", [(3, "mindspore.numpy.x")]),
        ("import mindspore.numpy as np\nimport numpy as np\nnp.x", []),
        (TWICE, [(5, "mindspore.old.V.x")]),
        (BRANCHES, [(5, "mindspore.nn.x")]),
        ("import torch.nn as nn\ndef f():\n    from mindspore import nn\n    nn.x\nnn.y", [(4, "mindspore.nn.x")]),
        ("from mindspore import nn\ndef f():\n    from torch import nn\n    nn.x\nnn.y", [(5, "mindspore.nn.y")]),
        ("from mindspore import nn\ndef f(a=nn.x):\n    nn = a\n    nn.y", [(2, "mindspore.nn.x")]),
        ("from mindspore import nn\ndef f():\n    def g(nn):\n        nn.x\n    nn.y", [(5, "mindspore.nn.y")]),
        ("from mindspore import nn\n[nn.x for nn in a]\nnn.y", [(3, "mindspore.nn.y")]),
        ("from mindspore import nn\n(lambda nn: nn.x)(nn.y)", [(2, "mindspore.nn.y")]),
        ("from mindspore import nn\nclass A:\n    nn = 1\n    def f(self):\n        nn.y", [(5, "mindspore.nn.y")]),
        ("from mindspore import nn\ndef f(nn):\n    @nn.x\n    def g(): pass", []),
        ("import mindspore.dataset as ds\nds = ds.x(1)\nds.y", [(2, "mindspore.dataset.x")]),
        ("import mindspore.dataset as ds\nif 1:\n    ds = f()\n    ds.x\nds.y", [(5, "mindspore.dataset.y")]),
        ("ds = f()\nds.x\nimport mindspore.dataset as ds\nds.y", [(4, "mindspore.dataset.y")]),
        (
            "import mindspore as ms\nms = f()\ndef g():\n    import mindspore as ms\n    ms.x\nms.y",
            [(5, "mindspore.x")],
        ),
        ("try:\n    import mindspore as ms\nexcept ImportError:\n    ms = None\nms.x", [(5, "mindspore.x")]),
        ("import mindspore as ms\nmnp = ms.numpy\nmnp.x", [(2, "mindspore.numpy"), (3, "mindspore.numpy.x")]),
        ("import mindspore as ms\nlayer = ms.nn\nlayer = f()\nlayer.x", [(2, "mindspore.nn")]),
        ("from mindspore import nn\nnn.x\nfor nn in 1, 2:\n    nn.y\ndef f():\n    nn.z", [(2, "mindspore.nn.x")]),
        ("from mindspore import nn\nnn = 1\nnn.x\nfrom mindspore import nn\nnn.y", [(5, "mindspore.nn.y")]),
        ("try:\n    from mindspore import nn\nexcept ImportError:\n    nn = 1\nnn.x", [(5, "mindspore.nn.x")]),
        ("from mindspore import nn\nif a:\n    nn = 1\nnn.x", [(4, "mindspore.nn.x")]),
    ],
)
def test_names_are_known_where_they_are_bound(text: str, expected: list[tuple[int, str]]) -> None:
    assert used(text) == expected


def test_a_name_that_is_imported_in_several_ways_is_unsure() -> None:
    assert Bound(Nodes(ast.parse(TWICE))).unsure == {"V"}
    assert Bound(Nodes(ast.parse("import mindspore\nif 1:\n    import mindspore.nn"))).unsure == set()
