"""The notebook of the examples runs, and shows what is stored in it."""

import re
from pathlib import Path

import pytest

from tests.processes import LIMIT_S

NOTEBOOK = Path(__file__).parents[2] / "examples" / "notebook" / "lenet.ipynb"
NUMBERS = re.compile(r"\d+\.\d+|0x\w+")  # losses, and where an object lies


def shown(notebook):
    """What the cells show, by number of the cell, without numbers of this run."""
    texts = []
    for number, cell in enumerate(notebook.cells):
        streamed = "".join(one.get("text", "") for one in cell.get("outputs", ()))
        data = [one["data"] for one in cell.get("outputs", ()) if "data" in one]
        texts += [(number, "stream", NUMBERS.sub("…", streamed))] if streamed else []
        texts += [(number, kind, NUMBERS.sub("…", text)) for one in data for kind, text in sorted(one.items())]
    return texts


pytestmark = [
    pytest.mark.process,
    pytest.mark.needs(package="nbclient"),
    pytest.mark.filterwarnings("default"),  # those of the client
]


def run(notebook):
    """Run the cells in a kernel."""
    import nbclient

    nbclient.NotebookClient(notebook, timeout=LIMIT_S, startup_timeout=LIMIT_S, kernel_name="python3").execute()


def test_notebook_shows_what_is_stored():
    import nbformat

    notebook = nbformat.read(NOTEBOOK, as_version=4)
    stored = shown(notebook)
    run(notebook)
    assert shown(notebook) == stored
    assert {kind for _, kind, _ in stored} == {"stream", "text/plain", "text/html"}


def test_install_in_a_notebook():
    from nbformat.v4 import new_code_cell, new_notebook

    cells = [
        "import msbridge\nmsbridge.install()",
        "import mindspore as ms\nms.Parameter(ms.Tensor([1.0, 2.0]), name='weight')",
        "msbridge.uninstall()\n%load_ext msbridge\nms.nn is msbridge.nn",
    ]
    notebook = new_notebook(cells=[new_code_cell(source) for source in cells])
    run(notebook)
    (number, kind, table), *_, last = shown(notebook)
    assert (number, kind) == (1, "text/html")
    assert "<td" in table
    assert "weight" in table
    assert last == (2, "text/plain", "True")
