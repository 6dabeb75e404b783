"""install() and uninstall(): what they put where, and that it is gone afterwards."""

import sys
import threading
import types

import pytest

import msbridge
from msbridge.core.context import context
from msbridge.core.releases import release
from msbridge.core.types import dtype
from msbridge.dropin import install, installed, uninstall


@pytest.fixture(autouse=True)
def clean() -> None:
    uninstall()
    yield
    uninstall()


def served() -> set[str]:
    return {name for name in sys.modules if name == "mindspore" or name.startswith("mindspore.")}


def test_uninstall_takes_every_module_away() -> None:
    install()
    import mindspore.common.seed  # noqa: F401

    assert "mindspore.common.seed" in served()
    uninstall()
    assert not served()
    assert not installed()


def test_uninstall_gives_our_modules_back_as_they_were() -> None:
    before = {name: set(vars(module)) for name, module in sys.modules.items() if name.startswith("msbridge")}
    install()
    import mindspore.common.dtype  # noqa: F401

    assert "__getattr__" in vars(dtype)
    uninstall()
    assert {name: set(vars(sys.modules[name])) for name in before} == before


def test_a_name_found_while_installed_outlives_the_next_release() -> None:
    """2.10 does not publish the name, so the drop-in takes it out of our module and finds it when it is asked for."""
    release.set_release("1.10")
    install()
    from mindspore.context import get_offload_context

    uninstall()
    release.set_release(None)
    assert context.get_offload_context is get_offload_context


def test_install_twice_is_install_once() -> None:
    install()
    install()
    assert sum(type(finder).__name__ == "Finder" for finder in sys.meta_path) == 1


def test_install_sets_the_release() -> None:
    install(release="1.1")
    assert release.release() == (1, 1)


def test_install_without_a_release_keeps_the_one_set() -> None:
    release.set_release("1.5")
    install()
    assert release.release() == (1, 5)


def test_another_mindspore_that_is_imported_already_is_a_conflict(monkeypatch: pytest.MonkeyPatch) -> None:
    other = types.ModuleType("mindspore")
    other.__file__ = "/elsewhere/mindspore/__init__.py"
    monkeypatch.setitem(sys.modules, "mindspore", other)
    with pytest.raises(ImportError, match=r"another mindspore is imported already, from '/elsewhere"):
        install()
    assert sys.modules["mindspore"] is other


def test_another_mindspore_on_the_path_loses_and_comes_back(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mindspore.py").write_text("real = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    install()
    import mindspore

    assert mindspore is msbridge
    uninstall()
    import mindspore

    assert mindspore.real
    del sys.modules["mindspore"]


def test_a_script_finds_mindspore_among_modules_by_its_name() -> None:
    install()
    import mindspore

    assert mindspore.__name__ == "mindspore"
    from msbridge import nn  # ours is imported by its own name as before

    assert nn.__name__ == "msbridge.nn"
    uninstall()
    assert msbridge.__name__ == "msbridge"


def test_threads_that_install_at_once_install_once() -> None:
    before, gate = sys.getswitchinterval(), threading.Barrier(8)

    def together() -> None:
        gate.wait()
        install()

    sys.setswitchinterval(1e-6)
    threads = [threading.Thread(target=together) for _ in range(8)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert sum(type(finder).__name__ == "Finder" for finder in sys.meta_path) == 1
    import mindspore.common.seed  # noqa: F401
