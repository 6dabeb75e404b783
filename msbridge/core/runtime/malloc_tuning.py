"""The C library's allocator under `msbridge run`: glibc's, in huge pages.

glibc returns large activations to the system when they are freed, and the next step faults them in again, 4 KiB at a
time. With `glibc.malloc.hugetlb=1` (glibc 2.35) the memory comes in pages of 2 MiB: ResNet-18 (64 px, batch 16) has
16 page faults a step instead of 9000, the system time of steps falls to a third, and peaks stay within 1.2 of the
default's (mostly 1.03), because glibc continues choosing its thresholds. Fixed ones (`mallopt`) were measured, too:
from 8 MiB for mmap on, tensors that grow every step reach 1.2 to 1.7 times the default's peak, and below, larger
activations fault more than they do by default. `python -m benchmarks` measures speed and peaks again.

glibc reads the setting when a process starts, so it is the launcher's; nothing is changed in a running process.
"""

import os
from collections.abc import Mapping, MutableMapping
from pathlib import Path

SWITCH = "MSBRIDGE_ALLOCATOR"  # "default" leaves the allocator as it is
_TUNABLES = "GLIBC_TUNABLES"
_HUGE_PAGES = "glibc.malloc.hugetlb=1"
_SINCE = (2, 35)
_KERNEL = Path("/sys/kernel/mm/transparent_hugepage/enabled")


def request_huge_pages(environment: MutableMapping[str, str]) -> None:
    """Set the variable that makes glibc take huge pages, for a process and those below it."""
    present = environment.get(_TUNABLES, "")
    if not obstacle(environment) and _HUGE_PAGES not in present:
        environment[_TUNABLES] = f"{present}:{_HUGE_PAGES}".removeprefix(":")


def obstacle(environment: Mapping[str, str]) -> str:
    """Return why the allocator is left as it is; "" where `msbridge run` sets up huge pages."""
    if (asked := environment.get(SWITCH, "")) not in ("", "huge"):
        return f"{SWITCH}={asked}"
    tunables = [tunable for tunable in environment.get(_TUNABLES, "").split(":") if tunable != _HUGE_PAGES]
    if any(tunable.startswith("glibc.malloc.") for tunable in tunables):
        return f"{_TUNABLES} says how"
    if "malloc" in environment.get("LD_PRELOAD", ""):
        return "LD_PRELOAD brings another one"
    if own := next((name for name in environment if name.startswith("MALLOC_")), ""):
        return f"{own} says how"
    version = _glibc()
    if version < _SINCE:
        return f"glibc {'.'.join(map(str, version))} is older than 2.35" if version else "the C library is not glibc"
    mode = _kernel_mode()
    return "" if mode == "madvise" else f"huge pages of this kernel: {mode or 'none'}"


def _glibc() -> tuple[int, ...]:
    try:
        name = os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (AttributeError, ValueError):  # Windows; macOS and musl
        return ()
    return tuple(int(part) for part in name.removeprefix("glibc ").split(".") if part.isdigit())


def _kernel_mode() -> str:
    try:
        return _KERNEL.read_text(encoding="utf-8").partition("[")[2].partition("]")[0]
    except OSError:
        return ""
