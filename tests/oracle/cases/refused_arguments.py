"""Arguments that are refused: by torch's reading of them, and where a Tensor is wanted."""

from tests.oracle.case import Case, rand

CASES = [
    *(Case(f"ops.is_nonzero({value})", raises=TypeError, says="Tensor") for value in ("1", "[1]", "'a'", "np.ones(3)")),
    Case("ops.is_nonzero(x)", raises=ValueError, says="", x=rand(2, 3)),
    Case("mint.nn.functional.glu(x)", raises=RuntimeError, says="", x=rand(2, 3)),
    Case("ops.GLU()(x)", raises=RuntimeError, says="", x=rand(2, 3)),
    Case("ops.glu(x)", raises=ValueError, says="", x=rand(2, 3)),
    *(
        Case(f"ops.adaptive_max_pool1d(x, {size})", raises=TypeError, says="output_size", x=rand(1, 2, 3))
        for size in ("Tensor([True])", "'a'", "None", "1.5", "[1, 2]")
    ),
    Case("ops.adaptive_avg_pool1d(x, Tensor([True]))", raises=TypeError, says="output_size", x=rand(1, 2, 3)),
]
