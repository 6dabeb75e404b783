"""What the real MindSpore reads in the files that msbridge writes (`tests/oracle/written`)."""

import lzma
from pathlib import Path

import mindspore
import mindspore.dataset as ds
from mindspore import Tensor, context, nn
from mindspore.train.serialization import load_checkpoint

from tests.oracle.case import each
from tests.oracle.cases._exported import NETWORKS
from tests.oracle.cases.dataset._files import case_context  # noqa: F401

WRITTEN = Path(__file__).resolve().parents[1] / "written"


def checkpoint():
    found = load_checkpoint(str(WRITTEN / "small.ckpt"))
    return {name: value.asnumpy() for name, value in found.items()}


def rows():
    for file in WRITTEN.glob("*.xz"):
        Path(file.stem).write_bytes(lzma.decompress(file.read_bytes()))
    data = ds.MindDataset("rows.mindrecord", num_parallel_workers=1, shuffle=False)
    found = [*data.create_dict_iterator(num_epochs=1, output_numpy=True)]
    return [[row["label"], row["score"], str(row["name"]), row["data"].tobytes(), row["mask"]] for row in found]


def network(kind):
    """Run an exported network; releases before 1.7 have a form of their own, and those before 1.2 read none."""
    version = getattr(mindspore, "__version__", "") or "1.0"
    is_old = tuple(map(int, version.split(".")[:2])) < (1, 7)
    before = context.get_context("mode")
    context.set_context(mode=context.GRAPH_MODE, device_target="CPU")
    try:
        run = nn.GraphCell(mindspore.load(str(WRITTEN / f"{kind}{'_r1_6' * is_old}.mindir")))
        return run(Tensor(NETWORKS[kind][1])).asnumpy()
    finally:
        context.set_context(mode=before)


CASES = each(
    """
    checkpoint()
    network('dense')
    network('convolution')
    network('embedding')
    network('recurrent')
    rows()
""",
    may_raise=True,
)
