"""String Tensors: what they are made of, what they show, and that nothing computes with them."""

import copy  # noqa: F401
import pickle  # noqa: F401

import numpy as np
from mindspore import Parameter, Tensor, nn, ops  # noqa: F401

from tests.oracle.case import each

WORDS, BYTES = np.array(["a", "bc"]), np.array([b"a", b"bc"])
TABLE, WORD = np.array([["a", "é"], ["", "d"]]), np.array("abc")

CASES = [
    *each("""
        [repr(Tensor(one)) for one in (WORDS, BYTES, TABLE, WORD, b"abc", b"")]
        [str(Tensor(one)) for one in (WORDS, BYTES, TABLE, WORD, b"abc")], f"{Tensor(WORDS)}"
        [Tensor(one).shape for one in (WORDS, TABLE, WORD, b"abc")]
        [Tensor(one).dtype for one in (WORDS, BYTES, b"abc")], Tensor(WORDS).dtype is ms.string
        [(t.size, t.ndim, t.itemsize, t.nbytes, t.strides) for t in map(Tensor, (WORDS, BYTES, TABLE, WORD, b"abc"))]
        [repr(Tensor(one).asnumpy()) for one in (WORDS, BYTES, TABLE, WORD)]
        str(Tensor(WORDS).asnumpy().dtype), str(np.array(Tensor(BYTES)).dtype)
        repr(Tensor(WORDS, ms.string)), repr(Tensor(Tensor(WORDS))), repr(Tensor(WORDS, ms.float32))
        repr(ms.tensor(WORDS)), repr(ms.from_numpy(WORDS)), repr(Tensor.from_numpy(BYTES)), repr(ms.tensor(b"a"))
        repr(copy.deepcopy(Tensor(WORDS))), repr(pickle.loads(pickle.dumps(Tensor(WORDS))))
        Parameter(Tensor(WORDS), "words").dtype, str(Parameter(Tensor(WORDS), "words"))
        len(Tensor(TABLE)), Tensor(WORDS) == "a", Tensor(WORDS) != "a", "a" in Tensor(WORDS)
        ops.shape(Tensor(TABLE)), ops.size(Tensor(TABLE)), ops.rank(Tensor(TABLE))
        repr(nn.Identity()(Tensor(WORDS))), repr(ops.depend(Tensor(WORDS), Tensor(1))), repr(Tensor(WORDS).T)
        Tensor(1, ms.string), Tensor(True, ms.string)
    """),
    *each(
        """
        Tensor("abc")
        Tensor(["a", "b"])
        Tensor("abc", ms.string)
        Tensor(["a"], ms.string)
        Tensor(bytearray(b"a"))
        Tensor(np.array(["a"], object))
        Parameter("a")
        Parameter(b"a")
        Tensor(WORDS) == Tensor(WORDS)
        Tensor(WORDS)[0]
        Tensor(WORDS).tolist()
        Tensor(WORD).item()
        bool(Tensor(WORD))
        int(Tensor(WORD))
        len(Tensor(WORD))
        list(Tensor(WORDS))
        Tensor(WORDS).astype(ms.int32)
        Tensor([1]).astype(ms.string)
        Tensor(Tensor(WORDS), ms.float32)
        Tensor(WORDS) + Tensor(WORDS)
        Tensor(WORDS) + 1
        Tensor(TABLE).T
        Tensor(WORDS).reshape(2, 1)
        Tensor(WORDS).abs()
        ops.relu(Tensor(WORDS))
        ops.concat((Tensor(WORDS), Tensor(WORDS)))
        ops.stack((Tensor(WORDS), Tensor(WORDS)))
        ops.zeros_like(Tensor(WORDS))
        nn.ReLU()(Tensor(WORDS))
        """,
        raises=TypeError,
    ),
]
