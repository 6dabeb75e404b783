"""Every recorded case belongs to a file of transforms that has a test."""

from pathlib import Path

from msbridge.core.runtime.defining_modules import defining_module
from tests.dataset.transform_cases import CASES, REFUSED
from tests.dataset.transform_tests import RANDOM, module_of


def test_every_case_has_a_test() -> None:
    modules = {module_of(expression) for expression in (*(case[0] for case in CASES), *REFUSED)}
    modules |= {defining_module(type(operation)) for operation in RANDOM}
    for module in modules:
        *rooms, name = module.removeprefix("msbridge.dataset.").split(".")
        assert Path(__file__).parent.joinpath(*rooms, f"test_{name}.py").is_file()
