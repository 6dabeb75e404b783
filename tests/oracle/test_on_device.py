"""On a device, msbridge returns what the real MindSpore returned on the CPU, and what it returns lies on the device.

What has to differ is in rows of `on_device.toml`; a row that explains nothing any more fails.
"""

import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch
from mindspore import Tensor, context

import msbridge
from tests.oracle.case import Case
from tests.oracle.families import JUDGED_ELSEWHERE
from tests.oracle.test_replay import LOADED, STARTS_WORKERS, problem_of

FAMILIES = [family for family in LOADED if family not in JUDGED_ELSEWHERE]
PART = os.environ.get("MSBRIDGE_TEST_PART", "0/1")  # "1/4": the second quarter of the families


@dataclass(frozen=True, slots=True)
class Row:
    """Why cases differ on a device: those whose name and whose problem match."""

    why: str
    cases: str = ""
    says: str = ""
    stand_in: bool = False
    kind: str = ""

    @property
    def fits_here(self) -> bool:
        return (IS_STAND_IN or not self.stand_in) and self.kind in ("", DEVICE)

    def explains(self, case: Case, problem: str) -> bool:
        return bool(re.search(self.cases, case.name) and re.search(self.says, problem))


TABLE = tomllib.loads(Path(__file__).with_name("on_device.toml").read_text(encoding="utf-8"))
DEVICE = torch.accelerator.current_accelerator().type if torch.accelerator.is_available() else "cpu"
IS_STAND_IN = "msbridge_standin" in sys.modules
EVERYWHERE = [row for row in (Row(**row) for row in TABLE.pop("every family")) if row.fits_here]
ROWS = {family: [row for row in (Row(**row) for row in rows) if row.fits_here] for family, rows in TABLE.items()}


def part() -> list[str]:
    number, count = map(int, PART.split("/"))
    return FAMILIES[number::count]


def hosts(value: object) -> Iterator[str]:
    """Yield where Tensors among the results lie that are not on the device."""
    if isinstance(value, Tensor):
        if value._data.device.type not in (DEVICE, "meta"):
            yield f"a result lies on {value._data.device}"
    elif isinstance(value, tuple | list):
        for item in value:
            yield from hosts(item)
    elif isinstance(value, dict):
        yield from hosts(list(value.values()))


@pytest.mark.needs(accelerators=1)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("family", part())
def test_cases_give_the_recorded_outcomes_on_the_device(
    family: str,
    seed_all: Callable[[], None],
    subtests: pytest.Subtests,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    module, cases = LOADED[family]
    pytest.importorskip(getattr(module, "NEEDS", "mindspore"))
    run, elsewhere, used = Case.run, [], set()

    def run_and_look(case: Case, module: object) -> object:
        result = run(case, module)
        elsewhere.extend(hosts(result))
        return result

    monkeypatch.setattr(Case, "run", run_and_look)
    for case in cases:
        if STARTS_WORKERS in case.expression or case.xfail or request.config.getoption("--case") not in case.name:
            continue
        msbridge.install()
        context.set_context(mode=context.PYNATIVE_MODE)
        seed_all()
        elsewhere.clear()
        problem = problem_of(family, module, case) or "".join(elsewhere[:1])
        rows = ROWS.get(family, []) + EVERYWHERE if problem else []
        row = next((row for row in rows if row.explains(case, problem)), None)
        used |= {row} - {None}
        if problem and row is None:
            with subtests.test(case.name):
                pytest.fail(problem, pytrace=False)
    if not request.config.getoption("--case"):
        assert used - {*EVERYWHERE} == set(ROWS.get(family, []))
