"""msbridge gives what the real MindSpore (2.10, CPU) gave: every case of `cases/` against its record."""

from collections.abc import Callable, Iterator
from types import ModuleType

import pytest
from case import FAMILIES, HERE, Case, load
from mindspore import context
from outcome import differences, encode, gaps, read

import msbridge

RECORDS = {family: read(HERE / "records" / f"{family}.json.gz") for family in FAMILIES}
OF_TORCH = (  # what gives torch's texts away: a user who wrote MindSpore's names reads none of them
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


def rows() -> list:
    return [
        pytest.param(
            family,
            module,
            case,
            id=f"{family}: {case.name}",
            marks=[*marks(case)],
        )
        for family, (module, cases) in LOADED.items()
        for case in cases
    ]


def marks(case: Case) -> Iterator[pytest.MarkDecorator]:
    if case.xfail:
        yield pytest.mark.xfail(reason=case.xfail, strict=True)
    if "num_workers=" in case.expression:
        yield pytest.mark.process


@pytest.fixture(autouse=True)
def fresh_start() -> None:
    """Start in PyNative mode, as MindSpore does, whatever another case or test has left."""
    msbridge.install()
    context.set_context(mode=context.PYNATIVE_MODE)


@pytest.mark.filterwarnings(
    "ignore::msbridge.core.checks.no_effect_warnings.WithoutEffectWarning"
)  # MindSpore does not say it
@pytest.mark.parametrize(("family", "module", "case"), rows())
def test_case_gives_the_recorded_outcome(
    family: str, module: ModuleType, case: Case, record_property: Callable[[str, object], None]
) -> None:
    _, outcomes = RECORDS[family]
    assert case.name in outcomes, "not recorded yet: run tests/oracle/record.py"
    if case.raises:
        with pytest.raises(case.raises) as caught:
            case.run(module)
        assert case.says in str(caught.value)
        if "mistakes" in family:
            assert not [words for words in OF_TORCH if words in str(caught.value)]
        return
    tolerance = 0.0 if getattr(module, "EXACT", False) and case.tolerance is None else case.tolerance
    problems = list(differences(encode(case.run(module)), outcomes[case.name], tolerance))
    assert not problems, "\n".join(problems)
    accepted, values = gaps(outcomes[case.name])
    if accepted:
        record_property("gaps", [family, accepted, values])


@pytest.mark.parametrize("family", FAMILIES)
def test_record_holds_exactly_the_cases_of_its_family(family: str) -> None:
    release, outcomes = RECORDS[family]
    _, cases = LOADED[family]
    assert release == "2.10.0"
    assert outcomes.keys() == {case.name for case in cases}
