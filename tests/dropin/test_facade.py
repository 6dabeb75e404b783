"""What `from module import *`, `__all__`, `dir` and `hasattr` answer for every module of MindSpore that is here."""

import gzip
import importlib
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from msbridge.dropin.absence import reason
from msbridge.dropin.forwarding import module_names, names_of, rows

pytestmark = pytest.mark.usefixtures("dropin")

RECORD = Path(__file__).parents[1] / "oracle" / "names" / "2.10.0.json.gz"
RECORDED = json.loads(gzip.decompress(RECORD.read_bytes()))["modules"]
# A private path may be another path's module here.
MODULES = sorted(path for path in module_names() if not (path in rows() and rows()[path].same and "._" in path))
# Modules with parts of MindSpore's compiler, pipeline and kernels that are not here.
UNFINISHED = {
    *(f"mindspore.dataset.{path}" for path in ("dataloader.dataloader", "core.validator_helpers")),
    *("mindspore.dataset.engine.datasets_standard_format", "mindspore.numpy.array_ops", "mindspore.numpy.math_ops"),
    *("mindspore.dataset.transforms.transforms", "mindspore.dataset.transforms.validators"),
    *("mindspore.dataset.vision.transforms", "mindspore.dataset.vision.utils", "mindspore.ops"),
    *(f"mindspore.ops.auto_generate.{path}" for path in ("gen_extend_func", "gen_ops_def", "gen_ops_prim")),
    *(f"mindspore.ops.composite.multitype_ops.{path}_impl" for path in ("add", "div", "floordiv")),
    *("mindspore.ops._grad_experimental.grad_base", "mindspore.ops.functional_overload", "mindspore.ops.operations"),
    *(f"mindspore.ops.operations.{path}_ops" for path in ("inner", "nn", "other", "sparse")),
    *("mindspore.rewrite.common.namespace", "mindspore.rewrite.node", "mindspore.rewrite.node.node"),
    *("mindspore.rewrite.sparsify.sparsify", "mindspore.rewrite.sparsify.utils"),
    *("mindspore.rewrite.symbol_tree", "mindspore.rewrite.symbol_tree.symbol_tree"),
}
# What no release has, although torch or a paper does.
NOWHERE = {
    "mindspore": "Adam Conv2d Tensr arange zeros_like",
    "mindspore.nn": "Module ModuleList ParameterDict ParameterList RMSNorm Sequential Softplus functional init",
    "mindspore.mint": "from_numpy manual_seed no_grad pinverse save",
    "mindspore.mint.nn": "Dense LSTM ParameterDict RMSNorm Transformer",
    "mindspore.dataset": "DataLoader TensorDataset random_split",
    "mindspore.dataset.vision": "GaussianNoise functional",
}


def star(path: str) -> set[str]:
    """Return what a script gets."""
    names: dict[str, object] = {}
    exec(f"from {path} import *", names)
    return names.keys() - {"__builtins__"}


@pytest.mark.parametrize("path", MODULES)
def test_star_gives_mindspores_names_and_no_others(path: str) -> None:
    module = importlib.import_module(path)
    if not isinstance(module, ModuleType):  # a function has the module's name
        return
    handed = star(path)
    assert handed == {*module.__all__}
    assert handed == {name for name in names_of(path) or () if hasattr(module, name)}
    assert handed <= {*dir(module)}
    assert [name for name in dir(module) if not hasattr(module, name)] == []
    if path not in UNFINISHED:
        wanted = {*RECORDED.get(path, ())} & names_of(path)
        assert [name for name in wanted - handed if not reason(f"{path}.{name}")] == []


@pytest.mark.parametrize("path", NOWHERE)
def test_what_no_release_has_is_not_there(path: str) -> None:
    module = importlib.import_module(path)
    assert [name for name in NOWHERE[path].split() if hasattr(module, name)] == []


@pytest.mark.parametrize(
    "line",
    [
        "from mindspore import ms_function",
        "from mindspore.nn import GraphKernel, ResizeBilinear, TensorAddQuant",
        "from mindspore.dataset import GraphData",
        "from mindspore.ops.operations import TensorAdd",
        "from mindspore.nn.layer.quant import QuantBlock",
    ],
)
def test_names_of_earlier_releases_are_there_whatever_is_followed(line: str) -> None:
    exec(line)


@pytest.mark.process
@pytest.mark.parametrize("start", [["-m", "msbridge", "run", "-c"], ["-c"]], ids=["run", "install"])
def test_the_package_is_called_mindspore(start: list[str]) -> None:
    program = (
        "import mindspore as ms, mindspore.common.dtype\n"
        "for module in (ms, ms.nn, ms.common.dtype, ms.mint.nn.functional):\n"
        "    try: module.Tensr\n"
        "    except AttributeError as error: print(str(error).split()[1])\n"
    )
    install = "" if "run" in start else "import msbridge; msbridge.install()\n"
    done = subprocess.run([sys.executable, *start, install + program], capture_output=True, text=True, check=True)
    paths = ("mindspore", "mindspore.nn", "mindspore.common.dtype", "mindspore.mint.nn.functional")
    assert done.stdout.split() == [f"{path!r}" for path in paths]


@pytest.mark.process
def test_star_leaves_the_variables_of_a_script() -> None:
    program = (
        "import msbridge; msbridge.install()\n"
        "losses = layers = inputs = images = base = config = torch = np = earlier = 1\n"
        "from mindspore.nn import *\nfrom mindspore.dataset import *\nfrom mindspore.dataset.vision import *\n"
        "from mindspore.dataset.text import *\nfrom mindspore.ops import *\nfrom mindspore.numpy import zeros\n"
        "print(losses, layers, inputs, images, base, config, torch, np, earlier, Accuracy.__name__)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["1"] * 9 + ["Accuracy"], done.stderr
