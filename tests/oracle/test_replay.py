"""msbridge returns what the real MindSpore (2.10, CPU) returned: every case of `cases/` against its record."""

import functools
import traceback
from collections.abc import Callable
from types import ModuleType

import pytest
from mindspore import context

import msbridge
from tests.oracle.case import Case, load
from tests.oracle.families import FAMILIES, HERE, JUDGED_ELSEWHERE
from tests.oracle.outcome import Json, differences, encode, encode_error, gaps, read

OF_TORCH = (  # the marks of torch's texts: a user who wrote MindSpore's names reads none of them
    "Dimension out of range",
    "Expected all tensors",
    "Given groups",
    "aten::",
    "c10::",
    "cannot be multiplied",
    "does not require grad",
    "expected scalar type",
    "has no attribute '_data'",
    "invalid combination of arguments",
    "is invalid for input of size",
    "mat1",
    "must be Tensor, not",
    "must match the size of tensor",
    "non-singleton dimension",
    "not implemented for '",
    "object cannot be interpreted",
    "tensor a (",
    "torch.Size",
    "torch.bool",
    "torch.float",
    "torch.int",
    "with base 10",
)
LOADED = {family: load(family) for family in FAMILIES}
STARTS_WORKERS = "num_workers="
GAP = {"gap": True}
CRASH = {"raises": "crash", "says": True}  # of MindSpore, with its process: an error of any class is right


@functools.cache
def record_of(family: str) -> tuple[str, dict[str, Json]]:
    """Return the release and the outcomes of a family: a process reads those of the families that it replays."""
    return read(HERE / "records" / f"{family}.json.gz")


def groups() -> list:
    """Return the families; the cases of a family that start processes are apart."""
    replayed = {family: cases for family, (_, cases) in LOADED.items() if family not in JUDGED_ELSEWHERE}
    whole = [pytest.param(family, False, id=family) for family in replayed]
    starting = [family for family, cases in replayed.items() if any(STARTS_WORKERS in c.expression for c in cases)]
    return whole + [
        pytest.param(family, True, id=f"{family}: workers", marks=pytest.mark.process) for family in starting
    ]


@pytest.mark.filterwarnings(
    "ignore::msbridge.core.checks.no_effect_warnings.WithoutEffectWarning"
)  # MindSpore does not say it
@pytest.mark.parametrize(("family", "workers"), groups())
def test_cases_give_the_recorded_outcomes(
    family: str,
    workers: bool,
    seed_all: Callable[[], None],
    subtests: pytest.Subtests,
    record_property: Callable[[str, object], None],
    request: pytest.FixtureRequest,
) -> None:
    """A case that fails is a subtest with its name; `--case TEXT` runs only the cases whose names have this text."""
    module, cases = LOADED[family]
    pytest.importorskip(getattr(module, "NEEDS", "mindspore"))
    _, outcomes = record_of(family)
    accepting: list[tuple[int, int]] = []
    for case in cases:
        if (STARTS_WORKERS in case.expression) is not workers or request.config.getoption("--case") not in case.name:
            continue
        msbridge.install()
        context.set_context(mode=context.PYNATIVE_MODE)  # in any state that the case before has left
        seed_all()
        problem = problem_of(family, module, case)
        if bool(problem) is not bool(case.xfail):
            with subtests.test(case.name):
                pytest.fail(problem or f"equal, though it is said that {case.xfail}", pytrace=False)
        accepting += [gaps(outcomes[case.name])] if case.name in outcomes and not case.raises else []
    accepting = [counts for counts in accepting if counts[0]]
    if accepting:
        record_property("gaps", [family, len(accepting), *map(sum, zip(*accepting, strict=True))])


def problem_of(family: str, module: ModuleType, case: Case) -> str:
    """Say where a case departs from its record; empty when it does not."""
    _, outcomes = record_of(family)
    if case.name not in outcomes:
        return "not recorded yet: run tests/oracle/record.py"
    tolerance = 0.0 if getattr(module, "EXACT", False) and case.tolerance is None else case.tolerance
    try:
        outcome = case.run(module)
    except Exception as error:
        return problem_of_error(family, case, error)
    if case.raises:
        return f"raises nothing, {case.raises} was expected"
    return "\n".join(differences(encode(outcome), outcomes[case.name], tolerance))


def problem_of_error(family: str, case: Case, error: Exception) -> str:
    """Say what is wrong with the error that a case raised; empty when it is the expected one.

    Where MindSpore raised, and msbridge is known to differ, msbridge raises nothing.
    """
    if case.xfail and "raises" in record_of(family)[1][case.name]:
        return ""
    if case.may_raise and not case.raises and record_of(family)[1][case.name] in (GAP, CRASH, encode_error(error, "")):
        return ""
    if not case.raises or not isinstance(error, case.raises):
        return "".join(traceback.format_exception(error))
    if case.says not in str(error):
        return f"{case.says!r} is not in {str(error)!r}"
    given_away = [words for words in OF_TORCH if words in str(error)] if "mistakes" in family else []
    return f"torch's words {given_away} in {str(error)!r}" if given_away else ""


@pytest.mark.parametrize("family", FAMILIES)
def test_record_holds_exactly_the_cases_of_its_family(family: str) -> None:
    release, outcomes = record_of(family)
    _, cases = LOADED[family]
    assert release == "2.10.0"
    assert outcomes.keys() == {case.name for case in cases}
