"""MapParameter. Judge: MindSpore 2.10 for construction and printing; its documentation, for its CPU has no kernel."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Parameter, Tensor
from msbridge.core.parameter.map_parameter import MapParameter


def table(**settings: object) -> MapParameter:
    return MapParameter(ms.int32, ms.float32, (3,), default_value="zeros", name="m", **settings)  # type: ignore[arg-type]


def test_it_prints_its_settings() -> None:
    assert str(table()) == (
        "MapParameter(MapTensor(key_dtype=Int32, value_dtype=Float32, value_shape=[3], default_value=zeros, "
        "permit_filter=1, evict_filter=9223372036854775807))"
    )
    assert isinstance(table(), Parameter)


def test_rows_are_put_got_and_erased_by_key() -> None:
    rows = table()
    rows[Tensor([7, 2], ms.int32)] = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    assert rows[Tensor([2, 7])].asnumpy().tolist() == [[3, 4, 5], [0, 1, 2]]
    assert rows.get(Tensor([5]), False).asnumpy().tolist() == [[0, 0, 0]]
    assert rows.get_keys().asnumpy().tolist() == [7, 2]
    assert rows.get(Tensor([5])).asnumpy().tolist() == [[0, 0, 0]]
    rows.erase(Tensor([7, 99]))
    keys, values = rows.get_data()
    assert keys.asnumpy().tolist() == [2, 5]
    assert values.asnumpy().tolist() == [[3, 4, 5], [0, 0, 0]]


def test_what_is_exported_can_be_imported() -> None:
    rows = MapParameter(key_tensor=Tensor([1, 2], ms.int32), value_tensor=Tensor(np.ones((2, 3), np.float32)))
    other = table()
    other.import_data(rows.export_data())
    assert other.get_data()[1].asnumpy().tolist() == [[1, 1, 1], [1, 1, 1]]
    assert rows.export_bytes()[0] == np.array([1, 2], np.int32).tobytes()
    assert rows.clone("ones")[Tensor([9])].asnumpy().tolist() == [[1, 1, 1]]


def test_the_gradient_is_that_of_the_rows_that_are_there() -> None:
    rows = table()
    rows.put(Tensor([4, 6]), Tensor(np.ones((2, 3), np.float32)))
    found = ms.grad(lambda: (rows.get(Tensor([6, 6])) * 2).sum(), None, rows)()
    assert found.asnumpy().tolist() == [[0, 0, 0], [4, 4, 4]]


def test_settings_must_fit_the_given_tensors() -> None:
    with pytest.raises(ValueError, match="key_dtype"):
        MapParameter(ms.int64, key_tensor=Tensor([1], ms.int32))
    with pytest.raises(ValueError, match="default_value"):
        MapParameter(default_value="x")
    with pytest.raises(TypeError, match="keys must be a Tensor"):
        table().get([1])  # type: ignore[arg-type]


def test_an_optimizer_follows_a_table_that_grows() -> None:
    rows = table()
    optimizers = ms.nn.SGD([rows], 1.0), ms.nn.Adam([rows.clone()], 0.1)
    loss = ms.value_and_grad(lambda keys: (rows.get(keys) * 2).sum(), None, optimizers[0].parameters)
    for keys in ([4], [4, 6], [4, 6]):  # the gradient of a row is zero in the step that makes it
        optimizers[0](loss(Tensor(keys))[1])
    assert rows.get_values().asnumpy().tolist() == [[-4, -4, -4], [-2, -2, -2]]
    other = optimizers[1].parameters[0]
    loss = ms.value_and_grad(lambda keys: (other.get(keys) * 2).sum(), None, optimizers[1].parameters)
    for keys in ([4], [4, 6], [4, 6]):
        optimizers[1](loss(Tensor(keys))[1])
    assert optimizers[1].moment1[0].shape == other.shape == (2, 3)
