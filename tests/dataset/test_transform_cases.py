"""Every recorded case belongs to a file of transforms that has a test."""

from pathlib import Path

from transform_cases import CASES, REFUSED
from transform_tests import RANDOM, module_of


def test_every_case_has_a_test() -> None:
    modules = {module_of(expression) for expression in (*(case[0] for case in CASES), *REFUSED)}
    modules |= {type(operation).__module__ for operation in RANDOM}
    for module in modules:
        *rooms, name = module.removeprefix("msbridge.dataset.").split(".")
        assert Path(__file__).parent.joinpath(*rooms, f"test_{name}.py").is_file()
