"""What becomes of a torch source."""

import ast

import pytest

from msbridge.translate import Kind, UntranslatableError, translate

NET = """\
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.conv = nn.Conv2d(3, width, 3, padding=1)  # keeps the size
        self.fc = nn.Linear(width, 10, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.conv(x).mean(dim=(2, 3))
        return self.fc(x.view(x.size(0), -1))
"""


def test_a_network_keeps_its_comments_and_names():
    translated = translate(NET).source
    assert (
        'self.conv = nn.Conv2d(3, width, 3, padding=1, pad_mode="pad", has_bias=True)  # keeps the size' in translated
    )
    assert "self.fc = nn.Dense(width, 10, has_bias=False)" in translated
    assert "def construct(self, x: Tensor) -> Tensor:" in translated
    assert "self.fc(x.view(x.shape[0], -1))" in translated


def test_every_line_has_a_kind_and_a_place():
    result = translate(NET)
    lines = result.source.splitlines()
    assert [line.number for line in result.lines] == [*range(1, len(NET.splitlines()) + 1)]
    assert lines[result.lines[7].output - 1].startswith("        self.conv")
    assert result.lines[5].kind is Kind.SAME
    assert result.lines[7].kind is Kind.REWRITTEN
    assert not result.by_hand


def test_what_is_unknown_is_marked():
    result = translate("import torch\n\ndef f(x):\n    return torch.frobnicate(x)\n")
    assert [line.number for line in result.by_hand] == [4]
    assert (
        "    # msbridge: no counterpart of torch.frobnicate is known\n    return torch.frobnicate(x)" in result.source
    )


def test_a_text_that_is_not_python_is_refused():
    with pytest.raises(UntranslatableError, match="line 1"):
        translate("def (")


def test_a_class_that_is_not_there_is_refused():
    with pytest.raises(UntranslatableError, match="the file has Net"):
        translate(NET, module="Nett")


def test_the_translation_is_python():
    ast.parse(translate(NET).source)


def test_a_marked_line_can_be_imported():
    text = "from torch import distributed as dist\n\n\ndef total(x, op=dist.ReduceOp.SUM):\n    return x\n"
    names = {}
    exec(translate(text).source, names)
    with pytest.raises(NotImplementedError, match=r"torch.distributed.ReduceOp.SUM has no counterpart"):
        names["total"].__defaults__[0]()


def test_a_function_that_is_passed_on_is_renamed():
    text = "import torch.nn.functional as F\n\nactivations = {'relu': F.relu, 'gelu': F.gelu}\n"
    assert translate(text).source.endswith("activations = {'relu': ops.relu, 'gelu': ops.gelu}\n")


def test_a_call_in_place_assigns_its_result():
    text = "import torch.nn.functional as F\n\n\ndef f(x):\n    F.relu(x, inplace=True)\n    return x\n"
    assert translate(text).source.endswith("    x = ops.relu(x)\n    return x\n")


def test_names_of_a_star_import_are_torchs_by_convention():
    text = "from .activations import *\n\nhas_mish = 'mish' in dir(torch.nn.functional)\nkinds = dict(relu=F.relu)\n"
    translated = translate(text).source
    assert "has_mish = True" in translated
    assert "kinds = dict(relu=ops.relu)" in translated


def test_an_import_that_is_tried_falls_back_to_what_the_file_defines():
    text = "try:\n    from torch import _assert\nexcept ImportError:\n    def _assert(c, m):\n        assert c, m\n"
    names = {}
    exec(translate(text).source, names)
    with pytest.raises(AssertionError, match="no"):
        names["_assert"](False, "no")


def test_what_a_layer_writes_in_place_is_what_the_input_is_afterwards():
    text = (
        "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.act = nn.ReLU(inplace=True)\n        self.body = nn.Sequential(nn.ReLU(inplace=True))\n\n"
        "    def forward(self, x):\n        shortcut = x\n        y = self.act(x)\n        z = self.body(y)\n"
        "        return y + z + shortcut\n"
    )
    result = translate(text)
    assert "y = shortcut = self.act(x)" in result.source
    assert ["y" in line.reasons[-1] for line in result.by_hand] == [True]


def test_buffers_of_checkpoints_are_parameters_that_are_not_trained():
    text = (
        "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n"
        "        super().__init__()\n        self.register_buffer('scale', torch.randn(3))\n"
        "        self.register_buffer('none', None)\n"
    )
    translated = translate(text).source
    assert "self.scale = Buffer(ops.randn((3,)))" in translated
    assert "self.register_buffer('none', None)" in translated


def test_a_sequence_runs_the_cells_that_its_constructor_adds():
    text = (
        "from torch import nn\n\n\nclass Stem(nn.Sequential):\n    def __init__(self):\n        super().__init__()\n"
        "        self.conv = nn.Conv2d(3, 8, 3)\n"
    )
    assert "        self.cell_list = list(self._cells.values())" in translate(text).source


def test_weights_of_layers_of_any_kind_are_shared():
    text = (
        "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self, encoder, decoder):\n"
        "        super().__init__()\n        self.rows = nn.Embedding(5, 3)\n"
        "        encoder.rows.weight = decoder.rows.weight\n"
    )
    assert "set_weight(encoder.rows, weight_of(decoder.rows))" in translate(text).source


def test_a_name_that_is_imported_and_has_a_helper_is_the_helper():
    source = "from torch.nn.functional import interpolate\n\n\ndef f(x):\n    return interpolate(x, scale_factor=2)\n"
    translated = translate(source).source
    assert "def interpolate(" in translated
    assert "Untranslated" not in translated


def test_what_another_package_has_for_torch_is_marked():
    source = "import torch\nfrom safetensors.torch import save_file\n\n\ndef f(x):\n    save_file(x, 'x')\n"
    translation = translate(source)
    assert [(one.number, one.reasons[0].partition(" ")[0]) for one in translation.by_hand] == [
        (2, "safetensors.torch.save_file")
    ]
    assert 'save_file = Untranslated("safetensors.torch.save_file")' in translation.source
