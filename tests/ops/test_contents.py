"""The tables of contents: what a topic publishes, and the errors of a name that is misspelt or occurs twice."""

from types import ModuleType

import pytest

from msbridge.ops import contents, faces
from msbridge.ops.elementwise.activation import functions


def module(name: str, **values: object) -> ModuleType:
    found = ModuleType(name)
    vars(found).update(values)
    return found


def test_a_file_publishes_what_it_defines() -> None:
    names = contents.list_published_names(functions)
    assert names["relu"] is functions.relu
    assert not {"unary", "Tensor", "torch", "F"} & names.keys()


def test_a_misspelt_name_is_an_error() -> None:
    with pytest.raises(AttributeError, match="rleu"):
        faces.same(functions, "relu rleu")


def test_a_name_that_two_topics_publish_is_an_error(monkeypatch) -> None:
    topics = [module("topic_a", SAME={"relu": functions.relu}), module("topic_b", SAME={"relu": functions.relu})]
    monkeypatch.setattr(contents, "files", lambda face: iter(topics))
    with pytest.raises(ImportError, match=r"topic_b publishes \['relu'\]"):
        contents.gather("methods")


def test_a_primitive_takes_its_defaults_from_the_function() -> None:
    from msbridge.ops.primitive.primitive import derive

    assert derive("Elu", functions.elu, "alpha")().alpha == 1.0
    assert derive("Elu", functions.elu, "alpha", alpha=2.0)().alpha == 2.0
    with pytest.raises(KeyError, match="alhpa"):
        derive("Elu", functions.elu, "alhpa")
