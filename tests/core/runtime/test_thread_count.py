"""How many threads compute, and how they wait: what the machine, the container and the user say."""

import os
from pathlib import Path

import pytest
import torch

import msbridge as ms
from msbridge.core.runtime import thread_count


@pytest.fixture(autouse=True)
def _machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Eight processors, two to a core, and no limit."""
    for processor in range(8):
        (tmp_path / f"{processor}").write_text(f"{processor % 4},{processor % 4 + 4}\n")
    monkeypatch.setattr(thread_count, "_SIBLINGS", f"{tmp_path}/{{}}")
    monkeypatch.setattr(thread_count, "_available_processors", lambda: set(range(8)))
    monkeypatch.setattr(thread_count, "_GROUPS", tmp_path / "groups")
    monkeypatch.setattr(thread_count, "_OWN_GROUP", tmp_path / "own")
    (tmp_path / "groups" / "pod").mkdir(parents=True)
    (tmp_path / "groups" / "cpu").mkdir()
    (tmp_path / "own").write_text("1:cpu:/\n0::/pod\n")
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    monkeypatch.setattr(thread_count, "_LOAD", tmp_path / "loadavg")
    (tmp_path / "loadavg").write_text("0.00 0.00 0.00 6/300 7\n")


def test_without_a_limit_torch_chooses_the_number() -> None:
    environment: dict[str, str] = {}
    thread_count.set_thread_variables(environment)
    assert environment == {"OMP_WAIT_POLICY": "PASSIVE"}
    assert thread_count.usable() == 4


@pytest.mark.parametrize(
    ("running", "several", "waits"),
    [
        ("5", {}, {"GOMP_SPINCOUNT": "30000"}),
        ("6", {}, {"OMP_WAIT_POLICY": "PASSIVE"}),
        ("1", {"RANK_SIZE": "1"}, {"GOMP_SPINCOUNT": "30000"}),
        ("1", {"RANK_SIZE": "2"}, {"OMP_WAIT_POLICY": "PASSIVE"}),
        ("?", {}, {"OMP_WAIT_POLICY": "PASSIVE"}),
    ],
)
def test_threads_stay_awake_for_a_moment_on_a_quiet_machine(running, several, waits) -> None:
    thread_count._LOAD.write_text(f"9.00 9.00 9.00 {running}/300 7\n")
    environment = dict(several)
    thread_count.set_thread_variables(environment)
    assert environment == several | waits
    assert (thread_count.waiting(several)[0] == "asleep") == ("OMP_WAIT_POLICY" in waits)


@pytest.mark.parametrize(("load", "policy"), [(4.0, None), (4.1, "PASSIVE")])
def test_without_linux_the_last_minute_tells(monkeypatch, load, policy) -> None:
    thread_count._LOAD.unlink()
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 9.0, 9.0), raising=False)
    environment: dict[str, str] = {}
    thread_count.set_thread_variables(environment)
    assert environment.get("OMP_WAIT_POLICY") == policy


@pytest.mark.parametrize(
    ("file", "text", "number"),
    [
        ("pod/cpu.max", "150000 100000", "2"),
        ("cpu.max", "300000 100000", "3"),
        ("pod/cpu.max", "10000 100000", "1"),
        ("pod/cpu.max", "600000 100000", "4"),
    ],
)
def test_the_limit_of_a_container_is_kept(file: str, text: str, number: str) -> None:
    (thread_count._GROUPS / file).write_text(text)
    environment: dict[str, str] = {}
    thread_count.set_thread_variables(environment)
    assert environment["OMP_NUM_THREADS"] == number
    assert "container" in thread_count.number({})[1]


def test_a_limit_of_the_first_version_is_kept() -> None:
    (thread_count._GROUPS / "cpu" / "cpu.cfs_quota_us").write_text("200000")
    (thread_count._GROUPS / "cpu" / "cpu.cfs_period_us").write_text("100000")
    assert thread_count.usable() == 2


@pytest.mark.parametrize("text", ["max 100000", "", "-1 100000"])
def test_no_limit_is_none(text: str) -> None:
    (thread_count._GROUPS / "pod" / "cpu.max").write_text(text)
    assert thread_count.usable() == 4


def test_what_the_user_has_set_is_left_alone() -> None:
    (thread_count._GROUPS / "cpu.max").write_text("100000 100000")
    environment = {"MKL_NUM_THREADS": "6", "GOMP_SPINCOUNT": "5"}
    thread_count.set_thread_variables(environment)
    assert environment == {"MKL_NUM_THREADS": "6", "GOMP_SPINCOUNT": "5"}
    assert thread_count.number(environment) == ("6", "MKL_NUM_THREADS says so")


def test_runtime_num_threads_is_at_most_the_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: list[int] = []
    monkeypatch.setattr(torch, "set_num_threads", chosen.append)
    monkeypatch.setattr(os, "environ", {})
    for threads in (2, 30):
        ms.set_context(runtime_num_threads=threads)
    assert chosen == [2, 4]
