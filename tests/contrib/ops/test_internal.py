"""Primitives that MindSpore keeps for its own modules. Judge: numpy and Python; others are in the recorded cases."""

import numpy as np
import pytest

import msbridge as ms
from msbridge import Parameter, Tensor, nn, ops
from msbridge.contrib.ops import internal as inner
from msbridge.contrib.ops.internal import map_tensors
from msbridge.core.parameter.map_parameter import MapParameter

X = Tensor(np.float32([[0.5, -1.5, 2.0], [-0.2, 1.0, 0.0]]))


def same(found: Tensor, wanted: object) -> None:
    np.testing.assert_allclose(found.asnumpy(), np.asarray(wanted), rtol=1e-6)


class TestLanguage:
    def test_texts_and_numbers(self) -> None:
        assert inner.string_lt("a", "b")
        assert inner.string_in("a", "abc")
        assert inner.string_not("")
        assert (inner.bit_xor(6, 3), inner.bit_left_shift(6, 1), inner.bit_right_shift(6, 1)) == (5, 12, 3)

    def test_a_bprop_that_fits_is_given_back(self) -> None:
        grads = (X,)
        assert inner.check_bprop(grads, (X + 1,)) is grads

    def test_types_that_have_no_name(self) -> None:
        assert [str(inner.TopTypeof()(value)) for value in ({}, slice(1), ...)] == ["Dictionary", "Slice", "Ellipsis"]

    @pytest.mark.parametrize("name", ["ErrorOnDynamicShapeInput", "GpuConvertToDynamicShape", "ConvertToMsTensor"])
    def test_what_changes_nothing(self, name: str) -> None:
        assert getattr(inner, name)()(X) is X


class TestArrays:
    def test_a_norm_along_an_axis(self) -> None:
        data = X.asnumpy()
        norm = np.maximum(np.sqrt((data**2).sum(1, keepdims=True)), 1.0)
        same(inner.ClipByNorm(1)(X, Tensor([1.0], ms.float32)), data / norm)

    def test_centralization(self) -> None:
        same(inner.Centralization()(X, -1), X.asnumpy() - X.asnumpy().mean(-1, keepdims=True))
        same(inner.Centralization()(X), X.asnumpy() - X.asnumpy().mean())

    def test_diagonals_by_assisting_ones(self) -> None:
        ones = Tensor(np.eye(2, 3, dtype=np.float32))
        same(inner.MatrixDiagPart()(X, ones), [0.5, 1.0])
        expected = X.asnumpy().copy()
        expected[[0, 1], [0, 1]] = [7, 8]
        same(inner.MatrixSetDiag()(X, Tensor(np.float32([7, 8])), ones), expected)
        same(inner.MatrixDiag()(Tensor(np.float32([1, -1])), ops.eye(2, 2, ms.float32)), [[1, 0], [0, -1]])

    def test_what_is_not_zero(self) -> None:
        values, places, count = inner.NonZeroWithValue()(X)
        same(values, [0.5, -1.5, 2.0, -0.2, 1.0])
        same(places, [[0, 0, 0, 1, 1], [0, 1, 2, 0, 1]])
        kept, columns = inner.NonZeroWithValueShape()(values, places, count - 3)
        assert (kept.shape, columns.shape) == ((2,), (2, 2))
        assert inner.NonZeroWithValue(True)(X)[1].shape == (5, 2)

    def test_a_mask_of_sequences(self) -> None:
        same(inner.SequenceMask()(Tensor([1, 3]), 3), [[True, False, False], [True, True, True]])

    def test_quantisation(self) -> None:
        same(inner.Quant(10.0, 1.0)(X), [[6, -14, 21], [-1, 11, 1]])
        same(inner.Quant(10.0, 0.0, True)(X), [[50, -128, 127], [-20, 100, 0]])
        whole, scale = Tensor([4, -6], ms.int32), Tensor([0.5], ms.float16)
        same(inner.Dequant()(whole, scale), [2, -3])
        same(inner.Dequant(True, True)(whole, scale), [1, 0])
        same(inner.AntiQuant()(Tensor([50, 20], ms.int8), Tensor([2.0]), Tensor([1.0])), [102, 42])

    def test_the_nearest_centroids(self) -> None:
        x, y = np.float32([[1, 2], [3, 4], [1, 1]]), np.float32([[1, 1], [3, 3]])
        inputs = (x, y, (y**2).sum(1)[None], (x**2).sum(1)[:, None])
        sums, counts, total = inner.KMeansCentroids(True)(*map(Tensor, inputs))
        same(sums, [[2, 3], [3, 4]])
        same(counts, [[2], [1]])
        same(total, [2])

    def test_chunks_of_one_dtype(self) -> None:
        one, other = Tensor(np.float32([[1, 2]])), Tensor(np.float64([3]))
        first, second = inner.FlattenConcat()([one, other, one])
        same(first, [1, 2, 1, 2])
        same(second, [3])
        assert [chunk.shape for chunk in inner.FlattenConcat(8)([one, one])] == [(2,), (2,)]

    def test_images_to_the_nearest_pixels(self) -> None:
        image = Tensor(np.arange(4, dtype=np.float32).reshape(1, 1, 2, 2))
        same(inner.DynamicResizeNearestNeighbor()(image, (4, 4)), np.kron(image.asnumpy(), np.ones((2, 2))))

    def test_a_step_of_lamb_is_that_of_the_optimizer(self) -> None:
        start, grad = np.float32([1.0, -2.0]), Tensor(np.float32([0.3, 0.1]))
        weight = Parameter(Tensor(start), name="w")
        nn.Lamb([weight], 0.1, weight_decay=0.01)((grad,))
        zero = np.zeros(2, np.float32)
        var, m, v = (Parameter(Tensor(value), name=name) for value, name in ((start, "a"), (zero, "m"), (zero, "v")))
        found = inner.Lamb()(var, m, v, 0.1, 0.9, 0.999, 1e-6, 0.01, Tensor(1.0), grad)
        assert found is var
        np.testing.assert_allclose(found.asnumpy(), weight.asnumpy(), rtol=1e-5)


class TestStacks:
    def test_the_last_comes_first(self) -> None:
        inner.StackInit(3)()
        inner.StackPush(3)(X)
        inner.StackPush(3)(X + 1)
        pop = inner.StackPop(3, X.shape, X.dtype)
        same(pop(), X.asnumpy() + 1)
        same(pop(), X.asnumpy())
        with pytest.raises(RuntimeError, match="is empty"):
            pop()
        inner.StackDestroy(3)()
        with pytest.raises(RuntimeError, match="no stack 3"):
            pop()


def test_map_parameters() -> None:
    table = MapParameter(key_dtype=ms.int32, value_dtype=ms.float32, value_shape=(2,), default_value="zeros")
    keys = Tensor([1, 5], ms.int32)
    assert map_tensors.put(table, keys, Tensor([[1.0, 2.0], [3.0, 4.0]], ms.float32)) is table
    same(map_tensors.MapTensorGet(False)(table, Tensor([5, 9], ms.int32)), [[3, 4], [0, 0]])
    assert map_tensors.get_keys(table).shape == (2,)
    same(map_tensors.MapTensorGet(True)(table, Tensor([9], ms.int32)), [[0, 0]])
    assert map_tensors.get_values(table).shape == (3, 2)
    map_tensors.erase(table, Tensor([1, 9], ms.int32))
    found_keys, found_values = map_tensors.get_data(table)
    same(found_keys, [5])
    same(found_values, [[3, 4]])


def ramp() -> Tensor:
    """Return features of 2 images with 2 · 2² channels of 6 by 6, each its number plus the column."""
    channels, columns = np.arange(8).reshape(1, 8, 1, 1), np.arange(6).reshape(1, 1, 1, 6) / 10
    return Tensor(np.broadcast_to(channels + columns, (2, 8, 6, 6)).astype(np.float32))


def test_each_cell_of_a_region_is_the_mean_of_its_own_channel() -> None:
    pool = inner.PsROIPooling(2, 2, 2, 0.5, 2, 2)
    rois = Tensor([[0.0, 0.0, 0.0, 7.0, 7.0], [1.0, 3.6, 1.5, 7.0, 20.0]], ms.float32)
    found, channels = pool(ramp(), rois)
    # columns 0, 1 | 2, 3 of the first; 2 | 3 of the second, whose edges are 4, 2, 8, 21 before they are halved
    columns = np.array([[0.05, 0.25], [0.2, 0.3]]).reshape(2, 1, 1, 2)
    wanted = np.arange(8).reshape(1, 2, 2, 2) + columns
    np.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-6)
    assert channels.dtype == ms.int32
    assert channels.asnumpy().tolist() == [np.arange(8).reshape(2, 2, 2).tolist()] * 2


def test_the_pixels_of_a_cell_share_its_gradient() -> None:
    pool = inner.PsROIPooling(2, 2, 1, 1.0, 2, 2)
    rois = Tensor([[1.0, 0.0, 0.0, 3.0, 3.0]], ms.float32)
    gradient = ms.grad(lambda x: pool(x, rois)[0].sum())(ramp()).asnumpy()
    assert gradient[0].sum() == 0
    np.testing.assert_allclose(gradient[1].sum((1, 2)), np.ones(8), rtol=1e-6)
    assert np.count_nonzero(gradient[1, 0]) == 4


@pytest.mark.parametrize(
    ("settings", "says"),
    [((3, 2, 1, 1.0, 2, 2), "group_size"), ((2, 2, 5, 1.0, 2, 2), "rois"), ((2, 2, 1, 1.0, 3, 2), "12 channels")],
)
def test_regions_that_do_not_fit_are_refused(settings: tuple, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        inner.PsROIPooling(*settings)(ramp(), Tensor([[0.0, 0.0, 0.0, 3.0, 3.0]], ms.float32))
