"""Processes that multiprocessing starts have the drop-in, and the release, before they unpickle what they run."""

from multiprocessing import spawn
from pathlib import Path

import pytest

from msbridge.dropin import install, uninstall
from tests.processes import python

PROGRAM = """
import multiprocessing


def work(net):
    from msbridge.core.releases.release import release

    print(type(net).__module__, release())


if __name__ == "__main__":
    import msbridge

    msbridge.install("1.10")
    from mindspore import nn

    process = multiprocessing.get_context("spawn").Process(target=work, args=(nn.ReLU(),))
    process.start()
    process.join()
"""


@pytest.mark.process
def test_a_spawned_process_unpickles_mindspores_classes(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(PROGRAM)
    done = python(str(script))
    assert done.stdout == "mindspore.nn.layer.activation (1, 10)\n"


def test_uninstall_leaves_multiprocessing_as_it_was() -> None:
    uninstall()
    own = spawn.get_preparation_data
    install()
    assert spawn.get_preparation_data is not own
    uninstall()
    assert spawn.get_preparation_data is own
