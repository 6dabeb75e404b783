"""When glibc's allocator gets huge pages, and when it is left alone."""

from pathlib import Path

import pytest

from msbridge.core.runtime import malloc_tuning

HUGE = "glibc.malloc.hugetlb=1"


@pytest.fixture(autouse=True)
def _machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "enabled").write_text("always [madvise] never\n")
    monkeypatch.setattr(malloc_tuning, "_KERNEL", tmp_path / "enabled")
    monkeypatch.setattr(malloc_tuning, "_glibc", lambda: (2, 36))


@pytest.mark.parametrize("present", ["", "glibc.cpu.x86_ibt=off"])
def test_huge_pages_are_asked_for_beside_what_is_set(present: str) -> None:
    environment = {"GLIBC_TUNABLES": present} if present else {}
    for _ in range(2):  # a launcher inside a launcher
        malloc_tuning.request_huge_pages(environment)
        assert environment == {"GLIBC_TUNABLES": f"{present}:{HUGE}".removeprefix(":")}


@pytest.mark.parametrize(
    ("environment", "word"),
    [
        ({"MSBRIDGE_ALLOCATOR": "default"}, "MSBRIDGE_ALLOCATOR"),
        ({"GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}, "GLIBC_TUNABLES"),
        ({"LD_PRELOAD": "/usr/lib/libjemalloc.so.2"}, "LD_PRELOAD"),
        ({"LD_PRELOAD": "/usr/lib/libtcmalloc_minimal.so.4"}, "LD_PRELOAD"),
        ({"MALLOC_ARENA_MAX": "2"}, "MALLOC_ARENA_MAX"),
    ],
)
def test_what_the_user_has_set_is_left_alone(environment: dict[str, str], word: str) -> None:
    before = dict(environment)
    malloc_tuning.request_huge_pages(environment)
    assert environment == before
    assert word in malloc_tuning.obstacle(environment)


@pytest.mark.parametrize("version", [(), (2, 31)])
def test_another_c_library_is_left_alone(monkeypatch: pytest.MonkeyPatch, version: tuple[int, ...]) -> None:
    monkeypatch.setattr(malloc_tuning, "_glibc", lambda: version)
    assert "glibc" in malloc_tuning.obstacle({})


@pytest.mark.parametrize("mode", ["[always] madvise never", "always madvise [never]", None])
def test_a_kernel_that_does_otherwise_is_told(mode: str | None) -> None:
    if mode is None:
        malloc_tuning._KERNEL.unlink()
    else:
        malloc_tuning._KERNEL.write_text(mode)
    assert "kernel" in malloc_tuning.obstacle({})
