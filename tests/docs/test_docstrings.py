"""Docstrings of public names say what arguments are, and what comes out."""

import inspect

import pytest

from msbridge import Tensor
from tests.docs.docstrings import lacking, public

MODULES = (
    "mindspore",
    "mindspore.amp",
    "mindspore.common.initializer",
    "mindspore.communication",
    "mindspore.dataset",
    "mindspore.dataset.audio",
    "mindspore.dataset.text",
    "mindspore.dataset.transforms",
    "mindspore.dataset.vision",
    "mindspore.experimental.optim",
    "mindspore.experimental.optim.lr_scheduler",
    "mindspore.hal",
    "mindspore.nn",
    "mindspore.numpy",
    "mindspore.parallel",
    "mindspore.runtime",
    "mindspore.scipy.linalg",
    "mindspore.scipy.optimize",
    "mindspore.scipy.sparse.linalg",
    "mindspore.train",
)
SHARE = 0.95


@pytest.mark.usefixtures("mindspore_is_msbridge")
@pytest.mark.parametrize("module", MODULES)
def test_docstrings_have_their_sections(module: str) -> None:
    names = dict(public(module))
    lacks = {name: lack for name, value in names.items() if (lack := lacking(value))}
    assert len(lacks) <= (1 - SHARE) * len(names), lacks


@pytest.mark.usefixtures("mindspore_is_msbridge")
@pytest.mark.parametrize("module", MODULES)
def test_docstrings_describe_no_argument_that_is_not_there(module: str) -> None:
    lacks = {name: [lack for lack in lacking(value) if "not there" in lack] for name, value in public(module)}
    assert {name: lack for name, lack in lacks.items() if lack} == {}


@pytest.mark.usefixtures("mindspore_is_msbridge")
def test_methods_of_tensors_have_their_sections() -> None:
    methods = {name: method for name, method in inspect.getmembers(Tensor, callable) if name[0] != "_"}
    lacks = {name: lack for name, method in methods.items() if (lack := lacking(method, bound=True))}
    assert len(lacks) <= (1 - SHARE) * len(methods), lacks


@pytest.mark.usefixtures("mindspore_is_msbridge")
def test_methods_of_callbacks_metrics_and_managers_have_their_sections() -> None:
    classes = [value for _, value in public("mindspore.train") if inspect.isclass(value)]
    own = {
        f"{each.__name__}.{name}": method for each in classes for name, method in vars(each).items() if name[0] != "_"
    }
    methods = {name: method for name, method in own.items() if inspect.isfunction(method)}
    lacks = {name: lack for name, method in methods.items() if (lack := lacking(method, bound=True))}
    assert set(lacks) <= {"Model.predict", "ConvertNetUtils.convert_to_thor_net"}
