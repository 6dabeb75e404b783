"""Operators that scripts define, where the recorded MindSpore has no compiler."""

import shutil
from pathlib import Path

import numpy as np
import pytest

import msbridge as ms
from msbridge import Tensor, nn, ops
from msbridge.ops import CustomRegOp, DataType, custom_info_register, kernel, ms_hybrid, ms_kernel

X = Tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])
SOURCE = """
#include <stdint.h>
#include <string.h>
extern "C" int AddAll(int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes, void *stream,
                      void *extra) {
  if (nparam != 3 || ndims[2] != 2) return 1;
  for (int i = 0; i < nparam; i++) if (strcmp(dtypes[i], "float32") != 0) return 2;
  float *a = (float *)params[0], *b = (float *)params[1], *c = (float *)params[2];
  for (int64_t i = 0; i < shapes[2][0] * shapes[2][1]; i++) c[i] = a[i] + b[i];
  return 0;
}
"""


@kernel
def product(a, b):
    d = allocate(a.shape, a.dtype)  # noqa: F821
    c = output_tensor((a.shape[0], b.shape[1]), a.dtype)  # noqa: F821
    for i in range(a.shape[0]):
        for k in serial(a.shape[1]):  # noqa: F821
            d[i, k] = 2.0 * a[i, k]
    for i, j in grid(c.shape):  # noqa: F821
        c[i, j] = 0.0
        for k in range(a.shape[1]):
            c[i, j] = c[i, j] + sin(d[i, k] * b[k, j])  # noqa: F821
    return c


def wanted(a: Tensor, b: Tensor) -> Tensor:
    return ops.sin(2 * a.expand_dims(2) * b.expand_dims(0)).sum(1)


class TestHybrid:
    def test_it_computes_what_it_says(self) -> None:
        assert np.allclose(ops.Custom(product, None, None, "hybrid")(X, X.T), wanted(X, X.T), atol=1e-5)

    def test_it_has_a_gradient_without_a_bprop(self) -> None:
        op = ops.Custom(product, None, None, "hybrid")
        ours, theirs = (ms.grad(lambda a, b, f=f: (f(a, b) * 3).sum(), (0, 1))(X, X.T) for f in (op, wanted))
        for found, expected in zip(ours, theirs, strict=True):
            assert np.allclose(found, expected, atol=1e-4)

    def test_a_bprop_goes_before(self) -> None:
        op = ops.Custom(product, None, None, "hybrid", bprop=lambda a, b, out, dout: (a * 7, b))
        other = ms.Tensor(X.asnumpy().T)
        assert np.array_equal(ms.grad(lambda a: op(a, other).sum())(X), X * 7)

    def test_akg_runs_the_same_language(self) -> None:
        def plain(a):
            c = output_tensor(a.shape, a.dtype)  # noqa: F821
            for i, j in grid(a.shape):  # noqa: F821
                c[i, j] = a[i, j] * 2.0
            return c

        assert np.array_equal(ops.Custom(plain, lambda a: a, lambda a: a, "akg")(X), X * 2)

    def test_older_names_are_the_same(self) -> None:
        for decorate in (ms_kernel, ms_hybrid):
            assert decorate(lambda a: a + 1)(np.ones(2)).tolist() == [2.0, 2.0]

    def test_loops_without_end_are_refused(self) -> None:
        @kernel
        def endless(a):
            while True:
                a = a + 1

        with pytest.raises(TypeError, match="'while'"):
            ops.Custom(endless, None, None, "hybrid")


@pytest.mark.process
@pytest.mark.skipif(shutil.which("g++") is None, reason="no C++ compiler")
class TestAheadOfTime:
    @pytest.fixture
    def source(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setenv("MS_COMPILER_CACHE_PATH", str(tmp_path / "cache"))
        path = tmp_path / "add.cc"
        path.write_text(SOURCE)
        return path

    def test_a_source_is_compiled_and_called(self, source: Path) -> None:
        op = ops.Custom(f"{source}:AddAll", lambda a, b: a, lambda a, b: a, "aot")
        assert np.array_equal(op(X, X.T.T), X * 2)
        library = ops.Custom(op.func, (2, 3), ms.float32, "aot")
        assert np.array_equal(library(X, X), X * 2)
        with pytest.raises(RuntimeError, match="returned 2"):
            op(X.astype(ms.float16), X)
        with pytest.raises(RuntimeError, match="'Other'"):
            ops.Custom(f"{source}:Other", (2, 3), ms.float32, "aot")(X, X)

    def test_a_source_with_mistakes_is_shown(self, source: Path) -> None:
        source.write_text("int f( {")
        with pytest.raises(RuntimeError, match="does not compile"):
            ops.Custom(f"{source}:f", (2, 3), ms.float32, "aot")

    def test_only_the_allowed_folder_is_read(self, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("MS_CUSTOM_AOT_WHITE_LIST", str(source.parent / "other"))
        with pytest.raises(TypeError, match="MS_CUSTOM_AOT_WHITE_LIST"):
            ops.Custom(f"{source}:AddAll", (2, 3), ms.float32, "aot")


class TestWhatIsRefused:
    def test_shapes_in_cpp(self) -> None:
        with pytest.raises(RuntimeError, match="pass out_shape"):
            ops.Custom("a.so:f", None, None, "aot")(X)

    def test_kernels_of_the_chip(self) -> None:
        with pytest.raises(RuntimeError, match="'pyfunc'"):
            ops.Custom(lambda a: a, lambda a: a, lambda a: a, "tbe")(X)

    def test_a_gradient_that_is_not_there(self) -> None:
        op = ops.Custom(lambda a: a * 2, lambda a: a, lambda a: a)
        assert np.array_equal(op(X), X * 2)
        with pytest.raises(RuntimeError, match="bprop"):
            ms.grad(lambda a: op(a).sum())(X)

    def test_outputs_that_are_not_declared(self) -> None:
        with pytest.raises(RuntimeError, match="declared are 2"):
            ops.Custom(lambda a: a, ((2, 3), (2, 3)), (ms.float32, ms.float32))(X)
        with pytest.raises(RuntimeError, match=r"declared is float32 of shape \(3, 3\)"):
            ops.Custom(lambda a: a, (3, 3), ms.float32)(X)


def test_a_description_goes_with_the_function() -> None:
    info = CustomRegOp().input(0, "x").output(0, "y").dtype_format(DataType.F32_Default, DataType.F32_Default)

    @custom_info_register(info.target("GPU").get_op_info())
    def double(a: np.ndarray) -> np.ndarray:
        return a * 2

    assert np.array_equal(ops.Custom(double, lambda a: a, lambda a: a)(X), X * 2)


def test_a_layer_of_the_tutorial_trains() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.dense = nn.Dense(3, 2)
            self.square = ops.Custom(
                lambda a: a * a, lambda a: a, lambda a: a, "pyfunc", bprop=lambda a, out, dout: (2 * a * dout,)
            )

        def construct(self, x: Tensor) -> Tensor:
            return self.square(self.dense(x)).sum()

    net = Net()
    value, gradients = ms.value_and_grad(net, None, net.trainable_params())(X)
    assert np.allclose(gradients[1], 2 * net.dense(X).sum(0))
    assert value.shape == ()


def test_a_function_as_an_operator_of_declared_types() -> None:
    op = ops.PyFunc(lambda a: (a + 1, a.sum()), (ms.float32,), ((2, 3),), (ms.float32, ms.float32), ((2, 3), ()))
    one, two = op(X)
    assert np.array_equal(one, X + 1)
    assert two.asnumpy().tolist() == 15.0
    seen: list[object] = []
    of_number = ops.PyFunc(lambda *given: seen.extend(given) or 1.0, [ms.int32] * 2, [(), (2,)], [ms.float32], [()])
    (found,) = of_number(Tensor([3], ms.int32), Tensor([[1, 2]], ms.int32))
    assert (found.shape, seen[0], type(seen[0]), seen[1].shape) == ((), 3, int, (2,))
    with pytest.raises(RuntimeError, match="declared"):
        of_number(Tensor([3, 4], ms.int32), Tensor([1, 2], ms.int32))
    with pytest.raises(ValueError, match="equal in number"):
        ops.PyFunc(abs, (ms.float32,), (), (), ())
